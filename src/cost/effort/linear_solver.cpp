// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/effort/linear_solver.h"

namespace unwarp::cost {

std::vector<std::vector<double>> inverseOfPositiveDefinite(std::vector<std::vector<double>> matrix) {
  std::size_t size = matrix.size();
  std::vector<std::vector<double>> inverse(size, std::vector<double>(size, 0));
  for (std::size_t i = 0; i < size; ++i) inverse[i][i] = 1;
  for (std::size_t i = 0; i < size; ++i) {
    double pivot = matrix[i][i];
    for (std::size_t j = 0; j < size; ++j) {
      matrix[i][j] /= pivot;
      inverse[i][j] /= pivot;
    }
    for (std::size_t k = 0; k < size; ++k) {
      double factor = matrix[k][i];
      if (k == i || factor == 0) continue;
      for (std::size_t j = 0; j < size; ++j) {
        matrix[k][j] -= factor * matrix[i][j];
        inverse[k][j] -= factor * inverse[i][j];
      }
    }
  }
  return inverse;
}

}  // namespace unwarp::cost
