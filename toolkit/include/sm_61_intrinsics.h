// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of an old header for some of CUDA's device functions: they come with cuda_runtime.h, which nvcc includes by
// itself.
#pragma once

#include "cuda_runtime.h"
