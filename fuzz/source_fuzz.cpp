// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C-family sources: lexer, structure, API uses, token rules.
#include "audit_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  return unwarp::fuzz::auditAs({"a.cu", "a.h", "a.hip", "a.cpp"}, data, sizeBytes);
}
