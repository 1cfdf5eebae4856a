// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/mine/history.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "cost/quantity.h"

namespace unwarp::cost {

namespace {

constexpr std::uint64_t replayedCommits = 10;
constexpr double replayedShare = 0.5, squashedShare = 0.5;

bool namesPort(std::string_view subject, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return true;
  std::string lower = toLower(subject);
  for (const std::string& word : wanted) {
    for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
      std::size_t end = at + word.size();
      if ((at == 0 || !isIdentifierPart(lower[at - 1])) && (end == lower.size() || !isIdentifierPart(lower[end])))
        return true;
    }
  }
  return false;
}

/// "Add the HIP back end (#1234)"
bool isSquashed(std::string_view subject) {
  subject = trim(subject);
  std::size_t open = subject.rfind("(#");
  if (open == std::string_view::npos || !subject.ends_with(')')) return false;
  return parseDecimal(subject.substr(open + 2, subject.size() - open - 3)).has_value();
}

}  // namespace

Result<std::vector<Commit>> readHistory(std::string_view text) {
  std::vector<Commit> commits;
  for (std::string_view record : split(text, '\x1e')) {
    if (trim(record).empty()) continue;
    LineReader lines(record);
    std::string_view line;
    lines.next(line);
    std::vector<std::string_view> fields = split(line, '\x1f');
    auto day = parseDate(fields[0]);
    if (fields.size() != 3 || !day) return Error{"git log printed what is no commit: '" + std::string(line) + "'"};
    Commit commit{*day, std::string(fields[1]), std::string(fields[2])};
    while (lines.next(line)) {
      std::vector<std::string_view> cells = split(line, '\t');
      if (cells.size() < 3) continue;
      ++commit.files;
      commit.added += static_cast<std::uint64_t>(parseDecimal(cells[0]).value_or(0));
      commit.removed += static_cast<std::uint64_t>(parseDecimal(cells[1]).value_or(0));
    }
    commits.push_back(std::move(commit));
  }
  return commits;
}

Result<MinedPort> minePort(const std::vector<Commit>& commits, const MineOptions& options) {
  std::vector<std::string> wanted;
  for (const std::string& word : options.subjects) wanted.push_back(toLower(word));
  std::vector<const Commit*> counted;
  for (const Commit& commit : commits)
    if (!commit.author.ends_with("[bot]") && namesPort(commit.subject, wanted)) counted.push_back(&commit);
  if (counted.empty()) return Error{"no commit touches these paths with these words; look at them with git log"};
  auto earlier = [](const Commit* a, const Commit* b) { return a->day < b->day; };
  MinedPort port;
  port.first = (*std::min_element(counted.begin(), counted.end(), earlier))->day;
  auto end = std::chrono::sys_days((port.first.year() / port.first.month() / 1) + std::chrono::months(options.months)) +
             std::chrono::days(static_cast<unsigned>(port.first.day()) - 1);
  std::set<std::pair<std::string, std::chrono::sys_days>> authorDays;
  std::set<std::string> authors;
  std::map<std::chrono::sys_days, std::uint64_t> byDay;
  std::uint64_t squashed = 0;
  port.last = port.first;
  for (const Commit* commit : counted) {
    std::chrono::sys_days day(commit->day);
    if (day >= end) continue;
    authorDays.emplace(commit->author, day);
    authors.insert(commit->author);
    ++byDay[day];
    ++port.commits;
    port.added += commit->added;
    port.removed += commit->removed;
    port.last = std::max(port.last, commit->day);
    squashed += isSquashed(commit->subject) ? 1 : 0;
  }
  std::uint64_t busiest = 0;
  for (const auto& [day, count] : byDay) busiest = std::max(busiest, count);
  auto share = [&](std::uint64_t count) { return static_cast<double>(count) / static_cast<double>(port.commits); };
  port.authorDays = authorDays.size();
  port.authors = authors.size();
  port.squashedShare = share(squashed);
  port.busiestShare = share(busiest);
  port.lowerBound = port.squashedShare > squashedShare;
  if (port.commits >= replayedCommits && port.busiestShare >= replayedShare)
    return Error{std::to_string(busiest) + " of " + std::to_string(port.commits) +
                 " commits are dated one day: a replayed history tells no effort"};
  return port;
}

}  // namespace unwarp::cost
