// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accuracy of device code's mathematical functions as a Markdown page, docs/gen/math-accuracy.md.
//   math_ulp [STEP [SAMPLES [FILTER]]]
// STEP: float functions of one argument are tried on every STEP-th bit pattern (1: all 2^32 of them, minutes each);
// SAMPLES: arguments for the others; FILTER: only functions whose name contains it. Exit status 1 when one is above its
// bound.
#include <gnu/libc-version.h>

#include <cstdlib>

#define UW_MEASURE_FLOAT_ONE
#define UW_MEASURE_FLOAT_MANY
#define UW_MEASURE_DOUBLE
#include "../tests/toolkit/math/measure.h"

namespace {

std::string at(const ulp::Worst& worst, const std::string& name) {
  char text[120];
  size_t commas = std::count(name.begin(), name.end(), ',');
  bool one = commas == 0 || name.find("n(") != std::string::npos || name.find("nf(") != std::string::npos;  // jn, yn
  if (one) std::snprintf(text, sizeof text, "%.9g", worst.at[0]);
  if (!one && commas == 1) std::snprintf(text, sizeof text, "%.9g, %.9g", worst.at[0], worst.at[1]);
  if (!one && commas > 1) std::snprintf(text, sizeof text, "%.9g, %.9g, %.9g", worst.at[0], worst.at[1], worst.at[2]);
  return text;
}

bool print(const char* title, const std::vector<ulp::Row>& rows) {
  bool good = true;
  std::printf("\n## %s\n\n", title);
  std::printf("| function | largest error, ulp | distance to the rounded result | published bound | samples | worst at |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const ulp::Row& row : rows) {
    bool places = row.unit == ulp::Unit::places;
    if (places) std::printf("| `%s` | %.3f | %.0f | %g |", row.name.c_str(), row.worst.ulps, row.figure(), row.bound);
    if (!places) std::printf("| `%s` |  | %.1e absolute | %g absolute |", row.name.c_str(), row.figure(), row.bound);
    std::printf(" %llu | %s |%s\n", static_cast<unsigned long long>(row.worst.samples),
                places ? at(row.worst, row.name).c_str() : "", row.isWithin() ? "" : " above the bound");
    good &= row.isWithin();
  }
  return good;
}

}  // namespace

int main(int count, char** words) {
  uint64_t step = count > 1 ? std::strtoull(words[1], nullptr, 10) : 4099;
  uint64_t samples = count > 2 ? std::strtoull(words[2], nullptr, 10) : 100000;
  std::string filter = count > 3 ? words[3] : "";
  std::printf("# Accuracy of device mathematics\n\n");
  std::printf(
      "Measured by `./dev bench --math %llu %llu` with the C library's version %s. Float functions of one argument: one bit\n"
      "pattern in %llu; the others: arguments drawn by a fixed rule, hard places among them. The bound is CUDA's published\n"
      "one, the largest distance between a result and the correctly rounded value in representable numbers; errors in ulp\n"
      "are against the true value, so 0.500 is the best there is. Bounds hold where CUDA states them: Bessel functions below\n"
      "8 (absolute beyond), lgamma away from its negative zeros. A call with constant arguments may be computed while the\n"
      "kernel is compiled, with the C library's own function.\n",
      static_cast<unsigned long long>(step), static_cast<unsigned long long>(samples), gnu_get_libc_version(),
      static_cast<unsigned long long>(step));
  bool good = print("float, one argument", ulp::measureFloatOne(step, filter));
  good &= print("float, several arguments, and intrinsics", ulp::measureFloatMany(samples, filter));
  good &= print("double", ulp::measureDouble(samples, filter));
  return good ? 0 : 1;
}
