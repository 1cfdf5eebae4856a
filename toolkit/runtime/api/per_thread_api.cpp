// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of the API in which stream 0 is the calling thread's own stream: NAME_ptds for functions that have no
// stream parameter, NAME_ptsz for those that have one. Headers bind programs built with `-default-stream per-thread` to
// them; the shared library exports them under the documented names.
#include "cuda_runtime_api.h"
#include "runtime/context.h"

// The assertion asks for the semicolon that ends each line below.
#define UW_OWN_STREAM(FORM, PARAMETERS, CALL) \
  cudaError_t FORM PARAMETERS {               \
    uw::PerThreadScope own;                   \
    return CALL;                              \
  }                                           \
  static_assert(true)

#pragma GCC visibility push(default)
extern "C" {

UW_OWN_STREAM(cudaMemPrefetchAsync_ptsz,
              (const void* pointer, size_t bytes, struct cudaMemLocation location, unsigned int flags,
               cudaStream_t stream),
              cudaMemPrefetchAsync(pointer, bytes, location, flags, stream));
UW_OWN_STREAM(cudaMemcpy_ptds, (void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind),
              cudaMemcpy(to, from, bytes, kind));
UW_OWN_STREAM(cudaMemcpyAsync_ptsz,
              (void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
              cudaMemcpyAsync(to, from, bytes, kind, stream));
UW_OWN_STREAM(cudaMemcpyPeer_ptds, (void* to, int toDevice, const void* from, int fromDevice, size_t bytes),
              cudaMemcpyPeer(to, toDevice, from, fromDevice, bytes));
UW_OWN_STREAM(cudaMemcpyPeerAsync_ptsz,
              (void* to, int toDevice, const void* from, int fromDevice, size_t bytes, cudaStream_t stream),
              cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, bytes, stream));
UW_OWN_STREAM(cudaMemcpy2D_ptds,
              (void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
               enum cudaMemcpyKind kind),
              cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind));
UW_OWN_STREAM(cudaMemcpy2DAsync_ptsz,
              (void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
               enum cudaMemcpyKind kind, cudaStream_t stream),
              cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind, stream));
UW_OWN_STREAM(cudaMemcpy3D_ptds, (const struct cudaMemcpy3DParms* parameters), cudaMemcpy3D(parameters));
UW_OWN_STREAM(cudaMemcpy3DAsync_ptsz, (const struct cudaMemcpy3DParms* parameters, cudaStream_t stream),
              cudaMemcpy3DAsync(parameters, stream));
UW_OWN_STREAM(cudaMemcpy3DPeer_ptds, (const struct cudaMemcpy3DPeerParms* parameters), cudaMemcpy3DPeer(parameters));
UW_OWN_STREAM(cudaMemcpy3DPeerAsync_ptsz, (const struct cudaMemcpy3DPeerParms* parameters, cudaStream_t stream),
              cudaMemcpy3DPeerAsync(parameters, stream));
UW_OWN_STREAM(cudaMemcpyBatchAsync_ptsz,
              (void* const* to, const void* const* from, const size_t* bytes, size_t count,
               struct cudaMemcpyAttributes* attributes, size_t* attributeStarts, size_t attributeCount,
               cudaStream_t stream),
              cudaMemcpyBatchAsync(to, from, bytes, count, attributes, attributeStarts, attributeCount, stream));
UW_OWN_STREAM(cudaMemcpyToSymbol_ptds,
              (const void* symbol, const void* from, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
              cudaMemcpyToSymbol(symbol, from, bytes, offset, kind));
UW_OWN_STREAM(cudaMemcpyFromSymbol_ptds,
              (void* to, const void* symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
              cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind));
UW_OWN_STREAM(cudaMemcpyToSymbolAsync_ptsz,
              (const void* symbol, const void* from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
               cudaStream_t stream),
              cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, stream));
UW_OWN_STREAM(cudaMemcpyFromSymbolAsync_ptsz,
              (void* to, const void* symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
               cudaStream_t stream),
              cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, stream));
UW_OWN_STREAM(cudaMemset_ptds, (void* pointer, int value, size_t bytes), cudaMemset(pointer, value, bytes));
UW_OWN_STREAM(cudaMemsetAsync_ptsz, (void* pointer, int value, size_t bytes, cudaStream_t stream),
              cudaMemsetAsync(pointer, value, bytes, stream));
