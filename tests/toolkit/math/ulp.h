// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far results are from the truth, for tests and for bench/math_ulp.cu. Two figures per function: the error in units
// in the last place of the true value, and the distance to the correctly rounded value in representable numbers; CUDA
// publishes the largest distance. Floats are judged by doubles, doubles by 128-bit numbers of the C library. An
// infinite result counts as the next power of two, so that a finite value in its place has an error and not infinitely
// many.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace ulp {

using Wide = __float128;

template <class T>
struct Format;
template <>
struct Format<float> {
  using Bits = int32_t;
  using Truth = double;
  static constexpr int kDigits = 24, kLeast = -149, kBeyond = 128;
};
template <>
struct Format<double> {
  using Bits = int64_t;
  using Truth = Wide;
  static constexpr int kDigits = 53, kLeast = -1074, kBeyond = 1024;
};

// 2^n beyond the range of doubles, too.
inline Wide power(int n) {
  Wide value = 1;
  for (; n > 1000; n -= 1000) value *= 0x1p1000;
  for (; n < -1000; n += 1000) value *= 0x1p-1000;
  return value * std::ldexp(1.0, n);
}

template <class Truth>
int exponentOf(Truth x) {
  if (x < 0) x = -x;
  int shift = 0;
  for (; x >= Truth(0x1p900); x *= Truth(0x1p-800)) shift += 800;
  for (; x != 0 && x < Truth(0x1p-900) && shift > -12000; x *= Truth(0x1p800)) shift -= 800;
  return std::ilogb(static_cast<double>(x)) + shift;
}

// Places on the line of representable numbers, for distances.
template <class T>
int64_t place(T x) {
  int64_t bits = std::bit_cast<typename Format<T>::Bits>(x);
  return bits < 0 ? std::numeric_limits<typename Format<T>::Bits>::min() - bits : bits;
}

struct Error {
  double ulps = 0;
  double distance = 0;
  double absolute = 0;
};

template <class T>
Error errorOf(T got, typename Format<T>::Truth truth) {
  using Truth = typename Format<T>::Truth;
  constexpr double kWrong = 1e30;
  bool noNumber = truth != truth;
  if (noNumber || got != got) return noNumber && got != got ? Error{} : Error{kWrong, kWrong, kWrong};
  if (truth == 0) return got == 0 ? Error{} : Error{kWrong, kWrong, kWrong};
  T rounded = static_cast<T>(truth);
  auto limit = static_cast<Truth>(power(Format<T>::kBeyond));
  auto value = std::isinf(got) ? (got < 0 ? -limit : limit) : static_cast<Truth>(got);
  if (truth > limit || truth < -limit) truth = truth < 0 ? -limit : limit;
  int exponent = std::max(exponentOf(truth) - Format<T>::kDigits + 1, Format<T>::kLeast);
  Truth gap = value > truth ? value - truth : truth - value;
  Error error;
  error.absolute = static_cast<double>(gap);
  error.ulps = static_cast<double>(gap / static_cast<Truth>(power(exponent)));
  error.distance = std::fabs(static_cast<double>(place(got) - place(rounded)));
  return error;
}

// The worst of many errors, and where.
struct Worst {
  double ulps = 0, distance = 0, absolute = 0;
  double at[3] = {0, 0, 0};
  uint64_t samples = 0;

  void add(const Error& error, const double (&where)[3]) {
    ++samples;
    if (error.ulps > ulps) {
      ulps = error.ulps;
      for (int i = 0; i < 3; ++i) at[i] = where[i];
    }
    distance = std::max(distance, error.distance);
    absolute = std::max(absolute, error.absolute);
  }
  void add(const Worst& other) {
    samples += other.samples;
    if (other.ulps > ulps) {
      ulps = other.ulps;
      for (int i = 0; i < 3; ++i) at[i] = other.at[i];
    }
    distance = std::max(distance, other.distance);
    absolute = std::max(absolute, other.absolute);
  }
};

// Arguments of doubles and of several floats: uniform in a range, uniform in the exponent, and any bits at all.
template <class T>
class Arguments {
 public:
  Arguments(double low, double high, uint64_t seed) : low_(low), high_(high), random_(seed) {}

  T next() {
    switch (random_() % 8) {
      case 0:
        return std::bit_cast<T>(static_cast<typename Format<T>::Bits>(random_()));
      case 1:
      case 2:
      case 3: {
        T value = static_cast<T>(std::exp2(uniform(-40, std::log2(std::max(std::fabs(low_), std::fabs(high_))))));
        return low_ < 0 && random_() % 2 ? -value : value;
      }
      case 4: {
        // A few steps beside a number of few bits: zeros, poles and borders of cases lie there.
        T value = static_cast<T>(std::rint(uniform(low_, high_) * 8) / 8);
        for (uint64_t steps = random_() % 4; steps > 0; --steps) value = std::nextafter(value, T(low_));
        return value;
      }
      default:
        return static_cast<T>(uniform(low_, high_));
    }
  }

 private:
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_() >> 11) * 0x1p-53);
  }
  double low_, high_;
  std::mt19937_64 random_;
};

// Calls `work(first, last)` for equal parts of [0, count) on all processors.
inline void inParallel(size_t count, const std::function<void(size_t, size_t)>& work) {
  size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> pool;
  for (size_t i = 0; i < threads; ++i) {
    pool.emplace_back([&, i] { work(count * i / threads, count * (i + 1) / threads); });
  }
  for (std::thread& thread : pool) thread.join();
}

}  // namespace ulp
