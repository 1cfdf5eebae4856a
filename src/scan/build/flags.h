// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces that all build readers share: flags in a row, libraries by link name, toolkit folders.
#pragma once

#include <string_view>

#include "scan/facts.h"

namespace unwarp::scan::build {

/// Flags as they stand on a command line or in a variable: quotes removed, `-gencode X` joined, other words looked at
/// for toolkit folders.
void addFlagWords(const ReadContext& context, std::string_view text, std::uint32_t line, FileFacts& out,
                  bool guarded = false);

/// A variable of the environment that holds flags (`CXXFLAGS`, `HIPCC_COMPILE_FLAGS_APPEND`): of its value only what a
/// rule asks for counts, since the compiler that reads it is not known.
void addFlagVariable(const ReadContext& context, std::string_view name, std::string_view value, std::uint32_t line,
                     FileFacts& out);

/// A library by its link name ("cublas", "cudart_static"). False when it is no binding.
bool addLinkLibrary(const ReadContext& context, std::string_view name, std::uint32_t line, FileFacts& out,
                    bool guarded = false);

/// `-x cuda`, in the two words it has everywhere. False when the language is another.
bool addLanguageOption(const ReadContext& context, std::string_view language, std::uint32_t line, FileFacts& out,
                       bool guarded = false);

/// A folder of an installed toolkit written down in full ("/usr/local/cuda-12.4/lib64"). False when `text` holds none.
bool addToolkitPath(const ReadContext& context, std::string_view text, std::uint32_t line, FileFacts& out,
                    bool guarded = false);

}  // namespace unwarp::scan::build
