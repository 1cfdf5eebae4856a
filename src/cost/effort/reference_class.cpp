// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/effort/reference_class.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "cost/effort/linear_solver.h"
#include "cost/quantity.h"
#include "knowledge/table.h"

namespace unwarp::cost {

double conformalRadius(std::vector<double> residuals, double share) {
  if (residuals.empty()) return 0;
  std::sort(residuals.begin(), residuals.end());
  double rank = share * static_cast<double>(residuals.size() - 1);
  auto below = static_cast<std::size_t>(rank);
  double above = residuals[std::min(below + 1, residuals.size() - 1)];
  return residuals[below] + (rank - static_cast<double>(below)) * (above - residuals[below]);
}

namespace {

constexpr std::string_view modelTable = "knowledge/cost/port-model.tsv";
constexpr std::array<std::string_view, 2> familyNames{"mechanical", "rewrite"};
/// Columns of the regression: mean, two families, two slopes, then one per class.
constexpr std::size_t familyColumn = 1, slopeColumn = 3, classColumn = 5;
/// Lower bounds enter or leave the fit until nothing changes; more rounds than this would be a cycle.
constexpr int boundRounds = 10;

bool known(const PortCase& port) {
  return port.personWeeks.has_value();
}

}  // namespace

Result<PortModel> PortModel::load(const knowledge::Knowledge& knowledge) {
  auto table = knowledge::Table::parse(
      modelTable, knowledge.costTable(modelTable).text,
      {{"parameter", true}, {"value", true}, {"note", true}, {"source", true}, {"as_of", true}});
  if (!table) return Error{table.error()};
  PortModel model;
  std::map<std::string, double*, std::less<>> places{{"class_sd", &model.classSd},
                                                     {"family_sd", &model.familySd},
                                                     {"interval_share", &model.intervalShare},
                                                     {"conformal_weight", &model.conformalWeight},
                                                     {"residual_weight", &model.residualWeight}};
  for (std::size_t family = 0; family < familyNames.size(); ++family) {
    std::string name(familyNames[family]);
    places["slope_mean." + name] = &model.slopeMean[family];
    places["slope_sd." + name] = &model.slopeSd[family];
    places["residual_sd." + name] = &model.residualSd[family];
  }
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto place = places.find(table->cell(row, 0));
    auto value = parseNumber(table->cell(row, 1));
    if (place == places.end()) return Error{table->where(row, 0) + "is no parameter of the model, or stands twice"};
    if (!value || *value < 0) return Error{table->where(row, 1) + "must be a number from 0"};
    *place->second = *value;
    places.erase(place);
  }
  if (!places.empty()) return Error{std::string(modelTable) + ": lacks " + places.begin()->first};
  return model;
}

std::optional<double> portSize(const PortCase& port, double linesPerKernel) {
  if (port.linesGpu && port.linesTotal) return std::sqrt(*port.linesGpu * *port.linesTotal);
  if (port.linesGpu) return port.linesGpu;
  if (port.linesTotal) return port.linesTotal;
  if (port.kernels && linesPerKernel > 0) return *port.kernels * linesPerKernel;
  return std::nullopt;
}

std::vector<std::vector<std::size_t>> projectFolds(std::span<const PortCase> cases) {
  std::vector<std::vector<std::size_t>> folds;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    auto [place, fresh] = places.try_emplace(cases[i].group, folds.size());
    if (fresh) folds.emplace_back();
    folds[place->second].push_back(i);
  }
  return folds;
}

Result<ReferenceClass> ReferenceClass::fit(std::span<const PortCase> cases, const RouteClasses& classes,
                                           const PortModel& model) {
  std::vector<PortCase> usable;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(usable), known);
  std::sort(usable.begin(), usable.end(), canonicalOrder);
  if (std::all_of(usable.begin(), usable.end(), [](const PortCase& port) { return port.censored; }))
    return Error{
        "no row has a known effort (effort_person_weeks above 0 that is no lower bound): nothing to learn from"};
  ReferenceClass result(classes, model);
  result.measureSizes(usable);
  result.fitRows(usable);
  result.conform(usable);
  return result;
}

