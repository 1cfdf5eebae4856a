// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups (Programming Guide, "Cooperative Groups"): groups of threads that synchronise and exchange values.
// Reductions, scans and copies are in cooperative_groups/ beside this file, as in CUDA.
#pragma once

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include "unwarp/group_tiles.h"
#endif
