// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -default-stream per-thread
// widths: 32
// tiers: auto
//
// Stream 0 of each thread is its own: a thread whose stream is held does not hold another's.
#include <atomic>
#include <thread>

#include "check.h"
static std::atomic<bool> gate{false};
static void CUDART_CB waitForGate(void*) {
  while (!gate) std::this_thread::yield();
}
__global__ void set(int* data, int value) { *data = value; }
int main() {
  int* data = nullptr;
  OK(cudaMallocHost(&data, 2 * sizeof(int)));
  data[0] = data[1] = 0;
  OK(cudaLaunchHostFunc(0, waitForGate, nullptr));
  set<<<1, 1>>>(data, 1);
  GIVES(cudaErrorNotReady, cudaStreamQuery(0));
  GIVES(cudaErrorNotReady, cudaStreamQuery(cudaStreamPerThread));
  std::thread other([&] {
    set<<<1, 1>>>(data + 1, 2);
    OK(cudaStreamSynchronize(0));
    EXPECT(data[1] == 2 && data[0] == 0);
    int copy = 0;
    OK(cudaMemcpy(&copy, data + 1, sizeof copy, cudaMemcpyDefault));
    EXPECT(copy == 2);
    unsigned long long own = 0, legacy = 0;
    OK(cudaStreamGetId(0, &own));
    OK(cudaStreamGetId(cudaStreamLegacy, &legacy));
    EXPECT(own != legacy);
  });
  other.join();
  // The legacy stream, named, waits for this thread's stream.
  set<<<1, 1, 0, cudaStreamLegacy>>>(data + 1, 3);
  GIVES(cudaErrorNotReady, cudaStreamQuery(cudaStreamLegacy));
  EXPECT(data[1] == 2);
  gate = true;
  OK(cudaDeviceSynchronize());
  EXPECT(data[0] == 1 && data[1] == 3);
  return failures;
}
