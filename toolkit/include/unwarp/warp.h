// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions, with and without `_sync` (Programming Guide, "Warp Vote / Match / Reduce / Shuffle Functions"). A mask in
// CUDA's type has 32 bits: a constant with all of them set means the whole warp at any width, other values name lanes 0
// to 31. Results in CUDA's type keep the low 32 lanes.
#pragma once

#include "opaque.h"

#define UW_WARP static __inline__ __attribute__((always_inline, device))

UW_WARP unsigned long long __uw_mask(unsigned mask) {
  return __builtin_constant_p(mask) && mask == 0xffffffffu ? ~0ull : static_cast<unsigned long long>(mask);
}

// Any trivially copyable value of up to 8 bytes as the 64 bits that the runtime moves.
template <class T>
UW_WARP unsigned long long __uw_bits(T value) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T>
UW_WARP T __uw_from_bits(unsigned long long bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

#define UW_SHUFFLES(T)                                                                                          \
  UW_WARP T __shfl_sync(unsigned mask, T value, int source, int width = static_cast<int>(__uw_width())) {       \
    return __uw_from_bits<T>(__uw_shuffle(__uw_mask(mask), __uw_bits(value), source, width, 0));                \
  }                                                                                                             \
  UW_WARP T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = static_cast<int>(__uw_width())) { \
    return __uw_from_bits<T>(__uw_shuffle(__uw_mask(mask), __uw_bits(value), delta, width, 1));                 \
  }                                                                                                             \
  UW_WARP T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = static_cast<int>(__uw_width())) { \
    return __uw_from_bits<T>(__uw_shuffle(__uw_mask(mask), __uw_bits(value), delta, width, 2));                 \
  }                                                                                                             \
  UW_WARP T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = static_cast<int>(__uw_width())) {    \
    return __uw_from_bits<T>(__uw_shuffle(__uw_mask(mask), __uw_bits(value), lanes, width, 3));                 \
  }                                                                                                             \
  UW_WARP T __shfl(T value, int source, int width = static_cast<int>(__uw_width())) {                           \
    return __uw_from_bits<T>(__uw_shuffle(0, __uw_bits(value), source, width, 0));                              \
  }                                                                                                             \
  UW_WARP T __shfl_up(T value, unsigned delta, int width = static_cast<int>(__uw_width())) {                    \
    return __uw_from_bits<T>(__uw_shuffle(0, __uw_bits(value), delta, width, 1));                               \
  }                                                                                                             \
  UW_WARP T __shfl_down(T value, unsigned delta, int width = static_cast<int>(__uw_width())) {                  \
    return __uw_from_bits<T>(__uw_shuffle(0, __uw_bits(value), delta, width, 2));                               \
  }                                                                                                             \
  UW_WARP T __shfl_xor(T value, int lanes, int width = static_cast<int>(__uw_width())) {                        \
    return __uw_from_bits<T>(__uw_shuffle(0, __uw_bits(value), lanes, width, 3));                               \
  }

UW_SHUFFLES(int)
UW_SHUFFLES(unsigned)
UW_SHUFFLES(long)
UW_SHUFFLES(unsigned long)
UW_SHUFFLES(long long)
UW_SHUFFLES(unsigned long long)
UW_SHUFFLES(float)
UW_SHUFFLES(double)
#undef UW_SHUFFLES

UW_WARP int __all_sync(unsigned mask, int predicate) { return __uw_vote(__uw_mask(mask), predicate != 0, 0) != 0; }
UW_WARP int __any_sync(unsigned mask, int predicate) { return __uw_vote(__uw_mask(mask), predicate != 0, 1) != 0; }
UW_WARP int __uni_sync(unsigned mask, int predicate) { return __uw_vote(__uw_mask(mask), predicate != 0, 2) != 0; }
UW_WARP unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(__uw_vote(__uw_mask(mask), predicate != 0, 3));
}
UW_WARP int __all(int predicate) { return __uw_vote(0, predicate != 0, 0) != 0; }
UW_WARP int __any(int predicate) { return __uw_vote(0, predicate != 0, 1) != 0; }
UW_WARP unsigned __ballot(int predicate) { return static_cast<unsigned>(__uw_vote(0, predicate != 0, 3)); }
UW_WARP unsigned __activemask() { return static_cast<unsigned>(__uw_activemask()); }
UW_WARP void __syncwarp(unsigned mask = 0xffffffffu) { __uw_syncwarp(__uw_mask(mask)); }

