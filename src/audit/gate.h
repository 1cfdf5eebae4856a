// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates: conditions over a result that a build may depend on.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/audit_result.h"

namespace unwarp::audit {

struct GateOutcome {
  std::string condition;  ///< as written
  std::int64_t actual = 0;
  bool holds = true;
  std::string remark;  ///< what `actual` leaves out, or empty
};

/// Comma separated conditions `NAME OP NUMBER[k|m]`, OP one of == != < <= > >=. NAME: a severity, a status, a layer id,
/// a rule id, `sites`, `mask_sites` (M rules), `width_sites` (W and S rules), `findings`, `lds` (largest known static
/// bytes of shared memory of one kernel; broken when there is shared memory and none of it is known). Fails on a name
/// whose rules are all off, unless for the targets. `figures` are names that other stages of an assessment add.
using Figures = std::map<std::string, std::int64_t, std::less<>>;
Result<std::vector<GateOutcome>> checkGate(const result::AuditResult&, std::string_view expression,
                                           const Figures& figures = {});

/// `--fail-on`: holds when no finding is at least as bad as `severity` (silent is worst, info least). Fails on an
/// unknown word, and when all rules that bad are off.
Result<GateOutcome> checkSeverity(const result::AuditResult&, std::string_view severity);

}  // namespace unwarp::audit
