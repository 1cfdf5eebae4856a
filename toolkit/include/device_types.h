// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that device functions take and that belong to no other header (CUDA Runtime API reference, "cudaRoundMode").
#pragma once

#include "host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
