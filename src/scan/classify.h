// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kind of file is this? By name first, by its first bytes when the name does not say.
#pragma once

#include <string_view>

#include "scan/facts.h"

namespace unwarp::scan {

/// How many first bytes `classify` wants to see.
inline constexpr std::size_t headBytes = 512;

/// `path` relative to the root; `head` the file's first bytes (may be shorter).
FileKind classify(std::string_view path, std::string_view head);

}  // namespace unwarp::scan
