// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of an assessment in their order, and which of them this version has: `assess` reports them, `doctor` lists
// them, and neither can forget one that was built since.
#pragma once

#include <array>
#include <string_view>

namespace unwarp::cli {

struct StageFact {
  std::string_view id;
  std::string_view what;  ///< in a few words, or empty where the id says it
  bool isBuilt;
};

inline constexpr std::array<StageFact, 6> allStages{{{"audit", "", true},
                                                     {"run", "CUDA programs on this CPU", true},
                                                     {"check", "", false},
                                                     {"port", "", false},
                                                     {"compare", "", false},
                                                     {"cost", "account and verdict", true}}};

}  // namespace unwarp::cli