void ReferenceClass::measureSizes(std::span<const PortCase> all) {
  // A port that took at least so long says as little about sizes as about efforts: only exact rows count.
  std::vector<PortCase> cases;
  std::copy_if(all.begin(), all.end(), std::back_inserter(cases), [](const PortCase& port) { return !port.censored; });
  double logs = 0;
  int count = 0;
  for (const PortCase& port : cases) {
    if (!port.linesGpu || !port.kernels) continue;
    logs += std::log(*port.linesGpu / *port.kernels);
    ++count;
  }
  linesPerKernel_ = count == 0 ? 0 : std::exp(logs / count);

  std::array<std::vector<double>, 2> sizes;
  std::vector<double> every;
  for (const PortCase& port : cases) {
    auto size = portSize(port, linesPerKernel_);
    if (!size) continue;
    every.push_back(std::log(*size));
    auto family = static_cast<std::size_t>(classes_->familyOf(port.routeClass));
    if (family < sizes.size()) sizes[family].push_back(every.back());
  }
  auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  };
  knowsSizes_ = !every.empty();
  meanLogSize_ = mean(every);
  for (std::size_t family = 0; family < sizes.size(); ++family) {
    centre_[family] = sizes[family].empty() ? meanLogSize_ : mean(sizes[family]);
    double squares = 0;
    for (double size : sizes[family]) squares += (size - centre_[family]) * (size - centre_[family]);
    sizeSd_[family] = sizes[family].size() < 2 ? 1 : std::sqrt(squares / static_cast<double>(sizes[family].size() - 1));
  }
}

ReferenceClass::Row ReferenceClass::rowOf(const PortCase& port) const {
  Row row;
  row.features.assign(classColumn + classes_->all().size(), 0);
  row.features[0] = 1;
  row.family = static_cast<std::size_t>(classes_->familyOf(port.routeClass));
  row.logEffort = port.personWeeks ? std::log(*port.personWeeks) : 0;
  row.isBound = port.censored;
  // A size says something only beside the sizes of known cases.
  auto size = knowsSizes_ ? portSize(port, linesPerKernel_) : std::nullopt;
  row.unknownSize = !size;
  if (row.family >= centre_.size()) return row;
  row.features[familyColumn + row.family] = 1;
  row.features[slopeColumn + row.family] = size ? std::log(*size) - centre_[row.family] : 0;
  row.features[classColumn + port.routeClass] = 1;
  return row;
}

void ReferenceClass::fitRows(std::span<const PortCase> cases) {
  residualSd_ = model_.residualSd;
  std::vector<bool> counts(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) counts[i] = !cases[i].censored;
  for (int round = 0; round < boundRounds; ++round) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (counts[i]) rows.push_back(rowOf(cases[i]));
    solve(rows);
    bool changed = false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      // A bound that counts stays while the fit, drawn to it, is still below.
      bool wanted = !cases[i].censored || meanOf(rowOf(cases[i])) < std::log(*cases[i].personWeeks);
      changed |= wanted != counts[i];
      counts[i] = wanted;
    }
    if (!changed) break;
  }
  std::array<double, 2> squares{}, number{};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Row row = rowOf(cases[i]);
    if (cases[i].censored || row.family >= squares.size()) continue;
    double residual = row.logEffort - meanOf(row);
    squares[row.family] += residual * residual;
    ++number[row.family];
  }
  for (std::size_t family = 0; family < squares.size(); ++family) {
    double prior = model_.residualSd[family], weight = model_.residualWeight;
    residualSd_[family] = std::sqrt((weight * prior * prior + squares[family]) / (weight + number[family]));
  }
}

