// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one piece of linear algebra that the account needs: regressions with a dozen columns.
#pragma once

#include <vector>

namespace unwarp::cost {

/// Inverse of a symmetric positive definite matrix by Gauss-Jordan elimination; such matrices need no pivots. Cubic in
/// its size.
std::vector<std::vector<double>> inverseOfPositiveDefinite(std::vector<std::vector<double>> matrix);

}  // namespace unwarp::cost
