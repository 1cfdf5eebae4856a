// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of the header of make_cudaExtent and its like (CUDA Runtime API reference): they come with the runtime API.
#pragma once

#include "cuda_runtime_api.h"
