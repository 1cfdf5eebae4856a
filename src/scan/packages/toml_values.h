// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positional TOML: every scalar with its path and line, in the form of the JSON walker, so that readers of both look
// alike.
#pragma once

#include "scan/json_tokens.h"

namespace unwarp::scan::packages {

/// Calls `visit` for each scalar, tables in key order. False when the text is no valid TOML; then nothing was visited.
bool visitToml(std::string_view text, const std::function<void(const JsonScalar&)>& visit);

/// For texts that are no valid TOML: single-line `key = "value"` and array items, with the table's header as path. A
/// best effort.
void visitTomlLines(std::string_view text, const std::function<void(const JsonScalar&)>& visit);

/// The first, or the second with a note when the first fails.
void visitTomlOrLines(std::string_view text, std::vector<std::string>& notes,
                      const std::function<void(const JsonScalar&)>& visit);

}  // namespace unwarp::scan::packages