#define UW_MATCH(T)                                                                                  \
  UW_WARP unsigned __match_any_sync(unsigned mask, T value) {                                        \
    return static_cast<unsigned>(__uw_match(__uw_mask(mask), __uw_bits(value), 0));                  \
  }                                                                                                  \
  UW_WARP unsigned __match_all_sync(unsigned mask, T value, int* all) {                              \
    unsigned long long lanes = __uw_match(__uw_mask(mask), __uw_bits(value), 1);                     \
    *all = lanes != 0;                                                                               \
    return static_cast<unsigned>(lanes);                                                             \
  }

UW_MATCH(int)
UW_MATCH(unsigned)
UW_MATCH(long)
UW_MATCH(unsigned long)
UW_MATCH(long long)
UW_MATCH(unsigned long long)
UW_MATCH(float)
UW_MATCH(double)
#undef UW_MATCH

UW_WARP int __reduce_add_sync(unsigned mask, int value) { return static_cast<int>(__uw_reduce(__uw_mask(mask), value, 0)); }
UW_WARP int __reduce_min_sync(unsigned mask, int value) { return static_cast<int>(__uw_reduce(__uw_mask(mask), value, 1)); }
UW_WARP int __reduce_max_sync(unsigned mask, int value) { return static_cast<int>(__uw_reduce(__uw_mask(mask), value, 2)); }
UW_WARP unsigned __reduce_add_sync(unsigned mask, unsigned value) { return __uw_reduce(__uw_mask(mask), value, 0); }
UW_WARP unsigned __reduce_min_sync(unsigned mask, unsigned value) { return __uw_reduce(__uw_mask(mask), value, 3); }
UW_WARP unsigned __reduce_max_sync(unsigned mask, unsigned value) { return __uw_reduce(__uw_mask(mask), value, 4); }
UW_WARP unsigned __reduce_and_sync(unsigned mask, unsigned value) { return __uw_reduce(__uw_mask(mask), value, 5); }
UW_WARP unsigned __reduce_or_sync(unsigned mask, unsigned value) { return __uw_reduce(__uw_mask(mask), value, 6); }
UW_WARP unsigned __reduce_xor_sync(unsigned mask, unsigned value) { return __uw_reduce(__uw_mask(mask), value, 7); }

// `__syncthreads` itself is a built-in of clang; the lowering replaces the nvptx barrier that it becomes.
UW_WARP int __syncthreads_count(int predicate) { return static_cast<int>(__uw_barrier(0, 0, predicate != 0, 1)); }
UW_WARP int __syncthreads_and(int predicate) { return static_cast<int>(__uw_barrier(0, 0, predicate != 0, 2)); }
UW_WARP int __syncthreads_or(int predicate) { return static_cast<int>(__uw_barrier(0, 0, predicate != 0, 3)); }
// Fences order memory between threads; the host's atomics are stronger than any scope.
UW_WARP void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
UW_WARP void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
UW_WARP void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

UW_WARP long long clock64() { return static_cast<long long>(__uw_clock()); }
UW_WARP long clock() { return static_cast<long>(__uw_clock()); }
UW_WARP void __nanosleep(unsigned nanoseconds) { __uw_nanosleep(nanoseconds); }
UW_WARP void __trap() { __uw_trap(); }
UW_WARP void __brkpt() {}
UW_WARP void __prof_trigger(int) {}
