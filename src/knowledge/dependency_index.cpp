// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are folded once per ecosystem: PEP 503 for Python packages, lower case where the ecosystem does not distinguish, single blanks where
// a pattern is a phrase ("docker run --gpus *").
#include "knowledge/dependency_index.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::knowledge {

std::string DependencyIndex::normalise(Ecosystem ecosystem, std::string_view name) {
  bool fold = ecosystem == Ecosystem::Pypi || ecosystem == Ecosystem::Conda || ecosystem == Ecosystem::Apt || ecosystem == Ecosystem::Image;
  std::string result;
  result.reserve(name.size());
  for (char c : trim(name)) {
    if (ecosystem == Ecosystem::Pypi && (c == '_' || c == '.')) c = '-';
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
    bool repeats = !result.empty() && result.back() == c && (c == ' ' || (ecosystem == Ecosystem::Pypi && c == '-'));
    if (repeats) continue;
    result += fold && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return result;
}

void DependencyIndex::build(const std::vector<Dependency>& records) {
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    Shelf& shelf = shelves_[static_cast<std::size_t>(records[i].ecosystem)];
    std::string_view rest = records[i].match;
    while (!rest.empty()) {
      std::size_t bar = rest.find(" | ");
      std::string text = normalise(records[i].ecosystem, rest.substr(0, bar));
      rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 3);
      std::size_t wild = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c == '*' || c == '?'; }));
      if (wild == 0) shelf.exact.emplace(std::move(text), i);
      else shelf.patterns.push_back({text, text.size() - wild, i});
    }
  }
  for (Shelf& shelf : shelves_) {
    std::sort(shelf.patterns.begin(), shelf.patterns.end(), [](const Pattern& a, const Pattern& b) {
      return a.literal != b.literal ? a.literal > b.literal : a.text < b.text;
    });
  }
}

std::uint32_t DependencyIndex::find(Ecosystem ecosystem, std::string_view name) const {
  const Shelf& shelf = shelves_[static_cast<std::size_t>(ecosystem)];
  constexpr std::size_t longestName = 512;  // no record is longer; hostile manifests have lines of megabytes
  if (name.empty() || name.size() > longestName) return Knowledge::none;
  std::string text = normalise(ecosystem, name);
  auto it = shelf.exact.find(text);
  if (it != shelf.exact.end()) return it->second;
  for (const Pattern& pattern : shelf.patterns) {
    if (pattern.text[0] != '*' && pattern.text[0] != '?' && pattern.text[0] != text[0]) continue;
    if (globMatch(pattern.text, text)) return pattern.record;
  }
  return Knowledge::none;
}

}  // namespace unwarp::knowledge
