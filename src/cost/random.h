// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one source of randomness of the account: SplitMix64 (Steele, Lea, Flood 2014) from a fixed seed, so that the same
// input gives the same bytes. Streams are made by mixing an index into the seed, which is how routes share their luck.
#pragma once

#include <cstdint>

namespace unwarp::cost {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : state_(seed) { state_ ^= Random::mix(stream + 1); }
  std::uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15u); }
  /// In (0, 1), never an end, so that every quantile of it is finite.
  double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }
  /// In [0, count); the bias is below count / 2^64.
  std::uint64_t below(std::uint64_t count) { return next() % count; }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace unwarp::cost
