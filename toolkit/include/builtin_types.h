// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every type of the runtime API, under the name that older programs include.
#pragma once
#define __BUILTIN_TYPES_H__  // public code asks whether this header was included

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"
