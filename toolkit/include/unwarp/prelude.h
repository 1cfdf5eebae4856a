// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What our nvcc puts before every CUDA C++ file. It goes by a name that no other toolkit has, and is found among the
// system headers: so it is always ours, its warnings are not the user's, and dependencies without system headers (-MMD)
// leave it out.
#pragma once

#include "../cuda_runtime.h"
