// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything a CUDA C++ file sees without including anything: nvcc includes this header first. Device functions that
// overload names of the C library come before the C library, so that `std::sin` and `sin` find them both.
#pragma once
#define __CUDA_RUNTIME_H__  // public code asks whether this header was included

#include "host_defines.h"

#include "vector_types.h"
#include "vector_functions.h"
#if defined(__cplusplus) && defined(__CUDA__)
#include "unwarp/builtin_variables.h"
#include "unwarp/warp.h"
#include "unwarp/atomics.h"
#include "unwarp/address_spaces.h"
#include "unwarp/dialect.h"
#include "unwarp/cached_access.h"
#include "unwarp/math.h"
#include "unwarp/device_library.h"  // before <new>, whose device `new` calls `malloc`
#endif
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__cplusplus)
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>
#if defined(__CUDA__)
#include "unwarp/math_overloads.h"
#endif
#endif
#include "cuda_runtime_api.h"
#include "library_types.h"
#if defined(__cplusplus)
#include "channel_descriptor.h"
#include "unwarp/runtime_templates.h"
#endif
