// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of the runtime API. The last error of a thread is cleared by reading it; a fault of a kernel belongs to the
// device and comes back until the device is reset.
#include "cuda_runtime_api.h"
#include "runtime/context.h"

namespace uw {
namespace {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};

#define UW_ERROR(NAME, TEXT) {NAME, #NAME, TEXT},
constexpr ErrorText kErrors[] = {
#include "runtime/api/errors.inc"
};
#undef UW_ERROR

constexpr const char* kUnknown = "unrecognized error code";

const ErrorText* find(cudaError_t code) {
  for (const ErrorText& error : kErrors) {
    if (error.code == code) return &error;
  }
  return nullptr;
}

}  // namespace
}  // namespace uw

extern "C" {

cudaError_t cudaGetLastError(void) {
  return uw::lastError(true);
}
cudaError_t cudaPeekAtLastError(void) {
  return uw::lastError(false);
}
const char* cudaGetErrorName(cudaError_t error) {
  const uw::ErrorText* known = uw::find(error);
  return known ? known->name : uw::kUnknown;
}
const char* cudaGetErrorString(cudaError_t error) {
  const uw::ErrorText* known = uw::find(error);
  return known ? known->text : uw::kUnknown;
}

}  // extern "C"
