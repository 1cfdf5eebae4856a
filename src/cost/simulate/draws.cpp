// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/simulate/draws.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "cost/random.h"

namespace unwarp::cost::simulate {

namespace {

constexpr std::size_t points = 256;

void tabulated(const Distribution& distribution, const Column& uniform, Column& values) {
  std::array<double, points> table;
  for (std::size_t i = 0; i < points; ++i)
    table[i] = distribution.quantile((static_cast<double>(i) + 0.5) / static_cast<double>(points));
  for (std::size_t i = 0; i < uniform.size(); ++i) {
    double at = std::clamp(uniform[i] * static_cast<double>(points) - 0.5, 0.0, static_cast<double>(points - 1));
    std::size_t below = std::min(static_cast<std::size_t>(at), points - 2);
    values[i] = table[below] + (table[below + 1] - table[below]) * (at - static_cast<double>(below));
  }
}

}  // namespace

Column uniforms(std::uint64_t seed, std::string_view name, std::size_t trials) {
  Column column(trials);
  Random random(seed, stableHash(name));
  for (double& value : column) value = random.uniform();
  return column;
}

void quantiles(const Distribution& distribution, const Column& uniform, Column& values) {
  values.resize(uniform.size());
  switch (distribution.shape) {
    case Shape::Fixed:
      std::fill(values.begin(), values.end(), distribution.a);
      return;
    case Shape::LogNormal:
    case Shape::Normal:
    case Shape::Uniform:
    case Shape::Triangular:
      for (std::size_t i = 0; i < uniform.size(); ++i) values[i] = distribution.quantile(uniform[i]);
      return;
    case Shape::Beta:
      return tabulated(distribution, uniform, values);
  }
}

}  // namespace unwarp::cost::simulate
