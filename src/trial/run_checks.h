// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a check at 32 lanes twice, then at 64, and says what the runs mean together. A difference or failure at 64 is
// tried once more before it is believed, so that an unsteady program is called unsteady and not wrong at 64.
#pragma once

#include "result/trial_result.h"
#include "trial/find_checks.h"
#include "trial/session.h"

namespace unwarp::trial {

/// The check with its verdict. A check passes when its status is 0 (ctest's and make's own judgement is taken) and, for
/// a program, when no line of it says that it failed.
result::Check runCheck(const Session& session, const PlannedCheck& planned);

}  // namespace unwarp::trial
