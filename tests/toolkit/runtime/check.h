// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of these programs: each failure says its line and what was seen; the program ends with their number.
#pragma once
#include <cstdio>
static int failures = 0;
#define EXPECT(CONDITION)                                           \
  do {                                                              \
    if (!(CONDITION)) {                                             \
      ++failures;                                                   \
      std::printf("line %d: not true: %s\n", __LINE__, #CONDITION); \
    }                                                               \
  } while (0)
#define GIVES(CODE, CALL)                                                                                 \
  do {                                                                                                    \
    cudaError_t codeGiven = (CALL);                                                                       \
    if (codeGiven != (CODE)) {                                                                            \
      ++failures;                                                                                         \
      std::printf("line %d: %s gives %s, not %s\n", __LINE__, #CALL, cudaGetErrorName(codeGiven), #CODE); \
    }                                                                                                     \
  } while (0)
#define OK(CALL) GIVES(cudaSuccess, CALL)
