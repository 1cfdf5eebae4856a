// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture references were removed in release 12; texture objects are plain numbers.
#pragma once

#include "texture_types.h"
