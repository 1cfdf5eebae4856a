// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/tools.h"

#include <cstdio>
#include <cstring>

namespace unwarp::nvcc {
namespace {

void sayWhetherStarted(const std::string& program, const Printed& printed) {
  if (printed.startError != 0)
    std::fprintf(stderr, "nvcc fatal   : cannot run '%s': %s\n", program.c_str(), std::strerror(printed.startError));
}

}  // namespace

int runTool(const std::vector<std::string>& command) {
  const Printed printed = runProgram(command);
  sayWhetherStarted(command[0], printed);
  return printed.status;
}

Printed printedByTool(const std::vector<std::string>& command, Stream stream, std::string_view enough) {
  Printed printed = printedBy(command, stream, enough);
  sayWhetherStarted(command[0], printed);
  return printed;
}

}  // namespace unwarp::nvcc
