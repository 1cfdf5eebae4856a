// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where CUDA refuses host compilers that it does not know. Ours is part of the toolkit, so only the macros are here.
#pragma once

#include "../host_defines.h"
