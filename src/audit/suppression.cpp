// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the lexer knows the comments of a file they decide; elsewhere a line is walked for the opening of a comment
// outside quotes. Whether a mark stands alone on its line decides which line it means: a mark of its own means the next
// line that is not such a mark, so that several may stand above one statement.
// Limits: multi-line strings of Python or YAML are not known here; at most `mostMarks` marks per file.
#include "audit/suppression.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace unwarp::audit {

namespace {

constexpr std::string_view tag = "unwarp:";
constexpr std::string_view everyRule = "all";
constexpr std::size_t mostMarks = 1024;
constexpr std::uint32_t lastLine = 0xffffffffu;

/// string_view::find is slow on text full of the tag's first letter.
bool holdsTag(std::string_view text) {
  return memmem(text.data(), text.size(), tag.data(), tag.size()) != nullptr;
}

bool isWordByte(char c) {
  return isIdentifierPart(c) || static_cast<unsigned char>(c) >= 0x80;
}

/// What a reason says: without the end of the comment, the splice to the next line, and nothing when no letter or digit
/// is in it.
std::string_view reasonOf(std::string_view text) {
  for (std::string_view end : {"\\", "*/", "-->", "#}"}) {
    text = trim(text);
    if (text.ends_with(end)) text.remove_suffix(end.size());
  }
  const bool says = std::any_of(text.begin(), text.end(), isWordByte);
  return says ? trim(text) : std::string_view();
}

/// Only comment punctuation before the mark: the mark means the next line.
bool standsAlone(std::string_view before) {
  return before.find_first_not_of(" \t/*#<!-;{%") == std::string_view::npos;
}

/// Whether a comment is open at the end of `before`, the part of a line in front of a mark.
bool opensComment(std::string_view before) {
  if (standsAlone(before) && before.find('*') != std::string_view::npos) return true;  // inside a block comment
  if (trim(before) == ";") return true;                                                // ini files
  char quote = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    char c = before[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || (c == '\'' && (i == 0 || !isIdentifierPart(before[i - 1])))) {
      quote = c;
    } else if (c == '#') {
      return true;
    } else {
      for (std::string_view opener : {"//", "/*", "--", "<!--"})
        if (before.substr(i).starts_with(opener)) return true;
    }
  }
  return false;
}

/// Whether one of `rules` is the rule's id, its name, its group or all rules.
bool names(const std::vector<std::string>& rules, std::string_view id, std::string_view name, std::string_view group) {
  return std::any_of(rules.begin(), rules.end(), [&](const std::string& rule) {
    return rule == everyRule || rule == id || rule == name || rule == group;
  });
}

}  // namespace

Suppressions::Suppressions(std::string_view text) {
  if (!holdsTag(text)) return;
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    std::size_t at = line.find(tag);
    if (at != std::string_view::npos && opensComment(line.substr(0, at)))
      readMark(line, at, lines.number(), lines.number() + 1);
  }
  finish();
}

Suppressions::Suppressions(std::span<const scan::MarkedLine> lines) {
  for (const scan::MarkedLine& line : lines) {
    std::size_t at = line.text.find(tag);
    if (at != std::string::npos && opensComment(std::string_view(line.text).substr(0, at)))
      readMark(line.text, at, line.line, line.next);
  }
  finish();
}

Suppressions::Suppressions(std::string_view text, std::span<const std::pair<std::uint32_t, std::uint32_t>> comments) {
  std::size_t counted = 0;
  std::uint32_t number = 1;
  for (auto [offset, length] : comments) {
    std::size_t end = std::min<std::size_t>(text.size(), std::size_t(offset) + length);
    for (std::size_t at = text.find(tag, offset); at < end; at = text.find(tag, at + 1)) {
      number += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                      text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      counted = at;
      // A line of megabytes holds a mark only if it stands near: look back no further than a line has reason to reach.
      constexpr std::size_t farthest = 4096;
      std::size_t from = at < farthest ? 0 : at - farthest;
      std::size_t start = text.substr(from, at - from).rfind('\n');
      start = start == std::string_view::npos ? from : from + start + 1;
      std::string_view line = text.substr(start, std::min(end, at + farthest) - start);
      readMark(line.substr(0, std::max(line.find('\n', at - start), at - start)), at - start, number, number + 1);
    }
  }
  finish();
}

void Suppressions::complain(std::uint32_t line, std::string_view what) {
  if (complaints_.size() < mostMarks)
    complaints_.push_back("line " + std::to_string(line) + ": suppression " + std::string(what));
}

