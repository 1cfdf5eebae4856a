// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fmad=false
//
// Kernels whose threads never meet become loops over threads, which the compiler prepares for vectors: guards that all
// threads pass are dropped, and loops inside change places with the loop over threads. Sizes around the edges of blocks,
// values that live across the loop inside, and guards that wrap show whether each thread still does its own work.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

constexpr int kThreads = 64;
int failures = 0;

// ---- guards ----------------------------------------------------------------------------------------------------------

__global__ void guarded(int n, const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 1;
}

__global__ void between(int low, int high, const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < low || i >= high) return;
  out[i] = in[i] * 3;
}

__global__ void fromTheEnd(unsigned n, const int* in, int* out) {
  unsigned i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x);  // wraps behind the end
  if (i < n) out[i] = in[i] - 5;
}

__global__ void shifted(int by, int n, const int* in, int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = static_cast<int>(static_cast<unsigned>(t) + static_cast<unsigned>(by));  // wraps from INT_MAX to INT_MIN
  if (i < 0) out[t] = in[t] + n;
}

__global__ void rows(int width, int height, const int* in, int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    out[y * width + x] = in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] + in[(y + 1) * width + x];
  }
}

// ---- loops inside ----------------------------------------------------------------------------------------------------

__global__ void sums(int n, int terms, const float* a, const float* b, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = b[i];  // read before, used in the loop and behind it
  float first = sum;
  for (int k = 0; k < terms; ++k) sum += a[k] * b[k * n + i];
  out[i] = sum - first;
}

// Two values that change places in each round, and one that only the last round decides.
__global__ void swapped(int n, int rounds, const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int even = in[i], odd = in[n + i], last = 0;
  for (int k = 0; k < rounds; ++k) {
    int next = even;
    even = odd + in[k * n + i];
    odd = next;
    last = in[k * n + i];
  }
  out[i] = even * 7 + odd * 3 + last;
}

__global__ void nested(int n, int across, int down, const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned total = 0;
  for (int y = 0; y < down; ++y) {
    unsigned row = 0;
    for (int x = 0; x < across; ++x) row += static_cast<unsigned>(in[(y + x) * n + i]) * (x + 1);
    total = total * 5 + row;
  }
  out[i] = static_cast<int>(total);
}

__global__ void twoLoops(int n, int rounds, const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int most = INT_MIN, sum = 0;
  for (int k = 0; k < rounds; ++k) most = max(most, in[k * n + i]);
  for (int k = 0; k < rounds; ++k) sum += most - in[k * n + i];
  out[i] = sum;
}

// Each thread goes round as often as it wants, and leaves in the middle.
__global__ void ownRounds(int n, int rounds, const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    int value = in[k * n + i];
    if (value % 5 == 4) break;
    if (value % 3 == 0) continue;
    sum += value;
  }
  out[i] = sum;
}

// Writes in the loop, which the next round reads.
__global__ void inPlace(int n, int rounds, const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i];
  for (int k = 1; k < rounds; ++k) {
    if (in[k * n + i] & 1) out[i] = static_cast<int>(static_cast<unsigned>(out[i]) * 3u + in[k * n + i]);
  }
}

// ---- against the host ------------------------------------------------------------------------------------------------

constexpr int kRows = 24;

