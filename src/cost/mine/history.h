// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a port cost, read from a git history: one author who touched the port on one day is one person-day. The band is
// half to twice that, since an active day is neither a full day nor all the work. Histories that say less than that are
// told apart: where changes are squashed into one commit each, days are missing and the effort is a lower bound; where
// a history was replayed on one date, days mean nothing and nothing is reported.
// The text comes from `git log` in the format below; running git is the command's business.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace unwarp::cost {

/// The `--format` of git log that readHistory() understands; with --numstat and --date=short.
inline constexpr std::string_view historyFormat = "%x1e%ad%x1f%aN%x1f%s";

struct Commit {
  std::chrono::year_month_day day;  ///< by author date
  std::string author, subject;
  std::uint64_t added = 0, removed = 0, files = 0;  ///< binary files count as files without lines
};

Result<std::vector<Commit>> readHistory(std::string_view text);

struct MineOptions {
  std::vector<std::string> subjects;  ///< words, any of which a subject must hold; none: every commit counts
  unsigned months = 18;               ///< the port is what happened this long from its first commit on
};

struct MinedPort {
  std::uint64_t authorDays = 0, authors = 0, commits = 0, added = 0, removed = 0;
  std::chrono::year_month_day first, last;
  double squashedShare = 0;  ///< commits whose subject ends in "(#123)"
  double busiestShare = 0;   ///< commits of the busiest day
  bool lowerBound = false;   ///< squashed: more than half of the commits
  double personWeeks() const { return static_cast<double>(authorDays) / 5; }
};

/// Fails when no commit counts and when the history was replayed (ten commits or more, half of them on one day).
/// Commits of robots (`name[bot]`) are left out.
Result<MinedPort> minePort(const std::vector<Commit>& commits, const MineOptions& options);

}  // namespace unwarp::cost
