// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stderr: bytes of local memory
// status: 1
//
// An array larger than the local memory a thread may have: the launch fails and says so, nothing is overwritten.
__global__ void tooMuch(unsigned* out) {
  unsigned local[200000];
  for (unsigned i = 0; i < 200000; ++i) local[i] = i ^ threadIdx.x;
  __syncthreads();
  *out = local[*out];
}
int main() {
  unsigned* out;
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  tooMuch<<<1, 32>>>(out);
  return cudaGetLastError() != cudaSuccess;
}
