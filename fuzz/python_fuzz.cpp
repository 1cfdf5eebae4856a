// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python, Cython and notebooks.
#include "audit_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  return unwarp::fuzz::auditAs({"a.py", "a.pyx", "a.ipynb"}, data, sizeBytes);
}
