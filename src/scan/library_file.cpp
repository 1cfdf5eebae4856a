// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library by the name of its file, as loaders are given it. On Windows they add `.dll` themselves.
#include "scan/binary/library_name.h"
#include "scan/readers.h"

namespace unwarp::scan {

bool addLibraryFile(const ReadContext& context, std::string_view file, std::uint32_t line, std::uint32_t column,
                    FileFacts& out) {
  for (const std::string& name : {std::string(file), std::string(file) + ".dll"}) {
    const auto library = parseLibraryName(name);
    if (library &&
        addDependency(context, out, knowledge::Ecosystem::Lib, library->name, line, library->version, false, column))
      return true;
  }
  return false;
}

}  // namespace unwarp::scan
