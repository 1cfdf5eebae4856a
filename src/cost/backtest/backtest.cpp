// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/backtest/backtest.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "cost/effort/estimate.h"

namespace unwarp::cost {

namespace {

/// Geometric mean of the class's exact efforts; of all rows when the class has none.
double routeClassMean(std::span<const PortCase> train, std::size_t routeClass) {
  double classSum = 0, allSum = 0;
  int classCount = 0, allCount = 0;
  for (const PortCase& port : train) {
    if (!port.personWeeks || port.censored) continue;
    double logEffort = std::log(*port.personWeeks);
    allSum += logEffort;
    ++allCount;
    if (port.routeClass != routeClass) continue;
    classSum += logEffort;
    ++classCount;
  }
  return std::exp(classCount > 0 ? classSum / classCount : allSum / std::max(allCount, 1));
}

/// The three predictors, trained on one fold.
class Trained {
 public:
  static Result<Trained> on(std::vector<PortCase> train, const RouteClasses& classes, const PortModel& model) {
    std::sort(train.begin(), train.end(), canonicalOrder);  // sums round by their order
    auto reference = ReferenceClass::fit(train, classes, model);
    if (!reference) return Error{reference.error()};
    Trained trained{std::move(train), std::move(*reference), {}};
    trained.measureBaselines(model.intervalShare);
    return trained;
  }

  std::array<PortPrediction, 3> predict(const PortCase& port) const {
    std::array<PortPrediction, 3> result;
    result[0] = reference_.predict(port);
    for (Predictor which : {Predictor::CocomoOrganic, Predictor::RouteClassMean}) {
      auto index = static_cast<std::size_t>(which);
      double weeks = which == Predictor::CocomoOrganic ? cocomo(port) : routeClassMean(train_, port.routeClass);
      result[index] = {weeks, weeks * std::exp(-radius_[index]), weeks * std::exp(radius_[index]), radius_[index]};
    }
    return result;
  }

 private:
  Trained(std::vector<PortCase> train, ReferenceClass reference, std::array<double, 3> radius)
      : train_(std::move(train)), reference_(std::move(reference)), radius_(radius) {}

  double cocomo(const PortCase& port) const {
    auto lines = portSize(port, reference_.linesPerKernel());
    return cocomoOrganicWeeks(lines ? *lines : std::exp(reference_.meanLogSize()));
  }

  /// The baselines' intervals conform to the same residuals as ours: those of projects left out.
  void measureBaselines(double share) {
    std::array<std::vector<double>, 3> residuals;
    for (const std::vector<std::size_t>& fold : projectFolds(train_)) {
      std::vector<PortCase> rest;
      for (std::size_t i = 0; i < train_.size(); ++i)
        if (std::find(fold.begin(), fold.end(), i) == fold.end()) rest.push_back(train_[i]);
      for (std::size_t i : fold) {
        const PortCase& port = train_[i];
        if (!port.personWeeks || port.censored) continue;
        double logEffort = std::log(*port.personWeeks);
        residuals[1].push_back(std::abs(std::log(cocomo(port)) - logEffort));
        residuals[2].push_back(std::abs(std::log(routeClassMean(rest, port.routeClass)) - logEffort));
      }
    }
    for (std::size_t k = 1; k < residuals.size(); ++k) radius_[k] = conformalRadius(std::move(residuals[k]), share);
  }

