// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which inputs matter: the swing of the median NPV when one input is held at its 10 % and 90 % point (tornado), the
// rank correlation over all trials, and the value of information: what it would be worth to know an input before
// choosing between staying and the best options. The last is estimated over twenty equal slices of the input's draws;
// the same estimate for a draw that moves nothing is taken off, since slices of noise seem to inform too.
#pragma once

#include <string>
#include <vector>

#include "cost/simulate/workload_run.h"

namespace unwarp::cost::simulate {

/// Of all uncertain inputs of a workload, for its option `best`; `npv` holds a column per option. Largest swing first,
/// equal ones by name.
std::vector<Sensitivity> sensitivitiesOf(WorkloadRun& run, std::size_t best, const std::vector<Column>& npv);

/// Names of up to `count` inputs by value of information, then by swing; those that move nothing are left out.
std::vector<std::string> worthMeasuring(const std::vector<Sensitivity>& sensitivities, std::size_t count);

}  // namespace unwarp::cost::simulate
