// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of an old header for what `cuda_runtime.h` holds. Programs still include it, and CMake's FindCUDA module
// takes a folder for a toolkit by this file.
#pragma once
#define __DEVICE_FUNCTIONS_H__  // public code asks whether this header was included

#include "cuda_runtime.h"
