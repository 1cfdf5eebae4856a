// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of CUDA C++ as attributes of clang (CUDA C++ Programming Guide, "C++ Language Extensions").
#pragma once
#define __HOST_DEFINES_H__  // public code asks whether this header was included

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// clang has no managed variables for CUDA. Device code finds the variable by its annotation and uses the host's memory for
// it; the host side keeps its part in a section of its own, which says which variables these are.
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, annotate("uw_managed")))
#else
#define __managed__ __attribute__((device, section("uw_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// `__noinline__` is a keyword of clang here; the C++ library uses the word inside attributes.
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#ifndef __restrict
#define __restrict __restrict__
#endif
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __specialization_static static
#define __no_return__ __attribute__((noreturn))
#define __CUDA_HOSTDEVICE__ __host__ __device__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDA_CB
#define CUDART_CB
