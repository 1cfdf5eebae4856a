// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function a name of device code means. Names of the C library stand here only when its own function is above
// CUDA's published error; docs/gen/math-accuracy.md has what was measured.
#include "runtime/device_math.h"

#include <cmath>
#include <unordered_map>

namespace uw::math {
namespace {

// Float functions round the double result once.
template <double (*Function)(double)>
float inFloat(float x) {
  return static_cast<float>(Function(static_cast<double>(x)));
}

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

// The gamma functions of the C library write the global `signgam`; device code has none.
double logGamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

const Names& standardNames() {
  static const Names names = {
      {"cbrt", address(&cbrt)},
      {"cbrtf", address(&inFloat<&cbrt>)},
      {"cosh", address(&cosh)},
      {"coshf", address(&inFloat<&cosh>)},
      {"sinh", address(&sinh)},
      {"sinhf", address(&inFloat<&sinh>)},
      {"tanh", address(&tanh)},
      {"tanhf", address(&inFloat<&tanh>)},
      {"exp10", address(&exp10)},
      {"exp10f", address(&inFloat<&exp10>)},
      {"log10", address(&log10)},
      {"log10f", address(&inFloat<&log10>)},
      {"erfc", address(&erfc)},
      {"erfcf", address(&inFloat<&erfc>)},
      {"lgamma", address(&logGamma)},
      {"lgammaf", address(&inFloat<&logGamma>)},
      {"tgammaf", address(&inFloat<&::tgamma>)},
      {"log1pf", address(&inFloat<&::log1p>)},
      {"j0", address(&__uwm_j0)},
      {"j1", address(&__uwm_j1)},
      {"y0", address(&__uwm_y0)},
      {"y1", address(&__uwm_y1)},
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
