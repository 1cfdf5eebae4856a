// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unwarp nvcc ARGS (every argument belongs to nvcc), bin/fatbinary of the toolkit, and unwarp toolkit-path.
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command_list.h"
#include "cli/output.h"
#include "compiler/nvcc/driver.h"
#include "compiler/nvcc/image_tool.h"

namespace unwarp::cli {

int runNvcc(int argc, char** argv) {
  return nvcc::runNvcc(std::vector<std::string>(argv, argv + argc));
}

int runFatbinary(int argc, char** argv) {
  return nvcc::runImageTool(std::vector<std::string>(argv, argv + argc));
}

int runToolkitPath(int argc, char** argv) {
  auto arguments = parseArguments(*findCommand("toolkit-path"), argc, argv);
  if (!arguments) return fail(arguments.error());
  return printOut(nvcc::toolkitPath() + "\n") ? 0 : 2;
}

}  // namespace unwarp::cli
