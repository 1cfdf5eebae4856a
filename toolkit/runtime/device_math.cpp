// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function a name of device code means. Names of the C library stand here only when its own function is above
// CUDA's published error; docs/gen/math-accuracy.md has what was measured.
#include "runtime/device_math.h"

#include <cmath>
#include <unordered_map>

namespace uw::math {
namespace {

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

using OneFloat = float(float, int);
using TwoFloats = float(float, float, int);
using ThreeFloats = float(float, float, float, int);
using OneDouble = double(double, int);
using TwoDoubles = double(double, double, int);
using ThreeDoubles = double(double, double, double, int);
using Names = std::unordered_map<std::string, void*>;

// The C library's lgamma writes the global `signgam`; device code has none.
double logGamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
float logGammaFloat(float x) {
  int sign = 0;
  return ::lgammaf_r(x, &sign);
}
// The only float function of the C library that is above its bound (6 places, published 5).
float gammaFloat(float x) {
  return static_cast<float>(::tgamma(static_cast<double>(x)));
}

const Names& standardNames() {
  static const Names names = {
      {"cbrt", address(&cbrt)},          {"cosh", address(&cosh)},       {"sinh", address(&sinh)},
      {"tanh", address(&tanh)},          {"exp10", address(&exp10)},     {"log10", address(&log10)},
      {"erfc", address(&erfc)},          {"lgamma", address(&logGamma)}, {"lgammaf", address(&logGammaFloat)},
      {"tgammaf", address(&gammaFloat)},
  };
  return names;
}

const Names& ownNames() {
  static const Names names = {
      {"__uwm_nan", address(static_cast<double (*)(const char*)>(&::nan))},
      {"__uwm_nanf", address(static_cast<float (*)(const char*)>(&::nanf))},
      {"__uwm_rcbrt", address(&__uwm_rcbrt)},
      {"__uwm_sinpi", address(&__uwm_sinpi)},
      {"__uwm_cospi", address(&__uwm_cospi)},
      {"__uwm_sinpif", address(&__uwm_sinpif)},
      {"__uwm_cospif", address(&__uwm_cospif)},
      {"__uwm_erfinv", address(&__uwm_erfinv)},
      {"__uwm_erfcinv", address(&__uwm_erfcinv)},
      {"__uwm_erfcx", address(&__uwm_erfcx)},
      {"__uwm_normcdf", address(&__uwm_normcdf)},
      {"__uwm_normcdfinv", address(&__uwm_normcdfinv)},
      {"__uwm_cyl_bessel_i0", address(&__uwm_cyl_bessel_i0)},
      {"__uwm_cyl_bessel_i1", address(&__uwm_cyl_bessel_i1)},
      {"__uwm_j0", address(&__uwm_j0)},
      {"__uwm_j1", address(&__uwm_j1)},
      {"__uwm_y0", address(&__uwm_y0)},
      {"__uwm_y1", address(&__uwm_y1)},
      {"__uwm_jn", address(&__uwm_jn)},
      {"__uwm_yn", address(&__uwm_yn)},
      {"__uwm_rhypot", address(&__uwm_rhypot)},
      {"__uwm_norm4d", address(&__uwm_norm4d)},
      {"__uwm_rnorm4d", address(&__uwm_rnorm4d)},
      {"__uwm_norm", address(&__uwm_norm)},
      {"__uwm_rnorm", address(&__uwm_rnorm)},
      {"__uwm_normf", address(&__uwm_normf)},
      {"__uwm_rnormf", address(&__uwm_rnormf)},
      {"__uwm_fadd", address(static_cast<TwoFloats*>(&addDirected))},
      {"__uwm_fmul", address(static_cast<TwoFloats*>(&multiplyDirected))},
      {"__uwm_fdiv", address(static_cast<TwoFloats*>(&divideDirected))},
      {"__uwm_fsqrt", address(static_cast<OneFloat*>(&rootDirected))},
      {"__uwm_fmaf", address(static_cast<ThreeFloats*>(&fuseDirected))},
      {"__uwm_dadd", address(static_cast<TwoDoubles*>(&addDirected))},
      {"__uwm_dmul", address(static_cast<TwoDoubles*>(&multiplyDirected))},
      {"__uwm_ddiv", address(static_cast<TwoDoubles*>(&divideDirected))},
      {"__uwm_dsqrt", address(static_cast<OneDouble*>(&rootDirected))},
      {"__uwm_dfma", address(static_cast<ThreeDoubles*>(&fuseDirected))},
  };
  return names;
}

}  // namespace

void* function(const std::string& name) {
  for (const Names* names : {&standardNames(), &ownNames()}) {
    auto found = names->find(name);
    if (found != names->end()) return found->second;
  }
  return nullptr;
}

}  // namespace uw::math
