// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as a tree with lines, for documents whose shape decides what they are (benchmark results, price lists): the
// walker of `json_tokens.h` tells the scalars, this keeps them in place. An array is a node whose children are called
// "0", "1", ...: benchmark suites publish the same rows once as an array and once as an object with such keys.
// Limits: empty arrays and objects leave no node; of keys that stand twice `find` gives the first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace unwarp {

struct JsonNode {
  enum class Kind : std::uint8_t { Branch, String, Plain };  ///< Plain: a number, true, false or null

  std::string key;
  std::string text;  ///< of a scalar: decoded string or the literal
  Kind kind = Kind::Branch;
  std::uint32_t line = 1;  ///< of a scalar, or of the first scalar below
  std::vector<JsonNode> children;

  /// The first child of that name, or null; a child that is `null` counts as missing.
  const JsonNode* find(std::string_view name) const;
  /// The node at a path of names, or null.
  const JsonNode* at(std::initializer_list<std::string_view> path) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// A finite number; Python's NaN and Infinity are none. A number in quotes counts: some writers quote them.
  std::optional<double> number() const;
  bool isTrue() const { return kind == Kind::Plain && text == "true"; }
};

/// The tree of a whole document; lines count from `firstLine`. An error says the line up to which it could be read.
Result<JsonNode> parseJson(std::string_view text, std::uint32_t firstLine = 1);

}  // namespace unwarp
