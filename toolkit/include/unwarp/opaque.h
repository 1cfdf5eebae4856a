// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What device code asks of Unwarp's compiler and runtime. These functions have no definition: the lowering turns the
// first group into reads of the thread's context and the others into calls of the runtime
// (src/compiler/simt/intrinsics.cpp). They stay opaque to LLVM's nvptx folding, which believes in 32 lanes.
#pragma once

#include "../host_defines.h"

#define UW_CONVERGENT __attribute__((convergent))
#define UW_DEVICE static __inline__ __attribute__((always_inline, device))
#define UW_BOTH static __inline__ __attribute__((always_inline, host, device))

extern "C" {
__device__ unsigned __uw_tid_x() __attribute__((const));
__device__ unsigned __uw_tid_y() __attribute__((const));
__device__ unsigned __uw_tid_z() __attribute__((const));
__device__ unsigned __uw_ctaid_x() __attribute__((const));
__device__ unsigned __uw_ctaid_y() __attribute__((const));
__device__ unsigned __uw_ctaid_z() __attribute__((const));
__device__ unsigned __uw_ntid_x() __attribute__((const));
__device__ unsigned __uw_ntid_y() __attribute__((const));
__device__ unsigned __uw_ntid_z() __attribute__((const));
__device__ unsigned __uw_nctaid_x() __attribute__((const));
__device__ unsigned __uw_nctaid_y() __attribute__((const));
__device__ unsigned __uw_nctaid_z() __attribute__((const));
__device__ unsigned __uw_width() __attribute__((const));
__device__ unsigned __uw_linear() __attribute__((const));
__device__ unsigned __uw_dynamic_shared_bytes() __attribute__((const));

// Masks are 64 lanes wide here; 0 stands for "the lanes that are converged at this call". Modes: src/compiler/abi/abi.h.
__device__ UW_CONVERGENT unsigned long long __uw_shuffle(unsigned long long mask, unsigned long long value, unsigned operand,
                                                         unsigned segment, unsigned mode);
__device__ UW_CONVERGENT unsigned long long __uw_vote(unsigned long long mask, unsigned predicate, unsigned mode);
__device__ UW_CONVERGENT unsigned long long __uw_match(unsigned long long mask, unsigned long long value, unsigned mode);
__device__ UW_CONVERGENT unsigned __uw_reduce(unsigned long long mask, unsigned value, unsigned mode);
__device__ UW_CONVERGENT unsigned long long __uw_activemask();
__device__ UW_CONVERGENT void __uw_syncwarp(unsigned long long mask);
__device__ UW_CONVERGENT unsigned __uw_barrier(unsigned id, unsigned threads, unsigned predicate, unsigned mode);
__device__ UW_CONVERGENT void __uw_grid_sync();
__device__ unsigned long long __uw_clock();
__device__ unsigned long long __uw_globaltimer();
__device__ void __uw_nanosleep(unsigned nanoseconds);
__device__ void* __uw_malloc(unsigned long long bytes);
__device__ void __uw_free(void* memory);
__device__ __attribute__((noreturn)) void __uw_assert_fail(const char* message, const char* file, unsigned line,
                                                           const char* function);
__device__ __attribute__((noreturn)) void __uw_trap();
}
