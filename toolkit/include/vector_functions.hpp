// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The older name of vector_functions.h.
#pragma once

#include "vector_functions.h"
