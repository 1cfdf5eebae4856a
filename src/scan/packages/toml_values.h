// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positional TOML: every scalar with its path and line, in the form of the JSON walker, so that readers of both look
// alike.
#pragma once

#include "scan/json_tokens.h"

namespace unwarp::scan::packages {

/// Calls `visit` for each scalar in source order; elements of arrays and of arrays of tables have their index in the
/// path. What is no TOML is passed over up to the end of its line; false when that happened.
bool visitToml(std::string_view text, const std::function<void(const JsonScalar&)>& visit);

/// The same, with a note when something was passed over.
void visitTomlNoting(std::string_view text, std::vector<std::string>& notes,
                     const std::function<void(const JsonScalar&)>& visit);

}  // namespace unwarp::scan::packages
