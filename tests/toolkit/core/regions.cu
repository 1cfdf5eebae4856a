// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread keeps across meetings, and threads that part and come together again: local arrays and structs, phis of
// nested loops, truth values, results of barriers that count, threads that leave first or last, functions that meet.
#include <cstdio>

struct Step {
  int add;
  short scale;
  bool odd;
};

__device__ __noinline__ int meetInside(int* s, int t, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    s[t] = t * i;
    __syncthreads();
    sum += s[(t + 1) % blockDim.x];
    __syncthreads();
  }
  return sum;
}

__global__ void keeps(int* out, Step step) {
  __shared__ int s[128];
  int t = threadIdx.x, local[5];
  for (int i = 0; i < 5; ++i) local[i] = t * i;
  bool even = t % 2 == 0;
  step.add += t;  // the thread's own copy
  double half = t * 0.5;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 3; ++j) {
      int other = s[(t + i + j) % 128];
      __syncthreads();
      s[t] = other + local[i] + (even ? 1 : step.add);
      local[(i + j) % 5] ^= other;
      __syncthreads();
    }
    half += s[t];
  }
  out[t] = static_cast<int>(half) + local[t % 5] + step.scale * meetInside(s, t, 3) + step.odd;
}

__global__ void parts(int* out) {
  __shared__ int s[96];
  int t = threadIdx.x, value = t;
  if (t >= 90) return;     // the last ones
  if (t % 7 == 3) return;  // and some in between
  s[t] = t;
  int count = __syncthreads_count(t % 2);
  if (t < 40) {
    // Lanes of one warp meet in two places.
    if (t % 32 < 8) {
      value += __shfl_sync(__activemask(), value, 0);
    } else {
      value ^= __popc(__ballot_sync(__activemask(), t & 1));
    }
  }
  int any = __syncthreads_or(t == 17 || t == 51), all = __syncthreads_and(t < 90);
  for (int i = 0; i < t % 3; ++i) value = value * 3 + s[t];
  __syncthreads();
  out[t] = value * 1000 + count * 8 + any * 2 + all;
}

// Some threads skip the barrier in the first round: from then on threads meet at it in different rounds.
__global__ void rounds(int* out) {
  int t = threadIdx.x, sum = 0;
  bool skips = t % 4 == 1;
  for (int i = 0; i < (skips ? 7 : 6); ++i) {
    if (skips && i == 0) continue;
    int weight = i * 10;
    __syncthreads();
    sum = sum * 3 + weight + i;
  }
  out[t] = sum;
}

// Lanes that skip the first rounds come to the warp's meeting in the round that is their first, where others stand in
// theirs.
__global__ void skips(int* out) {
  __shared__ int s[4][64];
  int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) s[i][t] = 0;
  for (int i = -2; i <= 2; ++i) {
    if (t + i >= 0 && t + i < 64) s[(t + i) % 4][t] += i + 3;
  }
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum = sum * 16 + s[i][t];
  out[t] = sum;
}

void expectSkips(int* expected) {
  for (int t = 0; t < 64; ++t) {
    int s[4] = {};
    for (int i = -2; i <= 2; ++i) {
      if (t + i >= 0 && t + i < 64) s[(t + i) % 4] += i + 3;
    }
    expected[t] = ((s[0] * 16 + s[1]) * 16 + s[2]) * 16 + s[3];
  }
}

void expectRounds(int* expected) {
  for (int t = 0; t < 64; ++t) {
    expected[t] = 0;
    for (int i = t % 4 == 1; i < (t % 4 == 1 ? 7 : 6); ++i) expected[t] = expected[t] * 3 + i * 11;
  }
}

void expectKeeps(int* expected, Step step) {
  static int s[128], local[128][5], added[128];
  static double half[128];
  for (int t = 0; t < 128; ++t) {
    for (int i = 0; i < 5; ++i) local[t][i] = t * i;
    added[t] = step.add + t;
    half[t] = t * 0.5;
    s[t] = t;
  }
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 3; ++j) {
      int other[128];
      for (int t = 0; t < 128; ++t) other[t] = s[(t + i + j) % 128];
      for (int t = 0; t < 128; ++t) {
        s[t] = other[t] + local[t][i] + (t % 2 == 0 ? 1 : added[t]);
        local[t][(i + j) % 5] ^= other[t];
      }
    }
    for (int t = 0; t < 128; ++t) half[t] += s[t];
  }
  for (int t = 0; t < 128; ++t) {
    int inside = 0;
    for (int i = 0; i < 3; ++i) inside += (t + 1) % 128 * i;
    expected[t] = static_cast<int>(half[t]) + local[t][t % 5] + step.scale * inside + step.odd;
  }
}

bool leaves(int t) {
  return t >= 90 || t % 7 == 3;
}

void expectParts(int* expected, int width) {
  int count = 0;
  for (int t = 0; t < 90; ++t) count += !leaves(t) && t % 2;
  for (int t = 0; t < 96; ++t) {
    expected[t] = -1;
    if (leaves(t)) continue;
    int value = t;
    if (t < 40) {
      int first = t / width * width;
      if (t % 32 < 8) {
        value += first;  // lane 0 of the warp is there
      } else {
        int odd = 0;
        for (int u = first; u < first + width && u < 40; ++u) odd += !leaves(u) && u % 32 >= 8 && (u & 1);
        value ^= odd;
      }
    }
    for (int i = 0; i < t % 3; ++i) value = value * 3 + t;
    expected[t] = value * 1000 + count * 8 + 1 * 2 + 1;
  }
}

int main() {
  int width = 0;
  cudaDeviceGetAttribute(&width, cudaDevAttrWarpSize, 0);
  int result[128], expected[128], *device;
  cudaMalloc(&device, sizeof result);
  keeps<<<1, 128>>>(device, Step{5, 2, true});
  cudaMemcpy(result, device, sizeof result, cudaMemcpyDeviceToHost);
  expectKeeps(expected, Step{5, 2, true});
  int wrong = 0;
  for (int t = 0; t < 128; ++t) {
    if (result[t] != expected[t] && wrong++ < 5)
      std::printf("keeps[%d] is %d, expected %d\n", t, result[t], expected[t]);
  }
  cudaMemset(device, 0xff, sizeof result);
  parts<<<1, 96>>>(device);
  cudaMemcpy(result, device, sizeof result, cudaMemcpyDeviceToHost);
  expectParts(expected, width);
  for (int t = 0; t < 96; ++t) {
    if (result[t] != expected[t] && wrong++ < 9)
      std::printf("parts[%d] is %d, expected %d\n", t, result[t], expected[t]);
  }
  rounds<<<1, 64>>>(device);
  cudaMemcpy(result, device, sizeof result, cudaMemcpyDeviceToHost);
  expectRounds(expected);
  for (int t = 0; t < 64; ++t) {
    if (result[t] != expected[t] && wrong++ < 9)
      std::printf("rounds[%d] is %d, expected %d\n", t, result[t], expected[t]);
  }
  skips<<<1, 64>>>(device);
  cudaMemcpy(result, device, sizeof result, cudaMemcpyDeviceToHost);
  expectSkips(expected);
  for (int t = 0; t < 64; ++t) {
    if (result[t] != expected[t] && wrong++ < 9)
      std::printf("skips[%d] is %d, expected %d\n", t, result[t], expected[t]);
  }
  return wrong != 0;
}
