// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that sees COIN-OR: a problem in, the cheapest plan out.
#pragma once

#include <optional>

#include "cost/fleet/fleet.h"

namespace unwarp::cost::fleet {

/// The cheapest plan of a problem that `check` accepts, or nothing when it has none.
std::optional<Plan> runCbc(const Problem& problem);

/// The same problem with as many GPUs as anybody may want, dear enough that no more are bought than must be: tells what
/// is lacking.
Problem withoutCapacity(const Problem& problem);

/// Linear rows of a problem, shared by the solver and the LP text. Columns: x(w,g) workload by workload, then n(g),
/// then y(g).
struct LinearRow {
  std::string name;
  std::vector<std::pair<std::size_t, double>> terms;  ///< column, factor
  double low, high;                                   ///< infinite where open
};
struct LinearProgram {
  std::vector<std::string> columns;
  std::vector<double> objective, low, high;
  std::vector<bool> integer;
  std::vector<LinearRow> rows;
};
LinearProgram linearProgram(const Problem& problem);

}  // namespace unwarp::cost::fleet
