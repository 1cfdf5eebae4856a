// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An old name for CUDA's mathematical functions: they come with cuda_runtime.h, which nvcc includes by itself.
#pragma once

#include "cuda_runtime.h"
