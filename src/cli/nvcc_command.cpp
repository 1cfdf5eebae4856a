// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unwarp nvcc ARGS (every argument belongs to nvcc), bin/fatbinary of the toolkit, and unwarp toolkit-path.
#include <string>
#include <vector>

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

int runToolkitPath(int argc, char**) {
  if (argc > 0) return fail("toolkit-path takes no argument");
  return printOut(nvcc::toolkitPath() + "\n") ? 0 : 2;
}

}  // namespace unwarp::cli
