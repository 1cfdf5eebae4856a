// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

extern char** environ;

namespace unwarp {
namespace {

// The error number when it cannot be started.
int start(const std::vector<std::string>& command, const posix_spawn_file_actions_t* actions, pid_t& child) {
  std::vector<char*> words = pointersTo(command);
  return posix_spawnp(&child, words[0], actions, nullptr, words.data(), environ);
}

int statusOf(pid_t child) {
  const int status = waitFor(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Printed runProgram(const std::vector<std::string>& command) {
  pid_t child = 0;
  if (const int error = start(command, nullptr, child)) return {notStartedStatus, error, ""};
  return {statusOf(child), 0, ""};
}

Printed printedBy(const std::vector<std::string>& command, Stream stream, std::string_view enough) {
  Pipe pipe;
  if (pipe.readEnd < 0) return {notStartedStatus, errno, ""};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd, stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO);
  pid_t child = 0;
  const int error = start(command, &actions, child);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {notStartedStatus, error, ""};
  pipe.closeWriteEnd();
  Printed printed;
  char buffer[4096];
  ssize_t size = 0;
  bool ended = false;
  while (!ended && (size = read(pipe.readEnd, buffer, sizeof buffer)) > 0) {
    size_t before = printed.text.size();
    printed.text.append(buffer, static_cast<size_t>(size));
    size_t from = before > enough.size() ? before - enough.size() : 0;
    ended = !enough.empty() && printed.text.find(enough, from) != std::string::npos;
  }
  if (ended) kill(child, SIGKILL);
  pipe.closeReadEnd();  // a program that goes on printing is not waited for without end
  const int status = statusOf(child);
  printed.status = ended ? 0 : status;
  return printed;
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  readEnd = ends[0];
  writeEnd = ends[1];
}

Pipe::~Pipe() {
  closeWriteEnd();
  closeReadEnd();
}

void Pipe::closeReadEnd() {
  if (readEnd >= 0) close(readEnd);
  readEnd = -1;
}

void Pipe::closeWriteEnd() {
  if (writeEnd >= 0) close(writeEnd);
  writeEnd = -1;
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace unwarp
