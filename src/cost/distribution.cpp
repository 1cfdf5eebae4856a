// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/distribution.h"

#include <array>
#include <cmath>
#include <numbers>

namespace unwarp::cost {

namespace {

/// Horner's rule, highest power first.
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = 0;
  for (double coefficient : coefficients) sum = sum * x + coefficient;
  return sum;
}

/// Continued fraction of the incomplete beta function, evaluated by Lentz's method.
double betaFraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double value = d;
  for (int m = 1; m <= 300; ++m) {
    for (double numerator : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                             -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      d = 1 + numerator * d;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      c = 1 + numerator / c;
      if (std::abs(c) < tiny) c = tiny;
      value *= c * d;
    }
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

/// P(X <= x) of Beta(a, b).
double betaCdf(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  // The fraction converges fast on this side of the mean only; the other side is its mirror image.
  if (x < (a + 1) / (a + b + 2)) return front * betaFraction(a, b, x) / a;
  return 1 - front * betaFraction(b, a, 1 - x) / b;
}

double betaQuantile(double a, double b, double p) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    double middle = (low + high) / 2;
    (betaCdf(a, b, middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double triangularQuantile(double low, double mode, double high, double p) {
  if (high <= low) return low;
  double share = (mode - low) / (high - low);
  return p < share ? low + std::sqrt(p * (high - low) * (mode - low))
                   : high - std::sqrt((1 - p) * (high - low) * (high - mode));
}

}  // namespace

double normalCdf(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double normalQuantile(double p) {
  // The three regions and coefficients of AS 241 (PPND16): the centre, and two stretches of the tail.
  static constexpr std::array centreAbove{2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
                                          45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
                                          133.14166789178437745, 3.387132872796366608};
  static constexpr std::array centreBelow{
      5226.495278852545925,  28729.085735721942674, 39307.89580009271061,  21213.794301586595867,
      5394.1960214247511077, 687.1870074920579083,  42.313330701600911252, 1.0};
  static constexpr std::array nearAbove{7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
                                        1.27045825245236838258,   3.64784832476320460504,   5.7694972214606914055,
                                        4.6303378461565452959,    1.42343711074968357734};
  static constexpr std::array nearBelow{
      1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
      0.68976733498510000455,    1.6763848301838038494,   2.05319162663775882187,   1.0};
  static constexpr std::array farAbove{2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
                                       0.026532189526576123093,   0.29656057182850489123,    1.7848265399172913358,
                                       5.4637849111641143699,     6.6579046435011037772};
  static constexpr std::array farBelow{
      2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
      0.0148753612908506148525,   0.13692988092273580531,   0.59983220655588793769,   1.0};
  double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    double r = 0.180625 - q * q;
    return q * polynomial(centreAbove, r) / polynomial(centreBelow, r);
  }
  double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  double tail = r <= 5 ? polynomial(nearAbove, r - 1.6) / polynomial(nearBelow, r - 1.6)
                       : polynomial(farAbove, r - 5) / polynomial(farBelow, r - 5);
  return q < 0 ? -tail : tail;
}

double Distribution::quantile(double p) const {
  switch (shape) {
    case Shape::Fixed:
      return a;
    case Shape::LogNormal:
      return a * std::exp(b * normalQuantile(p));
    case Shape::Normal:
      return a + b * normalQuantile(p);
    case Shape::Triangular:
      return triangularQuantile(a, b, c, p);
    case Shape::Uniform:
      return a + (b - a) * p;
    case Shape::Beta:
      return betaQuantile(a, b, p);
  }
  return a;
}

double Distribution::mean() const {
  switch (shape) {
    case Shape::Fixed:
    case Shape::Normal:
      return a;
    case Shape::LogNormal:
      return a * std::exp(b * b / 2);
    case Shape::Triangular:
      return (a + b + c) / 3;
    case Shape::Uniform:
      return (a + b) / 2;
    case Shape::Beta:
      return a / (a + b);
  }
  return a;
}

}  // namespace unwarp::cost
