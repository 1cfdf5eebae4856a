// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that name the implementation header get the whole of it from cuda_bf16.h.
#pragma once

#include "cuda_bf16.h"
