// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp run`: a program built by our nvcc, at a width, on a device, with counts, without remembering the names of the
// environment variables. It becomes the program, so that signals, terminal and status are the program's own.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cli/arguments.h"
#include "cli/command_list.h"
#include "cli/output.h"
#include "compiler/nvcc/driver.h"

namespace unwarp::cli {
namespace {

// As shells do it.
constexpr int kNotFound = 127, kNotRunnable = 126;

// Where the program's name stands: everything from there on is the program's.
int programPosition(const Command& command, int argc, char** argv) {
  for (int i = 0; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--") return i + 1;
    if (word.size() < 2 || word[0] != '-') return i;
    for (const Flag& flag : command.flags) {
      if (word == flag.name && !flag.argument.empty()) ++i;
    }
  }
  return argc;
}

// Programs linked with the shared runtime by a build system of their own find ours.
void addLibraryPath() {
  std::string path = nvcc::toolkitPath() + "/lib64";
  const char* before = std::getenv("LD_LIBRARY_PATH");
  if (before && *before) path += ":" + std::string(before);
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
}

Result<Done> setEnvironment(const Arguments& arguments) {
  constexpr std::pair<const char*, const char*> kVariables[] = {
      {"--width", "UNWARP_WIDTH"},     {"--device", "UNWARP_DEVICE"}, {"--devices", "UNWARP_DEVICES"},
      {"--threads", "UNWARP_THREADS"}, {"--tier", "UNWARP_TIER"},
  };
  for (const auto& [flag, variable] : kVariables) {
    if (arguments.has(flag)) setenv(variable, arguments.flags.find(flag)->second.back().c_str(), 1);
  }
  if (arguments.has("--stats")) {
    std::string file = arguments.flags.find("--stats")->second.back();
    std::error_code failed;
    std::string whole = std::filesystem::absolute(file, failed).string();  // the program may change its folder
    if (failed) return Error{"--stats: no such place: '" + file + "'"};
    setenv("UNWARP_STATS", file == "-" ? "json" : ("json:" + whole).c_str(), 1);
  }
  return Done{};
}

}  // namespace

int runRun(int argc, char** argv) {
  const Command& command = *findCommand("run");
  int program = programPosition(command, argc, argv);
  auto arguments = parseArguments(command, program, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  if (program >= argc) return fail("run needs a program: unwarp run --width 64 ./app");
  Result<Done> set = setEnvironment(*arguments);
  if (!set) return fail(set.error());
  addLibraryPath();
  std::signal(SIGPIPE, SIG_DFL);
  execvp(argv[program], argv + program);
  int reason = errno;
  fail("cannot run '" + std::string(argv[program]) + "': " + std::strerror(reason));
  return reason == ENOENT ? kNotFound : kNotRunnable;
}

}  // namespace unwarp::cli
