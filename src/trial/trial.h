// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage "build and run": a project is copied, built with this toolkit as far as that goes, and its own checks are
// run at 32 and at 64 lanes. It executes the project's code, so nothing calls it unless the user asks.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "knowledge/knowledge.h"
#include "result/trial_result.h"

namespace unwarp::trial {

struct Options {
  std::string path;                        ///< folder or one source
  std::string toolkit;                     ///< CUDA_HOME
  std::vector<std::string> skipRealPaths;  ///< folders that are no part of the project: reports
  unsigned jobs = 1;                       ///< compilers at a time
  std::chrono::seconds buildTime{600}, runTime{60}, totalTime{1800};
  std::function<void(std::string_view)> say = [](std::string_view) {};  ///< tells what is going on
};

/// Fails when the stage cannot be done at all: no scratch folder, no toolkit that compiles. Everything else, also that
/// nothing could be built, is a result.
Result<result::TrialResult> run(const knowledge::Knowledge& knowledge, const Options& options);

}  // namespace unwarp::trial
