// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of an old header for the C library's functions that kernels may call: they come with cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
