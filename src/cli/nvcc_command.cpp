// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unwarp nvcc ARGS (every argument belongs to nvcc), unwarp toolkit-path, and unwarp run.
#include <string>
#include <vector>

#include "cli/command_list.h"
#include "cli/output.h"
#include "compiler/nvcc/driver.h"

namespace unwarp::cli {

int runNvcc(int argc, char** argv) {
  return nvcc::runNvcc(std::vector<std::string>(argv, argv + argc));
}

int runToolkitPath(int argc, char**) {
  if (argc > 0) return fail("toolkit-path takes no argument");
  return printOut(nvcc::toolkitPath() + "\n") ? 0 : 2;
}

}  // namespace unwarp::cli
