// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/defaults.h"

#include <cstdlib>

#include "base/text.h"
#include "base/words.h"
#include "knowledge/table.h"

namespace unwarp::cost {

namespace {

constexpr std::string_view tableName = "knowledge/cost/defaults.tsv";
constexpr std::array<std::string_view, 6> shapeNames{"fixed", "log-normal", "normal", "triangular", "uniform", "beta"};

}  // namespace

Result<Defaults> Defaults::load(const knowledge::Knowledge& knowledge) {
  auto table = knowledge::Table::parse(tableName, knowledge.costTable(tableName).text,
                                       {{"name", true},
                                        {"unit", true},
                                        {"shape", true},
                                        {"a", true},
                                        {"b", false},
                                        {"c", false},
                                        {"basis", true},
                                        {"note", false},
                                        {"source", true},
                                        {"as_of", true}});
  if (!table) return Error{table.error()};
  Defaults defaults;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto shape = fromName<Shape>(shapeNames, table->cell(row, 2));
    auto basis = fromName<Basis>(basisNames, table->cell(row, 6));
    if (!shape) return Error{table->where(row, 2) + "is no shape of a distribution"};
    if (!basis) return Error{table->where(row, 6) + "is no basis of a number"};
    std::array<double, 3> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (table->cell(row, 3 + i).empty()) continue;
      auto number = parseNumber(table->cell(row, 3 + i));
      if (!number) return Error{table->where(row, 3 + i) + "must be a number"};
      numbers[i] = *number;
    }
    std::string source(table->cell(row, 8));
    if (!table->cell(row, 7).empty()) source = std::string(table->cell(row, 7)) + " (" + source + ")";
    std::string name(table->cell(row, 0));
    defaults.quantities_[name] = {name,
                                  std::string(table->cell(row, 1)),
                                  {*shape, numbers[0], numbers[1], numbers[2]},
                                  {*basis, source, std::string(table->cell(row, 9))}};
  }
  return defaults;
}

const Quantity& Defaults::get(std::string_view name) {
  auto found = quantities_.find(name);
  if (found == quantities_.end()) std::abort();
  used_.insert(found->first);
  return found->second;
}

std::vector<std::string_view> Defaults::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, quantity] : quantities_) names.push_back(name);
  return names;
}

void Defaults::set(std::string_view name, double value, std::string source) {
  Quantity& quantity = quantities_.find(name)->second;
  quantity.distribution = Distribution::fixed(value);
  quantity.source = {Basis::Given, std::move(source), ""};
}

std::vector<Quantity> Defaults::used() const {
  std::vector<Quantity> result;
  for (const std::string& name : used_) result.push_back(quantities_.find(name)->second);
  return result;
}

}  // namespace unwarp::cost
