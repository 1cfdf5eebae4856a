// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies all enabled rules to the facts of one file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "audit/audit.h"
#include "audit/rules/detector.h"
#include "scan/facts.h"

namespace unwarp::audit {

/// One hit before targets and folding are applied.
struct RawHit {
  std::uint32_t rule;  ///< index into knowledge.rules()
  std::uint32_t line, column;
  std::shared_ptr<const std::string> message;  ///< shared: a file may hold tens of thousands of hits that say the same
  Evidence evidence;
  std::int64_t sharedBytes = 0;
  int lanes = 0;               ///< of the waves that are concerned; 0: of all
  std::string_view condition;  ///< which devices are concerned; empty: the rule's `applies` says it
  bool isFact = false;         ///< found by a list of the page (`apis`, `flags`, ...), not by a detector
};

/// The rules that an audit with these options does not apply, and why; ordered by id.
std::vector<result::RuleOff> rulesOff(const knowledge::Knowledge&, const Options&);

/// Fails when select or ignore name a rule that does not exist, or select one that cannot be applied yet.
Result<Done> checkRuleNames(const knowledge::Knowledge&, const Options&);

class RuleEngine {
 public:
  /// Fails as `checkRuleNames` does.
  static Result<RuleEngine> create(const knowledge::Knowledge&, const Options&);

  /// Hits of all enabled rules in one file, ordered by line, column, rule.
  std::vector<RawHit> apply(const scan::FileFacts& facts) const;
  /// Whether a rule called `word` (id, name or group) was applied.
  bool runs(std::string_view word) const;
  /// Empty when a rule is called `word`, else which one may be meant.
  std::string whyUnknown(std::string_view word) const;
  /// Targets of `wanted` that the hit concerns; empty: it concerns none of them.
  std::vector<std::string> targetsOf(const RawHit& hit, const std::vector<std::string>& wanted) const;
  /// The page's severity, but for formats that a GPU lacks: they are converted in software, slower and not wrong.
  Severity severityOf(const RawHit& hit) const;
  /// What the hit says, and for shared memory the LDS of the targets it concerns.
  std::string messageOf(const RawHit& hit, const std::vector<std::string>& concerned) const;

 private:
  explicit RuleEngine(const knowledge::Knowledge& knowledge) : knowledge_(&knowledge) {}
  void indexFacts(std::uint32_t rule);
  void repeat(unsigned copies);
  void applyMentions(const scan::FileFacts& facts, std::vector<RawHit>& hits) const;
  void applyApis(const scan::FileFacts& facts, std::vector<RawHit>& hits) const;
  void applyDetectors(const scan::SourceFacts& source, std::vector<RawHit>& hits) const;

  struct MentionPattern {
    scan::MentionKind kind;
    std::string pattern;
    std::uint32_t rule;
  };
  const knowledge::Knowledge* knowledge_;
  std::vector<bool> enabled_;
  std::vector<std::pair<std::uint32_t, Detector>> detectors_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> apiRules_;  ///< api index -> rules
  std::vector<MentionPattern> mentions_;
};

}  // namespace unwarp::audit
