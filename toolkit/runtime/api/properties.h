// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program is told about a device. Attributes are read from the same structure as properties, so that the two
// never disagree.
#pragma once

#include "cuda_runtime_api.h"

namespace uw {

const cudaDeviceProp& properties(int device);
/// False for a number that is no attribute.
bool attribute(int device, cudaDeviceAttr which, int& value);

}  // namespace uw
