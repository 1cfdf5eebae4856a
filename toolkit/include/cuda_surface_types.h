// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Surface references were removed in release 12; surface objects are plain numbers.
#pragma once

#include "surface_types.h"
