// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ forms of runtime functions: typed pointers, symbols by reference, kernels by type, occupancy, and the forms that
// earlier releases had (CUDA Runtime API reference, "C++ API Routines").
#pragma once

#include "../cuda_runtime_api.h"

#include <utility>

#if defined(__CUDA__)
#define UW_API static __inline__ __attribute__((host))
#else
#define UW_API static inline
#endif

// ---- Memory --------------------------------------------------------------------------------------------------------

template <class T>
UW_API cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class T>
UW_API cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
UW_API cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(pointer, bytes, flags);
}
template <class T>
UW_API cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
UW_API cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
template <class T>
UW_API cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
UW_API cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
UW_API cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
UW_API cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}
UW_API cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <class T>
UW_API cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}
template <class T>
UW_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0,
                                            unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), bytes, flags);
}

// Managed memory as releases before 13 named places: a device number, or cudaCpuDeviceId.
UW_API cudaMemLocation uwLocation(int device) {
  return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device == cudaCpuDeviceId ? 0 : device};
}
UW_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync(pointer, bytes, uwLocation(device), 0, stream);
}
UW_API cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) {
  return ::cudaMemAdvise(pointer, bytes, advice, uwLocation(device));
}

// ---- Symbols -------------------------------------------------------------------------------------------------------

template <class T>
UW_API cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
UW_API cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind);
}
template <class T>
UW_API cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind, stream);
}
template <class T>
UW_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind, stream);
}
template <class T>
UW_API cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, reinterpret_cast<const void*>(&symbol));
}
template <class T>
UW_API cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return ::cudaGetSymbolSize(bytes, reinterpret_cast<const void*>(&symbol));
}

// ---- Launches and functions ----------------------------------------------------------------------------------------

template <class T>
UW_API cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments, size_t sharedBytes = 0,
                                    cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(function), grid, block, arguments, sharedBytes, stream);
}
template <class T>
UW_API cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block, void** arguments, size_t sharedBytes = 0,
                                               cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), grid, block, arguments, sharedBytes, stream);
}
// Arguments are converted to the kernel's parameters first, as a call would.
template <class... Expected, class... Given>
UW_API cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration, void (*kernel)(Expected...), Given&&... given) {
  return [&](Expected... arguments) {
    void* pointers[sizeof...(Expected) + 1] = {const_cast<void*>(static_cast<const volatile void*>(&arguments))..., nullptr};
    return ::cudaLaunchKernelExC(configuration, reinterpret_cast<const void*>(kernel), pointers);
  }(std::forward<Given>(given)...);
}
template <class T>
UW_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, T* function, void** arguments) {
  return ::cudaLaunchKernelExC(configuration, reinterpret_cast<const void*>(function), arguments);
}
template <class T>
UW_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(function));
}
template <class T>
UW_API cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(function), attribute, value);
}
template <class T>
UW_API cudaError_t cudaFuncSetCacheConfig(T* function, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), config);
}
template <class T>
UW_API cudaError_t cudaFuncSetSharedMemConfig(T* function, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(function), config);
}
template <class T>
UW_API cudaError_t cudaFuncGetName(const char** name, T* function) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void*>(function));
}
template <class T>
UW_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, T* symbol) {
  return ::cudaGetFuncBySymbol(function, reinterpret_cast<const void*>(symbol));
}
template <class T>
UW_API cudaError_t cudaGetKernel(cudaKernel_t* kernel, T* symbol) {
  return ::cudaGetKernel(kernel, reinterpret_cast<const void*>(symbol));
}
UW_API cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// Graphs as releases before 12 and 13 took them.
UW_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* errorNode, char* log,
                                        size_t logBytes) {
  if (errorNode) *errorNode = nullptr;
  if (log && logBytes > 0) *log = 0;
  return ::cudaGraphInstantiate(executable, graph, 0);
}
UW_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) {
  return ::cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
UW_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count) {
  return ::cudaGraphNodeGetDependencies(node, dependencies, nullptr, count);
}

// ---- Occupancy -----------------------------------------------------------------------------------------------------

template <class T>
UW_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function, int blockThreads, size_t sharedBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(function), blockThreads, sharedBytes);
}
template <class T>
UW_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T function, int blockThreads,
                                                                          size_t sharedBytes, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(function), blockThreads,
                                                                  sharedBytes, flags);
}
template <class T>
UW_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* sharedBytes, T* function, int blocks, int blockThreads) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(sharedBytes, reinterpret_cast<const void*>(function), blocks, blockThreads);
}
template <class T>
UW_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterBlocks, T* function, const cudaLaunchConfig_t* configuration) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterBlocks, reinterpret_cast<const void*>(function), configuration);
}
template <class T>
UW_API cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* function, const cudaLaunchConfig_t* configuration) {
  return ::cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(function), configuration);
}

// The block size with the most resident threads; the larger block wins among equals.
template <class Shared, class T>
UW_API cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* gridBlocks, int* blockThreads, T function,
                                                                           Shared sharedBytesOf, int limit = 0,
                                                                           unsigned int flags = 0) {
  if (!gridBlocks || !blockThreads || !function) return cudaErrorInvalidValue;
  int device = 0, processors = 0, residentThreads = 0, width = 32;
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&residentThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&width, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(function));
  if (error != cudaSuccess) return error;
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most) most = limit;
  int bestThreads = 0, bestBlocks = 0;
  for (int rounded = (most + width - 1) / width * width; rounded > 0; rounded -= width) {
    int threads = rounded < most ? rounded : most;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, reinterpret_cast<const void*>(function), threads,
                                                                     sharedBytesOf(threads), flags);
    if (error != cudaSuccess) return error;
    if (threads * blocks > bestThreads * bestBlocks) {
      bestThreads = threads;
      bestBlocks = blocks;
    }
    if (bestThreads * bestBlocks >= residentThreads) break;
  }
  *gridBlocks = bestBlocks * processors;
  *blockThreads = bestThreads;
  return cudaSuccess;
}
template <class Shared, class T>
UW_API cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* gridBlocks, int* blockThreads, T function, Shared sharedBytesOf,
                                                                  int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(gridBlocks, blockThreads, function, sharedBytesOf, limit, 0);
}
template <class T>
UW_API cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* gridBlocks, int* blockThreads, T function, size_t sharedBytes = 0,
                                                               int limit = 0, unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      gridBlocks, blockThreads, function, [=](int) { return sharedBytes; }, limit, flags);
}
template <class T>
UW_API cudaError_t cudaOccupancyMaxPotentialBlockSize(int* gridBlocks, int* blockThreads, T function, size_t sharedBytes = 0,
                                                      int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(gridBlocks, blockThreads, function, sharedBytes, limit, 0);
}

// ---- Managed variables ---------------------------------------------------------------------------------------------

#if defined(__CUDA__) && !defined(__CUDA_ARCH__)
// The linker gives the bounds of the section that holds this program's `__managed__` variables (host_defines.h). The runtime
// must know them before the variables are registered.
extern "C" {
extern char __start_uw_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_uw_managed[] __attribute__((weak, visibility("hidden")));
}
static __attribute__((constructor(101))) void uwAnnounceManagedVariables() {
  if (__start_uw_managed) __uwManagedVariables(__start_uw_managed, __stop_uw_managed);
}
#endif
