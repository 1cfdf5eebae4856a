// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: from `<<<...>>>` to a grid in a stream. Everything that can be wrong with a launch is checked here, on the
// calling thread, with CUDA's codes; the kernel is compiled here too, so that its errors belong to the call.
#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/grid.h"
#include "runtime/program.h"
#include "runtime/settings.h"
#include "runtime/stats.h"

namespace uw {
namespace {

constexpr uint32_t kMaxThreads = 1024;
constexpr uint32_t kMaxBlockZ = 64;
constexpr uint32_t kMaxGridYZ = 65535;

struct Configuration {
  dim3 grid, block;
  size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::vector<Configuration> tConfigurations;

size_t sharedLimitBytes() {
  return size_t{settings().profile.sharedKib} * 1024;
}

cudaError_t checkShape(const unwarp::abi::KernelRecord& kernel, const Configuration& launch) {
  uint64_t threads = uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  bool empty = threads == 0 || launch.grid.x == 0 || launch.grid.y == 0 || launch.grid.z == 0;
  bool tooLarge = threads > kMaxThreads || launch.block.z > kMaxBlockZ || launch.grid.y > kMaxGridYZ ||
                  launch.grid.z > kMaxGridYZ || launch.grid.x > 0x7fffffffu;
  if (empty || tooLarge) return cudaErrorInvalidConfiguration;
  if (kernel.maxThreads != 0 && threads > kernel.maxThreads) return cudaErrorLaunchOutOfResources;
  if (kernel.staticSharedBytes + launch.sharedBytes > sharedLimitBytes()) return cudaErrorInvalidValue;
  return cudaSuccess;
}

Tier tierFor(const unwarp::abi::KernelRecord& kernel) {
  if (settings().tier == 3 || kernel.synchronises) return Tier::fiber;
  return Tier::loop;
}

std::vector<char> copyArguments(const unwarp::abi::KernelRecord& kernel, void** arguments) {
  std::vector<char> buffer(kernel.argumentBytes);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    std::memcpy(buffer.data() + kernel.parameters[i].offset, arguments[i], kernel.parameters[i].sizeBytes);
  }
  return buffer;
}

cudaError_t launch(const void* function, const Configuration& configuration, void** arguments) {
  std::string error;
  RegisteredKernel* kernel = program().kernel(function, error);
  if (!kernel) return explain(error), cudaErrorInvalidDeviceFunction;
  std::shared_ptr<Stream> stream = streamOf(configuration.stream);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  if (cudaError_t sticky = here.stickyError()) return sticky;
  if (cudaError_t shape = checkShape(*kernel->record, configuration)) return shape;
  KernelShape wanted;
  wanted.width = settings().width;
  wanted.tier = tierFor(*kernel->record);
  wanted.lockstep = settings().profile.lockstep;
  const uint32_t blockDim[3] = {configuration.block.x, configuration.block.y, configuration.block.z};
  const uint32_t gridDim[3] = {configuration.grid.x, configuration.grid.y, configuration.grid.z};
  std::copy_n(blockDim, 3, wanted.blockDim);
  const KernelCode* code = kernel->module->code(*kernel->record, wanted, error);
  if (!code) return explain("kernel " + kernel->name + ": " + error), cudaErrorInvalidKernelImage;
  auto grid = std::make_shared<GridLaunch>();
  grid->code = code;
  grid->kernel = kernel->record;
  grid->arguments = copyArguments(*kernel->record, arguments);
  std::copy_n(gridDim, 3, grid->gridDim);
  std::copy_n(blockDim, 3, grid->blockDim);
  grid->width = settings().width;
  grid->dynamicSharedBytes = configuration.sharedBytes;
  recordLaunch(kernel->name, *code);
  here.enqueue(stream, [grid, &here] {
    if (int fault = runGrid(*grid)) here.fault(static_cast<cudaError_t>(fault));
  });
  return cudaSuccess;
}

}  // namespace
}  // namespace uw

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream) {
  uw::tConfigurations.push_back({grid, block, sharedBytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* sharedBytes, void* stream) {
  if (uw::tConfigurations.empty()) return uw::remember(cudaErrorMissingConfiguration);
  const uw::Configuration& top = uw::tConfigurations.back();
  *grid = top.grid;
  *block = top.block;
  *sharedBytes = top.sharedBytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  uw::tConfigurations.pop_back();
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t sharedBytes,
                             cudaStream_t stream) {
  return uw::remember(uw::launch(function, {grid, block, sharedBytes, stream}, arguments));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t sharedBytes, cudaStream_t stream) {
  return uw::remember(uw::launch(function, {grid, block, sharedBytes, stream}, arguments));
}

}  // extern "C"