void ReferenceClass::solve(const std::vector<Row>& rows) {
  std::size_t columns = classColumn + classes_->all().size();
  std::vector<double> priorMean(columns, 0), priorSd(columns, model_.classSd);
  double sum = 0;
  int exact = 0;
  for (const Row& row : rows) {
    sum += row.isBound ? 0 : row.logEffort;
    exact += row.isBound ? 0 : 1;
  }
  priorMean[0] = sum / exact;
  priorSd[0] = 10;  // flat: the mean of all is what the rows say
  for (std::size_t family = 0; family < 2; ++family) {
    priorSd[familyColumn + family] = model_.familySd;
    priorMean[slopeColumn + family] = model_.slopeMean[family];
    priorSd[slopeColumn + family] = model_.slopeSd[family];
  }
  std::vector<std::vector<double>> precision(columns, std::vector<double>(columns, 0));
  std::vector<double> moment(columns, 0);
  for (std::size_t i = 0; i < columns; ++i) {
    precision[i][i] = 1 / (priorSd[i] * priorSd[i]);
    moment[i] = priorMean[i] * precision[i][i];
  }
  for (const Row& row : rows) {
    double weight = 1 / (noiseSd(row.family) * noiseSd(row.family));
    for (std::size_t i = 0; i < columns; ++i) {
      moment[i] += weight * row.features[i] * row.logEffort;
      for (std::size_t j = 0; j < columns; ++j) precision[i][j] += weight * row.features[i] * row.features[j];
    }
  }
  covariance_ = inverseOfPositiveDefinite(std::move(precision));
  weights_.assign(columns, 0);
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = 0; j < columns; ++j) weights_[i] += covariance_[i][j] * moment[j];
}

double ReferenceClass::noiseSd(std::size_t family) const {
  if (family < residualSd_.size()) return residualSd_[family];
  // A route that no word tells may be of any family and class.
  return std::hypot(model_.familySd, model_.classSd, *std::max_element(residualSd_.begin(), residualSd_.end()));
}

double ReferenceClass::meanOf(const Row& row) const {
  double sum = 0;
  for (std::size_t i = 0; i < row.features.size(); ++i) sum += row.features[i] * weights_[i];
  return sum;
}

double ReferenceClass::sdOf(const Row& row) const {
  double variance = noiseSd(row.family) * noiseSd(row.family);
  for (std::size_t i = 0; i < row.features.size(); ++i)
    for (std::size_t j = 0; j < row.features.size(); ++j)
      variance += row.features[i] * covariance_[i][j] * row.features[j];
  if (row.unknownSize && row.family < sizeSd_.size()) {
    double spread = weights_[slopeColumn + row.family] * sizeSd_[row.family];
    variance += spread * spread;
  }
  return std::sqrt(variance);
}

void ReferenceClass::conform(std::span<const PortCase> cases) {
  factor_ = normalQuantile((1 + model_.intervalShare) / 2);
  std::vector<double> residuals;
  for (const std::vector<std::size_t>& fold : projectFolds(cases)) {
    std::vector<PortCase> rest;
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (std::find(fold.begin(), fold.end(), i) == fold.end()) rest.push_back(cases[i]);
    if (std::all_of(rest.begin(), rest.end(), [](const PortCase& port) { return port.censored; })) continue;
    ReferenceClass without(*classes_, model_);
    without.measureSizes(rest);
    without.fitRows(rest);
    for (std::size_t i : fold) {
      if (cases[i].censored) continue;
      Row row = without.rowOf(cases[i]);
      residuals.push_back(std::abs(row.logEffort - without.meanOf(row)) / without.sdOf(row));
    }
  }
  auto count = static_cast<double>(residuals.size());
  double radius = conformalRadius(std::move(residuals), model_.intervalShare);
  factor_ = (count * radius + model_.conformalWeight * factor_) / (count + model_.conformalWeight);
}

PortPrediction ReferenceClass::predict(const PortCase& port) const {
  Row row = rowOf(port);
  double mean = meanOf(row), sd = sdOf(row);
  return {std::exp(mean), std::exp(mean - factor_ * sd), std::exp(mean + factor_ * sd), sd};
}

}  // namespace unwarp::cost
