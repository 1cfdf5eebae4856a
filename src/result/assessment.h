// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of `assess` as values: the stages, and what each stage that was done has found
// (docs/schema/result.schema.json one to one).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "result/audit_result.h"
#include "result/trial_result.h"

namespace unwarp::result {

/// A stage of `assess`.
struct Stage {
  std::string id, state, reason;  ///< state: done, skipped (not asked for), not-built, failed
};

struct Assessment {
  std::vector<Stage> stages;
  AuditResult audit;
  std::optional<TrialResult> run;  ///< nothing when the stage "run" is not done
};

}  // namespace unwarp::result
