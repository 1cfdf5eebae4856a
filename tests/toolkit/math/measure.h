// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every function of functions.h on the device and judges the results. One kernel per type with a switch, so that a
// program compiles few kernels. Rows come back in the order of the lists. A program says which lists it measures:
// UW_MEASURE_FLOAT_ONE, UW_MEASURE_FLOAT_MANY, UW_MEASURE_DOUBLE.
#pragma once

#include "functions.h"
#include "references.h"

namespace ulp {

enum class Unit { places, absolute };

template <class T>
struct Subject {
  std::string name;
  double bound;
  Unit unit;
  double low, high;
  typename Format<T>::Truth (*truth)(T, T, T, T);
  bool (*counts)(T);
};

struct Row {
  std::string name;
  double bound;
  Unit unit;
  Worst worst;

  double figure() const { return unit == Unit::places ? worst.distance : worst.absolute; }
  bool isWithin() const { return figure() <= bound; }
};

#define UW_CASE_ONE(call, bound, unit, truth, where) \
  case __COUNTER__ - kFirst - 1:                     \
    result = call;                                   \
    break;
#define UW_CASE(call, bound, unit, low, high, truth, where) UW_CASE_ONE(call, bound, unit, truth, where)

/// Buffers of the device, reused from function to function.
template <class T>
struct Buffers {
  static constexpr int kCount = 1 << 20;
  T* arguments = nullptr;
  T* results = nullptr;
  std::vector<T> given = std::vector<T>(3 * kCount);
  std::vector<T> got = std::vector<T>(kCount);

