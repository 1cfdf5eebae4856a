// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positional JSON: every scalar with its path and line, without building a tree. Tolerates comments and truncation.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp {

struct JsonScalar {
  const std::vector<std::string>& path;  ///< keys and decimal indexes from the root: {"cells","3","source","0"}
  std::string value;                     ///< decoded string, or the literal text of a number, true, false, null
  bool isString;
  std::uint32_t line;  ///< of the value, from 1
};

/// Calls `visit` for each scalar in order. False when the text is no valid JSON (what came before was visited). Depth
/// limit 256.
bool visitJson(std::string_view text, const std::function<void(const JsonScalar&)>& visit);

}  // namespace unwarp
