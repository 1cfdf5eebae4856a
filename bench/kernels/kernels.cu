// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The speed baseline as CUDA: fourteen kernels the way programs write them, launch and wait included in the time. The
// same computations stand in native.cpp as loops for a CPU and in kernels.cl as OpenCL.
#include <cuda_runtime.h>

#include <memory>

#include "harness.h"

using namespace speed;

namespace {

// ---- kernels whose threads never meet --------------------------------------------------------------------------------

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stencil(int n, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int at = y * n + x;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

__constant__ float gFilter[9];

__global__ void convolution(int n, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) sum += gFilter[(dy + 1) * 3 + dx + 1] * in[(y + dy) * n + x + dx];
  }
  out[y * n + x] = sum;
}

// The distribution function of the normal distribution as a polynomial (Abramowitz and Stegun 26.2.17).
__device__ float normalBelow(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float poly = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228040143267794f * expf(-0.5f * d * d) * poly;
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void blackScholes(int n, const float* price, const float* strike, const float* years, float* call,
                             float* put) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = price[i], x = strike[i], t = years[i];
  float root = sqrtf(t);
  float d1 = (logf(s / x) + (kRiskless + 0.5f * kVolatility * kVolatility) * t) / (kVolatility * root);
  float d2 = d1 - kVolatility * root;
  float below1 = normalBelow(d1), below2 = normalBelow(d2);
  float discounted = x * expf(-kRiskless * t);
  call[i] = s * below1 - discounted * below2;
  put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
}

__global__ void mandelbrot(int n, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float real = -2.0f + 3.0f * x / n, imaginary = -1.5f + 3.0f * y / n;
  float a = 0, b = 0;
  int step = 0;
  while (step < kIterations && a * a + b * b < 4.0f) {
    float next = a * a - b * b + real;
    b = 2.0f * a * b + imaginary;
    a = next;
    ++step;
  }
  out[y * n + x] = step;
}

__global__ void gemm(int n, const float* a, const float* b, float* c) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void ataxRows(int n, const float* a, const float* x, float* product) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int column = 0; column < n; ++column) sum += a[row * n + column] * x[column];
  product[row] = sum;
}

__global__ void ataxColumns(int n, const float* a, const float* product, float* y) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n) return;
  float sum = 0;
  for (int row = 0; row < n; ++row) sum += a[row * n + column] * product[row];
  y[column] = sum;
}

// ---- kernels with barriers -------------------------------------------------------------------------------------------

