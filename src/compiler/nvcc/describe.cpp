// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CMake 3.25 to 4.x reads from `nvcc -v`: where the toolkit is, where its libraries are, and one link line that
// repeats the LIBRARIES text byte for byte; its first word becomes CMake's host link launcher.
#include "compiler/nvcc/plan.h"

namespace unwarp::nvcc {

std::string describe(const CommandLine& line, const Installation& installation) {
  const std::string& top = installation.toolkit;
  std::string libraries = "\"-L" + top + "/lib64\"";
  Flags flags(line, installation, 0, false);
  std::string_view runtime = line.value("cudart", "static");
  std::string library = runtime == "shared" ? "-lcudadevrt -lcudart"
                        : runtime == "none" ? "-lcudadevrt"
                                            : "-lcudadevrt -lcudart_static";
  std::string text;
  auto variable = [&](const std::string& name, const std::string& value) { text += "#$ " + name + "=" + value + "\n"; };
  variable("_NVVM_BRANCH_", "nvvm");
  variable("TOP", top);
  variable("NVVMIR_LIBRARY_DIR", top + "/nvvm/libdevice");
  variable("PATH", top + "/bin");
  variable("INCLUDES", "\"-I" + top + "/include\"");
  variable("SYSTEM_INCLUDES", "");
  variable("LIBRARIES", libraries);
  variable("CUDAFE_FLAGS", "");
  variable("PTXAS_FLAGS", "");
  Result<int> architecture = chosenArchitecture(line);
  text += "#$ cicc -arch compute_" + std::to_string(architecture ? *architecture : 80) + "\n";
  text += "#$ \"" + flags.linker() + "\" -o \"a.out\" -Wl,--start-group " + libraries + " " + library +
          " -lrt -lpthread -ldl -Wl,--end-group\n";
  return text;
}

}  // namespace unwarp::nvcc
