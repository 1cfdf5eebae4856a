// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that a manifest leaves open, each with its distribution, source and date (knowledge/cost/defaults.tsv).
// What a user states replaces one by name and is then a given fixed value; the sheet of assumptions prints all that
// were asked for.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/quantity.h"
#include "knowledge/knowledge.h"

namespace unwarp::cost {

class Defaults {
 public:
  static Result<Defaults> load(const knowledge::Knowledge& knowledge);
  /// The quantity called `name`; a name that the table lacks is a bug of ours and aborts.
  const Quantity& get(std::string_view name);
  double median(std::string_view name) { return get(name).distribution.median(); }
  bool has(std::string_view name) const { return quantities_.find(name) != quantities_.end(); }
  std::vector<std::string_view> names() const;
  /// A fixed value of the user's.
  void set(std::string_view name, double value, std::string source);
  /// What get() was asked for, by name.
  std::vector<Quantity> used() const;

 private:
  std::map<std::string, Quantity, std::less<>> quantities_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace unwarp::cost
