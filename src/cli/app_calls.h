// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp doctor --app`: which CUDA functions a built program uses that our runtime does not have. A program with the
// shared runtime says so in its undefined symbols. With the static runtime a missing function could not have been
// linked; what is left are those that are there and fail at run time ("not supported yet"), and calls of them are found
// in the machine code.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace unwarp::cli {

struct AppCalls {
  bool usesRuntime = false;              // any CUDA function at all, or device code of ours
  bool codeUnread = false;               // static runtime and no symbol table, or no x86-64: calls cannot be seen
  std::vector<std::string> missing;      // in no library of the toolkit
  std::vector<std::string> unsupported;  // there, and answers "not supported"
};

/// `toolkit` holds lib64 with our libraries.
Result<AppCalls> callsOf(const std::string& program, const std::string& toolkit);

}  // namespace unwarp::cli
