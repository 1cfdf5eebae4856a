// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See shown_name.h. Of the record's patterns the one with the most literal characters counts, as in the look-up.
#include "audit/shown_name.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::audit {

namespace {

using enum knowledge::Ecosystem;

constexpr std::size_t longestShown = 120;

/// Whether names of the ecosystem are packages, files or variables, which are shown as they stand.
bool isNamed(knowledge::Ecosystem ecosystem) {
  return ecosystem == Pypi || ecosystem == Conda || ecosystem == Apt || ecosystem == Lib || ecosystem == Env ||
         ecosystem == Image || ecosystem == Metric || ecosystem == OtherPkg;
}

std::string withSingleBlanks(std::string_view text) {
  std::string result;
  for (std::string_view word : words(text)) result += (result.empty() ? "" : " ") + std::string(word);
  return result;
}

/// The pattern of `record` that `found` matches, or empty when the reader gave a name of its own.
std::string_view matchedPattern(const knowledge::Dependency& record, std::string_view found) {
  std::string_view best;
  std::size_t most = 0;
  for (std::string_view rest = record.match; !rest.empty();) {
    const std::size_t bar = rest.find(" | ");
    const std::string_view pattern = trim(rest.substr(0, bar));
    rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 3);
    const auto wild = static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '*'));
    const std::size_t literal = pattern.size() - wild + (wild == 0 ? 1 : 0);
    if (literal > most && globMatch(pattern, found)) best = pattern, most = literal;
  }
  return best;
}

/// A pattern of several words without what it leaves open: `docker run *--gpus*` is `docker run --gpus`.
std::string phraseOf(std::string_view pattern) {
  std::string result;
  for (std::string_view word : words(pattern)) {
    std::string text(word);
    for (std::size_t at = text.find('*'); at != std::string::npos; at = text.find('*', at)) {
      const auto isEdge = [&](std::size_t i) { return i >= text.size() || !(isIdentifierPart(text[i])); };
      if (at == 0 || isEdge(at - 1) || isEdge(at + 1))
        text.erase(at, 1);
      else
        ++at;
    }
    const bool glued = result.empty() || result.ends_with('(') || text.starts_with(')') || text.empty();
    result += (glued ? "" : " ") + text;
  }
  return result;
}

/// `numba.cuda.*` names the module, `cutlass/*` the folder, `-gencode=*` the flag: the version holds the rest.
std::string_view withoutOpenEnd(knowledge::Ecosystem ecosystem, std::string_view pattern) {
  const std::string_view open = ecosystem == Python ? ".*" : ecosystem == Header ? "/*" : "=*";
  const bool plain = pattern.ends_with(open) && pattern.find('*') + 1 == pattern.size();
  return plain ? pattern.substr(0, pattern.size() - 2) : pattern;
}

}  // namespace

std::string shownName(const knowledge::Dependency& record, std::string_view found) {
  const std::string_view first = record.match.substr(0, record.match.find(" | "));
  if (found.empty()) return first.find(' ') == std::string_view::npos ? std::string(first) : phraseOf(first);
  if (isNamed(record.ecosystem)) {
    if (found.size() > longestShown) return std::string(first.substr(0, first.find("==")));
    if (record.ecosystem == Image) {
      found = found.substr(0, found.find('@'));  // a digest stands behind the tag
      const std::size_t tag = found.rfind(':');
      if (tag != std::string_view::npos && found.find('/', tag) == std::string_view::npos) found = found.substr(0, tag);
    }
    return toValidUtf8(trim(found));
  }
  const std::string text = withSingleBlanks(found);
  const std::string_view pattern = matchedPattern(record, text);
  if (pattern.find(' ') != std::string_view::npos) return phraseOf(pattern);
  const std::string_view closed = withoutOpenEnd(record.ecosystem, pattern);
  const bool isClosed = !pattern.empty() && closed.find('*') == std::string_view::npos;
  const bool isFile = record.ecosystem == File || record.ecosystem == Section;
  if (isClosed || (!pattern.empty() && (isFile || text.size() > longestShown))) return std::string(closed);
  return toValidUtf8(std::string_view(text).substr(0, longestShown));
}

}  // namespace unwarp::audit