__global__ void matmul(int n, const float* a, const float* b, float* c) {
  __shared__ float tileA[kTile][kTile], tileB[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * kTile + tx, row = blockIdx.y * kTile + ty;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tileA[ty][tx] = a[row * n + first + tx];
    tileB[ty][tx] = b[(first + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tileA[ty][k] * tileB[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void nbody(int n, const float4* bodies, float4* forces) {
  __shared__ float4 tile[kBlock];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = bodies[i];
  float fx = 0, fy = 0, fz = 0;
  for (int first = 0; first < n; first += kBlock) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kBlock; ++j) {
      float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kSoftening);
      float strength = tile[j].w * inverse * inverse * inverse;
      fx += dx * strength;
      fy += dy * strength;
      fz += dz * strength;
    }
    __syncthreads();
  }
  forces[i] = make_float4(fx, fy, fz, 0);
}

__global__ void reduce(const float* in, float* sums) {
  __shared__ float part[kBlock];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * kBlock + t];
  __syncthreads();
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// Inclusive, within each block.
__global__ void scan(const float* in, float* out) {
  __shared__ float part[2][kBlock];
  int t = threadIdx.x, from = 0;
  part[0][t] = in[blockIdx.x * kBlock + t];
  __syncthreads();
  for (int distance = 1; distance < kBlock; distance *= 2) {
    part[1 - from][t] = t >= distance ? part[from][t] + part[from][t - distance] : part[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * kBlock + t] = part[from][t];
}

__global__ void histogram(const unsigned* in, unsigned* counts) {
  __shared__ unsigned own[kBins];
  own[threadIdx.x] = 0;
  __syncthreads();
  unsigned first = blockIdx.x * kBlock * kPerThread + threadIdx.x;
  for (int i = 0; i < kPerThread; ++i) atomicAdd(&own[in[first + i * kBlock]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// One block for each row.
__global__ void softmax(int columns, const float* in, float* out) {
  __shared__ float part[kBlock];
  int t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  float most = -INFINITY;
  for (int i = t; i < columns; i += kBlock) most = fmaxf(most, row[i]);
  part[t] = most;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) part[t] = fmaxf(part[t], part[t + half]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += kBlock) sum += expf(row[i] - most);
  part[t] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  float scale = 1.0f / part[0];
  for (int i = t; i < columns; i += kBlock) out[blockIdx.x * columns + i] = expf(row[i] - most) * scale;
}

// ---- a kernel with warp operations -----------------------------------------------------------------------------------

// One sum for each row of 32 threads, whatever the warp's width.
__global__ void shuffleReduce(const float* in, float* sums) {
  int t = threadIdx.y * 32 + threadIdx.x;
  float sum = in[blockIdx.x * kBlock + t];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, 32);
  if (threadIdx.x == 0) sums[blockIdx.x * (kBlock / 32) + threadIdx.y] = sum;
}

// ---- the host's side -------------------------------------------------------------------------------------------------

void demand(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
struct DeviceArray {
  explicit DeviceArray(size_t count) : count(count) {
    T* raw = nullptr;
    demand(cudaMalloc(&raw, count * sizeof(T)));
    memory.reset(raw, cudaFree);
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    demand(cudaMemcpy(memory.get(), values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  static DeviceArray zeros(size_t count) {
    DeviceArray made(count);
    demand(cudaMemset(made.memory.get(), 0, count * sizeof(T)));
    return made;
  }
  operator T*() const { return memory.get(); }
  std::vector<float> floats() const {
    std::vector<T> values(count);
    demand(cudaMemcpy(values.data(), memory.get(), count * sizeof(T), cudaMemcpyDeviceToHost));
    return std::vector<float>(values.begin(), values.end());
  }

  size_t count;
  std::shared_ptr<T> memory;
};
using Floats = DeviceArray<float>;

void finish() {
  demand(cudaGetLastError());
  demand(cudaDeviceSynchronize());
}

template <class T>
Workload workload(const DeviceArray<T>& out, std::function<void()> launch) {
  return {[launch] { launch(), finish(); }, [out] { return out.floats(); }};
}

Workload prepareSaxpy() {
  Floats x(uniforms(kElements, 1)), y(uniforms(kElements, 2));
  return workload(y, [=] { saxpy<<<kElements / kBlock, kBlock>>>(kElements, 1.5f, x, y); });
}

const dim3 kRowBlock(32, 8);

dim3 gridFor(int edge, dim3 block) {
  return dim3((edge + block.x - 1) / block.x, (edge + block.y - 1) / block.y);
}

Workload prepareStencil() {
  Floats in(uniforms(kImage * kImage, 1)), out = Floats::zeros(kImage * kImage);
  return workload(out, [=] { stencil<<<gridFor(kImage, kRowBlock), kRowBlock>>>(kImage, in, out); });
}

Workload prepareConvolution() {
  Floats in(uniforms(kImage * kImage, 1)), out = Floats::zeros(kImage * kImage);
  std::vector<float> filter = uniforms(9, 3);
  demand(cudaMemcpyToSymbol(gFilter, filter.data(), 9 * sizeof(float)));
  return workload(out, [=] { convolution<<<gridFor(kImage, kRowBlock), kRowBlock>>>(kImage, in, out); });
}

Workload prepareBlackScholes() {
  Floats price(uniforms(kOptions, 1, 5, 30)), strike(uniforms(kOptions, 2, 1, 100)), years(uniforms(kOptions, 3, 0.25f, 10));
  Floats call(kOptions), put(kOptions);
  return workload(call,
                  [=] { blackScholes<<<kOptions / kBlock, kBlock>>>(kOptions, price, strike, years, call, put); });
}

Workload prepareMandelbrot() {
  Floats out(kFractal * kFractal);
  dim3 block(16, 16);
  return workload(out, [=] { mandelbrot<<<gridFor(kFractal, block), block>>>(kFractal, out); });
}

Workload prepareGemm() {
  Floats a(uniforms(kGemm * kGemm, 1)), b(uniforms(kGemm * kGemm, 2)), c(kGemm * kGemm);
  return workload(c, [=] { gemm<<<gridFor(kGemm, kRowBlock), kRowBlock>>>(kGemm, a, b, c); });
}

Workload prepareAtax() {
  Floats a(uniforms(kAtax * kAtax, 1)), x(uniforms(kAtax, 2)), product(kAtax), y(kAtax);
  return workload(y, [=] {
    ataxRows<<<kAtax / kBlock, kBlock>>>(kAtax, a, x, product);
    ataxColumns<<<kAtax / kBlock, kBlock>>>(kAtax, a, product, y);
  });
}

Workload prepareMatmul() {
  Floats a(uniforms(kGemm * kGemm, 1)), b(uniforms(kGemm * kGemm, 2)), c(kGemm * kGemm);
  dim3 block(kTile, kTile);
  return workload(c, [=] { matmul<<<gridFor(kGemm, block), block>>>(kGemm, a, b, c); });
}

Workload prepareNbody() {
  Floats bodies(uniforms(kBodies * 4, 1)), forces(kBodies * 4);
  return workload(forces, [=] {
    nbody<<<kBodies / kBlock, kBlock>>>(kBodies, reinterpret_cast<const float4*>(bodies.memory.get()),
                                        reinterpret_cast<float4*>(forces.memory.get()));
  });
}

Workload prepareReduce() {
  Floats in(uniforms(kElements, 1)), sums(kElements / kBlock);
  return workload(sums, [=] { reduce<<<kElements / kBlock, kBlock>>>(in, sums); });
}

Workload prepareScan() {
  Floats in(uniforms(kElements, 1)), out(kElements);
  return workload(out, [=] { scan<<<kElements / kBlock, kBlock>>>(in, out); });
}

Workload prepareHistogram() {
  DeviceArray<uint32_t> in(bins(kElements)), counts = DeviceArray<uint32_t>::zeros(kBins);
  return workload(counts, [=] { histogram<<<kElements / kBlock / kPerThread, kBlock>>>(in, counts); });
}

Workload prepareSoftmax() {
  Floats in(uniforms(kRows * kColumns, 1, -4, 4)), out(kRows * kColumns);
  return workload(out, [=] { softmax<<<kRows, kBlock>>>(kColumns, in, out); });
}

Workload prepareShuffleReduce() {
  Floats in(uniforms(kElements, 1)), sums(kElements / 32);
  return workload(sums, [=] { shuffleReduce<<<kElements / kBlock, kRowBlock>>>(in, sums); });
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
                   {"matmul", prepareMatmul},
                   {"nbody", prepareNbody},
                   {"reduce", prepareReduce},
                   {"scan", prepareScan},
                   {"histogram", prepareHistogram},
                   {"softmax", prepareSoftmax},
                   {"shuffle_reduce", prepareShuffleReduce}});
}
