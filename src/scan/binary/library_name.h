// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Library file names as the knowledge tables spell them: without version, without the hash that wheel repair tools put
// in, and in the ELF spelling also for Windows DLLs. Binding records are looked up by this name.
// Limits: purely textual; a library renamed by hand is not recognised.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace unwarp::scan {

/// A library file name cut into what it is called and which version it says.
struct LibraryName {
  std::string name;     ///< `libcudart.so`
  std::string version;  ///< `12.0.107`, or empty
};

/// `libcudart-9335f6a2.so.12.0.107` gives libcudart.so, 12.0.107; `cudart64_12.dll` gives libcudart.so, 12.
/// Nothing when the text is no shared library's file name (a leading folder is ignored).
std::optional<LibraryName> parseLibraryName(std::string_view text);

}  // namespace unwarp::scan