  std::vector<PortCase> train_;
  ReferenceClass reference_;
  std::array<double, 3> radius_;
};

void count(std::span<const PortCase> train, Backtest& backtest) {
  for (const PortCase& port : train)
    if (port.personWeeks) ++(port.censored ? backtest.bounds : backtest.trainedOn);
}

std::string joined(const std::set<std::string>& names) {
  constexpr std::size_t shown = 20;
  return listed({names.begin(), names.end()}, shown);
}

/// Rows that say the same port twice weigh twice.
void noteDuplicates(std::span<const PortCase> cases, std::string_view what, Backtest& backtest) {
  std::set<std::pair<std::string, std::string>> seen;
  std::set<std::string> twice;
  for (const PortCase& port : cases)
    if (!seen.emplace(toLower(port.project), toLower(port.direction)).second) twice.insert(port.project);
  if (!twice.empty())
    backtest.notes.push_back("stands more than once among the " + std::string(what) +
                             " and weighs as often: " + joined(twice));
}

/// Scored rows whose project calibrates too are no test of anything.
void noteOverlap(std::span<const PortCase> train, Backtest& backtest) {
  std::set<std::string> trained, shared;
  for (const PortCase& port : train)
    if (port.personWeeks) trained.insert(port.group);
  std::size_t rows = 0;
  for (const BacktestCase& one : backtest.cases) {
    if (!trained.contains(one.port.group)) continue;
    shared.insert(one.port.project);
    ++rows;
  }
  backtest.scheme = "trained on the rows of --train";
  if (rows == 0) {
    backtest.scheme += ", of whose projects none is scored";
    return;
  }
  backtest.scheme += "; " + std::to_string(rows) + " of " + std::to_string(backtest.cases.size()) +
                     " scored rows are of trained projects and not out of sample";
  backtest.notes.push_back("not out of sample, their projects are trained on (a project is its first word): " +
                           joined(shared));
}

void score(Backtest& backtest) {
  for (std::size_t k = 0; k < backtest.scores.size(); ++k) {
    std::vector<ScoredCase> scored;
    for (const BacktestCase& one : backtest.cases) {
      if (!one.port.personWeeks || one.port.censored) continue;
      const PortPrediction& prediction = one.predictions[k];
      scored.push_back({prediction.personWeeks, prediction.low, prediction.high, *one.port.personWeeks});
    }
    backtest.scores[k] = scoresOf(scored);
    backtest.intervals[k] = bootstrap(scored);
  }
}

}  // namespace

double cocomoOrganicWeeks(double lines) {
  constexpr double hoursPerMonth = 152, hoursPerWeek = 40;
  return 2.4 * std::pow(lines / 1000, 1.05) * hoursPerMonth / hoursPerWeek;
}

Result<Backtest> leaveProjectsOut(std::span<const PortCase> cases, const RouteClasses& classes,
                                  const PortModel& model) {
  std::vector<PortCase> known;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(known),
               [](const PortCase& port) { return port.personWeeks.has_value(); });
  Backtest backtest;
  backtest.scheme = "each project predicted from all others";
  count(known, backtest);
  noteDuplicates(known, "rows", backtest);
  backtest.cases.resize(known.size());
  for (const std::vector<std::size_t>& fold : projectFolds(known)) {
    std::vector<PortCase> rest;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (std::find(fold.begin(), fold.end(), i) == fold.end()) rest.push_back(known[i]);
    auto trained = Trained::on(std::move(rest), classes, model);
    if (!trained) return Error{"without " + known[fold.front()].project + ": " + trained.error()};
    for (std::size_t i : fold)
      backtest.cases[i] = {known[i], std::string(classes.nameOf(known[i].routeClass)), trained->predict(known[i])};
  }
  score(backtest);
  return backtest;
}

Result<Backtest> trainAndScore(std::span<const PortCase> train, std::span<const PortCase> scored,
                               const RouteClasses& classes, const PortModel& model) {
  auto trained = Trained::on({train.begin(), train.end()}, classes, model);
  if (!trained) return Error{trained.error()};
  Backtest backtest;
  count(train, backtest);
  for (const PortCase& port : scored)
    backtest.cases.push_back({port, std::string(classes.nameOf(port.routeClass)), trained->predict(port)});
  noteDuplicates(train, "rows of --train", backtest);
  noteDuplicates(scored, "rows of --score", backtest);
  noteOverlap(train, backtest);
  score(backtest);
  return backtest;
}

}  // namespace unwarp::cost
