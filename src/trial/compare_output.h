// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a program prints something else at 64 lanes than at 32. Programs print times, addresses and progress as well,
// which differ between any two runs; those must not count. Hence several runs at 32: a word that differs between them
// is no difference at 64, nor is a number that stands beside a word or unit of time or rate.
//
// What remains is a difference only when no run at 64 has the word that all runs at 32 have. Limits: a word is what
// stands between blanks; a program that prints another number of lines at each run is compared line by line without
// regard to order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/trial_result.h"

namespace unwarp::trial {

/// The first line that differs between what was printed on one stream in each run at 32 (at least one) and at 64 (at
/// least one). `stream` is left empty.
std::optional<result::LineDifference> firstDifference(const std::vector<std::string_view>& at32,
                                                      const std::vector<std::string_view>& at64);

/// The first line in which a program says that it failed ("FAIL", "3 tests failed", but not "0 failed", "failures: 0"),
/// or empty.
std::string_view lineOfFailure(std::string_view text);

}  // namespace unwarp::trial
