// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the three programs of the speed baseline share: sizes, inputs, how a kernel is timed, and how its result is
// boiled down so that run.py can tell whether CUDA here, native loops and OpenCL computed the same. Each program takes
// names of kernels and prints one JSON object a line: `{"name":"saxpy","digest":[sum,weighted,absolute],"ms":[...]}`.
// Host C++17 only: nvcc compiles it too.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace speed {

// Elements, or edges of squares. They follow the measurement of HIP-CPU whose ratios stand in kernels.tsv.
constexpr int kElements = 4 << 20;  // saxpy, reduce, scan, histogram, shuffle_reduce
constexpr int kImage = 2048;        // stencil, convolution
constexpr int kOptions = 1 << 20;   // black_scholes
constexpr int kFractal = 1024;      // mandelbrot
constexpr int kIterations = 256;
constexpr int kGemm = 512;     // gemm, matmul
constexpr int kAtax = 2048;    // atax
constexpr int kBodies = 8192;  // nbody
constexpr int kRows = 2048;    // softmax
constexpr int kColumns = 1024;
constexpr int kBlock = 256;     // threads of a block
constexpr int kBins = 256;      // histogram
constexpr int kPerThread = 16;  // histogram: elements of a thread
constexpr int kTile = 16;       // matmul

constexpr float kRiskless = 0.02f;   // black_scholes: interest a year
constexpr float kVolatility = 0.3f;  // black_scholes
constexpr float kSoftening = 1e-3f;  // nbody

/// Pseudo-random floats in [0, 1), the same everywhere; `salt` tells inputs apart.
inline float uniform(uint32_t index, uint32_t salt) {
  uint32_t x = index * 2654435761u + salt * 0x9e3779b9u;
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  return static_cast<float>(x >> 8) * 0x1p-24f;
}

inline std::vector<float> uniforms(size_t count, uint32_t salt, float low = 0, float high = 1) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = low + (high - low) * uniform(static_cast<uint32_t>(i), salt);
  return values;
}

inline std::vector<uint32_t> bins(size_t count) {
  std::vector<uint32_t> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<uint32_t>(uniform(static_cast<uint32_t>(i), 9) * kBins);
  return values;
}

/// A kernel at work: `run` computes once and waits for it, `result` gives what the last run computed.
struct Workload {
  std::function<void()> run;
  std::function<std::vector<float>()> result;
};

/// A name and what sets its inputs up.
struct Named {
  const char* name;
  std::function<Workload()> prepare;
};

/// Milliseconds of each run after a first one: seven, or as many as fit in 0.6 s, but at least two.
inline std::vector<double> measure(const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  double total = 0;
  while (times.size() < 2 || (times.size() < 7 && total < 600)) {
    Clock::time_point start = Clock::now();
    run();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    total += times.back();
  }
  return times;
}

/// The result is read after the first run: kernels that add to their output would go on changing it.
inline void report(const Named& kernel) {
  Workload workload = kernel.prepare();
  workload.run();
  double sum = 0, weighted = 0, absolute = 0;
  uint32_t index = 0;
  for (float value : workload.result()) {
    sum += value;
    weighted += value * static_cast<double>(uniform(index++, 77));
    absolute += std::fabs(value);
  }
  std::printf("{\"name\":\"%s\",\"digest\":[%.9g,%.9g,%.9g],\"ms\":[", kernel.name, sum, weighted, absolute);
  const char* comma = "";
  for (double ms : measure(workload.run)) {
    std::printf("%s%.5f", comma, ms);
    comma = ",";
  }
  std::printf("]}\n");
  std::fflush(stdout);
}

/// The programs' `main`: runs the kernels named, or all; 2 for a name that there is not.
inline int runNamed(int count, char** names, const std::vector<Named>& kernels) {
  for (const Named& kernel : kernels) {
    if (count < 2) report(kernel);
  }
  for (int i = 1; i < count; ++i) {
    bool found = false;
    for (const Named& kernel : kernels) {
      if (std::strcmp(kernel.name, names[i]) != 0) continue;
      report(kernel);
      found = true;
    }
    if (!found) return std::fprintf(stderr, "no kernel '%s' in this program\n", names[i]), 2;
  }
  return 0;
}

}  // namespace speed
