// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime counted in the processes of one run (UNWARP_STATS): launches, tiers, calls that are not implemented.
// Each process writes a file of its own; a process that was killed has written none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

namespace unwarp::trial {

struct LaunchCounts {
  std::uint64_t launches = 0;
  std::set<std::string> tiers, unimplemented;
};

/// The sum over all files in `folder`, which are removed.
LaunchCounts takeLaunchCounts(const std::filesystem::path& folder);

}  // namespace unwarp::trial
