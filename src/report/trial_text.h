// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the human reports say of the stage "build and run", worked out once so that they say the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/trial_result.h"

namespace unwarp::report {

/// "1 of 3 builds failed, 1 in part", "all 2 builds are complete", or that there was nothing to build.
std::string buildsText(const result::TrialResult&);
/// "17 checks: 9 the same at 64 lanes, 5 fail only there", or that there was nothing to run.
std::string checksText(const result::TrialResult&);
/// What a verdict means, as words in a table.
std::string_view meaning(result::CheckVerdict verdict);
/// Why a check is not the same at both widths: the reason, then the first line that differs.
std::string reasonText(const result::Check&);
/// The lines that say why something was not built, in one.
std::string reasonText(const result::BuildFailure&);
/// The checks, those first that the reader has to look at: wrong at 64, unsteady, failing at 32, not judged, the same.
std::vector<const result::Check*> checksByWeight(const result::TrialResult&);
/// The builds of which something is missing.
std::vector<const result::Build*> brokenBuilds(const result::TrialResult&);

}  // namespace unwarp::report
