// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs in constant memory, with values from the source and from the host, read through pointers and with offsets;
// structs passed by value that the kernel writes to: each thread has its own, and the host's stays as it was; arguments
// of awkward sizes side by side.
#include "check.h"
struct Inner {
  short a;
  double b;
};
struct Table {
  char tag;
  Inner inner[3];
  float weights[5];
  const unsigned* pointer;
};
__constant__ Table fromSource = {'x', {{1, 2.5}, {3, 4.5}, {5, 6.5}}, {1, 2, 3, 4, 5}, nullptr};
__constant__ Table fromHost;
__constant__ unsigned powers[4] = {1, 10, 100, 1000};
__device__ unsigned counters[3] = {5, 6, 7};
__constant__ unsigned* const toCounters = counters;
__device__ double weigh(const Table& table, unsigned i) { return table.inner[i % 3].b * table.weights[i % 5]; }
__global__ void constants(double* out) {
  unsigned t = threadIdx.x;
  out[t * 4] = weigh(fromSource, t);
  out[t * 4 + 1] = weigh(fromHost, t) + fromHost.tag;
  const Table* chosen = t % 2 ? &fromHost : &fromSource;
  out[t * 4 + 2] = chosen->inner[t % 3].a + powers[t % 4];
  out[t * 4 + 3] = (fromHost.pointer ? fromHost.pointer[t] : 0) + toCounters[t % 3];
}
struct Packet {
  unsigned values[9];
  unsigned char tail;
  __device__ unsigned take() { return --values[tail++ % 9]; }
};
struct Three {
  char c[3];
};
__global__ void parameters(char a, Packet packet, Three three, double d, Packet second, unsigned long long* out, bool flag) {
  unsigned t = threadIdx.x;
  packet.values[t % 9] += t * 1000;
  three.c[t % 3] += 1;
  for (unsigned i = 0; i <= t % 4; ++i) second.take();
  __syncwarp();
  unsigned long long sum = 0;
  for (unsigned v : packet.values) sum += v;
  for (unsigned v : second.values) sum += v * 7;
  out[t] = sum + a + three.c[0] + three.c[1] + three.c[2] + (unsigned long long)(d) + flag + second.tail;
  d = 0;
  flag = false;
}
int main() {
  const unsigned threads = 70;
  std::vector<unsigned> numbers(threads);
  for (unsigned t = 0; t < threads; ++t) numbers[t] = t * t;
  Table table = {3, {{7, 0.5}, {8, 1.5}, {9, 2.5}}, {2, 4, 6, 8, 10}, toDevice(numbers)};
  SUCCEEDS(cudaMemcpyToSymbol(fromHost, &table, sizeof table));
  unsigned million = 1000000;
  SUCCEEDS(cudaMemcpyToSymbol(powers, &million, 4, 12));
  double* out = toDevice(std::vector<double>(threads * 4, 0));
  constants<<<1, threads>>>(out);
  auto got = toHost(out, threads * 4);
  for (unsigned t = 0; t < threads; ++t) {
    checkEqual("source", t, got[t * 4], (2.5 + 2 * (t % 3)) * (t % 5 + 1));
    checkEqual("host", t, got[t * 4 + 1], (0.5 + t % 3) * 2 * (t % 5 + 1) + 3);
    unsigned power[] = {1, 10, 100, 1000000};
    checkEqual("chosen", t, got[t * 4 + 2], (t % 2 ? 7 + t % 3 : 1 + 2 * (t % 3)) + power[t % 4]);
    checkEqual("pointers", t, got[t * 4 + 3], t * t + 5 + t % 3);
  }
  Packet packet = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0}, second = packet;
  auto* sums = toDevice(std::vector<unsigned long long>(threads, 0));
  for (int again = 0; again < 2; ++again) {
    parameters<<<3, threads>>>(5, packet, Three{{1, 2, 3}}, 2.75, second, sums, true);
    auto sum = toHost(sums, threads);
    for (unsigned t = 0; t < threads; ++t) {
      unsigned taken = t % 4 + 1;
      checkEqual("parameters", t, sum[t], 45 + t * 1000 + (45 - taken) * 7ull + 5 + 7 + 2 + 1 + taken);
    }
  }
  return wrongs() != 0;
}
