// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/stubs.h"

#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "compiler/nvcc/image_tool.h"
#include "compiler/nvcc/process.h"

namespace unwarp::nvcc {

int separateStubs(const std::string& object, const std::string& unit) {
  Printed symbols = printedBy({UNWARP_LLVM_FOLDER "/bin/llvm-nm", object}, Stream::output);
  if (symbols.status != 0) return complain("fatbinary: cannot list the symbols of '" + object + "'");
  std::vector<std::string> command{UNWARP_LLVM_FOLDER "/bin/llvm-objcopy"};
  LineReader lines(symbols.text);
  std::string_view line;
  while (lines.next(line)) {
    std::vector<std::string_view> parts = words(line);  // address, kind, name
    if (parts.size() != 3 || parts[1] != "W" || parts[2].find("__device_stub__") == std::string_view::npos) continue;
    std::string name(parts[2]);
    command.push_back("--redefine-sym=" + name + "=" + name + "." + unit);
    command.push_back("--add-symbol=" + name + "=.text." + name + ":0,weak,function");
  }
  if (command.size() == 1) return 0;
  command.push_back(object);
  return runProgram(command) == 0 ? 0 : complain("fatbinary: cannot rename launch functions in '" + object + "'");
}

}  // namespace unwarp::nvcc
