// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit conversions are the bit arithmetic of our own headers: what the system's libraries offer differs between
// systems. 128-bit operations are left to the library of the compiler that builds this one. Atomic additions are here
// and not in the headers, because a compare-and-swap loop in device code looks like a loop that waits for another
// thread.
#include "runtime/compiler_library.h"

#include <map>

#include "compiler/abi/abi.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace uw {
namespace {

using Wide = __int128;
using WideUnsigned = unsigned __int128;

template <class Format>
uint32_t atomicAddTo(ThreadContext*, uint32_t, void* address, uint32_t value) {
  auto* place = static_cast<uint16_t*>(address);
  uint16_t old = __atomic_load_n(place, __ATOMIC_RELAXED);
  float addend = Format::toFloat(static_cast<uint16_t>(value));
  for (;;) {
    uint16_t sum = Format::fromFloat(Format::toFloat(old) + addend);
    if (__atomic_compare_exchange_n(place, &old, sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
  }
}

float floatOfHalf(_Float16 value) {
  return __uw::half::toFloat(__builtin_bit_cast(uint16_t, value));
}
_Float16 halfOfFloat(float value) {
  return __builtin_bit_cast(_Float16, __uw::half::fromFloat(value));
}
_Float16 halfOfDouble(double value) {
  return __builtin_bit_cast(_Float16, __uw::half::fromDouble(value));
}
__bf16 bfloatOfFloat(float value) {
  return __builtin_bit_cast(__bf16, __uw::bfloat::fromFloat(value));
}
__bf16 bfloatOfDouble(double value) {
  return __builtin_bit_cast(__bf16, __uw::bfloat::from(value, __uw::kNearest));
}

template <class Integer>
Integer quotient(Integer a, Integer b) {
  return a / b;
}
template <class Integer>
Integer remainder(Integer a, Integer b) {
  return a % b;
}
template <class To, class From>
To converted(From value) {
  return static_cast<To>(value);
}

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

void* compilerLibraryFunction(const std::string& name) {
  static const std::map<std::string, void*> functions = {
      {"uw_atomic_add_half", address(&atomicAddTo<__uw::half>)},
      {"uw_atomic_add_bfloat16", address(&atomicAddTo<__uw::bfloat>)},
      {"__extendhfsf2", address(&floatOfHalf)},
      {"__truncsfhf2", address(&halfOfFloat)},
      {"__truncdfhf2", address(&halfOfDouble)},
      {"__truncsfbf2", address(&bfloatOfFloat)},
      {"__truncdfbf2", address(&bfloatOfDouble)},
      {"__divti3", address(&quotient<Wide>)},
      {"__modti3", address(&remainder<Wide>)},
      {"__udivti3", address(&quotient<WideUnsigned>)},
      {"__umodti3", address(&remainder<WideUnsigned>)},
      {"__fixsfti", address(&converted<Wide, float>)},
      {"__fixdfti", address(&converted<Wide, double>)},
      {"__fixunssfti", address(&converted<WideUnsigned, float>)},
      {"__fixunsdfti", address(&converted<WideUnsigned, double>)},
      {"__floattisf", address(&converted<float, Wide>)},
      {"__floattidf", address(&converted<double, Wide>)},
      {"__floatuntisf", address(&converted<float, WideUnsigned>)},
      {"__floatuntidf", address(&converted<double, WideUnsigned>)},
  };
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace uw
