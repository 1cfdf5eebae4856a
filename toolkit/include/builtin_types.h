// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every type of the runtime API, under the name that older programs include.
#pragma once

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"
