// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by a function of the runtime or driver instead of `<<<>>>`: cudaLaunchKernel with its dimensions as
// arguments, cudaLaunchKernelEx with a configuration that the function fills member by member. What a configuration
// holds is known where it is a variable of the same function and the last setting before the launch is not one of
// several branches; otherwise it is "not known".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "audit/rules/token_queries.h"

namespace unwarp::audit {

/// One call that launches a kernel.
struct LaunchCall {
  scan::TokenIndex name;            ///< the function's name
  std::string_view kernel;          ///< `step` of `(void*)step`, `&step`, `step<float>`; a handle's name in the driver
  scan::TokenRange grid;            ///< empty when not known
  std::optional<BlockShape> block;  ///< nothing when not known
  bool cooperative = false;         ///< by the function, or by an attribute that is set to a constant other than zero
};

/// All launches by call in the file, in token order; declarations and definitions of shims are none.
std::vector<LaunchCall> launchCalls(const scan::SourceFacts& facts);

}  // namespace unwarp::audit
