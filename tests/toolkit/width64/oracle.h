// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps simulated on the host, for the programs of this folder. Each of them holds CUDA code that is right at 32 lanes
// and goes wrong at 64, as real programs do (a few the other way round), and computes what exactly it must give at the
// width of the run: lane by lane, from the rules of CUDA's warp functions with `width` in place of 32. Results in
// CUDA's types keep the low 32 lanes; a lane that is not there gives all ones.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

namespace oracle {

using Values = std::vector<unsigned>;
using Test = std::function<bool(unsigned)>;  // of a thread
constexpr unsigned kPoison = 0xffffffffu;
constexpr unsigned kFill = 0xabababab;

inline bool always(unsigned) {
  return true;
}

struct Block {
  unsigned threads;
  unsigned width;

  unsigned lane(unsigned t) const { return t % width; }
  unsigned first(unsigned t) const { return t - t % width; }
  unsigned end(unsigned t) const { return std::min(threads, first(t) + width); }

  Values each(const std::function<unsigned(unsigned)>& value) const {
    Values made(threads);
    for (unsigned t = 0; t < threads; ++t) made[t] = value(t);
    return made;
  }

  /// The lanes of t's warp that pass the test, of those that take part; the low 32 of them when cut to CUDA's type.
  uint64_t lanes(unsigned t, const Test& test, const Test& active = always) const {
    uint64_t mask = 0;
    for (unsigned other = first(t); other < end(t); ++other) {
      if (active(other) && test(other)) mask |= uint64_t{1} << lane(other);
    }
    return mask;
  }
  unsigned ballot(unsigned t, const Test& test, const Test& active = always) const {
    return static_cast<unsigned>(lanes(t, test, active));
  }

  unsigned read(const Values& values, unsigned t, unsigned sourceLane, const Test& active = always) const {
    unsigned source = first(t) + sourceLane;
    return source < end(t) && active(source) ? values[source] : kPoison;
  }
  unsigned index(const Values& values, unsigned t, unsigned from, unsigned segment, const Test& active = always) const {
    return read(values, t, lane(t) / segment * segment + from % segment, active);
  }
  unsigned up(const Values& values, unsigned t, unsigned by, unsigned segment, const Test& active = always) const {
    bool stays = lane(t) % segment < by;
    return read(values, t, stays ? lane(t) : lane(t) - by, active);
  }
  unsigned down(const Values& values, unsigned t, unsigned by, unsigned segment, const Test& active = always) const {
    bool stays = lane(t) % segment + by >= segment;
    return read(values, t, stays ? lane(t) : lane(t) + by, active);
  }
  unsigned exclusive(const Values& values, unsigned t, unsigned flip, const Test& active = always) const {
    return read(values, t, (lane(t) ^ flip) < width ? lane(t) ^ flip : lane(t), active);
  }
};

inline unsigned bits(uint64_t mask) {
  return static_cast<unsigned>(__builtin_popcountll(mask));
}

/// The width of the run, as a program asks for it.
inline unsigned width() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  return static_cast<unsigned>(properties.warpSize);
}

inline unsigned* output(size_t words) {
  unsigned* memory = nullptr;
  cudaMalloc(&memory, words * 4);
  cudaMemset(memory, 0xab, words * 4);
  return memory;
}

/// Compares what the device left with what the oracle says; the exit status of the program.
inline int compare(const unsigned* device, const Values& expected) {
  Values got(expected.size());
  cudaError_t error = cudaMemcpy(got.data(), device, got.size() * 4, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) error = cudaGetLastError();
  int bad = error != cudaSuccess;
  if (bad) printf("%s\n", cudaGetErrorString(error));
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    if (bad++ < 10) printf("word %zu is %u, expected %u\n", i, got[i], expected[i]);
  }
  return bad != 0;
}

/// For programs whose fault must be visible: the oracle itself says that 64 lanes give something else than 32.
inline int differs(const Values& at32, const Values& at64) {
  if (at32 != at64) return 0;
  printf("the oracle finds no difference between 32 and 64 lanes\n");
  return 1;
}

/// Runs the oracle at both widths, compares with the one of the run.
inline int judge(const unsigned* device, const std::function<Values(unsigned)>& at) {
  return compare(device, at(width())) | differs(at(32), at(64));
}

}  // namespace oracle
