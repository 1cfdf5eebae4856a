// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/compare_output.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/text.h"

namespace unwarp::trial {
namespace {

constexpr std::size_t kShownChars = 300;

// Lower-case alphabetic runs of a word: "GB/s" has "gb" and "s".
std::vector<std::string> partsOf(std::string_view word) {
  std::vector<std::string> parts;
  bool open = false;
  for (char c : word) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter && !open) parts.emplace_back();
    if (letter) parts.back() += static_cast<char>(c >= 'a' ? c : c - 'A' + 'a');
    open = letter;
  }
  return parts;
}

template <std::size_t N>
bool anyOf(const std::vector<std::string>& parts, const std::array<std::string_view, N>& known) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return std::find(known.begin(), known.end(), part) != known.end();
  });
}

bool isNumeric(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

constexpr std::array<std::string_view, 22> kUnits{
    "s",    "sec", "secs",  "second",       "seconds", "ms",      "msec",         "us",
    "usec", "ns",  "nsec",  "milliseconds", "min",     "minutes", "microseconds", "nanoseconds",
    "fps",  "hz",  "flops", "gflops",       "tflops",  "mflops"};
constexpr std::array<std::string_view, 11> kTimeWords{"time",       "times",     "timing",  "elapsed",
                                                      "took",       "duration",  "latency", "speedup",
                                                      "throughput", "bandwidth", "runtime"};

// Which words of a line are measured: the number before a unit, and the first number behind a word or unit of time.
std::vector<bool> measuredWords(const std::vector<std::string_view>& line) {
  std::vector<bool> measured(line.size());
  bool pending = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::vector<std::string> parts = partsOf(line[i]);
    bool unit = anyOf(parts, kUnits), numeric = isNumeric(line[i]);
    if (numeric && (pending || unit)) {
      measured[i] = true;
      pending = false;
    } else if (unit && i > 0 && isNumeric(line[i - 1])) {
      measured[i - 1] = true;
    } else if (!numeric && (unit || anyOf(parts, kTimeWords))) {
      pending = true;
    }
  }
  return measured;
}

using Lines = std::vector<std::string_view>;

Lines linesOf(std::string_view text) {
  Lines lines;
  LineReader reader(text);
  for (std::string_view line; reader.next(line);) lines.push_back(line);
  return lines;
}

std::string shown(std::string_view line) {
  return std::string(line.substr(0, kShownChars));
}

// The word at `i` of every line, when all have it and agree.
std::optional<std::string_view> agreed(const std::vector<std::vector<std::string_view>>& lines, std::size_t i) {
  for (const auto& line : lines)
    if (line.size() != lines[0].size() || line[i] != lines[0][i]) return std::nullopt;
  return lines[0][i];
}

// Whether line `at` differs at 64; all runs have that line.
bool differs(const std::vector<Lines>& at32, const std::vector<Lines>& at64, std::size_t at) {
  std::vector<std::vector<std::string_view>> narrow, wide;
  for (const Lines& run : at32) narrow.push_back(words(run[at]));
  for (const Lines& run : at64) wide.push_back(words(run[at]));
  bool steady = std::all_of(narrow.begin(), narrow.end(), [&](const auto& w) { return w.size() == narrow[0].size(); });
  if (!steady) return false;
  // Another number of words at 64 is a difference unless the line is one of measured times alone.
  std::vector<bool> measured = measuredWords(narrow[0]);
  bool anyMeasured = std::find(measured.begin(), measured.end(), true) != measured.end();
  if (std::none_of(wide.begin(), wide.end(), [&](const auto& w) { return w.size() == narrow[0].size(); }))
    return !anyMeasured;
  for (std::size_t i = 0; i < narrow[0].size(); ++i) {
    std::optional<std::string_view> word = agreed(narrow, i);
    if (!word || measured[i]) continue;
    if (std::none_of(wide.begin(), wide.end(), [&](const auto& w) { return w.size() > i && w[i] == *word; }))
      return true;
  }
  return false;
}

result::LineDifference difference(std::size_t at, const Lines& narrow, const Lines& wide) {
  return {"", static_cast<std::uint32_t>(at + 1), at < narrow.size() ? shown(narrow[at]) : "",
          at < wide.size() ? shown(wide[at]) : ""};
}

