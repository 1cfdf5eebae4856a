// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device-side runtime functions: kernels that launch kernels are not supported, so nothing is declared beyond the types.
#pragma once

#include "driver_types.h"
