// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic that C++ leaves undefined and GPUs define: shifts past the word wrap, conversions of floats saturate and take
// NaN to 0, divisions by zero trap nobody. Also in loops that the optimiser turns into vectors, and with operands it
// could work out.
#include "check.h"
#include <cmath>
#include <climits>
__global__ void shifts(unsigned* out, unsigned long long* wide, const unsigned* by, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i * 3] = 0x12345678u << by[i];
  out[i * 3 + 1] = 0x92345678u >> by[i];
  out[i * 3 + 2] = unsigned(int(0x92345678u) >> by[i]);
  wide[i] = 0x923456789abcdef0ull << by[i];
}
__global__ void conversions(const float* in, const double* wide, long long* out, unsigned n) {
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    long long* own = out + i * 8;
    own[0] = int(in[i]);
    own[1] = unsigned(in[i]);
    own[2] = (long long)(in[i]);
    own[3] = (long long)((unsigned long long)(in[i]) >> 1);
    own[4] = int(wide[i]);
    own[5] = unsigned(wide[i]);
    own[6] = (unsigned char)(in[i]);
    own[7] = short(wide[i]);
  }
}
__global__ void divisions(const int* a, const int* b, int* out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i * 4] = a[i] / b[i];
  out[i * 4 + 1] = a[i] % b[i];
  out[i * 4 + 2] = int(unsigned(a[i]) / unsigned(b[i]));
  out[i * 4 + 3] = int(unsigned(a[i]) % unsigned(b[i]));
}
template <class To>
long long clamped(double x, double low, double high) {
  if (x != x) return 0;
  x = trunc(x);
  return x <= low ? (long long)(To)(low) : x >= high ? (long long)(To)(high) : (long long)(To)(x);
}
int main() {
  std::vector<unsigned> by;
  for (unsigned i = 0; i < 300; ++i) by.push_back(i % 130);
  unsigned *dby = toDevice(by), *dout = toDevice(std::vector<unsigned>(900));
  auto* dwide = toDevice(std::vector<unsigned long long>(300));
  shifts<<<2, 160>>>(dout, dwide, dby, 300);
  auto out = toHost(dout, 900);
  auto wide = toHost(dwide, 300);
  for (unsigned i = 0; i < 300; ++i) {
    unsigned s = by[i] % 32;
    checkEqual("shl", i, out[i * 3], 0x12345678u << s);
    checkEqual("shr", i, out[i * 3 + 1], 0x92345678u >> s);
    checkEqual("sar", i, out[i * 3 + 2], unsigned(int(0x92345678u) >> s));
    CHECK(wide[i] == 0x923456789abcdef0ull << by[i] % 64);
  }
  std::vector<float> in = {0.f, -0.f, 1.9f, -1.9f, 2147483648.f, -2147483648.f, 4e9f, 5e9f, -1e10f, 1e20f, -1e20f, 1e30f,
                           INFINITY, -INFINITY, NAN, 255.5f, 200.7f, -3.f};
  std::vector<double> doubles(in.begin(), in.end());
  auto* dlong = toDevice(std::vector<long long>(in.size() * 8));
  conversions<<<1, 32>>>(toDevice(in), toDevice(doubles), dlong, in.size());
  auto got = toHost(dlong, in.size() * 8);
  for (size_t i = 0; i < in.size(); ++i) {
    double x = in[i];
    long long asInt = clamped<int>(x, INT_MIN, INT_MAX), asUnsigned = clamped<unsigned>(x, 0, UINT_MAX);
    long long asLong = x != x ? 0 : x >= 9223372036854775808.0 ? LLONG_MAX : x <= -9223372036854775808.0 ? LLONG_MIN : (long long)x;
    unsigned long long asULong = x != x || x <= 0 ? 0 : x >= 18446744073709551616.0 ? ULLONG_MAX : (unsigned long long)x;
    long long expected[8] = {asInt, asUnsigned, asLong, (long long)(asULong >> 1), asInt, asUnsigned,
                             (unsigned char)asUnsigned, short(asInt)};
    for (int k = 0; k < 8; ++k) {
      if (got[i * 8 + k] != expected[k] && wrongs()++ < 10)
        printf("conversion %d of %g is %lld, expected %lld\n", k, x, got[i * 8 + k], expected[k]);
    }
  }
  std::vector<int> a, b;
  for (int x : {7, -7, 0, INT_MIN, INT_MAX})
    for (int y : {0, -1, 1, 3, -3, INT_MIN}) a.push_back(x), b.push_back(y);
  int* dq = toDevice(std::vector<int>(a.size() * 4));
  divisions<<<1, 64>>>(toDevice(a), toDevice(b), dq, a.size());
  auto q = toHost(dq, a.size() * 4);
  for (size_t i = 0; i < a.size(); ++i) {
    bool overflow = a[i] == INT_MIN && b[i] == -1;
    checkEqual("quotient", i, q[i * 4], b[i] == 0 ? -1 : overflow ? INT_MIN : a[i] / b[i]);
    checkEqual("remainder", i, q[i * 4 + 1], b[i] == 0 ? a[i] : overflow ? 0 : a[i] % b[i]);
    checkEqual("unsigned quotient", i, q[i * 4 + 2], b[i] == 0 ? -1 : int(unsigned(a[i]) / unsigned(b[i])));
    checkEqual("unsigned remainder", i, q[i * 4 + 3], b[i] == 0 ? a[i] : int(unsigned(a[i]) % unsigned(b[i])));
  }
  return wrongs() != 0;
}