void Suppressions::readMark(std::string_view line, std::size_t at, std::uint32_t number, std::uint32_t next) {
  static constexpr std::string_view form = "without a rule has no effect: write `unwarp: ignore[RULE] why`";
  std::string_view rest = trim(line.substr(at + tag.size()));
  std::string_view word = rest.substr(0, rest.find_first_of(" \t[*"));
  if (word == "end-ignore") {
    if (open_.empty()) return complain(number, "ends but none is open: no begin-ignore above");
    marks_[open_.back()].last = number;
    open_.pop_back();
    return;
  }
  bool file = word == "ignore-file", block = word == "begin-ignore";
  if (!file && !block && word != "ignore") {
    std::string_view near = nearest(word, {"ignore", "ignore-file", "begin-ignore", "end-ignore"});
    if (!word.empty() && !near.empty())
      complain(number, "'" + std::string(word) + "' is unknown; did you mean " + std::string(near) + "?");
    return;
  }
  rest = trim(rest.substr(word.size()));
  std::size_t close = rest.find(']');
  if (!rest.starts_with("[") || close == std::string_view::npos) return complain(number, form);
  Mark mark{{}, number, next, number, number, std::string(reasonOf(rest.substr(close + 1)))};
  for (std::string_view rule : split(rest.substr(1, close - 1), ','))
    if (!trim(rule).empty()) mark.rules.emplace_back(trim(rule));
  if (mark.rules.empty()) return complain(number, form);
  if (marks_.size() >= mostMarks) {
    if (complaints_.empty() || complaints_.back().find("too many") == std::string::npos)
      complain(number, "is one too many for this file; it and those below are not read");
    return;
  }
  if (file || block) {
    mark.first = file ? 0 : number;
    mark.last = lastLine;
    ranges_.push_back(marks_.size());
    if (block) open_.push_back(marks_.size());
  } else {
    mark.alone = standsAlone(line.substr(0, at));
  }
  marks_.push_back(std::move(mark));
}

void Suppressions::finish() {
  for (std::size_t mark : open_) complain(marks_[mark].line, "reaches to the end of the file: no end-ignore below");
  std::unordered_map<std::uint32_t, std::uint32_t> meaning;  // line of a lone mark -> line it means
  for (std::size_t i = marks_.size(); i-- > 0;) {
    Mark& mark = marks_[i];
    if (mark.first == 0 || mark.last == lastLine) continue;
    if (mark.alone) {
      auto below = meaning.find(mark.next);
      mark.first = mark.last = below == meaning.end() ? mark.next : below->second;
      meaning[mark.line] = mark.first;
    }
    if (mark.first == mark.last) byLine_[mark.first].push_back(i);
  }
}

const std::string* Suppressions::use(std::size_t index, std::string_view id, std::string_view name,
                                     std::string_view group) {
  Mark& mark = marks_[index];
  if (mark.reason.empty()) return nullptr;
  if (!names(mark.rules, id, name, group)) return nullptr;
  mark.used = true;
  return &mark.reason;
}

const std::string* Suppressions::find(std::string_view id, std::string_view name, std::string_view group,
                                      std::uint32_t line) {
  if (auto it = byLine_.find(line); it != byLine_.end()) {
    for (std::size_t mark : it->second)
      if (const std::string* reason = use(mark, id, name, group)) return reason;
  }
  for (std::size_t mark : ranges_) {
    if (line < marks_[mark].first || line > marks_[mark].last) continue;
    if (const std::string* reason = use(mark, id, name, group)) return reason;
  }
  if (marks_.empty()) return nullptr;
  auto missed = missed_.find(id);
  if (missed == missed_.end())
    missed = missed_.emplace(std::string(id), Missed{std::string(name), std::string(group), {}}).first;
  missed->second.lines.push_back(line);
  return nullptr;
}

std::string Suppressions::advice(const Mark& mark) const {
  std::string_view rule;
  std::uint32_t nearest = 0;
  const auto distance = [&](std::uint32_t line) { return line > mark.first ? line - mark.first : mark.first - line; };
  for (const auto& [id, missed] : missed_) {
    if (!names(mark.rules, id, missed.name, missed.group)) continue;
    auto after = std::lower_bound(missed.lines.begin(), missed.lines.end(), mark.first);
    for (auto near : {after == missed.lines.begin() ? after : after - 1, after}) {
      if (near == missed.lines.end() || (nearest != 0 && distance(*near) >= distance(nearest))) continue;
      rule = id;
      nearest = *near;
    }
  }
  if (nearest == 0) return "silences nothing: remove it";
  const std::string meant = mark.first == mark.last ? "line " + std::to_string(mark.first) : "the lines it encloses";
  return "silences nothing: it means " + meant + ", the nearest " + std::string(rule) + " is on line " +
         std::to_string(nearest) + "; put it there or on the line above, or remove it";
}

std::vector<std::string> Suppressions::complaints(
    const std::function<bool(std::string_view)>& ran,
    const std::function<std::string(std::string_view)>& whyUnknown) const {
  std::vector<std::string> result = complaints_;
  for (const Mark& mark : marks_) {
    std::string where = "line " + std::to_string(mark.line) + ": suppression ";
    for (const std::string& rule : mark.rules)
      if (const std::string why = rule == everyRule ? std::string() : whyUnknown(rule); !why.empty())
        result.push_back(where + "names an " + why);
    if (mark.reason.empty())
      result.push_back(where + "without a reason has no effect: write `unwarp: ignore[RULE] why`");
    else if (!mark.used && std::any_of(mark.rules.begin(), mark.rules.end(),
                                       [&](const std::string& rule) { return rule == everyRule || ran(rule); }))
      result.push_back(where + advice(mark));
  }
  return result;
}

}  // namespace unwarp::audit
