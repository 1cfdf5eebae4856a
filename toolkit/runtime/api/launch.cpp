// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: from `<<<...>>>` to a grid in a stream. Everything that can be wrong with a launch is checked here, on the
// calling thread, with CUDA's codes; the kernel is compiled here too, so that its errors belong to the call.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/grid.h"
#include "runtime/limits.h"
#include "runtime/program.h"
#include "runtime/settings.h"
#include "runtime/stats.h"

namespace uw {
namespace {

struct Configuration {
  dim3 grid, block;
  size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};
thread_local std::vector<Configuration> tConfigurations;

// How much larger frames of this CPU are than those of a GPU.
constexpr size_t kStackFactor = 2;
constexpr size_t kPageBytes = 4096;

// Without cudaFuncSetAttribute a kernel gets what every device has; with it, what was allowed.
size_t sharedAllowance(const RegisteredKernel& kernel) {
  const DeviceLimits& limits = deviceLimits();
  size_t fixed = kernel.record->staticSharedBytes;
  size_t usual = limits.sharedBytes - std::min(limits.sharedBytes, fixed);
  return std::max(usual, kernel.dynamicSharedBytes);
}

cudaError_t checkShape(const RegisteredKernel& kernel, const Configuration& launch) {
  const DeviceLimits& limits = deviceLimits();
  const uint32_t block[3] = {launch.block.x, launch.block.y, launch.block.z};
  const uint32_t grid[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (int axis = 0; axis < 3; ++axis) {
    bool good =
        block[axis] > 0 && block[axis] <= limits.blockDim[axis] && grid[axis] > 0 && grid[axis] <= limits.gridDim[axis];
    if (!good) return cudaErrorInvalidConfiguration;
  }
  uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
  if (kernel.record->staticSharedBytes > limits.sharedBytes) {
    // NVIDIA's tools refuse such a kernel when it is built.
    explain("kernel " + kernel.name + " has " + std::to_string(kernel.record->staticSharedBytes) +
            " bytes of static shared memory; this device has " + std::to_string(limits.sharedBytes) + " for a block");
    return cudaErrorLaunchOutOfResources;
  }
  if (threads > limits.blockThreads) return cudaErrorInvalidConfiguration;
  if (kernel.record->maxThreads != 0 && threads > kernel.record->maxThreads) return cudaErrorLaunchOutOfResources;
  if (launch.sharedBytes > sharedAllowance(kernel)) return cudaErrorInvalidValue;
  if (!launch.cooperative) return cudaSuccess;
  uint64_t blocks = uint64_t{grid[0]} * grid[1] * grid[2];
  size_t shared = kernel.record->staticSharedBytes + launch.sharedBytes;
  uint64_t room = uint64_t{residentBlocks(static_cast<uint32_t>(threads), shared)} * limits.processors;
  return blocks > room ? cudaErrorCooperativeLaunchTooLarge : cudaSuccess;
}

Tier tierFor(const unwarp::abi::KernelRecord& kernel) {
  if (settings().tier == 3 || kernel.needsFibers) return Tier::fiber;
  bool region = kernel.synchronises || settings().tier == 1;
  return region ? Tier::region : Tier::loop;
}

std::vector<char> copyArguments(const unwarp::abi::KernelRecord& kernel, void** arguments) {
  std::vector<char> buffer(kernel.argumentBytes);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    std::memcpy(buffer.data() + kernel.parameters[i].offset, arguments[i], kernel.parameters[i].sizeBytes);
  }
  return buffer;
}

std::shared_ptr<GridLaunch> gridOf(const RegisteredKernel& kernel, const KernelCode& code,
                                   const Configuration& configuration, void** arguments) {
  auto grid = std::make_shared<GridLaunch>();
  const uint32_t blockDim[3] = {configuration.block.x, configuration.block.y, configuration.block.z};
  const uint32_t gridDim[3] = {configuration.grid.x, configuration.grid.y, configuration.grid.z};
  grid->code = &code;
  grid->kernel = kernel.record;
  grid->module = kernel.module;
  grid->device = currentDevice();
  grid->arguments = copyArguments(*kernel.record, arguments);
  std::copy_n(gridDim, 3, grid->gridDim);
  std::copy_n(blockDim, 3, grid->blockDim);
  grid->width = settings().width;
  grid->dynamicSharedBytes = configuration.sharedBytes;
  size_t asked = device(currentDevice()).state().stackBytes;
  grid->stackBytes = (kFiberStackBytes + kStackFactor * asked + kPageBytes - 1) / kPageBytes * kPageBytes;
  return grid;
}

// CUDA's own variable: every launch ends before the call returns, which puts a fault where it belongs.
bool launchesBlock() {
  static const bool blocking = [] {
    const char* value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return blocking;
}

// Checks and compiles: all of a launch but its stream.
cudaError_t prepare(const void* function, const Configuration& configuration, void** arguments,
                    std::shared_ptr<GridLaunch>& grid) {
  std::string error;
  RegisteredKernel* kernel = program().kernel(function, error);
  if (!kernel) return explain(error), cudaErrorInvalidDeviceFunction;
  if (cudaError_t shape = checkShape(*kernel, configuration)) return shape;
  if (!arguments && !kernel->record->parameters.empty()) return cudaErrorInvalidValue;
  KernelShape wanted;
  wanted.width = settings().width;
  wanted.tier = tierFor(*kernel->record);
  wanted.lockstep = settings().profile.lockstep;
  wanted.device = currentDevice();
  const uint32_t blockDim[3] = {configuration.block.x, configuration.block.y, configuration.block.z};
  std::copy_n(blockDim, 3, wanted.blockDim);
  const KernelCode* code = kernel->module->code(*kernel->record, wanted, error);
  if (!code) return explain("kernel " + kernel->name + ": " + error), cudaErrorInvalidKernelImage;
  grid = gridOf(*kernel, *code, configuration, arguments);
  return cudaSuccess;
}

std::function<void()> workOf(const std::shared_ptr<GridLaunch>& grid) {
  Device& here = device(currentDevice());
  return [grid, &here] {
    if (int fault = runGrid(*grid)) here.fault(static_cast<cudaError_t>(fault));
  };
}

// A node counts as a launch each time that its graph runs.
std::function<void()> nodeWorkOf(const std::shared_ptr<GridLaunch>& grid) {
  return [grid, work = workOf(grid)] {
    recordLaunch(grid->kernel->name, *grid->code);
    work();
  };
}

std::vector<size_t> argumentSizes(const unwarp::abi::KernelRecord& kernel) {
  std::vector<size_t> sizes;
  for (const auto& parameter : kernel.parameters) sizes.push_back(parameter.sizeBytes);
  return sizes;
}

cudaError_t launch(const void* function, const Configuration& configuration, void** arguments) {
  Device& here = device(currentDevice());
  if (cudaError_t refusal = here.refusal()) return refusal;
  std::shared_ptr<Stream> stream = streamOf(configuration.stream);
  // A stream belongs to a device; launching into another device's is an error in CUDA too.
  if (!stream || stream->device() != currentDevice()) return cudaErrorInvalidResourceHandle;
  if (cudaError_t refusal = here.refusal(*stream)) return refusal;
  std::shared_ptr<GridLaunch> grid;
  if (cudaError_t wrong = prepare(function, configuration, arguments, grid)) return wrong;
  if (stream->captureState().capture) {
    GraphNode* node = addCaptured(*stream, cudaGraphNodeTypeKernel, nodeWorkOf(grid));
    cudaKernelNodeParams kept{const_cast<void*>(function),
                              configuration.grid,
                              configuration.block,
                              static_cast<unsigned>(configuration.sharedBytes),
                              arguments,
                              nullptr};
    keepKernelParameters(*node, kept, argumentSizes(*grid->kernel));
    return cudaSuccess;
  }
  recordLaunch(grid->kernel->name, *grid->code);
  StreamPoint point = here.enqueue(stream, workOf(grid));
  if (!launchesBlock()) return cudaSuccess;
  wait(point);
  return here.stickyError();
}

cudaError_t unsupported(const char* name) {
  recordUnimplemented(name);
  return cudaErrorNotSupported;
}

// Attributes that order or place work say nothing that a CPU could do otherwise; those that change what a kernel may do
// are refused by name.
cudaError_t readAttribute(const cudaLaunchAttribute& attribute, Configuration& configuration) {
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      configuration.cooperative = attribute.val.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributePreferredClusterDimension: {
      const auto& size = attribute.val.clusterDim;
      if (size.x * size.y * size.z <= 1) return cudaSuccess;
      return unsupported("cudaLaunchAttributeClusterDimension");
    }
    case cudaLaunchAttributeProgrammaticEvent:
      return unsupported("cudaLaunchAttributeProgrammaticEvent");
    case cudaLaunchAttributeLaunchCompletionEvent:
      return unsupported("cudaLaunchAttributeLaunchCompletionEvent");
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      return unsupported("cudaLaunchAttributeDeviceUpdatableKernelNode");
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t launchConfigured(const cudaLaunchConfig_t* wanted, const void* function, void** arguments) {
  if (!wanted || (wanted->numAttrs > 0 && !wanted->attrs)) return cudaErrorInvalidValue;
  Configuration configuration{wanted->gridDim, wanted->blockDim, wanted->dynamicSmemBytes, wanted->stream};
  for (unsigned i = 0; i < wanted->numAttrs; ++i) {
    if (cudaError_t error = readAttribute(wanted->attrs[i], configuration)) return error;
  }
  return launch(function, configuration, arguments);
}

}  // namespace

cudaError_t kernelWork(const cudaKernelNodeParams& parameters, std::function<void()>& work,
                       std::vector<size_t>& sizes) {
  if (parameters.extra) return unsupported("cudaKernelNodeParams::extra");
  Configuration configuration{parameters.gridDim, parameters.blockDim, parameters.sharedMemBytes};
  std::shared_ptr<GridLaunch> grid;
  cudaError_t wrong = prepare(parameters.func, configuration, parameters.kernelParams, grid);
  if (wrong != cudaSuccess) return wrong;
  work = nodeWorkOf(grid);
  sizes = argumentSizes(*grid->kernel);
  return cudaSuccess;
}

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

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* function, void** arguments) {
  return uw::remember(uw::launchConfigured(configuration, function, arguments));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t sharedBytes, cudaStream_t stream) {
  return uw::remember(uw::launch(function, {grid, block, sharedBytes, stream, /*cooperative=*/true}, arguments));
}

}  // extern "C"
