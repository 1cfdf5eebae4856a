// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
// env: UNWARP_DEVICES=4 CUDA_VISIBLE_DEVICES=2,0,7,1
//
// CUDA_VISIBLE_DEVICES hides devices; the list ends at the first number that is none. Hiding all is "no device".
#include <cstdlib>
#include <string>

#include "check.h"
__global__ void nothing() {}
int main(int argc, char** argv) {
  int count = -1;
  if (argc == 1) {
    OK(cudaGetDeviceCount(&count));
    EXPECT(count == 2);
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(2));
    OK(cudaSetDevice(1));
    nothing<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    std::string again = std::string(argv[0]) + " hidden";
    EXPECT(std::system(again.c_str()) == 0);
    return failures;
  }
  GIVES(cudaErrorNoDevice, cudaGetDeviceCount(&count));
  EXPECT(count == 0);
  GIVES(cudaErrorNoDevice, cudaSetDevice(0));
  void* memory = nullptr;
  GIVES(cudaErrorNoDevice, cudaMalloc(&memory, 4));
  nothing<<<1, 1>>>();
  GIVES(cudaErrorNoDevice, cudaGetLastError());
  GIVES(cudaErrorNoDevice, cudaDeviceSynchronize());
  return failures;
}
