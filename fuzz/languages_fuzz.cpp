// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources of languages that reach CUDA through bindings.
#include "audit_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  return unwarp::fuzz::auditAs({"a.cuf", "a.f", "a.go", "build.rs", "a.cs", "A.java", "a.m", "a.R"}, data, sizeBytes);
}
