// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels.cl on the first OpenCL device there is (Debian's pocl when `./dev bench --kernels` set it up), with the
// inputs and launch shapes of kernels.cu. SPEED_KERNELS is the path of kernels.cl, given when this is compiled.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "harness.h"

using namespace speed;

namespace {

void demand(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "OpenCL: %s failed with %d\n", what, error);
  std::exit(1);
}

std::string constants() {
  std::ostringstream out;
  out << "-DRISKLESS=" << kRiskless << "f -DVOLATILITY=" << kVolatility << "f -DSOFTENING=" << kSoftening
      << "f -DITERATIONS=" << kIterations << " -DBLOCK=" << kBlock << " -DBINS=" << kBins
      << " -DPER_THREAD=" << kPerThread << " -DTILE=" << kTile;
  return out.str();
}

struct Device {
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;

  Device() {
    cl_platform_id platform = nullptr;
    demand(clGetPlatformIDs(1, &platform, nullptr), "looking for a platform");
    demand(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr), "looking for a device");
    cl_int error = 0;
    context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &error);
    demand(error, "making a context");
    queue = clCreateCommandQueue(context, id, 0, &error);
    demand(error, "making a queue");
    std::ifstream file(SPEED_KERNELS);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const char* source = text.c_str();
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    demand(error, "reading kernels.cl");
    demand(clBuildProgram(program, 1, &id, constants().c_str(), nullptr, nullptr), "building kernels.cl");
  }
};

Device& device() {
  static Device instance;
  return instance;
}

// Handles are shared by the copies of the functions that use them and live as long as the program.
struct Buffer {
  explicit Buffer(size_t count, const void* values = nullptr) : count(count) {
    cl_int error = 0;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (values ? CL_MEM_COPY_HOST_PTR : 0);
    memory = clCreateBuffer(device().context, flags, count * 4, const_cast<void*>(values), &error);
    demand(error, "making a buffer");
  }
  explicit Buffer(const std::vector<float>& values) : Buffer(values.size(), values.data()) {}
  static Buffer zeros(size_t count) { return Buffer(std::vector<float>(count)); }

  template <class T>
  std::vector<float> floats() const {
    std::vector<T> values(count);
    demand(clEnqueueReadBuffer(device().queue, memory, CL_TRUE, 0, count * 4, values.data(), 0, nullptr, nullptr),
           "reading a buffer");
    return std::vector<float>(values.begin(), values.end());
  }

  size_t count;
  cl_mem memory = nullptr;
};

struct Shape {
  std::array<size_t, 2> global;
  std::array<size_t, 2> local;
};

Shape line(size_t threads) {
  return {{threads, 1}, {kBlock, 1}};
}

Shape square(size_t edge, size_t width, size_t height) {
  return {{edge, edge}, {width, height}};
}

void set(cl_kernel kernel, cl_uint index, const Buffer& buffer) {
  demand(clSetKernelArg(kernel, index, sizeof(cl_mem), &buffer.memory), "setting a buffer");
}

template <class T>
void set(cl_kernel kernel, cl_uint index, const T& value) {
  demand(clSetKernelArg(kernel, index, sizeof value, &value), "setting a value");
}

template <class... Arguments>
std::function<void()> launch(const char* name, Shape shape, const Arguments&... arguments) {
  cl_int error = 0;
  cl_kernel kernel = clCreateKernel(device().program, name, &error);
  demand(error, name);
  cl_uint index = 0;
  (set(kernel, index++, arguments), ...);
  return [kernel, shape] {
    demand(clEnqueueNDRangeKernel(device().queue, kernel, 2, nullptr, shape.global.data(), shape.local.data(), 0,
                                  nullptr, nullptr),
           "a launch");
    demand(clFinish(device().queue), "waiting");
  };
}

Workload workload(const Buffer& out, std::function<void()> run) {
  return {std::move(run), [out] { return out.floats<float>(); }};
}

Workload prepareSaxpy() {
  Buffer x(uniforms(kElements, 1)), y(uniforms(kElements, 2));
  return workload(y, launch("saxpy", line(kElements), kElements, 1.5f, x, y));
}

Workload prepareStencil() {
  Buffer in(uniforms(kImage * kImage, 1)), out = Buffer::zeros(kImage * kImage);
  return workload(out, launch("stencil", square(kImage, 32, 8), kImage, in, out));
}

Workload prepareConvolution() {
  Buffer in(uniforms(kImage * kImage, 1)), out = Buffer::zeros(kImage * kImage), filter(uniforms(9, 3));
  return workload(out, launch("convolution", square(kImage, 32, 8), kImage, filter, in, out));
}

Workload prepareBlackScholes() {
  Buffer price(uniforms(kOptions, 1, 5, 30)), strike(uniforms(kOptions, 2, 1, 100));
  Buffer years(uniforms(kOptions, 3, 0.25f, 10)), call(kOptions), put(kOptions);
  return workload(call, launch("black_scholes", line(kOptions), kOptions, price, strike, years, call, put));
}

Workload prepareMandelbrot() {
  Buffer out(kFractal * kFractal);
  return workload(out, launch("mandelbrot", square(kFractal, 16, 16), kFractal, out));
}

Workload prepareGemm() {
  Buffer a(uniforms(kGemm * kGemm, 1)), b(uniforms(kGemm * kGemm, 2)), c(kGemm * kGemm);
  return workload(c, launch("gemm", square(kGemm, 32, 8), kGemm, a, b, c));
}

Workload prepareAtax() {
  Buffer a(uniforms(kAtax * kAtax, 1)), x(uniforms(kAtax, 2)), product(kAtax), y(kAtax);
  auto rows = launch("atax_rows", line(kAtax), kAtax, a, x, product);
  auto columns = launch("atax_columns", line(kAtax), kAtax, a, product, y);
  return workload(y, [=] { rows(), columns(); });
}

Workload prepareMatmul() {
  Buffer a(uniforms(kGemm * kGemm, 1)), b(uniforms(kGemm * kGemm, 2)), c(kGemm * kGemm);
  return workload(c, launch("matmul", square(kGemm, kTile, kTile), kGemm, a, b, c));
}

Workload prepareNbody() {
  Buffer bodies(uniforms(kBodies * 4, 1)), forces(kBodies * 4);
  return workload(forces, launch("nbody", line(kBodies), kBodies, bodies, forces));
}

Workload prepareReduce() {
  Buffer in(uniforms(kElements, 1)), sums(kElements / kBlock);
  return workload(sums, launch("reduce", line(kElements), in, sums));
}

Workload prepareScan() {
  Buffer in(uniforms(kElements, 1)), out(kElements);
  return workload(out, launch("scan", line(kElements), in, out));
}

Workload prepareHistogram() {
  std::vector<uint32_t> values = bins(kElements);
  Buffer in(kElements, values.data()), counts = Buffer::zeros(kBins);
  return {launch("histogram", line(kElements / kPerThread), in, counts), [=] { return counts.floats<uint32_t>(); }};
}

Workload prepareSoftmax() {
  Buffer in(uniforms(kRows * kColumns, 1, -4, 4)), out(kRows * kColumns);
  return workload(out, launch("softmax", line(kRows * kBlock), kColumns, in, out));
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
                   {"softmax", prepareSoftmax}});
}
