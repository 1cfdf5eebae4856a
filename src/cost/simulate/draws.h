// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of draws: one value per trial of one uncertain number. The uniform behind a value is a function of seed,
// name and trial, so a name drawn twice gives the same luck.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cost/distribution.h"

namespace unwarp::cost::simulate {

using Column = std::vector<double>;

/// Uniforms in (0, 1) of the variable `name`.
Column uniforms(std::uint64_t seed, std::string_view name, std::size_t trials);

/// The quantiles of `distribution` at `uniform`. Shapes without a cheap quantile are tabulated at 256 points between
/// which it is interpolated; the table's ends are at 1/512 of the tails.
void quantiles(const Distribution& distribution, const Column& uniform, Column& values);

}  // namespace unwarp::cost::simulate
