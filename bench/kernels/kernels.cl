// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of kernels.cu as OpenCL 1.2. Constants of harness.h come as definitions when it is built. No kernel with
// shuffles: what pocl 3.1 has no extension for cannot be compared.

kernel void saxpy(int n, float a, global const float* x, global float* y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

kernel void stencil(int n, global const float* in, global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int at = y * n + x;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

kernel void convolution(int n, constant float* filter, global const float* in, global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) sum += filter[(dy + 1) * 3 + dx + 1] * in[(y + dy) * n + x + dx];
  }
  out[y * n + x] = sum;
}

float normalBelow(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float poly = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228040143267794f * exp(-0.5f * d * d) * poly;
  return d > 0 ? 1.0f - tail : tail;
}

kernel void black_scholes(int n, global const float* price, global const float* strike, global const float* years,
                          global float* call, global float* put) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = price[i], x = strike[i], t = years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (RISKLESS + 0.5f * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * root);
  float d2 = d1 - VOLATILITY * root;
  float below1 = normalBelow(d1), below2 = normalBelow(d2);
  float discounted = x * exp(-RISKLESS * t);
  call[i] = s * below1 - discounted * below2;
  put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
}

kernel void mandelbrot(int n, global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  float real = -2.0f + 3.0f * x / n, imaginary = -1.5f + 3.0f * y / n;
  float a = 0, b = 0;
  int step = 0;
  while (step < ITERATIONS && a * a + b * b < 4.0f) {
    float next = a * a - b * b + real;
    b = 2.0f * a * b + imaginary;
    a = next;
    ++step;
  }
  out[y * n + x] = step;
}

kernel void gemm(int n, global const float* a, global const float* b, global float* c) {
  int column = get_global_id(0), row = get_global_id(1);
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

kernel void atax_rows(int n, global const float* a, global const float* x, global float* product) {
  int row = get_global_id(0);
  if (row >= n) return;
  float sum = 0;
  for (int column = 0; column < n; ++column) sum += a[row * n + column] * x[column];
  product[row] = sum;
}

kernel void atax_columns(int n, global const float* a, global const float* product, global float* y) {
  int column = get_global_id(0);
  if (column >= n) return;
  float sum = 0;
  for (int row = 0; row < n; ++row) sum += a[row * n + column] * product[row];
  y[column] = sum;
}

kernel void matmul(int n, global const float* a, global const float* b, global float* c) {
  local float tileA[TILE][TILE], tileB[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    tileA[ty][tx] = a[row * n + first + tx];
    tileB[ty][tx] = b[(first + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += tileA[ty][k] * tileB[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

kernel void nbody(int n, global const float4* bodies, global float4* forces) {
  local float4 tile[BLOCK];
  int i = get_global_id(0), t = get_local_id(0);
  float4 own = bodies[i];
  float fx = 0, fy = 0, fz = 0;
  for (int first = 0; first < n; first += BLOCK) {
    tile[t] = bodies[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < BLOCK; ++j) {
      float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      float inverse = rsqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
      float strength = tile[j].w * inverse * inverse * inverse;
      fx += dx * strength;
      fy += dy * strength;
      fz += dz * strength;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  forces[i] = (float4)(fx, fy, fz, 0);
}

kernel void reduce(global const float* in, global float* sums) {
  local float part[BLOCK];
  int t = get_local_id(0);
  part[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = part[0];
}

kernel void scan(global const float* in, global float* out) {
  local float part[2][BLOCK];
  int t = get_local_id(0), from = 0;
  part[0][t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < BLOCK; distance *= 2) {
    part[1 - from][t] = t >= distance ? part[from][t] + part[from][t - distance] : part[from][t];
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = part[from][t];
}

kernel void histogram(global const uint* in, global uint* counts) {
  local uint own[BINS];
  int t = get_local_id(0);
  own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int first = get_group_id(0) * BLOCK * PER_THREAD + t;
  for (int i = 0; i < PER_THREAD; ++i) atomic_inc(&own[in[first + i * BLOCK]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[t], own[t]);
}

kernel void softmax(int columns, global const float* in, global float* out) {
  local float part[BLOCK];
  int t = get_local_id(0), base = get_group_id(0) * columns;
  float most = -INFINITY;
  for (int i = t; i < columns; i += BLOCK) most = fmax(most, in[base + i]);
  part[t] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    if (t < distance) part[t] = fmax(part[t], part[t + distance]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = t; i < columns; i += BLOCK) sum += exp(in[base + i] - most);
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float scale = 1.0f / part[0];
  for (int i = t; i < columns; i += BLOCK) out[base + i] = exp(in[base + i] - most) * scale;
}
