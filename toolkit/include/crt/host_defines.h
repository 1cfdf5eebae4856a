// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An old name for the macros behind __host__, __device__ and __global__.
#pragma once

#include "../host_defines.h"