UW_OWN_STREAM(cudaMemset2D_ptds, (void* pointer, size_t pitch, int value, size_t width, size_t height),
              cudaMemset2D(pointer, pitch, value, width, height));
UW_OWN_STREAM(cudaMemset2DAsync_ptsz,
              (void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
              cudaMemset2DAsync(pointer, pitch, value, width, height, stream));
UW_OWN_STREAM(cudaMemset3D_ptds, (struct cudaPitchedPtr pointer, int value, struct cudaExtent extent),
              cudaMemset3D(pointer, value, extent));
UW_OWN_STREAM(cudaMemset3DAsync_ptsz,
              (struct cudaPitchedPtr pointer, int value, struct cudaExtent extent, cudaStream_t stream),
              cudaMemset3DAsync(pointer, value, extent, stream));
UW_OWN_STREAM(cudaMemcpyToArray_ptds,
              (cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, enum cudaMemcpyKind kind),
              cudaMemcpyToArray(to, x, y, from, bytes, kind));
UW_OWN_STREAM(cudaMemcpyFromArray_ptds,
              (void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind),
              cudaMemcpyFromArray(to, from, x, y, bytes, kind));
UW_OWN_STREAM(cudaMemcpyToArrayAsync_ptsz,
              (cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, enum cudaMemcpyKind kind,
               cudaStream_t stream),
              cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, stream));
UW_OWN_STREAM(cudaMemcpyFromArrayAsync_ptsz,
              (void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
               cudaStream_t stream),
              cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, stream));
UW_OWN_STREAM(cudaMemcpy2DToArray_ptds,
              (cudaArray_t to, size_t x, size_t y, const void* from, size_t fromPitch, size_t width, size_t height,
               enum cudaMemcpyKind kind),
              cudaMemcpy2DToArray(to, x, y, from, fromPitch, width, height, kind));
UW_OWN_STREAM(cudaMemcpy2DFromArray_ptds,
              (void* to, size_t toPitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
               enum cudaMemcpyKind kind),
              cudaMemcpy2DFromArray(to, toPitch, from, x, y, width, height, kind));
UW_OWN_STREAM(cudaMemcpy2DToArrayAsync_ptsz,
              (cudaArray_t to, size_t x, size_t y, const void* from, size_t fromPitch, size_t width, size_t height,
               enum cudaMemcpyKind kind, cudaStream_t stream),
              cudaMemcpy2DToArrayAsync(to, x, y, from, fromPitch, width, height, kind, stream));
UW_OWN_STREAM(cudaMemcpy2DFromArrayAsync_ptsz,
              (void* to, size_t toPitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
               enum cudaMemcpyKind kind, cudaStream_t stream),
              cudaMemcpy2DFromArrayAsync(to, toPitch, from, x, y, width, height, kind, stream));
UW_OWN_STREAM(cudaMemcpy2DArrayToArray_ptds,
              (cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from, size_t fromX, size_t fromY, size_t width,
               size_t height, enum cudaMemcpyKind kind),
              cudaMemcpy2DArrayToArray(to, toX, toY, from, fromX, fromY, width, height, kind));
UW_OWN_STREAM(cudaMemcpyArrayToArray_ptds,
              (cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from, size_t fromX, size_t fromY, size_t bytes,
               enum cudaMemcpyKind kind),
              cudaMemcpyArrayToArray(to, toX, toY, from, fromX, fromY, bytes, kind));
UW_OWN_STREAM(cudaMallocAsync_ptsz, (void** pointer, size_t bytes, cudaStream_t stream),
              cudaMallocAsync(pointer, bytes, stream));
UW_OWN_STREAM(cudaFreeAsync_ptsz, (void* pointer, cudaStream_t stream), cudaFreeAsync(pointer, stream));
UW_OWN_STREAM(cudaMallocFromPoolAsync_ptsz, (void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
              cudaMallocFromPoolAsync(pointer, bytes, pool, stream));
UW_OWN_STREAM(cudaStreamSynchronize_ptsz, (cudaStream_t stream), cudaStreamSynchronize(stream));
UW_OWN_STREAM(cudaStreamQuery_ptsz, (cudaStream_t stream), cudaStreamQuery(stream));
UW_OWN_STREAM(cudaStreamWaitEvent_ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned int flags),
              cudaStreamWaitEvent(stream, event, flags));
