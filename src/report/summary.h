// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the human reports (terminal, Markdown, HTML) have to say, worked out once so that they say the same: the
// verdict, the hazards, findings by rule, what was not read. Everything is counted from the result; nothing is judged
// anew.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "result/audit_result.h"

namespace unwarp::report {

/// Findings of one rule; `findings` are indices into AuditResult::findings in their order.
struct RuleGroup {
  std::string_view rule;
  const result::RuleText* about = nullptr;  ///< null when the result does not describe the rule
  Severity severity = Severity::Info;
  std::uint64_t sites = 0;
  std::uint64_t files = 0;
  std::vector<std::uint32_t> findings;

  std::string_view title() const { return about != nullptr ? std::string_view(about->title) : std::string_view(); }
};

/// How often a reason for not reading occurs.
struct SkipReason {
  std::string_view reason;
  std::uint64_t files = 0;
};

struct Summary {
  bool cudaFound = false;
  std::uint64_t filesWithSites = 0;
  std::array<std::uint64_t, 6> hazards{};  ///< sites of findings, by Severity
  std::vector<RuleGroup> rules;            ///< worst severity first, then most sites, then id
  std::vector<SkipReason> skipReasons;     ///< most files first
  std::uint64_t filesWithNotes = 0;        ///< read, with something to say about it
  std::uint64_t unconfirmed = 0;           ///< dependencies whose source has not been confirmed
  std::string rulesOff;                    ///< "2 ignored, 60 not selected": rules the user turned off; or empty
  std::string headline;                    ///< "Portable with gaps": at most five words
  std::string verdict;                     ///< the sentence after it, with figures and the date of the facts
  std::string confidence;                  ///< what the verdict rests on, and what it does not cover
};

Summary summarise(const result::AuditResult&);

/// "file:line", or the file alone when there is no line (binaries).
std::string placeOf(const result::AuditResult&, const result::Site&);

/// "gfx942 71%, gfx1100 70%"; targets with the same share are joined: "all 6 targets 71%".
struct TargetShare {
  std::string targets;
  double share = 1;
};
std::vector<TargetShare> sharesByTarget(const result::AuditResult&);

}  // namespace unwarp::report
