// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the dependency record for a name: exact names by hash, patterns with `*` by longest literal part first.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "knowledge/knowledge.h"

namespace unwarp::knowledge {

class DependencyIndex {
 public:
  void build(const std::vector<Dependency>& records);
  /// Index of the record, or Knowledge::none.
  std::uint32_t find(Ecosystem ecosystem, std::string_view name) const;
  /// The form in which names of an ecosystem are compared.
  static std::string normalise(Ecosystem ecosystem, std::string_view name);

 private:
  struct Pattern {
    std::string text;
    std::string literalRun;  ///< longest run without wildcards: a text without it cannot match
    std::size_t literal;
    std::uint32_t record;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct Shelf {
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> exact;
    /// Patterns by their first character, those that start with a wildcard under 0; each list longest literal first.
    std::array<std::vector<Pattern>, 256> patterns;
  };
  static const Pattern* firstMatch(const std::vector<Pattern>& patterns, std::string_view text);
  std::array<Shelf, ecosystemNames.size()> shelves_;
};

}  // namespace unwarp::knowledge
