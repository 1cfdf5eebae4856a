// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain C++ that includes the runtime's interface and calls the library with device code.
#include <cuda_runtime.h>

int fromDevice();

int main() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1 || fromDevice() != 6;
}
