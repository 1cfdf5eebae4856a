// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An old name for CUDA's mathematical functions: they come with cuda_runtime.h, which nvcc includes by itself.
#pragma once
#define __MATH_FUNCTIONS_H__  // public code asks whether this header was included

#include "cuda_runtime.h"
