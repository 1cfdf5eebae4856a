// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The speed baseline as loops for a CPU: what a programmer would write who never had a GPU in mind, with OpenMP and in
// the order that suits caches and vector units. Built with -O3 -march=native -fopenmp and nothing that changes results.
#include <algorithm>
#include <cmath>
#include <memory>

#include "harness.h"

using namespace speed;

namespace {

using Floats = std::shared_ptr<std::vector<float>>;

Floats floats(std::vector<float> values) {
  return std::make_shared<std::vector<float>>(std::move(values));
}

Floats zeros(size_t count) {
  return floats(std::vector<float>(count));
}

template <class Run>
Workload workload(Floats out, Run run) {
  return {run, [out] { return *out; }};
}

// ---- no synchronisation in the CUDA form
// -----------------------------------------------------------------------------

void saxpy(int n, float a, const float* x, float* y) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void stencil(int n, const float* in, float* out) {
#pragma omp parallel for
  for (int y = 1; y < n - 1; ++y) {
    for (int x = 1; x < n - 1; ++x) {
      int at = y * n + x;
      out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
    }
  }
}

void convolution(int n, const float* filter, const float* in, float* out) {
#pragma omp parallel for
  for (int y = 1; y < n - 1; ++y) {
    for (int x = 1; x < n - 1; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) sum += filter[(dy + 1) * 3 + dx + 1] * in[(y + dy) * n + x + dx];
      }
      out[y * n + x] = sum;
    }
  }
}

// Abramowitz and Stegun 26.2.17.
float normalBelow(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  float poly = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228040143267794f * std::exp(-0.5f * d * d) * poly;
  return d > 0 ? 1.0f - tail : tail;
}

void blackScholes(int n, const float* price, const float* strike, const float* years, float* call, float* put) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float s = price[i], x = strike[i], t = years[i];
    float root = std::sqrt(t);
    float d1 = (std::log(s / x) + (kRiskless + 0.5f * kVolatility * kVolatility) * t) / (kVolatility * root);
    float d2 = d1 - kVolatility * root;
    float below1 = normalBelow(d1), below2 = normalBelow(d2);
    float discounted = x * std::exp(-kRiskless * t);
    call[i] = s * below1 - discounted * below2;
    put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
  }
}

void mandelbrot(int n, float* out) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      float real = -2.0f + 3.0f * x / n, imaginary = -1.5f + 3.0f * y / n;
      float a = 0, b = 0;
      int step = 0;
      while (step < kIterations && a * a + b * b < 4.0f) {
        float next = a * a - b * b + real;
        b = 2.0f * a * b + imaginary;
        a = next;
        ++step;
      }
      out[y * n + x] = static_cast<float>(step);
    }
  }
}

void gemm(int n, const float* a, const float* b, float* c) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row) {
    float* out = c + row * n;
    std::fill_n(out, n, 0.0f);
    for (int k = 0; k < n; ++k) {
      float scale = a[row * n + k];
      for (int column = 0; column < n; ++column) out[column] += scale * b[k * n + column];
    }
  }
}

// Both products go through the matrix row by row; each thread has a share of the columns of the second.
void atax(int n, const float* a, const float* x, float* product, float* y) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int column = 0; column < n; ++column) sum += a[row * n + column] * x[column];
    product[row] = sum;
  }
  constexpr int kShare = 256;
#pragma omp parallel for
  for (int first = 0; first < n; first += kShare) {
    std::fill_n(y + first, kShare, 0.0f);
    for (int row = 0; row < n; ++row) {
      for (int i = first; i < first + kShare; ++i) y[i] += a[row * n + i] * product[row];
    }
  }
}

// ---- barriers or warp operations in the CUDA form
// --------------------------------------------------------------------

void nbody(int n, const float* bodies, float* forces) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const float* own = bodies + 4 * i;
    float fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
    for (int j = 0; j < n; ++j) {
      const float* other = bodies + 4 * j;
      float dx = other[0] - own[0], dy = other[1] - own[1], dz = other[2] - own[2];
      float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + kSoftening);
      float strength = other[3] * inverse * inverse * inverse;
      fx += dx * strength;
      fy += dy * strength;
      fz += dz * strength;
    }
    forces[4 * i] = fx;
    forces[4 * i + 1] = fy;
    forces[4 * i + 2] = fz;
  }
}

void sumsOf(int share, const float* in, float* sums) {
#pragma omp parallel for
  for (int group = 0; group < kElements / share; ++group) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < share; ++i) sum += in[group * share + i];
    sums[group] = sum;
  }
}

void scan(const float* in, float* out) {
#pragma omp parallel for
  for (int first = 0; first < kElements; first += kBlock) {
    float sum = 0;
    for (int i = first; i < first + kBlock; ++i) out[i] = sum += in[i];
  }
}