template <class T>
struct Data {
  std::vector<T> in, out;
  T *deviceIn = nullptr, *deviceOut = nullptr;
  explicit Data(int n) : in(static_cast<size_t>(n) * kRows), out(in.size(), T(-9)) {
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(static_cast<int>(i * 2654435761u >> 20) - 1000);
    cudaMalloc(&deviceIn, in.size() * sizeof(T));
    cudaMalloc(&deviceOut, out.size() * sizeof(T));
    cudaMemcpy(deviceIn, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(deviceOut, out.data(), out.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Data() {
    cudaFree(deviceIn);
    cudaFree(deviceOut);
  }
  void check(const char* name, int n, const std::function<void(int, T&)>& wanted) {
    std::vector<T> seen(out.size());
    cudaMemcpy(seen.data(), deviceOut, seen.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) wanted(i, out[i]);
    if (std::memcmp(seen.data(), out.data(), seen.size() * sizeof(T)) == 0) return;
    std::printf("%s with n = %d is wrong\n", name, n);
    ++failures;
  }
};

void guards(int n) {
  int blocks = (n + kThreads - 1) / kThreads + 1;
  Data<int> a(n), b(n), c(n), d(n);
  guarded<<<blocks, kThreads>>>(n, a.deviceIn, a.deviceOut);
  a.check("guarded", n, [&](int i, int& out) { out = a.in[i] + 1; });
  between<<<blocks, kThreads>>>(3, n - 2, b.deviceIn, b.deviceOut);
  b.check("between", n, [&](int i, int& out) { if (i >= 3 && i < n - 2) out = b.in[i] * 3; });
  fromTheEnd<<<blocks, kThreads>>>(n, c.deviceIn, c.deviceOut);
  c.check("fromTheEnd", n, [&](int i, int& out) { out = c.in[i] - 5; });
  shifted<<<n / kThreads, kThreads>>>(INT_MAX - 100, n, d.deviceIn, d.deviceOut);
  d.check("shifted", n / kThreads * kThreads, [&](int i, int& out) { if (i > 100) out = d.in[i] + n; });
}

void image(int width, int height) {
  Data<int> a(width * height);
  rows<<<dim3((width + 15) / 16, (height + 3) / 4), dim3(16, 4)>>>(width, height, a.deviceIn, a.deviceOut);
  a.check("rows", width * height, [&](int i, int& out) {
    int x = i % width, y = i / width;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) out = a.in[i - 1] + a.in[i + 1] + a.in[i - width] + a.in[i + width];
  });
}

void loops(int n, int rounds) {
  int blocks = (n + kThreads - 1) / kThreads;
  Data<float> a(n);
  sums<<<blocks, kThreads>>>(n, rounds, a.deviceIn + 1, a.deviceIn, a.deviceOut);
  a.check("sums", n, [&](int i, float& out) {
    float sum = a.in[i];
    for (int k = 0; k < rounds; ++k) sum += a.in[k + 1] * a.in[k * n + i];
    out = sum - a.in[i];
  });
  Data<int> b(n), c(n), d(n), e(n), f(n);
  swapped<<<blocks, kThreads>>>(n, rounds, b.deviceIn, b.deviceOut);
  b.check("swapped", n, [&](int i, int& out) {
    int even = b.in[i], odd = b.in[n + i], last = 0;
    for (int k = 0; k < rounds; ++k) {
      int next = even;
      even = odd + b.in[k * n + i];
      odd = next;
      last = b.in[k * n + i];
    }
    out = even * 7 + odd * 3 + last;
  });
  nested<<<blocks, kThreads>>>(n, rounds / 2, rounds / 2, c.deviceIn, c.deviceOut);
  c.check("nested", n, [&](int i, int& out) {
    unsigned total = 0;
    for (int y = 0; y < rounds / 2; ++y) {
      unsigned row = 0;
      for (int x = 0; x < rounds / 2; ++x) row += static_cast<unsigned>(c.in[(y + x) * n + i]) * (x + 1);
      total = total * 5 + row;
    }
    out = static_cast<int>(total);
  });
  twoLoops<<<blocks, kThreads>>>(n, rounds, d.deviceIn, d.deviceOut);
  d.check("twoLoops", n, [&](int i, int& out) {
    int most = INT_MIN;
    unsigned sum = 0;
    for (int k = 0; k < rounds; ++k) most = std::max(most, d.in[k * n + i]);
    for (int k = 0; k < rounds; ++k) sum += static_cast<unsigned>(most) - static_cast<unsigned>(d.in[k * n + i]);
    out = static_cast<int>(sum);
  });
  ownRounds<<<blocks, kThreads>>>(n, rounds, e.deviceIn, e.deviceOut);
  e.check("ownRounds", n, [&](int i, int& out) {
    out = 0;
    for (int k = 0; k < rounds && e.in[k * n + i] % 5 != 4; ++k) out += e.in[k * n + i] % 3 == 0 ? 0 : e.in[k * n + i];
  });
  inPlace<<<blocks, kThreads>>>(n, rounds, f.deviceIn, f.deviceOut);
  f.check("inPlace", n, [&](int i, int& out) {
    unsigned value = static_cast<unsigned>(f.in[i]);
    for (int k = 1; k < rounds; ++k) {
      if (f.in[k * n + i] & 1) value = value * 3 + static_cast<unsigned>(f.in[k * n + i]);
    }
    out = static_cast<int>(value);
  });
}

int main() {
  for (int n : {1, 5, 63, 64, 65, 127, 128, 129, 1000}) guards(n);
  for (int width : {3, 16, 17, 48, 50}) image(width, width + 1);
  for (int n : {1, 64, 65, 200}) {
    for (int rounds : {0, 1, 2, 3, 20}) loops(n, rounds);
  }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
