// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/host_options.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"

extern char** environ;

namespace unwarp::nvcc {
namespace {

constexpr std::string_view kCommon =
    "-fPIC -fpic -fPIE -fpie -fno-PIE -fopenmp -fopenmp-simd -fvisibility=hidden -fvisibility-inlines-hidden "
    "-fno-strict-aliasing -fstrict-aliasing -ffast-math -fno-exceptions -fno-rtti -fexceptions -ffunction-sections "
    "-fdata-sections -fno-omit-frame-pointer -fomit-frame-pointer -fpermissive -fsigned-char -funroll-loops "
    "-fno-math-errno -fno-trapping-math -fstack-protector-strong -fcf-protection -fno-lto -fno-finite-math-only "
    "-m64 -march=native -mtune=native -mavx -mavx2 -mfma -msse -msse2 -msse3 -msse4.1 -msse4.2 -mf16c -mavx512f";

bool isCommon(std::string_view flag) {
  bool mayBeUnknown = flag.starts_with("-f") || flag.starts_with("-m") || flag.starts_with("--");
  if (!mayBeUnknown) return true;  // warnings are never unknown (-Wno-unknown-warning-option), files are no flags
  std::vector<std::string_view> common = words(kCommon);
  return std::find(common.begin(), common.end(), flag) != common.end();
}

// What the program says on stderr.
std::string complaintsOf(std::vector<std::string> command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  bool started = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char buffer[4096];
  ssize_t size = 0;
  while (started && (size = read(ends[0], buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<size_t>(size));
  close(ends[0]);
  if (started) waitpid(child, nullptr, 0);
  return text;
}

}  // namespace

std::set<std::string> flagsUnknownTo(const std::string& clang, const std::vector<std::string>& flags) {
  std::set<std::string> unknown;
  if (std::all_of(flags.begin(), flags.end(), isCommon)) return unknown;
  std::vector<std::string> command{clang, "-###", "-x", "c++", "-c", "/dev/null"};
  command.insert(command.end(), flags.begin(), flags.end());
  std::string said = complaintsOf(std::move(command));
  for (const std::string& flag : flags) {
    // "unknown argument: '-fgcse'", or without the colon before a suggestion.
    bool named = said.find("unknown argument: '" + flag + "'") != std::string::npos ||
                 said.find("unknown argument '" + flag + "'") != std::string::npos;
    if (named) unknown.insert(flag);
  }
  return unknown;
}

}  // namespace unwarp::nvcc
