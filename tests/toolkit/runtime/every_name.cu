// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
// env: UNWARP_STATS=json
// stderr: unwarp: cudaGraphicsUnregisterResource is not supported yet
// stderr: {"name":"cudaGraphicsUnregisterResource","count":2}
//
// What is not implemented links, says its name once, and is counted.
#include "check.h"
int main() {
  cudaGraphicsResource_t resource = nullptr;
  GIVES(cudaErrorNotSupported, cudaGraphicsUnregisterResource(resource));
  GIVES(cudaErrorNotSupported, cudaGraphicsUnregisterResource(resource));
  cudaIpcMemHandle_t handle;
  int* data = nullptr;
  OK(cudaMalloc(&data, 4));
  GIVES(cudaErrorNotSupported, cudaIpcGetMemHandle(&handle, data));
  void* entry = nullptr;
  GIVES(cudaErrorNotSupported, cudaGetDriverEntryPoint("cuMemAlloc", &entry, cudaEnableDefault));
  return failures;
}
