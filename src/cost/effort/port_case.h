// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finished port: what went in, by which route, and how long it took. The class of a route comes from the words of
// the `direction` column by the published table knowledge/cost/directions.tsv, so that a row is classed by what its
// author wrote down and not by looking at its effort.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "knowledge/knowledge.h"

namespace unwarp::cost {

/// Cost of a mechanical port follows the size of the code; a rewrite is a further back end. Unknown: either.
enum class RouteFamily : std::uint8_t { Mechanical, Rewrite, Unknown };

struct RouteClass {
  std::string name;  ///< `thin-shim`
  RouteFamily family = RouteFamily::Unknown;
  std::string meaning;
};

/// Classes of routes and the words that tell them.
class RouteClasses {
 public:
  static Result<RouteClasses> load(const knowledge::Knowledge& knowledge);
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  /// Index into all() by the first word of the table that stands in `direction`, or `unknown`. A word counts when no
  /// letter, digit, '_' or '+' touches it.
  std::size_t ofDirection(std::string_view direction) const;
  std::size_t named(std::string_view name) const;
  const std::vector<RouteClass>& all() const { return classes_; }
  std::string_view nameOf(std::size_t index) const {
    return index == unknown ? std::string_view("unknown") : std::string_view(classes_[index].name);
  }
  RouteFamily familyOf(std::size_t index) const {
    return index == unknown ? RouteFamily::Unknown : classes_[index].family;
  }

 private:
  struct Word {
    std::string text;
    bool targetOnly;  ///< looked for behind the arrow and before a bracket only
    std::size_t routeClass;
  };
  std::vector<RouteClass> classes_;
  std::vector<Word> words_;
};

struct PortCase {
  std::string project;
  std::string group;  ///< first word of the project: its rows are left out together
  std::string direction;
  std::size_t routeClass = RouteClasses::unknown;
  std::optional<double> linesTotal, linesGpu, kernels;
  std::optional<double> personWeeks;  ///< none: effort not known
  bool censored = false;              ///< the effort is a lower bound
};

/// An order that is the same for the same rows: what sums over cases goes by it, so that the order of a table's rows
/// cannot be seen in a digit.
bool canonicalOrder(const PortCase& a, const PortCase& b);

/// Rows in the schema of knowledge/cost/case-studies.tsv; columns project, direction and effort_person_weeks must be
/// there, loc_total, loc_gpu, kernels and effort_basis may be, further ones are ignored. A row is censored when its
/// effort is written as `>N` or effort_basis holds "lower bound" or "censored". Efforts are 0.001 to 1,000,000
/// person-weeks, counts at most 1e9: what lies beyond is another unit.
Result<std::vector<PortCase>> readPortCases(std::string_view file, std::string_view text, const RouteClasses& classes);

}  // namespace unwarp::cost
