// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc's front end has built in and clang has not: atomic functions with a memory order and a thread scope (CUDA
// C++ Programming Guide, "Built-in Atomic Functions") and questions about extended lambdas. Every scope is the whole
// machine here: its processors are coherent, and a narrower scope would buy nothing.
#pragma once

#include "opaque.h"

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST

#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#define UW_SCOPE int = __NV_THREAD_SCOPE_SYSTEM

template <class T>
UW_DEVICE void __nv_atomic_load(const T* from, T* result, int order, UW_SCOPE) {
  __atomic_load(from, result, order);
}
template <class T>
UW_DEVICE T __nv_atomic_load_n(const T* from, int order, UW_SCOPE) {
  return __atomic_load_n(from, order);
}
template <class T>
UW_DEVICE void __nv_atomic_store(T* to, T* value, int order, UW_SCOPE) {
  __atomic_store(to, value, order);
}
template <class T>
UW_DEVICE void __nv_atomic_store_n(T* to, T value, int order, UW_SCOPE) {
  __atomic_store_n(to, value, order);
}
template <class T>
UW_DEVICE void __nv_atomic_exchange(T* at, T* value, T* result, int order, UW_SCOPE) {
  __atomic_exchange(at, value, result, order);
}
template <class T>
UW_DEVICE T __nv_atomic_exchange_n(T* at, T value, int order, UW_SCOPE) {
  return __atomic_exchange_n(at, value, order);
}
template <class T>
UW_DEVICE bool __nv_atomic_compare_exchange(T* at, T* expected, T* desired, bool weak, int success, int failure,
                                            UW_SCOPE) {
  return __atomic_compare_exchange(at, expected, desired, weak, success, failure);
}
template <class T>
UW_DEVICE bool __nv_atomic_compare_exchange_n(T* at, T* expected, T desired, bool weak, int success, int failure,
                                              UW_SCOPE) {
  return __atomic_compare_exchange_n(at, expected, desired, weak, success, failure);
}
UW_DEVICE void __nv_atomic_thread_fence(int order, UW_SCOPE) { __atomic_thread_fence(order); }

// The second argument's type is the first's: a literal `1` counts up an `unsigned long long`.
template <class T>
struct UwSame {
  using type = T;
};
#define UW_FETCH(name)                                                                        \
  template <class T>                                                                          \
  UW_DEVICE T __nv_atomic_fetch_##name(T* at, typename UwSame<T>::type value, int order, UW_SCOPE) { \
    return __atomic_fetch_##name(at, value, order);                                           \
  }                                                                                           \
  template <class T>                                                                          \
  UW_DEVICE void __nv_atomic_##name(T* at, typename UwSame<T>::type value, int order, UW_SCOPE) {    \
    __atomic_fetch_##name(at, value, order);                                                  \
  }
UW_FETCH(add)
UW_FETCH(sub)
UW_FETCH(and)
UW_FETCH(or)
UW_FETCH(xor)
UW_FETCH(min)
UW_FETCH(max)
#undef UW_FETCH
#undef UW_SCOPE

// nvcc wraps the closure of an extended lambda in a type of its own, and libraries ask for it to take another way to
// its result type. clang's closures are ordinary ones and their result type can be asked in host code.
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