  Buffers() {
    cudaMalloc(&arguments, sizeof(T) * 3 * kCount);
    cudaMalloc(&results, sizeof(T) * kCount);
  }
  ~Buffers() {
    cudaFree(arguments);
    cudaFree(results);
  }
  template <class Kernel>
  void run(Kernel kernel, int which, int perThread, int count) {
    cudaMemcpy(arguments, given.data(), sizeof(T) * perThread * count, cudaMemcpyHostToDevice);
    kernel<<<(count + 255) / 256, 256>>>(which, arguments, results, count);
    cudaMemcpy(got.data(), results, sizeof(T) * count, cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) {
      std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
      std::exit(2);
    }
  }
};

template <class T>
Worst judge(const Subject<T>& subject, const Buffers<T>& buffers, int perThread, int count) {
  Worst worst;
  std::mutex guard;
  inParallel(static_cast<size_t>(count), [&](size_t first, size_t last) {
    Worst own;
    for (size_t i = first; i < last; ++i) {
      const T* given = &buffers.given[i * perThread];
      T y = perThread > 1 ? given[1] : T(0), z = perThread > 1 ? given[2] : T(0);
      if (!subject.counts(given[0])) continue;
      T got = buffers.got[i];
      own.add(errorOf<T>(got, subject.truth(given[0], y, z, got)), {double(given[0]), double(y), double(z)});
    }
    std::lock_guard<std::mutex> lock(guard);
    worst.add(own);
  });
  return worst;
}

/// Other functions on `samples` arguments drawn by a fixed rule.
template <class T, class Kernel>
std::vector<Row> measureDrawn(const std::vector<Subject<T>>& subjects, Kernel kernel, uint64_t samples,
                              const std::string& filter = "") {
  Buffers<T> buffers;
  std::vector<Row> rows;
  for (size_t which = 0; which < subjects.size(); ++which) {
    const Subject<T>& subject = subjects[which];
    if (subject.name.find(filter) == std::string::npos) continue;
    Arguments<T> arguments(subject.low, subject.high, which + 1);
    Worst worst;
    for (uint64_t done = 0; done < samples;) {
      int count = static_cast<int>(std::min<uint64_t>(samples - done, Buffers<T>::kCount));
      for (int i = 0; i < 3 * count; ++i) buffers.given[i] = arguments.next();
      buffers.run(kernel, static_cast<int>(which), 3, count);
      worst.add(judge(subject, buffers, 3, count));
      done += static_cast<uint64_t>(count);
    }
    rows.push_back({subject.name, subject.bound, subject.unit, worst});
  }
  return rows;
}

/// How many functions are above their bounds; says which.
inline int countAbove(const std::vector<Row>& rows) {
  int count = 0;
  for (const Row& row : rows) {
    if (row.isWithin()) continue;
    std::printf("%s: %g, published %g, worst at %.17g %.17g %.17g\n", row.name.c_str(), row.figure(), row.bound,
                row.worst.at[0], row.worst.at[1], row.worst.at[2]);
    ++count;
  }
  if (rows.empty()) std::printf("nothing was measured\n");
  return rows.empty() ? 1 : count;
}

#ifdef UW_MEASURE_FLOAT_ONE
__global__ void floatOne(int which, const float* xs, float* results, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = xs[i], result = 0;
  constexpr int kFirst = __COUNTER__;
  switch (which) { UW_FLOAT_ONE(UW_CASE_ONE) }
  results[i] = result;
}
inline std::vector<Subject<float>> floatOneSubjects() {
#define UW_SUBJECT(call, bound, unit, truth, where)    \
  {#call,                                              \
   bound,                                              \
   Unit::unit,                                         \
   0,                                                  \
   0,                                                  \
   [](float argument, float, float, float) -> double { \
     double x = argument;                              \
     return truth;                                     \
   },                                                  \
   [](float x) { return where; }},
  return {UW_FLOAT_ONE(UW_SUBJECT)};
#undef UW_SUBJECT
}
/// Float functions of one argument on every `step`-th bit pattern; 1 tries all 2^32.
inline std::vector<Row> measureFloatOne(uint64_t step, const std::string& filter = "") {
  Buffers<float> buffers;
  std::vector<Row> rows;
  std::vector<Subject<float>> subjects = floatOneSubjects();
  for (size_t which = 0; which < subjects.size(); ++which) {
    const Subject<float>& subject = subjects[which];
    if (subject.name.find(filter) == std::string::npos) continue;
    Worst worst;
    for (uint64_t bits = 0; bits < 1ull << 32;) {
      int count = 0;
      for (; count < Buffers<float>::kCount && bits < 1ull << 32; ++count, bits += step) {
        buffers.given[count] = std::bit_cast<float>(static_cast<uint32_t>(bits));
      }
      buffers.run(floatOne, static_cast<int>(which), 1, count);
      worst.add(judge(subject, buffers, 1, count));
    }
    rows.push_back({subject.name, subject.bound, subject.unit, worst});
  }
  return rows;
}
#endif

#ifdef UW_MEASURE_FLOAT_MANY
__global__ void floatMany(int which, const float* values, float* results, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = values[3 * i], y = values[3 * i + 1], z = values[3 * i + 2], result = z;
  constexpr int kFirst = __COUNTER__;
  switch (which) { UW_FLOAT_MANY(UW_CASE) }
  results[i] = result;
}
inline std::vector<Subject<float>> floatManySubjects() {
#define UW_SUBJECT(call, bound, unit, low, high, truth, where) \
  {#call,                                                      \
   bound,                                                      \
   Unit::unit,                                                 \
   low,                                                        \
   high,                                                       \
   [](float a, float b, float c, float) -> double {            \
     double x = a, y = b, z = c;                               \
     (void)y, (void)z;                                         \
     return truth;                                             \
   },                                                          \
   [](float x) {                                               \
     (void)x;                                                  \
     return where;                                             \
   }},
  return {UW_FLOAT_MANY(UW_SUBJECT)};
#undef UW_SUBJECT
}
inline std::vector<Row> measureFloatMany(uint64_t samples, const std::string& filter = "") {
  return measureDrawn(floatManySubjects(), floatMany, samples, filter);
}
#endif

#ifdef UW_MEASURE_DOUBLE
__global__ void doubles(int which, const double* values, double* results, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  double x = values[3 * i], y = values[3 * i + 1], z = values[3 * i + 2], result = z;
  constexpr int kFirst = __COUNTER__;
  switch (which) { UW_DOUBLE(UW_CASE) }
  results[i] = result;
}

inline std::vector<Subject<double>> doubleSubjects() {
#define UW_SUBJECT(call, bound, unit, low, high, truth, where) \
  {#call,                                                      \
   bound,                                                      \
   Unit::unit,                                                 \
   low,                                                        \
   high,                                                       \
   [](double a, double b, double c, double got) -> Wide {      \
     Wide x = a, y = b, z = c;                                 \
     (void)y, (void)z, (void)got;                              \
     return truth;                                             \
   },                                                          \
   [](double x) {                                              \
     (void)x;                                                  \
     return where;                                             \
   }},
  return {UW_DOUBLE(UW_SUBJECT)};
#undef UW_SUBJECT
}
inline std::vector<Row> measureDouble(uint64_t samples, const std::string& filter = "") {
  return measureDrawn(doubleSubjects(), doubles, samples, filter);
}
#endif

}  // namespace ulp
