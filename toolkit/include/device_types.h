// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that device functions take and that belong to no other header (CUDA Runtime API reference, "cudaRoundMode").
#pragma once
#define __DEVICE_TYPES_H__  // public code asks whether this header was included

#include "host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
