// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/simulate/workload_run.h"

#include <algorithm>
#include <cmath>

namespace unwarp::cost::simulate {

namespace {

/// What decides about the month of break-even in one trial.
struct Payback {
  double saving, upkeep, oneOff;
  int start;  ///< months until savings begin
};

/// First month at whose end saving x growth - upkeep x discount reach the one-off cost; 0 when none does. The monthly
/// sum changes its sign at most once, because growth and discount are both geometric; so once the last month is paid,
/// the months that have paid are all those from some month on, and otherwise only a peak in between can have paid.
class BreakEven {
 public:
  BreakEven(const double* discount, int months) : discount_(discount), months_(months) {}

  std::uint16_t month(const double* growth, const Payback& p) const {
    if (p.saving <= 0 || p.start >= months_) return 0;
    auto paid = [&](int m) {
      return p.saving * (growth[m] - growth[p.start]) - p.upkeep * (discount_[m] - discount_[p.start]) >= p.oneOff;
    };
    auto net = [&](int m) {
      return p.saving * (growth[m] - growth[m - 1]) - p.upkeep * (discount_[m] - discount_[m - 1]);
    };
    int last = months_;
    if (!paid(last)) {
      if (net(last) >= 0 || net(p.start + 1) < 0) return 0;
      while (net(last) < 0) --last;  // the peak
      if (!paid(last)) return 0;
    }
    // Savings change slowly: the first month's tell nearly when.
    double first = net(p.start + 1), guess = first > 0 ? p.start + p.oneOff / first : last;
    int m = guess < last ? std::max(p.start + 1, static_cast<int>(guess)) : last;
    while (!paid(m)) ++m;
    while (m > p.start + 1 && paid(m - 1)) --m;
    return static_cast<std::uint16_t>(m);
  }

 private:
  const double* discount_;
  int months_;
};

std::string named(const Quantity& quantity, const std::string& fallback) {
  return quantity.name.empty() ? fallback : quantity.name;
}

}  // namespace

WorkloadRun::WorkloadRun(const Inputs& inputs, const Workload& workload) : inputs_(inputs), workload_(workload) {
  const std::string own = workload.name + "/";
  demand_ = add(own + "demand", workload.demandPerMonth);
  growth_ = add(own + "growth", workload.growthPerYear);
  utilisation_ = add(own + "utilisation", workload.utilisation);
  currentPrice_ = add(named(workload.currentPrice, own + "current price"), workload.currentPrice);
  currentRate_ = add(own + "current rate", workload.currentRate);
  money_ = add("money per hour", inputs.moneyPerHour);
  overhead_ = add("overhead", inputs.overhead);
  drift_ = add("price drift", inputs.driftPerYear);
  for (std::size_t i = 0; i < latents_.size(); ++i) latents_[i] = add(std::string(latentNames[i]), inputs.latents[i]);
  for (std::size_t t = 0; t < workload.targets.size(); ++t)
    for (std::size_t r = 0; r < workload.targets[t].routes.size(); ++r)
      if (workload.targets[t].routes[r].feasible) addOption(t, r);
  double sum = 0;
  for (int m = 0; m <= inputs.horizonMonths; ++m) {
    discountSums_.push_back(sum);
    sum += std::pow(1 + inputs.discountPerYear, -(m + 1) / 12.0);
  }
  shareFactors();
  shareGrowth();
}

std::size_t WorkloadRun::add(const std::string& key, const Quantity& quantity) {
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i].key == key && variables_[i].distribution == quantity.distribution) return i;
  Variable variable{key, named(quantity, key), quantity.distribution, {}, {}};
  if (quantity.distribution.shape != Shape::Fixed)
    variable.uniform = uniforms(inputs_.seed, key, inputs_.trials);
  else
    variable.uniform.assign(inputs_.trials, 0.5);
  quantiles(variable.distribution, variable.uniform, variable.values);
  variables_.push_back(std::move(variable));
  return variables_.size() - 1;
}

WorkloadRun::Term WorkloadRun::addScaled(const std::string& key, Quantity quantity) {
  // A lognormal is its median times a factor, which options of equal spread share.
  double scale = 1;
  if (quantity.distribution.shape == Shape::LogNormal) {
    scale = quantity.distribution.a;
    quantity.distribution.a = 1;
  }
  quantity.name = key.substr(key.rfind('/') + 1);
  return {add(key, quantity), scale};
}

void WorkloadRun::addOption(std::size_t target, std::size_t route) {
  const Target& t = workload_.targets[target];
  const Route& r = t.routes[route];
  const std::string own = workload_.name + "/" + t.name + "/";
  OptionData data{};
  data.option = {target, route};
  data.price = add(named(t.price, own + "price"), t.price);
  data.rate = add(own + "rate", t.rate);
  data.stack = addScaled(own + "stack", t.stackPerMonth);
  data.oneOffMoney = addScaled(workload_.name + "/one-off money", r.oneOffMoney);
  data.yearlyHours = addScaled(workload_.name + "/yearly hours", r.yearlyHours);
  for (const EffortPart& part : r.parts) {
    auto same =
        std::find_if(data.efforts.begin(), data.efforts.end(), [&](const Effort& e) { return e.moves == part.moves; });
    if (same == data.efforts.end()) same = data.efforts.insert(data.efforts.end(), Effort{part.moves, {}});
    same->terms.push_back(addScaled(workload_.name + "/" + part.name, part.hours));
  }
  options_.push_back(std::move(data));
}

void WorkloadRun::shareFactors() {
  factor_.resize(inputs_.trials);
  currentCost_.resize(inputs_.trials);
  for (std::size_t i = 0; i < inputs_.trials; ++i) {
    factor_[i] = at(demand_)[i] * (1 + at(overhead_)[i]) / at(utilisation_)[i];
    currentCost_[i] = at(currentPrice_)[i] / at(currentRate_)[i];
  }
}