UW_OWN_STREAM(cudaStreamGetPriority_ptsz, (cudaStream_t stream, int* priority),
              cudaStreamGetPriority(stream, priority));
UW_OWN_STREAM(cudaStreamGetFlags_ptsz, (cudaStream_t stream, unsigned int* flags), cudaStreamGetFlags(stream, flags));
UW_OWN_STREAM(cudaStreamGetId_ptsz, (cudaStream_t stream, unsigned long long* id), cudaStreamGetId(stream, id));
UW_OWN_STREAM(cudaStreamGetDevice_ptsz, (cudaStream_t stream, int* device), cudaStreamGetDevice(stream, device));
UW_OWN_STREAM(cudaStreamAddCallback_ptsz,
              (cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags),
              cudaStreamAddCallback(stream, callback, data, flags));
UW_OWN_STREAM(cudaLaunchHostFunc_ptsz, (cudaStream_t stream, cudaHostFn_t function, void* data),
              cudaLaunchHostFunc(stream, function, data));
UW_OWN_STREAM(cudaStreamAttachMemAsync_ptsz, (cudaStream_t stream, void* pointer, size_t bytes, unsigned int flags),
              cudaStreamAttachMemAsync(stream, pointer, bytes, flags));
UW_OWN_STREAM(cudaStreamCopyAttributes_ptsz, (cudaStream_t to, cudaStream_t from), cudaStreamCopyAttributes(to, from));
UW_OWN_STREAM(cudaStreamGetAttribute_ptsz,
              (cudaStream_t stream, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value),
              cudaStreamGetAttribute(stream, attribute, value));
UW_OWN_STREAM(cudaStreamSetAttribute_ptsz,
              (cudaStream_t stream, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value),
              cudaStreamSetAttribute(stream, attribute, value));
UW_OWN_STREAM(cudaEventRecord_ptsz, (cudaEvent_t event, cudaStream_t stream), cudaEventRecord(event, stream));
UW_OWN_STREAM(cudaEventRecordWithFlags_ptsz, (cudaEvent_t event, cudaStream_t stream, unsigned int flags),
              cudaEventRecordWithFlags(event, stream, flags));
UW_OWN_STREAM(cudaLaunchKernel_ptsz,
              (const void* function, dim3 grid, dim3 block, void** arguments, size_t sharedBytes, cudaStream_t stream),
              cudaLaunchKernel(function, grid, block, arguments, sharedBytes, stream));
UW_OWN_STREAM(cudaLaunchKernelExC_ptsz,
              (const cudaLaunchConfig_t* configuration, const void* function, void** arguments),
              cudaLaunchKernelExC(configuration, function, arguments));
UW_OWN_STREAM(cudaLaunchCooperativeKernel_ptsz,
              (const void* function, dim3 grid, dim3 block, void** arguments, size_t sharedBytes, cudaStream_t stream),
              cudaLaunchCooperativeKernel(function, grid, block, arguments, sharedBytes, stream));
UW_OWN_STREAM(cudaStreamIsCapturing_ptsz, (cudaStream_t stream, enum cudaStreamCaptureStatus* status),
              cudaStreamIsCapturing(stream, status));
UW_OWN_STREAM(cudaStreamGetCaptureInfo_ptsz,
              (cudaStream_t stream, enum cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
               const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges, size_t* dependencyCount),
              cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, edges, dependencyCount));
UW_OWN_STREAM(cudaStreamBeginCapture_ptsz, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
              cudaStreamBeginCapture(stream, mode));
UW_OWN_STREAM(cudaStreamEndCapture_ptsz, (cudaStream_t stream, cudaGraph_t* graph),
              cudaStreamEndCapture(stream, graph));
UW_OWN_STREAM(cudaGraphUpload_ptsz, (cudaGraphExec_t executable, cudaStream_t stream),
              cudaGraphUpload(executable, stream));
UW_OWN_STREAM(cudaGraphLaunch_ptsz, (cudaGraphExec_t executable, cudaStream_t stream),
              cudaGraphLaunch(executable, stream));

// The launch syntax names its stream before the launch: 0 becomes the thread's own stream here.
unsigned __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream) {
  return __cudaPushCallConfiguration(grid, block, sharedBytes, stream ? stream : cudaStreamPerThread);
}

}  // extern "C"
#pragma GCC visibility pop
