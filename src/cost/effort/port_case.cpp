// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/effort/port_case.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "cost/quantity.h"
#include "cost/table_file.h"
#include "knowledge/table.h"

namespace unwarp::cost {

namespace {

constexpr std::string_view classTable = "knowledge/cost/route-classes.tsv";
constexpr std::string_view wordTable = "knowledge/cost/directions.tsv";
/// Beyond these a figure is in another unit.
constexpr double leastWeeks = 1e-3, mostWeeks = 1e6, mostLines = 1e9;

/// Whether `word` stands in `text` with nothing of a word touching it (`c++` ends in what would touch).
bool holdsWord(std::string_view text, std::string_view word) {
  auto touches = [](char c) { return isIdentifierPart(c) || c == '+'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    std::size_t end = at + word.size();
    if ((at == 0 || !touches(text[at - 1])) && (end == text.size() || !touches(text[end]))) return true;
  }
  return false;
}

/// What stands behind the last arrow and before a bracket: the target without the method.
std::string_view targetPart(std::string_view direction) {
  std::size_t arrow = direction.rfind("->");
  if (arrow == std::string_view::npos) return {};
  direction.remove_prefix(arrow + 2);
  return direction.substr(0, direction.find('('));
}

/// The first run of letters and digits, in lower case: `cms` of "CMS pixeltrack, hip variant".
std::string firstWord(std::string_view project) {
  std::size_t end = 0;
  while (end < project.size() && isIdentifierPart(project[end])) ++end;
  return toLower(end == 0 ? project : project.substr(0, end));
}

/// A count that may be missing; negative or unreadable ones are errors.
std::string readCount(const TableFile& table, std::size_t row, std::string_view column, std::optional<double>& out) {
  std::string_view cell = table.cell(row, column);
  if (cell.empty()) return {};
  auto number = parseNumber(cell);
  if (!number || *number < 0 || *number > mostLines)
    return toError(table.bad(row, column, "'" + std::string(cell) + "' is no count",
                             "write a number from 0 to 1e9, or leave it empty"))
        .message;
  if (*number > 0) out = *number;
  return {};
}

std::string readEffort(const TableFile& table, std::size_t row, PortCase& out) {
  std::string_view cell = table.cell(row, "effort_person_weeks");
  std::string basis = toLower(table.cell(row, "effort_basis"));
  out.censored = basis.find("lower bound") != std::string::npos || basis.find("censored") != std::string::npos;
  if (cell.starts_with('>')) {
    out.censored = true;
    cell = trim(cell.substr(cell.starts_with(">=") ? 2 : 1));
  }
  if (cell.empty()) return {};
  auto number = parseNumber(cell);
  if (!number || *number < leastWeeks || *number > mostWeeks)
    return toError(table.bad(row, "effort_person_weeks", "'" + std::string(cell) + "' is no effort",
                             "write person-weeks from 0.001 to 1e6, >N for a lower bound, or leave it empty"))
        .message;
  out.personWeeks = *number;
  return {};
}

}  // namespace

Result<RouteClasses> RouteClasses::load(const knowledge::Knowledge& knowledge) {
  RouteClasses result;
  auto classes = knowledge::Table::parse(
      classTable, knowledge.costTable(classTable).text,
      {{"route_class", true}, {"family", true}, {"meaning", true}, {"source", true}, {"as_of", true}});
  if (!classes) return Error{classes.error()};
  for (std::size_t row = 0; row < classes->rows(); ++row) {
    std::string_view family = classes->cell(row, 1);
    if (family != "mechanical" && family != "rewrite")
      return Error{classes->where(row, 1) + "must be mechanical or rewrite"};
    result.classes_.push_back({std::string(classes->cell(row, 0)),
                               family == "rewrite" ? RouteFamily::Rewrite : RouteFamily::Mechanical,
                               std::string(classes->cell(row, 2))});
  }
  auto words = knowledge::Table::parse(
      wordTable, knowledge.costTable(wordTable).text,
      {{"rank", true}, {"part", true}, {"word", true}, {"route_class", true}, {"source", true}, {"as_of", true}});
  if (!words) return Error{words.error()};
  for (std::size_t row = 0; row < words->rows(); ++row) {
    std::string_view part = words->cell(row, 1);
    if (part != "any" && part != "target") return Error{words->where(row, 1) + "must be any or target"};
    std::size_t routeClass = result.named(words->cell(row, 3));
    if (routeClass == unknown) return Error{words->where(row, 3) + "is not in route-classes.tsv"};
    result.words_.push_back({std::string(words->cell(row, 2)), part == "target", routeClass});
  }
  return result;
}

std::size_t RouteClasses::named(std::string_view name) const {
  auto found = std::find_if(classes_.begin(), classes_.end(), [&](const RouteClass& c) { return c.name == name; });
  return found == classes_.end() ? unknown : static_cast<std::size_t>(found - classes_.begin());
}

std::size_t RouteClasses::ofDirection(std::string_view direction) const {
  std::string lower = toLower(direction);
  for (std::size_t at = lower.find("\u2192"); at != std::string::npos; at = lower.find("\u2192"))
    lower.replace(at, std::string_view("\u2192").size(), "->");
  std::string_view target = targetPart(lower);
  for (const Word& word : words_)
    if (holdsWord(word.targetOnly ? target : std::string_view(lower), word.text)) return word.routeClass;
  return unknown;
}

bool canonicalOrder(const PortCase& a, const PortCase& b) {
  auto key = [](const PortCase& p) {
    return std::tie(p.project, p.direction, p.personWeeks, p.censored, p.linesGpu, p.linesTotal, p.kernels);
  };
  return key(a) < key(b);
}

Result<std::vector<PortCase>> readPortCases(std::string_view file, std::string_view text, const RouteClasses& classes) {
  auto table = TableFile::parse(file, text, {"project", "direction", "effort_person_weeks"});
  if (!table) return Error{table.error()};
  std::vector<PortCase> cases;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    PortCase port;
    port.project = table->cell(row, "project");
    port.group = firstWord(port.project);
    port.direction = table->cell(row, "direction");
    port.routeClass = classes.ofDirection(port.direction);
    std::string error = readEffort(*table, row, port);
    if (error.empty()) error = readCount(*table, row, "loc_total", port.linesTotal);
    if (error.empty()) error = readCount(*table, row, "loc_gpu", port.linesGpu);
    if (error.empty()) error = readCount(*table, row, "kernels", port.kernels);
    if (!error.empty()) return Error{error};
    cases.push_back(std::move(port));
  }
  return cases;
}

}  // namespace unwarp::cost
