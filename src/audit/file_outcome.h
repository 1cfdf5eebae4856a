// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of one file after its bytes are gone: uses, findings, suppressions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/rule_engine.h"
#include "result/audit_result.h"
#include "scan/facts.h"

namespace unwarp::audit {

/// Further sites of one name or rule in one file fold into the last one's count beyond this many.
inline constexpr std::uint32_t sitesPerFile = 1000;

struct FoldedUse {
  std::uint32_t record, line, column, count;
  bool guarded;
  std::string version, name;  ///< dependencies only
};

struct FileOutcome {
  result::FileEntry entry;
  std::vector<FoldedUse> apis, dependencies;
  std::vector<result::Finding> findings;  ///< site.file is set when outcomes are joined
  std::vector<result::Suppressed> suppressed;
  /// Line and path of each `#include "..."` that the tables take for CUDA's: it may be the project's own.
  std::vector<std::pair<std::uint32_t, std::string>> quotedHeaders;
  scan::TreeClues clues;
  std::int64_t largestSharedBytes = 0;
  std::uint32_t unknownShared = 0;  ///< functions whose static shared memory is not known in full
  bool ownsWarpSize = false;        ///< a constant of the project, outside of functions, is called warpSize
};

/// Applies the rules to `facts` and drops everything that points into `bytes`.
FileOutcome judgeFile(const RuleEngine& engine, const knowledge::Knowledge&, const std::vector<std::string>& targets,
                      scan::FileFacts&& facts, std::string_view bytes);

}  // namespace unwarp::audit