void WorkloadRun::shareGrowth() {
  std::size_t width = discountSums_.size();
  growthSums_.resize(inputs_.trials * width);
  double monthlyDiscount = std::pow(1 + inputs_.discountPerYear, -1 / 12.0);
  for (std::size_t i = 0; i < inputs_.trials; ++i) {
    double drift = std::max(0.0, 1 + at(drift_)[i]) * std::max(0.0, 1 + at(growth_)[i]);
    double step = std::pow(drift, 1 / 12.0) * monthlyDiscount, power = step, sum = 0;
    for (std::size_t m = 0; m < width; ++m) {
      growthSums_[i * width + m] = sum;
      sum += power;
      power *= step;
    }
  }
}

void WorkloadRun::sumHours(const OptionData& option, std::size_t trials, Column& hours) const {
  hours.assign(trials, 0);
  Column part(trials);
  for (const Effort& effort : option.efforts) {
    std::fill(part.begin(), part.end(), 0.0);
    for (const Term& term : effort.terms) {
      const double* values = at(term.variable).data();
      for (std::size_t i = 0; i < trials; ++i) part[i] += term.scale * values[i];
    }
    for (std::size_t l = 0; l < latents_.size(); ++l) {
      if (!effort.moves[l]) continue;
      const double* factor = at(latents_[l]).data();
      for (std::size_t i = 0; i < trials; ++i) part[i] *= factor[i];
    }
    for (std::size_t i = 0; i < trials; ++i) hours[i] += part[i];
  }
}

void WorkloadRun::evaluate(std::size_t index, std::size_t trials, OptionTrials& out) const {
  const OptionData& option = options_[index];
  std::size_t width = discountSums_.size();
  int months = inputs_.horizonMonths;
  out.oneOff.resize(trials);
  out.npv.resize(trials);
  out.breakEven.resize(trials);
  sumHours(option, trials, out.hours);
  const Column &money = at(money_), &price = at(option.price), &rate = at(option.rate);
  const Column &stack = at(option.stack.variable), &oneOffMoney = at(option.oneOffMoney.variable);
  const Column& yearlyHours = at(option.yearlyHours.variable);
  double perTeam = 1 / inputs_.teamHoursPerMonth;
  BreakEven breakEven(discountSums_.data(), months);
  for (std::size_t i = 0; i < trials; ++i) {
    double oneOff = out.hours[i] * money[i] + option.oneOffMoney.scale * oneOffMoney[i];
    double saving = factor_[i] * (currentCost_[i] - price[i] / rate[i]);
    double upkeep = option.stack.scale * stack[i] + option.yearlyHours.scale * yearlyHours[i] * money[i] / 12;
    const double* growth = &growthSums_[i * width];
    double wait = std::max(out.hours[i] * perTeam, inputs_.earliestMonth);
    int start = wait < months ? static_cast<int>(wait) : months;
    start += start < wait && start < months;  // a month that is begun is not yet saved in
    out.oneOff[i] = oneOff;
    out.npv[i] = saving * (growth[months] - growth[start]) -
                 upkeep * (discountSums_[width - 1] - discountSums_[static_cast<std::size_t>(start)]) - oneOff;
    out.breakEven[i] = breakEven.month(growth, {saving, upkeep, oneOff, start});
  }
}

std::vector<std::string> WorkloadRun::keys() const {
  std::vector<std::string> found;
  for (const Variable& variable : variables_)
    if (variable.distribution.shape != Shape::Fixed &&
        std::find(found.begin(), found.end(), variable.key) == found.end())
      found.push_back(variable.key);
  return found;
}

const Variable& WorkloadRun::variable(std::string_view key) const {
  return *std::find_if(variables_.begin(), variables_.end(), [&](const Variable& v) { return v.key == key; });
}

bool WorkloadRun::uses(std::size_t option, std::string_view key) const {
  const OptionData& data = options_[option];
  std::vector<std::size_t> used{demand_,
                                growth_,
                                utilisation_,
                                currentPrice_,
                                currentRate_,
                                money_,
                                overhead_,
                                drift_,
                                data.price,
                                data.rate,
                                data.stack.variable,
                                data.oneOffMoney.variable,
                                data.yearlyHours.variable};
  for (const Effort& effort : data.efforts) {
    for (const Term& term : effort.terms) used.push_back(term.variable);
    for (std::size_t l = 0; l < latents_.size(); ++l)
      if (effort.moves[l]) used.push_back(latents_[l]);
  }
  return std::any_of(used.begin(), used.end(), [&](std::size_t v) { return variables_[v].key == key; });
}

void WorkloadRun::hold(std::string_view key, double p) {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].key != key) continue;
    Column constant(inputs_.trials, variables_[i].distribution.quantile(p));
    std::swap(constant, variables_[i].values);
    held_.emplace_back(i, std::move(constant));
  }
  shareAgain();
}

void WorkloadRun::release() {
  for (auto& [index, values] : held_) variables_[index].values.swap(values);
  shareAgain();
  held_.clear();
}

void WorkloadRun::shareAgain() {
  auto isHeld = [&](std::initializer_list<std::size_t> shared) {
    return std::any_of(held_.begin(), held_.end(), [&](const auto& held) {
      return std::find(shared.begin(), shared.end(), held.first) != shared.end();
    });
  };
  if (isHeld({demand_, utilisation_, overhead_, currentPrice_, currentRate_})) shareFactors();
  if (isHeld({drift_, growth_})) shareGrowth();
}

}  // namespace unwarp::cost::simulate
