// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CMake 3.25 to 4.x reads from `nvcc -v`: where the toolkit is and where its libraries are. It also needs one link
// line that repeats the LIBRARIES text byte for byte; its first word becomes CMake's host link launcher. The link
// step's own line does, because all lines are quoted in one way.
#include <cstdlib>

#include "compiler/nvcc/plan.h"

namespace unwarp::nvcc {

std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\"'\\$&;|<>()*?#~`![]{}") == std::string::npos) return word;
  std::string text = "\"";
  for (char c : word) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') text += '\\';
    text += c;
  }
  return text + "\"";
}

std::string describe(const CommandLine& line, const Installation& installation) {
  const std::string& top = installation.toolkit;
  std::string text;
  auto variable = [&](const char* name, const std::string& value) {
    text += "#$ " + std::string(name) + "=" + value + "\n";
  };
  const char* path = std::getenv("PATH");
  variable("_NVVM_BRANCH_", "nvvm");
  variable("TOP", quoted(top));
  variable("NVVMIR_LIBRARY_DIR", quoted(top + "/nvvm/libdevice"));
  variable("PATH", quoted(top + "/bin" + (path ? ":" + std::string(path) : "")));
  variable("INCLUDES", quoted("-I" + top + "/include"));
  variable("SYSTEM_INCLUDES", "");
  variable("LIBRARIES", quoted("-L" + top + "/lib64"));
  variable("CUDAFE_FLAGS", "");
  variable("PTXAS_FLAGS", "");
  Result<int> architecture = chosenArchitecture(line);
  // CMake looks for this text; the colon makes it a line that a shell passes over.
  text += "#$ : cicc -arch compute_" + std::to_string(architecture ? *architecture : kDefaultArchitecture) + "\n";
  return text;
}

}  // namespace unwarp::nvcc
