// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

extern char** environ;

namespace unwarp::nvcc {
namespace {

constexpr int kNotStarted = 127;

// 0 when it cannot be started, after a message.
pid_t start(const std::vector<std::string>& command, const posix_spawn_file_actions_t* actions) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (int error = posix_spawnp(&child, arguments[0], actions, nullptr, arguments.data(), environ)) {
    std::fprintf(stderr, "nvcc fatal   : cannot run '%s': %s\n", command[0].c_str(), std::strerror(error));
    return 0;
  }
  return child;
}

int statusOf(pid_t child) {
  if (child == 0) return kNotStarted;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int runProgram(const std::vector<std::string>& command) {
  return statusOf(start(command, nullptr));
}

Printed printedBy(const std::vector<std::string>& command, Stream stream, std::string_view enough) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {kNotStarted, ""};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO);
  pid_t child = start(command, &actions);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Printed printed;
  char buffer[4096];
  ssize_t size = 0;
  bool ended = false;
  while (!ended && (size = read(ends[0], buffer, sizeof buffer)) > 0) {
    size_t before = printed.text.size();
    printed.text.append(buffer, static_cast<size_t>(size));
    size_t from = before > enough.size() ? before - enough.size() : 0;
    ended = !enough.empty() && printed.text.find(enough, from) != std::string::npos;
  }
  if (ended) kill(child, SIGKILL);
  close(ends[0]);
  int status = statusOf(child);
  printed.status = ended ? 0 : status;
  return printed;
}

}  // namespace unwarp::nvcc