// For programs whose number of lines varies: a line that every run at 32 has and no run at 64.
std::optional<result::LineDifference> lineThatIsMissing(const std::vector<Lines>& at32,
                                                        const std::vector<Lines>& at64) {
  auto isIn = [](const std::vector<std::unordered_set<std::string_view>>& sets, std::string_view line, bool all) {
    auto holds = [&](const auto& set) { return set.contains(line); };
    return all ? std::all_of(sets.begin(), sets.end(), holds) : std::any_of(sets.begin(), sets.end(), holds);
  };
  std::vector<std::unordered_set<std::string_view>> narrow, wide;
  for (const Lines& run : at32) narrow.emplace_back(run.begin(), run.end());
  for (const Lines& run : at64) wide.emplace_back(run.begin(), run.end());
  for (std::size_t at = 0; at < at32[0].size(); ++at) {
    std::string_view line = at32[0][at];
    std::vector<bool> measured = measuredWords(words(line));
    if (std::find(measured.begin(), measured.end(), true) != measured.end()) continue;
    if (isIn(narrow, line, true) && !isIn(wide, line, false)) return difference(at, at32[0], {});
  }
  return std::nullopt;
}

}  // namespace

std::optional<result::LineDifference> firstDifference(const std::vector<std::string_view>& at32,
                                                      const std::vector<std::string_view>& at64) {
  std::vector<Lines> narrow, wide;
  for (std::string_view text : at32) narrow.push_back(linesOf(text));
  for (std::string_view text : at64) wide.push_back(linesOf(text));
  auto sameLength = [&](const Lines& run) { return run.size() == narrow[0].size(); };
  if (!std::all_of(narrow.begin(), narrow.end(), sameLength)) return lineThatIsMissing(narrow, wide);
  std::size_t common = narrow[0].size();
  for (const Lines& run : wide) common = std::min(common, run.size());
  for (std::size_t at = 0; at < common; ++at)
    if (differs(narrow, wide, at)) return difference(at, narrow[0], wide[0]);
  if (std::any_of(wide.begin(), wide.end(), sameLength)) return std::nullopt;
  return difference(common, narrow[0], wide[0]);
}

namespace {

// "0", "none." and the like, also as the part of a whole: "0/10".
bool isNone(std::string_view word) {
  constexpr std::array<std::string_view, 4> kNone{"0", "no", "zero", "none"};
  word = word.substr(0, word.find('/'));
  while (!word.empty() && std::string_view(":=,.;()[]").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return std::any_of(kNone.begin(), kNone.end(), [&](std::string_view none) { return equalsIgnoreCase(word, none); });
}

// Whether the words around one that means failure say that nothing failed: "0 of 10 tests failed", "failed: 0",
// "fail=0".
bool deniesFailure(const std::vector<std::string_view>& all, std::size_t i) {
  if (std::size_t value = all[i].find_last_of("=:");
      value != std::string_view::npos && isNone(all[i].substr(value + 1)))
    return true;
  for (std::size_t back = 1; back <= 2 && back <= i; ++back) {
    if (isNone(all[i - back])) return true;
    if (i >= back + 2 && equalsIgnoreCase(all[i - back - 1], "of") && isNone(all[i - back - 2])) return true;
  }
  for (std::size_t next = i + 1; next < all.size() && next < i + 3; ++next)
    if (isNone(all[next])) return true;
  return false;
}

}  // namespace

std::string_view lineOfFailure(std::string_view text) {
  constexpr std::array<std::string_view, 4> kFailed{"fail", "failed", "failure", "failures"};
  for (std::string_view line : linesOf(text)) {
    std::vector<std::string_view> all = words(line);
    for (std::size_t i = 0; i < all.size(); ++i) {
      // Part of an identifier or a file's name is no verdict.
      if (all[i].find('_') != std::string_view::npos || !anyOf(partsOf(all[i]), kFailed)) continue;
      if (!deniesFailure(all, i)) return line;
    }
  }
  return {};
}

}  // namespace unwarp::trial
