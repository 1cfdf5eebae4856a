// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long finished ports took, as a model of the next one: a Bayesian linear regression of ln(person-weeks).
//   ln E = mean + family + class + slope(family) * (ln lines - centre(family)) + noise(family)
// Classes are drawn to their family, families to the mean of all, slopes to what the route suggests (a mechanical port
// is paid per line, a further back end as a whole); how strongly is told by knowledge/cost/port-model.tsv, so that one
// row, forty rows and a class never seen all give an answer, the wider the less is known. A lower bound pulls the line
// up to itself while that lies below, and says nothing else: not about sizes, the mean of all, or the spread. Size is
// lines of GPU code, else all lines, else kernels times the lines a kernel had; where both are known, their geometric
// mean, since code written through macros hardly names CUDA. A size that nothing tells is the family's mean. The
// interval is the model's own spread times a factor that conforms to the residuals of projects left out, drawn to the
// normal one while these are few. Limits: efforts of public repositories, in active author-days; a handful of projects.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cost/effort/port_case.h"

namespace unwarp::cost {

/// The figures of knowledge/cost/port-model.tsv.
struct PortModel {
  double classSd = 0, familySd = 0, intervalShare = 0, residualWeight = 0, conformalWeight = 0;
  std::array<double, 2> slopeMean{}, slopeSd{}, residualSd{};  ///< by RouteFamily, Unknown excluded
  static Result<PortModel> load(const knowledge::Knowledge& knowledge);
};

struct PortPrediction {
  double personWeeks = 0, low = 0, high = 0;  ///< median, and the ends of the interval
  double sdLog = 0;                           ///< standard deviation of ln(effort), without the conformal factor
};

/// Lines that stand for the size of a port, or none. `linesPerKernel`: 0 when not known.
std::optional<double> portSize(const PortCase& port, double linesPerKernel);

/// The radius that holds `share` of further cases when the residuals (>= 0) were those of earlier ones: their quantile,
/// interpolated between ranks. 0 without residuals.
double conformalRadius(std::vector<double> residuals, double share);

/// Indexes of the cases of each project: they are left out together.
std::vector<std::vector<std::size_t>> projectFolds(std::span<const PortCase> cases);

class ReferenceClass {
 public:
  /// Fits on the rows whose effort is known. Fails when there is none.
  static Result<ReferenceClass> fit(std::span<const PortCase> cases, const RouteClasses& classes,
                                    const PortModel& model);
  PortPrediction predict(const PortCase& port) const;
  double linesPerKernel() const { return linesPerKernel_; }
  /// Mean of ln(lines) over all rows of known size, and how many those are.
  double meanLogSize() const { return meanLogSize_; }
  /// Half the interval's width in units of the model's spread.
  double conformalFactor() const { return factor_; }

 private:
  struct Row {
    std::vector<double> features;
    std::size_t family = 0;
    double logEffort = 0;
    bool unknownSize = false, isBound = false;
  };
  ReferenceClass(const RouteClasses& classes, const PortModel& model) : classes_(&classes), model_(model) {}
  void measureSizes(std::span<const PortCase> cases);
  void fitRows(std::span<const PortCase> cases);
  void solve(const std::vector<Row>& rows);
  void conform(std::span<const PortCase> cases);
  Row rowOf(const PortCase& port) const;
  double noiseSd(std::size_t family) const;
  double meanOf(const Row& row) const;
  double sdOf(const Row& row) const;

  const RouteClasses* classes_;
  PortModel model_;
  double linesPerKernel_ = 0, meanLogSize_ = 0;
  bool knowsSizes_ = false;  ///< of any case that calibrates
  std::array<double, 2> centre_{}, sizeSd_{}, residualSd_{};
  std::vector<double> weights_;
  std::vector<std::vector<double>> covariance_;
  double factor_ = 0;
};

}  // namespace unwarp::cost
