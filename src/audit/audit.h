// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit: facts and rules become findings, an inventory and totals. This is the sweep stage (tokens, manifests,
// binaries); the depth stage (clang on the units that hold kernels) joins `run` as a second pass over the same result.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "knowledge/knowledge.h"
#include "result/audit_result.h"

namespace unwarp::audit {

/// Files done and files in all, for a progress line; written by the workers, read by whoever shows it.
struct Progress {
  std::atomic<std::uint64_t> filesDone{0};
  std::atomic<std::uint64_t> filesTotal{0};
  std::atomic<std::uint64_t> bytesDone{0};
};

struct Options {
  std::string root;
  std::vector<std::string> targets{"gfx942", "gfx1100"};
  unsigned threads = 0;  ///< 0: one per processor
  bool useIgnoreFiles = true;
  bool preview = false;                     ///< also rules in preview
  std::vector<std::string> select, ignore;  ///< rule ids, groups ("W") or names; empty select: all
  std::vector<std::string> exclude;         ///< path globs
  std::vector<std::string> skipRealPaths;   ///< absolute folders never read
  unsigned ruleCopies = 1;  ///< for the benchmark only: every rule is applied that often, equal hits count once
  Progress* progress = nullptr;
};

/// Audits a folder or file. Fails only when `root` does not exist or a target or rule is unknown.
Result<result::AuditResult> run(const knowledge::Knowledge&, const Options&);

/// The result of auditing nothing: what gates are tried on before a long run. Fails when a rule is unknown.
Result<result::AuditResult> emptyResult(const knowledge::Knowledge&, const Options&);

/// A hit of one rule in a piece of text: what rule tests compare.
struct RuleHit {
  std::string rule;
  std::uint32_t line;
};
/// Audits bytes as a file called `path`, all rules on (preview too), all targets. Ordered by line, then rule.
std::vector<RuleHit> auditText(const knowledge::Knowledge&, std::string_view path, std::string_view bytes);

}  // namespace unwarp::audit
