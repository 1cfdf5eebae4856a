// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose last threads write a little past the end of a small array: on a GPU that reaches other device memory at
// most. The host's heap must be whole afterwards.
#include "check.h"

#include <string>
#include <vector>

__global__ void fill(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + 200) out[i] = i;
}

int main() {
  const int n = 300;
  std::vector<std::string> words;
  for (int round = 0; round < 200; ++round) {
    int *first = nullptr, last = 0;
    OK(cudaMalloc(&first, n * sizeof(int)));
    words.push_back(std::string(100 + 13 * round % 1500, 'x'));
    fill<<<2, 256>>>(first, n);
    OK(cudaMemcpy(&last, first + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    EXPECT(last == n - 1);
    OK(cudaFree(first));
    words.erase(words.begin() + round / 7);
    words.push_back(std::string(40, 'y'));
  }
  size_t letters = 0;
  for (const std::string& word : words) letters += word.find_first_not_of("xy") == std::string::npos;
  EXPECT(letters == words.size());
  return failures;
}
