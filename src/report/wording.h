// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and names as the human reports spell them: without locale, without rounding that flatters, and safe to print
// whatever a file name of the audited tree holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/output_text.h"
#include "base/words.h"

namespace unwarp::report {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);
/// A share as whole percent: rounded down, "100%" only when nothing is missing, "<1%" when it is not nothing.
std::string percent(double share);
/// "1 site", "2 sites"; the plural is `noun` with `s`, or with "ies" for a final y.
std::string counted(std::uint64_t number, std::string_view noun);
/// How a layer is called in prose: "Kernels", "DNN".
std::string_view title(Layer layer);
/// What a severity means in one short sentence without final stop.
std::string_view meaning(Severity severity);
/// What a status means in one short sentence without final stop.
std::string_view meaning(Status status);

}  // namespace unwarp::report
