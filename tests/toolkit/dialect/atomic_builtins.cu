// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: --extended-lambda
//
// nvcc's built-in atomic functions with orders and scopes, and its questions about extended lambdas.
#include <cstdio>
#include <type_traits>

struct Values {
  int added, exchanged, compared, loaded, fenced, masked;
  float highest;
  double sum;
  unsigned long long counted;
};

__global__ void change(Values* v, int* bad) {
  const int i = threadIdx.x;
  __nv_atomic_fetch_add(&v->added, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&v->counted, 1, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_fetch_max(&v->highest, 1.5f * i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_add(&v->sum, 0.5, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_or(&v->masked, 1 << i % 8, __NV_ATOMIC_RELAXED);
  int expected = __nv_atomic_load_n(&v->compared, __NV_ATOMIC_ACQUIRE);
  while (!__nv_atomic_compare_exchange_n(&v->compared, &expected, expected + 2, true, __NV_ATOMIC_ACQ_REL,
                                         __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER)) {
  }
  if (i == 0 && blockIdx.x == 0) {
    int old = 0, wanted = 5;
    __nv_atomic_exchange(&v->exchanged, &wanted, &old, __NV_ATOMIC_SEQ_CST);
    if (old != 0 || __nv_atomic_exchange_n(&v->exchanged, 6, __NV_ATOMIC_RELEASE) != 5) atomicAdd(bad, 1);
    __nv_atomic_store_n(&v->loaded, 9, __NV_ATOMIC_RELEASE);
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_load(&v->loaded, &old, __NV_ATOMIC_CONSUME);
    __nv_atomic_store(&v->fenced, &old, __NV_ATOMIC_RELAXED);
  }
}

int main() {
  auto lambda = [] __device__(int x) { return x; };
  static_assert(!__nv_is_extended_device_lambda_closure_type(decltype(lambda)), "closures are ordinary types");
  static_assert(std::is_same<decltype(lambda(1)), int>::value, "and their result type can be asked");
  void* memory = nullptr;
  cudaMalloc(&memory, 2 * sizeof(Values));
  cudaMemset(memory, 0, 2 * sizeof(Values));
  Values* device = static_cast<Values*>(memory);
  int* deviceBad = reinterpret_cast<int*>(device + 1);
  change<<<4, 64>>>(device, deviceBad);
  Values v;
  int bad = 0;
  cudaMemcpy(&v, device, sizeof v, cudaMemcpyDeviceToHost);
  cudaMemcpy(&bad, deviceBad, sizeof bad, cudaMemcpyDeviceToHost);
  std::printf("%d %llu %g %g %d %d %d %d %d\n", v.added, v.counted, v.highest, v.sum, v.masked, v.compared, v.exchanged,
              v.fenced, bad);
  return !(v.added == 256 && v.counted == 256 && v.highest == 94.5f && v.sum == 128 && v.masked == 255 &&
           v.compared == 512 && v.exchanged == 6 && v.fenced == 9 && bad == 0);
}
