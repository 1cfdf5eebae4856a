// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem as columns and rows, and these as LP text. Names in the text are `x_<workload>_<pool>` with everything
// but letters, digits and dots turned into underscores and a number where two names would become one.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "cost/fleet/cbc.h"

namespace unwarp::cost::fleet {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// A move costs this much more than its price, so that among equal plans the quiet one wins.
constexpr double moveWeight = 0.001;

class Names {
 public:
  std::string unique(std::string name) {
    for (char& c : name)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.')) c = '_';
    std::string candidate = name;
    for (int i = 2; !seen_.insert(candidate).second; ++i) candidate = name + "_" + std::to_string(i);
    return candidate;
  }

 private:
  std::set<std::string> seen_;
};

class Builder {
 public:
  explicit Builder(const Problem& problem) : p_(problem), pools_(problem.pools.size()) {}

  LinearProgram build() {
    addColumns();
    for (std::size_t w = 0; w < p_.workloads.size(); ++w) addWorkload(w);
    for (std::size_t g = 0; g < pools_; ++g) addPool(g);
    addNeighbours();
    addBudgets();
    return std::move(program_);
  }

 private:
  std::size_t x(std::size_t w, std::size_t g) const { return w * pools_ + g; }
  std::size_t n(std::size_t g) const { return p_.workloads.size() * pools_ + g; }
  std::size_t y(std::size_t g) const { return n(g) + pools_; }

  void column(const std::string& name, double cost, double high, bool integer, double low = 0) {
    program_.columns.push_back(names_.unique(name));
    program_.objective.push_back(cost);
    program_.low.push_back(low);
    program_.high.push_back(high);
    program_.integer.push_back(integer);
  }
  void row(const std::string& name, std::vector<std::pair<std::size_t, double>> terms, double low, double high) {
    program_.rows.push_back({names_.unique(name), std::move(terms), low, high});
  }

  void addColumns() {
    for (std::size_t w = 0; w < p_.workloads.size(); ++w)
      for (std::size_t g = 0; g < pools_; ++g) {
        double move = g == p_.workloads[w].home ? 0 : moveWeight;
        bool allowed = gpusNeeded(p_, w, g).has_value();
        column("x_" + p_.workloads[w].name + "_" + p_.pools[g].name, p_.workloads[w].places[g].portCost + move,
               allowed ? 1 : 0, true);
      }
    for (const Pool& pool : p_.pools)
      column("n_" + pool.name, p_.discountFactor * p_.hours * pool.pricePerHour, static_cast<double>(pool.capacity),
             true, static_cast<double>(pool.committed));
    for (const Pool& pool : p_.pools) column("y_" + pool.name, pool.stackCost, 1, true);
  }
  void addWorkload(std::size_t w) {
    std::vector<std::pair<std::size_t, double>> terms;
    for (std::size_t g = 0; g < pools_; ++g) terms.emplace_back(x(w, g), 1.0);
    row("place_" + p_.workloads[w].name, terms, 1, 1);
    for (std::size_t g = 0; g < pools_; ++g)
      if (gpusNeeded(p_, w, g))
        row("use_" + p_.workloads[w].name + "_" + p_.pools[g].name, {{x(w, g), 1}, {y(g), -1}}, -infinity, 0);
  }
  void addPool(std::size_t g) {
    std::vector<std::pair<std::size_t, double>> terms{{n(g), 1.0}};
    for (std::size_t w = 0; w < p_.workloads.size(); ++w)
      if (auto need = gpusNeeded(p_, w, g); need && *need > 0) terms.emplace_back(x(w, g), -static_cast<double>(*need));
    row("gpus_" + p_.pools[g].name, terms, 0, infinity);
    if (p_.pools[g].minimumOrder > 0)
      row("order_" + p_.pools[g].name, {{n(g), 1}, {y(g), -static_cast<double>(p_.pools[g].minimumOrder)}}, 0,
          infinity);
  }
  void addNeighbours() {
    for (std::size_t g = 0; g < pools_; ++g) {
      for (auto [a, b] : p_.together)
        if (a != b) row("together_" + p_.pools[g].name, {{x(a, g), 1}, {x(b, g), -1}}, 0, 0);
      for (auto [a, b] : p_.apart)
        if (a != b)
          row("apart_" + p_.pools[g].name, {{x(a, g), 1}, {x(b, g), 1}}, -infinity, 1);
        else
          row("apart_" + p_.pools[g].name, {{x(a, g), 1}}, -infinity, 0);
    }
  }
  void addBudgets() {
    std::vector<std::pair<std::size_t, double>> port, all;
    for (std::size_t w = 0; w < p_.workloads.size(); ++w)
      for (std::size_t g = 0; g < pools_; ++g)
        if (double cost = p_.workloads[w].places[g].portCost; cost > 0) port.emplace_back(x(w, g), cost);
    all = port;
    for (std::size_t g = 0; g < pools_; ++g) {
      all.emplace_back(n(g), p_.discountFactor * p_.hours * p_.pools[g].pricePerHour);
      all.emplace_back(y(g), p_.pools[g].stackCost);
    }
    if (p_.portBudget && !port.empty()) row("port_budget", port, -infinity, *p_.portBudget);
    if (p_.totalBudget) row("total_budget", all, -infinity, *p_.totalBudget);
  }

  const Problem& p_;
  std::size_t pools_;
  Names names_;
  LinearProgram program_;
};

std::string number(double value) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// "+ 3 x - y", in lines that LP readers take.
std::string sum(const LinearProgram& program, const std::vector<std::pair<std::size_t, double>>& terms) {
  std::string text, line;
  for (auto [column, factor] : terms) {
    line += std::string(factor < 0 ? " - " : " + ") + number(std::abs(factor)) + " " + program.columns[column];
    if (line.size() < 200) continue;
    text += line + "\n  ";
    line.clear();
  }
  return text + line;
}

}  // namespace

LinearProgram linearProgram(const Problem& problem) {
  return Builder(problem).build();
}

Problem withoutCapacity(const Problem& problem) {
  Problem relaxed = problem;
  double dear = 1e6;
  for (Pool& pool : relaxed.pools) {
    pool.capacity = 1'000'000'000;
    pool.pricePerHour = dear;  // the fewest GPUs that serve all, wherever they are
    pool.stackCost = 0;
  }
  relaxed.hours = relaxed.discountFactor = 1;
  return relaxed;
}

std::string lpText(const Problem& problem) {
  LinearProgram program = linearProgram(problem);
  std::vector<std::pair<std::size_t, double>> objective;
  for (std::size_t i = 0; i < program.columns.size(); ++i)
    if (program.objective[i] != 0) objective.emplace_back(i, program.objective[i]);
  std::string text = "\\ split fleet: x = a workload runs on a pool, n = GPUs of a pool, y = a pool is used\n";
  text += "Minimize\n cost:" + sum(program, objective) + "\nSubject To\n";
  for (const LinearRow& row : program.rows) {
    std::string left = " " + row.name + ":" + sum(program, row.terms);
    bool equal = row.low == row.high;
    text += left +
            (equal                 ? " = "
             : std::isinf(row.low) ? " <= "
                                   : " >= ") +
            number(std::isinf(row.low) ? row.high : row.low) + "\n";
  }
  text += "Bounds\n";
  for (std::size_t i = 0; i < program.columns.size(); ++i)
    text += " " + number(program.low[i]) + " <= " + program.columns[i] + " <= " + number(program.high[i]) + "\n";
  text += "Generals\n";
  for (const std::string& column : program.columns) text += " " + column + "\n";
  return text + "End\n";
}

}  // namespace unwarp::cost::fleet