void histogram(const uint32_t* in, uint32_t* counts) {
#pragma omp parallel
  {
    uint32_t own[kBins] = {};
#pragma omp for
    for (int i = 0; i < kElements; ++i) ++own[in[i]];
#pragma omp critical
    for (int i = 0; i < kBins; ++i) counts[i] += own[i];
  }
}

void softmax(int columns, const float* in, float* out) {
#pragma omp parallel for
  for (int row = 0; row < kRows; ++row) {
    const float* from = in + row * columns;
    float* to = out + row * columns;
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < columns; ++i) most = std::max(most, from[i]);
    for (int i = 0; i < columns; ++i) sum += to[i] = std::exp(from[i] - most);
    for (int i = 0; i < columns; ++i) to[i] *= 1.0f / sum;
  }
}

// ---- inputs
// ----------------------------------------------------------------------------------------------------------

Workload prepareSaxpy() {
  Floats x = floats(uniforms(kElements, 1)), y = floats(uniforms(kElements, 2));
  return workload(y, [=] { saxpy(kElements, 1.5f, x->data(), y->data()); });
}

Workload prepareStencil() {
  Floats in = floats(uniforms(kImage * kImage, 1)), out = zeros(kImage * kImage);
  return workload(out, [=] { stencil(kImage, in->data(), out->data()); });
}

Workload prepareConvolution() {
  Floats in = floats(uniforms(kImage * kImage, 1)), out = zeros(kImage * kImage), filter = floats(uniforms(9, 3));
  return workload(out, [=] { convolution(kImage, filter->data(), in->data(), out->data()); });
}

Workload prepareBlackScholes() {
  Floats price = floats(uniforms(kOptions, 1, 5, 30)), strike = floats(uniforms(kOptions, 2, 1, 100));
  Floats years = floats(uniforms(kOptions, 3, 0.25f, 10)), call = zeros(kOptions), put = zeros(kOptions);
  return workload(
      call, [=] { blackScholes(kOptions, price->data(), strike->data(), years->data(), call->data(), put->data()); });
}

Workload prepareMandelbrot() {
  Floats out = zeros(kFractal * kFractal);
  return workload(out, [=] { mandelbrot(kFractal, out->data()); });
}

// Also the yardstick of the tiled product, whose tiles are a GPU's.
Workload prepareGemm() {
  Floats a = floats(uniforms(kGemm * kGemm, 1)), b = floats(uniforms(kGemm * kGemm, 2)), c = zeros(kGemm * kGemm);
  return workload(c, [=] { gemm(kGemm, a->data(), b->data(), c->data()); });
}

Workload prepareAtax() {
  Floats a = floats(uniforms(kAtax * kAtax, 1)), x = floats(uniforms(kAtax, 2));
  Floats product = zeros(kAtax), y = zeros(kAtax);
  return workload(y, [=] { atax(kAtax, a->data(), x->data(), product->data(), y->data()); });
}

Workload prepareNbody() {
  Floats bodies = floats(uniforms(kBodies * 4, 1)), forces = zeros(kBodies * 4);
  return workload(forces, [=] { nbody(kBodies, bodies->data(), forces->data()); });
}

Workload prepareSums(int share) {
  Floats in = floats(uniforms(kElements, 1)), sums = zeros(kElements / share);
  return workload(sums, [=] { sumsOf(share, in->data(), sums->data()); });
}

Workload prepareScan() {
  Floats in = floats(uniforms(kElements, 1)), out = zeros(kElements);
  return workload(out, [=] { scan(in->data(), out->data()); });
}

Workload prepareHistogram() {
  auto in = std::make_shared<std::vector<uint32_t>>(bins(kElements));
  auto counts = std::make_shared<std::vector<uint32_t>>(kBins);
  return {[=] { histogram(in->data(), counts->data()); },
          [=] { return std::vector<float>(counts->begin(), counts->end()); }};
}

Workload prepareSoftmax() {
  Floats in = floats(uniforms(kRows * kColumns, 1, -4, 4)), out = zeros(kRows * kColumns);
  return workload(out, [=] { softmax(kColumns, in->data(), out->data()); });
}

}  // namespace

int main(int count, char** names) {
  return runNamed(count, names,
                  {{"saxpy", prepareSaxpy},
                   {"stencil", prepareStencil},
                   {"convolution", prepareConvolution},
                   {"black_scholes", prepareBlackScholes},
                   {"mandelbrot", prepareMandelbrot},
                   {"gemm", prepareGemm},
                   {"atax", prepareAtax},
                   {"matmul", prepareGemm},
                   {"nbody", prepareNbody},
                   {"reduce", [] { return prepareSums(kBlock); }},
                   {"scan", prepareScan},
                   {"histogram", prepareHistogram},
                   {"softmax", prepareSoftmax},
                   {"shuffle_reduce", [] { return prepareSums(32); }}});
}
