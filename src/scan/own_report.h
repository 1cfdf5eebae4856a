// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of earlier runs that lie in the tree: their paths, names and messages are full of CUDA and bind nothing.
#pragma once

#include <string_view>

namespace unwarp::scan {

/// Why such a file or folder is not read, as `coverage.skipped` says it.
inline constexpr std::string_view earlierReport = "report of an earlier run";

/// Whether `bytes` begin as our JSON, JSON Lines, result.json of `assess` or SARIF do, also when a tool has laid the
/// text out anew.
bool isOwnReport(std::string_view bytes);

}  // namespace unwarp::scan
