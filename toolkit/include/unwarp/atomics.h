// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic functions of the Programming Guide for every type, in device, block and system scope. All scopes are the
// strongest one here; order is relaxed, as CUDA's is.
#pragma once

#include "opaque.h"

#define UW_SCOPES(RESULT, NAME, PARAMETERS, ...)                                      \
  UW_DEVICE RESULT NAME PARAMETERS __VA_ARGS__                                        \
  UW_DEVICE RESULT NAME##_block PARAMETERS __VA_ARGS__                                \
  UW_DEVICE RESULT NAME##_system PARAMETERS __VA_ARGS__

#define UW_FETCH(T, NAME, OPERATION) \
  UW_SCOPES(T, NAME, (T* address, T value), { return OPERATION(address, value, __ATOMIC_RELAXED); })

// Exchange and compare work on the bits, which floating-point types need.
#define UW_EXCHANGE(T) \
  UW_SCOPES(T, atomicExch, (T* address, T value), { T old; __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED); return old; })
#define UW_COMPARE(T)                                                                                     \
  UW_SCOPES(T, atomicCAS, (T* address, T expected, T value), {                                            \
    __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);     \
    return expected;                                                                                      \
  })

UW_FETCH(int, atomicAdd, __atomic_fetch_add)
UW_FETCH(unsigned, atomicAdd, __atomic_fetch_add)
UW_FETCH(unsigned long long, atomicAdd, __atomic_fetch_add)
UW_FETCH(unsigned long, atomicAdd, __atomic_fetch_add)
UW_FETCH(float, atomicAdd, __atomic_fetch_add)
UW_FETCH(double, atomicAdd, __atomic_fetch_add)
UW_FETCH(int, atomicSub, __atomic_fetch_sub)
UW_FETCH(unsigned, atomicSub, __atomic_fetch_sub)
UW_FETCH(int, atomicMin, __atomic_fetch_min)
UW_FETCH(unsigned, atomicMin, __atomic_fetch_min)
UW_FETCH(long long, atomicMin, __atomic_fetch_min)
UW_FETCH(unsigned long long, atomicMin, __atomic_fetch_min)
UW_FETCH(int, atomicMax, __atomic_fetch_max)
UW_FETCH(unsigned, atomicMax, __atomic_fetch_max)
UW_FETCH(long long, atomicMax, __atomic_fetch_max)
UW_FETCH(unsigned long long, atomicMax, __atomic_fetch_max)
UW_FETCH(int, atomicAnd, __atomic_fetch_and)
UW_FETCH(unsigned, atomicAnd, __atomic_fetch_and)
UW_FETCH(unsigned long long, atomicAnd, __atomic_fetch_and)
UW_FETCH(int, atomicOr, __atomic_fetch_or)
UW_FETCH(unsigned, atomicOr, __atomic_fetch_or)
UW_FETCH(unsigned long long, atomicOr, __atomic_fetch_or)
UW_FETCH(int, atomicXor, __atomic_fetch_xor)
UW_FETCH(unsigned, atomicXor, __atomic_fetch_xor)
UW_FETCH(unsigned long long, atomicXor, __atomic_fetch_xor)
UW_EXCHANGE(int)
UW_EXCHANGE(unsigned)
UW_EXCHANGE(unsigned long long)
UW_EXCHANGE(float)
UW_COMPARE(int)
UW_COMPARE(unsigned)
UW_COMPARE(unsigned long long)
UW_COMPARE(unsigned short)

// Wrap to zero after, and to the limit below: no host instruction does that.
UW_SCOPES(unsigned, atomicInc, (unsigned* address, unsigned limit), {
  unsigned old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &old, old >= limit ? 0 : old + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
})
UW_SCOPES(unsigned, atomicDec, (unsigned* address, unsigned limit), {
  unsigned old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &old, old == 0 || old > limit ? limit : old - 1, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
})
#undef UW_FETCH
#undef UW_EXCHANGE
#undef UW_COMPARE
#undef UW_SCOPES
