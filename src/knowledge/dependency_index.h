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
    std::size_t literal;
    std::uint32_t record;
  };
  struct Shelf {
    std::unordered_map<std::string, std::uint32_t> exact;
    std::vector<Pattern> patterns;
  };
  std::array<Shelf, ecosystemNames.size()> shelves_;
};

}  // namespace unwarp::knowledge
