// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalars of a TOML manifest in the form of the JSON walker, so that readers of both look alike.
#pragma once

#include "base/json_tokens.h"

namespace unwarp::scan::packages {

/// Calls `visit` for each scalar in source order, with a note when something was no TOML and was passed over.
void visitTomlNoting(std::string_view text, std::vector<std::string>& notes,
                     const std::function<void(const JsonScalar&)>& visit);

}  // namespace unwarp::scan::packages
