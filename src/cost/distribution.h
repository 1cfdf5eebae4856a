// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions of uncertain numbers, each known by its quantile function. A trial of a simulation draws a uniform
// number (or a correlated normal one turned uniform) and asks for the quantile, so that the same draw means the same
// luck under every route and target, and a sweep of one input needs no second sampler.
// The normal quantile is Wichura's rational approximation (AS 241, 1988; 1e-16 relative); the beta quantile inverts the
// incomplete beta function by bisection and is meant to be tabulated by whoever draws many.
#pragma once

#include <cstdint>

namespace unwarp::cost {

enum class Shape : std::uint8_t { Fixed, LogNormal, Normal, Triangular, Uniform, Beta };

/// Fixed: a. LogNormal: a median, b standard deviation of the natural logarithm. Normal: a mean, b standard deviation.
/// Triangular: a lowest, b most likely, c highest. Uniform: a lowest, b highest. Beta: a and b are its two parameters.
struct Distribution {
  Shape shape = Shape::Fixed;
  double a = 0, b = 0, c = 0;

  static Distribution fixed(double value) { return {Shape::Fixed, value, 0, 0}; }
  static Distribution logNormal(double median, double sdLog) { return {Shape::LogNormal, median, sdLog, 0}; }
  static Distribution normal(double mean, double sd) { return {Shape::Normal, mean, sd, 0}; }
  static Distribution triangular(double low, double mode, double high) { return {Shape::Triangular, low, mode, high}; }
  static Distribution uniform(double low, double high) { return {Shape::Uniform, low, high, 0}; }
  static Distribution beta(double alpha, double beta) { return {Shape::Beta, alpha, beta, 0}; }

  /// The value below which a share `p` of (0, 1) lies; non-decreasing in `p`.
  double quantile(double p) const;
  double mean() const;
  double median() const { return quantile(0.5); }
  bool operator==(const Distribution&) const = default;
};

/// Standard normal: P(Z <= x), and its inverse for p in (0, 1).
double normalCdf(double x);
double normalQuantile(double p);

}  // namespace unwarp::cost
