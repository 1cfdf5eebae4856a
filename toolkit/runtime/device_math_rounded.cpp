// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation in another rounding direction: the mode is set, the operation done, the mode set back. That is exact
// for every operand, subnormals and overflow included, which corrections of nearest results are not. FENV_ACCESS keeps
// the compiler from moving the operation out of the bracket.
#include <cfenv>
#include <cmath>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "runtime/device_math.h"

#pragma STDC FENV_ACCESS ON

namespace uw::math {
namespace {

// The calling thread's rounding direction, for as long as this lives. On x86 only the vector unit's, whose two bits
// have our codes: the C library would set the old floating-point unit's as well, at ten times the cost.
class Rounding {
 public:
#if defined(__SSE2__)
  explicit Rounding(int direction) : before_(_mm_getcsr()) {
    constexpr unsigned kField = 0x6000;
    _mm_setcsr((before_ & ~kField) | (static_cast<unsigned>(direction) << 13 & kField));
  }
  ~Rounding() { _mm_setcsr(before_); }
#else
  explicit Rounding(int direction) : before_(static_cast<unsigned>(std::fegetround())) {
    static constexpr int kModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fesetround(kModes[direction & 3]);
  }
  ~Rounding() { std::fesetround(static_cast<int>(before_)); }
#endif
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  unsigned before_;
};

}  // namespace

float addDirected(float x, float y, int direction) {
  Rounding rounding(direction);
  return x + y;
}
float multiplyDirected(float x, float y, int direction) {
  Rounding rounding(direction);
  return x * y;
}
float divideDirected(float x, float y, int direction) {
  Rounding rounding(direction);
  return x / y;
}
float rootDirected(float x, int direction) {
  Rounding rounding(direction);
  return std::sqrt(x);
}
float fuseDirected(float x, float y, float z, int direction) {
  Rounding rounding(direction);
  return std::fma(x, y, z);
}
double addDirected(double x, double y, int direction) {
  Rounding rounding(direction);
  return x + y;
}
double multiplyDirected(double x, double y, int direction) {
  Rounding rounding(direction);
  return x * y;
}
double divideDirected(double x, double y, int direction) {
  Rounding rounding(direction);
  return x / y;
}
double rootDirected(double x, int direction) {
  Rounding rounding(direction);
  return std::sqrt(x);
}
double fuseDirected(double x, double y, double z, int direction) {
  Rounding rounding(direction);
  return std::fma(x, y, z);
}

}  // namespace uw::math
