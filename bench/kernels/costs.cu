// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of a launch cost here, measured one by one with kernels that do nothing else. run.py multiplies them
// with how often each kernel of the baseline does each thing; what is left of its time is its own work. Prints one JSON
// object: nanoseconds, except `touch` and `poison`, which are nanoseconds for a KiB.
#include <cuda_runtime.h>

#include <algorithm>

#include "harness.h"

using namespace speed;

namespace {

constexpr int kManyBlocks = 1 << 16;
constexpr int kFewBlocks = 512;
constexpr size_t kMemory = size_t{256} << 20;

__global__ void nothing() {}

template <int Bytes>
__global__ void shared(int* out) {
  __shared__ char memory[Bytes];
  if (out) out[0] = memory[threadIdx.x];
}

// The barrier is there whatever the count is, so that the tier is the same.
__global__ void barriers(int count) {
  for (int i = 0; i < count; ++i) __syncthreads();
}

__global__ void shuffles(int count, int* out) {
  int value = threadIdx.x;
  for (int i = 0; i < count; ++i) value = __shfl_xor_sync(0xffffffffu, value, 1, 32);
  if (out) out[threadIdx.x] = value;
}

/// Nanoseconds of the fastest of some runs.
template <class Run>
double fastest(Run run) {
  run();
  std::vector<double> times = measure([&] {
    run();
    if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
  });
  return *std::min_element(times.begin(), times.end()) * 1e6;
}

double launchCost(int blocks) {
  constexpr int kLaunches = 200;
  return fastest([=] {
           for (int i = 0; i < kLaunches; ++i) {
             nothing<<<blocks, 32>>>();
             cudaDeviceSynchronize();
           }
         }) /
         kLaunches;
}

// For one thread and one meeting; the difference of two counts leaves out what a block costs anyway.
template <class Launch>
double meetingCost(Launch launch, int workers) {
  constexpr int kMeetings = 32;
  double difference = fastest([&] { launch(kMeetings + 1); }) - fastest([&] { launch(1); });
  return difference * workers / (static_cast<double>(kFewBlocks) * kBlock * kMeetings);
}

// Device memory as the runtime hands it out, then its first use by a kernel's host: the page faults of both.
double allocationCost() {
  return fastest([] {
           void* memory = nullptr;
           cudaMalloc(&memory, kMemory);
           cudaFree(memory);
         }) /
         (kMemory / 1024);
}

}  // namespace

// Argument: the number of workers.
int main(int count, char** arguments) {
  int workers = count > 1 ? std::atoi(arguments[1]) : 1;
  double empty = fastest([] { nothing<<<kManyBlocks, kBlock>>>(); });
  double poisoned = fastest([] { shared<32768><<<kFewBlocks, kBlock>>>(nullptr); });
  double small = fastest([] { shared<1024><<<kFewBlocks, kBlock>>>(nullptr); });
  double fiberBlocks = fastest([] { barriers<<<kFewBlocks, kBlock>>>(1); });
  double barrier = meetingCost([](int n) { barriers<<<kFewBlocks, kBlock>>>(n); }, workers);
  double shuffle = meetingCost([](int n) { shuffles<<<kFewBlocks, kBlock>>>(n, nullptr); }, workers);
  std::printf("{\"launch\":%.1f,\"launch_parallel\":%.1f,\"block\":%.2f,\"meeting_block\":%.1f,\"barrier\":%.3f,"
              "\"shuffle\":%.3f,\"shared_kib\":%.2f,\"allocate_kib\":%.2f}\n",
              launchCost(1), launchCost(64), empty * workers / kManyBlocks,
              fiberBlocks * workers / kFewBlocks - barrier * kBlock, barrier, shuffle,
              (poisoned - small) * workers / kFewBlocks / 31, allocationCost());
}
