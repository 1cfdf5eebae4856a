// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mark is found by its words, whatever the comment syntax around it; whether it stands alone on its line decides which line it means.
#include "audit/suppression.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::audit {

namespace {

constexpr std::string_view tag = "unwarp:";

std::string_view stripCommentEnd(std::string_view reason) {
  for (std::string_view end : {"*/", "-->"})
    if (reason.ends_with(end)) reason.remove_suffix(end.size());
  return trim(reason);
}

/// Only comment punctuation before the mark: the mark means the next line.
bool standsAlone(std::string_view before) {
  return std::all_of(before.begin(), before.end(), [](char c) { return c == ' ' || c == '\t' || c == '/' || c == '*' || c == '#' || c == '<' || c == '!' || c == '-' || c == ';' || c == '"'; });
}

}  // namespace

Suppressions::Suppressions(std::string_view text) {
  if (text.find(tag) == std::string_view::npos) return;
  LineReader lines(text);
  std::string_view line;
  std::vector<std::size_t> open;
  while (lines.next(line)) {
    std::size_t at = line.find(tag);
    if (at == std::string_view::npos) continue;
    std::string_view rest = trim(line.substr(at + tag.size()));
    if (rest.starts_with("end-ignore")) {
      if (!open.empty()) marks_[open.back()].last = lines.number();
      if (!open.empty()) open.pop_back();
      continue;
    }
    bool file = rest.starts_with("ignore-file"), block = rest.starts_with("begin-ignore");
    if (!file && !block && !rest.starts_with("ignore")) continue;
    std::size_t bracket = rest.find('['), close = rest.find(']');
    if (bracket == std::string_view::npos || close == std::string_view::npos || close < bracket) continue;
    Mark mark{{}, lines.number(), lines.number(), lines.number(), std::string(stripCommentEnd(rest.substr(close + 1)))};
    for (std::string_view rule : split(rest.substr(bracket + 1, close - bracket - 1), ',')) mark.rules.emplace_back(trim(rule));
    if (file) {
      mark.first = 0;
      mark.last = 0xffffffffu;
    } else if (block) {
      mark.last = 0xffffffffu;
      open.push_back(marks_.size());
    } else if (standsAlone(line.substr(0, at))) {
      mark.first = mark.last = lines.number() + 1;
    }
    marks_.push_back(std::move(mark));
  }
}

const std::string* Suppressions::find(std::string_view id, std::string_view name, std::string_view group, std::uint32_t line) {
  for (Mark& mark : marks_) {
    if (line < mark.first || line > mark.last || mark.reason.empty()) continue;
    for (const std::string& rule : mark.rules) {
      if (rule != id && rule != name && rule != group) continue;
      mark.used = true;
      return &mark.reason;
    }
  }
  return nullptr;
}

std::vector<std::string> Suppressions::complaints() const {
  std::vector<std::string> result;
  for (const Mark& mark : marks_) {
    std::string where = "line " + std::to_string(mark.line) + ": suppression ";
    if (mark.reason.empty()) result.push_back(where + "without a reason has no effect: write `unwarp: ignore[RULE] why`");
    else if (!mark.used) result.push_back(where + "silences nothing: remove it");
  }
  return result;
}

}  // namespace unwarp::audit
