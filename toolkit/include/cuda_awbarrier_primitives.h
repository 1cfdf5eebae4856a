// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrive-wait barriers in shared memory as plain functions (Programming Guide, "Memory Barrier Primitives Interface").
// The runtime keeps them; a test that fails gives way to other threads, so that waiting loops make progress.
#pragma once

#include <stdint.h>

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

extern "C" {
__device__ void __uw_mbarrier_init(void* barrier, unsigned count);
__device__ unsigned long long __uw_mbarrier_arrive(void* barrier, unsigned count, int bytes, unsigned drop);
__device__ UW_CONVERGENT unsigned __uw_mbarrier_test(void* barrier, unsigned phase);
__device__ unsigned __uw_mbarrier_pending(unsigned long long state);
}

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

UW_DEVICE uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
UW_DEVICE void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected) { __uw_mbarrier_init(barrier, expected); }
UW_DEVICE void __mbarrier_inval(__mbarrier_t*) {}
UW_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) { return __uw_mbarrier_arrive(barrier, 1, 0, 0); }
UW_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return __uw_mbarrier_arrive(barrier, 1, 0, 1);
}
UW_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return __uw_mbarrier_test(barrier, parity) != 0;
}
UW_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return __uw_mbarrier_test(barrier, static_cast<unsigned>(token >> 63)) != 0;
}
UW_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
UW_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, uint32_t) {
  return __mbarrier_test_wait_parity(barrier, parity);
}
UW_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) { return __uw_mbarrier_pending(token); }

#endif
