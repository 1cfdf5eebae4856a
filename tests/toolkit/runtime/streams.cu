// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
//
// Order within and between streams, with work that really waits: host functions hold a stream until the host lets go.
#include <atomic>
#include <chrono>
#include <thread>

#include "check.h"
static std::atomic<bool> gate{false};
static std::atomic<int> calls{0};
static void CUDART_CB waitForGate(void*) {
  while (!gate) std::this_thread::yield();
}
static void CUDART_CB count(void* by) { calls += *static_cast<int*>(by); }
static void CUDART_CB status(cudaStream_t, cudaError_t error, void* out) { *static_cast<cudaError_t*>(out) = error; }
__global__ void set(int* data, int value) { *data = value; }
static bool comes(std::atomic<int>& what, int value) {
  for (int i = 0; i < 2000 && what != value; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return what == value;
}
int main() {
  cudaStream_t a, b, free;
  OK(cudaStreamCreate(&a));
  OK(cudaStreamCreateWithPriority(&b, cudaStreamDefault, -1));
  OK(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
  int least = 1, greatest = 1, priority = 1;
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(least == 0 && greatest < 0);
  OK(cudaStreamGetPriority(b, &priority));
  EXPECT(priority == -1);
  unsigned flags = 9;
  OK(cudaStreamGetFlags(free, &flags));
  EXPECT(flags == cudaStreamNonBlocking);
  unsigned long long idA = 0, idB = 0;
  OK(cudaStreamGetId(a, &idA));
  OK(cudaStreamGetId(b, &idB));
  EXPECT(idA != idB);
  cudaStreamCaptureStatus capture;
  OK(cudaStreamIsCapturing(a, &capture));
  EXPECT(capture == cudaStreamCaptureStatusNone);

  int* data = nullptr;
  OK(cudaMallocHost(&data, 4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) data[i] = 0;
  int one = 1;

  // `a` is held; `b` and `free` run on.
  OK(cudaLaunchHostFunc(a, waitForGate, nullptr));
  set<<<1, 1, 0, a>>>(data, 1);
  set<<<1, 1, 0, b>>>(data + 1, 1);
  OK(cudaLaunchHostFunc(b, count, &one));
  OK(cudaStreamSynchronize(b));
  EXPECT(data[1] == 1 && data[0] == 0 && calls == 1);
  GIVES(cudaErrorNotReady, cudaStreamQuery(a));
  OK(cudaStreamQuery(b));
  OK(cudaPeekAtLastError());

  // The legacy stream waits for `a`; blocking streams wait for the legacy stream; a non-blocking one for nobody.
  set<<<1, 1>>>(data + 2, 1);
  OK(cudaLaunchHostFunc(b, count, &one));
  OK(cudaLaunchHostFunc(free, count, &one));
  EXPECT(comes(calls, 2));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT(calls == 2 && data[2] == 0);
  GIVES(cudaErrorNotReady, cudaStreamQuery(0));
  GIVES(cudaErrorNotReady, cudaStreamQuery(b));

  // An event of a held stream holds who waits for it.
  cudaEvent_t event, late;
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  OK(cudaEventQuery(event));
  OK(cudaEventRecord(event, a));
  GIVES(cudaErrorNotReady, cudaEventQuery(event));
  OK(cudaStreamWaitEvent(free, event));
  OK(cudaLaunchHostFunc(free, count, &one));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT(calls == 2);
  gate = true;
  OK(cudaDeviceSynchronize());
  EXPECT(calls == 4 && data[0] == 1 && data[2] == 1);
  OK(cudaEventQuery(event));

  // Timing.
  cudaEvent_t start;
  float milliseconds = -1;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&late));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, late));
  OK(cudaEventRecord(start, a));
  OK(cudaLaunchHostFunc(a, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }, nullptr));
  OK(cudaEventRecordWithFlags(late, a));
  GIVES(cudaErrorNotReady, cudaEventElapsedTime(&milliseconds, start, late));
  OK(cudaEventSynchronize(late));
  OK(cudaEventElapsedTime(&milliseconds, start, late));
  EXPECT(milliseconds >= 19.f && milliseconds < 5000.f);
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, event));
  cudaGetLastError();

  // Callbacks are told the device's error; host functions are not called after one.
  cudaError_t told = cudaErrorUnknown;
  OK(cudaStreamAddCallback(a, status, &told, 0));
  OK(cudaStreamSynchronize(a));
  EXPECT(told == cudaSuccess);
  GIVES(cudaErrorInvalidValue, cudaStreamAddCallback(a, status, &told, 1));
  OK(cudaLaunchHostFunc(a, [](void* out) { *static_cast<cudaError_t*>(out) = cudaDeviceSynchronize(); }, &told));
  OK(cudaStreamSynchronize(a));
  EXPECT(told == cudaErrorNotPermitted);
  OK(cudaStreamDestroy(a));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamQuery(a));
  OK(cudaStreamAddCallback(b, status, &told, 0));
  set<<<1, 1, 0, b>>>(nullptr, 1);
  OK(cudaStreamAddCallback(b, status, &told, 0));
  GIVES(cudaErrorIllegalAddress, cudaStreamSynchronize(b));
  EXPECT(told == cudaErrorIllegalAddress);
  return failures;
}
