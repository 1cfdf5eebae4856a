// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of the effort model: remediation functions, routes, and what a translator did.
#include <algorithm>

#include "base/text.h"
#include "cost/effort/estimate.h"
#include "cost/table_file.h"
#include "knowledge/table.h"

namespace unwarp::cost {

namespace {

constexpr std::string_view remediationTable = "knowledge/cost/remediation.tsv";
constexpr std::string_view routeTable = "knowledge/cost/routes.tsv";
constexpr std::string_view targetTable = "knowledge/cost/route-targets.tsv";

}  // namespace

Result<Remediations> loadRemediations(const knowledge::Knowledge& knowledge) {
  auto table = knowledge::Table::parse(remediationTable, knowledge.costTable(remediationTable).text,
                                       {{"key", true},
                                        {"shape", true},
                                        {"fixed_minutes", true},
                                        {"site_minutes", false},
                                        {"translator", true},
                                        {"note", true},
                                        {"source", true},
                                        {"as_of", true}});
  if (!table) return Error{table.error()};
  Remediations remediations;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    Remediation one;
    auto fixed = parseNumber(table->cell(row, 2));
    if (!fixed || *fixed < 0) return Error{table->where(row, 2) + "must be minutes from 0"};
    one.fixedMinutes = *fixed;
    if (!table->cell(row, 3).empty()) {
      one.siteMinutes = parseNumber(table->cell(row, 3));
      if (!one.siteMinutes || *one.siteMinutes < 0) return Error{table->where(row, 3) + "must be minutes from 0"};
    }
    one.perSite = table->cell(row, 1) != "constant";
    one.rename = table->cell(row, 4) == "rename";
    remediations[std::string(table->cell(row, 0))] = one;
  }
  return remediations;
}

Result<std::vector<Route>> loadRoutes(const knowledge::Knowledge& knowledge) {
  auto table = knowledge::Table::parse(routeTable, knowledge.costTable(routeTable).text,
                                       {{"route", true},
                                        {"title", true},
                                        {"route_class", true},
                                        {"fits", true},
                                        {"not_when", true},
                                        {"cost_shape", true},
                                        {"source", true},
                                        {"as_of", true}});
  if (!table) return Error{table.error()};
  auto targets =
      knowledge::Table::parse(targetTable, knowledge.costTable(targetTable).text,
                              {{"route", true}, {"target", true}, {"note", false}, {"source", true}, {"as_of", true}});
  if (!targets) return Error{targets.error()};
  std::vector<Route> routes;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return std::string(table->cell(row, column)); };
    Route route{cell(0), cell(1), cell(2), cell(3), cell(4), cell(5), {}};
    for (std::size_t other = 0; other < targets->rows(); ++other)
      if (targets->cell(other, 0) == route.name) route.targets.emplace_back(targets->cell(other, 1));
    routes.push_back(std::move(route));
  }
  return routes;
}

Result<TranslatorResults> readTranslatorResults(std::string_view file, std::string_view text,
                                                const knowledge::Knowledge& knowledge) {
  std::vector<std::string> known;
  for (const knowledge::Rule& rule : knowledge.rules()) known.push_back(rule.id);
  for (std::string_view status : statusNames) known.push_back("api." + std::string(status));
  auto table = TableFile::parse(file, text, {"key", "clean", "review", "failed"});
  if (!table) return Error{table.error()};
  TranslatorResults results;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    std::string key(table->cell(row, "key"));
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      std::string_view near = nearest(key, {known.begin(), known.end()});
      return toError(table->bad(row, "key", "'" + key + "' is no rule and no status of an API",
                                near.empty() ? "write a rule (`unwarp explain rules`) or api.port and the like"
                                             : "did you mean " + std::string(near) + "?"));
    }
    if (results.contains(key)) return toError(table->bad(row, "key", key + " stands twice", "keep one row"));
    TranslatorResult& one = results[key];
    for (auto [column, place] : {std::pair<std::string_view, double*>{"clean", &one.clean},
                                 {"review", &one.review},
                                 {"failed", &one.failed}}) {
      auto number = parseNumber(table->cell(row, column));
      if (!number || *number < 0)
        return toError(table->bad(row, column, "is no count of sites", "write a number from 0"));
      *place = *number;
    }
  }
  return results;
}

}  // namespace unwarp::cost
