// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are folded once per ecosystem: PEP 503 for Python packages, lower case where the ecosystem does not
// distinguish, single blanks where a pattern is a phrase ("docker run --gpus *").
#include "knowledge/dependency_index.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::knowledge {

std::string DependencyIndex::normalise(Ecosystem ecosystem, std::string_view name) {
  bool fold = ecosystem == Ecosystem::Pypi || ecosystem == Ecosystem::Conda || ecosystem == Ecosystem::Apt ||
              ecosystem == Ecosystem::Image;
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

namespace {

std::string longestLiteralRun(std::string_view pattern) {
  std::string_view best;
  while (!pattern.empty()) {
    std::size_t wild = pattern.find_first_of("*?");
    if (pattern.substr(0, wild).size() > best.size()) best = pattern.substr(0, wild);
    pattern = wild == std::string_view::npos ? std::string_view() : pattern.substr(wild + 1);
  }
  return std::string(best);
}

}  // namespace

void DependencyIndex::build(const std::vector<Dependency>& records) {
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    Shelf& shelf = shelves_[static_cast<std::size_t>(records[i].ecosystem)];
    std::string_view rest = records[i].match;
    while (!rest.empty()) {
      std::size_t bar = rest.find(" | ");
      std::string text = normalise(records[i].ecosystem, rest.substr(0, bar));
      rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 3);
      std::size_t wild = static_cast<std::size_t>(
          std::count_if(text.begin(), text.end(), [](char c) { return c == '*' || c == '?'; }));
      if (wild == 0) {
        shelf.exact.emplace(std::move(text), i);
      } else {
        bool open = text[0] == '*' || text[0] == '?';
        shelf.patterns[open ? 0 : static_cast<unsigned char>(text[0])].push_back(
            {text, longestLiteralRun(text), text.size() - wild, i});
      }
    }
  }
  for (Shelf& shelf : shelves_) {
    for (std::vector<Pattern>& patterns : shelf.patterns) {
      std::sort(patterns.begin(), patterns.end(), [](const Pattern& a, const Pattern& b) {
        return a.literal != b.literal ? a.literal > b.literal : a.text < b.text;
      });
    }
  }
}

const DependencyIndex::Pattern* DependencyIndex::firstMatch(const std::vector<Pattern>& patterns,
                                                            std::string_view text) {
  for (const Pattern& pattern : patterns)
    if (text.find(pattern.literalRun) != std::string_view::npos && globMatch(pattern.text, text)) return &pattern;
  return nullptr;
}

std::uint32_t DependencyIndex::find(Ecosystem ecosystem, std::string_view name) const {
  const Shelf& shelf = shelves_[static_cast<std::size_t>(ecosystem)];
  constexpr std::size_t longestName = 512;  // no record is longer; hostile manifests have lines of megabytes
  if (name.empty() || name.size() > longestName) return Knowledge::none;
  std::string text = normalise(ecosystem, name);
  if (text.empty()) return Knowledge::none;
  auto it = shelf.exact.find(text);
  if (it != shelf.exact.end()) return it->second;
  const Pattern* anchored = firstMatch(shelf.patterns[static_cast<unsigned char>(text[0])], text);
  const Pattern* open = firstMatch(shelf.patterns[0], text);
  if (anchored != nullptr && (open == nullptr || anchored->literal >= open->literal)) return anchored->record;
  return open != nullptr ? open->record : Knowledge::none;
}

}  // namespace unwarp::knowledge
