// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
//
// Graphs: captured from streams, built by hand, changed and launched again; and what may not be done while capturing.
#include "check.h"
__global__ void add(int* data, int by) { *data += by; }
__global__ void twice(int* data) { *data *= 2; }
static void CUDART_CB count(void* calls) { ++*static_cast<int*>(calls); }
int main() {
  int *data = nullptr, host = 0, calls = 0;
  OK(cudaMalloc(&data, 8));
  OK(cudaMemset(data, 0, 8));
  cudaStream_t a, b;
  cudaEvent_t fork, join;
  OK(cudaStreamCreate(&a));
  OK(cudaStreamCreate(&b));
  OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

  // data[0] += 3, then twice it; beside that data[1] += 1 in another stream; then the copy and a host function.
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(a, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  add<<<1, 1, 0, a>>>(data, 3);
  OK(cudaEventRecord(fork, a));
  OK(cudaStreamWaitEvent(b, fork));
  add<<<1, 1, 0, b>>>(data + 1, 1);
  OK(cudaEventRecord(join, b));
  twice<<<1, 1, 0, a>>>(data);
  OK(cudaStreamWaitEvent(a, join));
  OK(cudaMemcpyAsync(&host, data, 4, cudaMemcpyDeviceToHost, a));
  OK(cudaLaunchHostFunc(a, count, &calls));
  GIVES(cudaErrorCapturedEvent, cudaEventQuery(join));
  cudaGetLastError();
  cudaGraph_t graph;
  OK(cudaStreamEndCapture(a, &graph));
  OK(cudaStreamIsCapturing(b, &status));
  EXPECT(status == cudaStreamCaptureStatusNone && host == 0 && calls == 0);
  size_t nodes = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 5);
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cudaGraphLaunch(executable, a));
  OK(cudaStreamSynchronize(a));
  EXPECT(host == 42 && calls == 3);  // ((0 + 3) * 2 + 3) * 2 + 3) * 2
  int second = 0;
  OK(cudaMemcpy(&second, data + 1, 4, cudaMemcpyDeviceToHost));
  EXPECT(second == 3);

  // Other arguments for the first kernel, in the executable graph only.
  cudaGraphNode_t list[5], first = nullptr;
  OK(cudaGraphGetRootNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 1);
  OK(cudaGraphGetRootNodes(graph, &first, &nodes));
  cudaKernelNodeParams parameters;
  OK(cudaGraphKernelNodeGetParams(first, &parameters));
  EXPECT(*static_cast<int*>(parameters.kernelParams[1]) == 3);
  int hundred = 100;
  void* arguments[] = {&data, &hundred};
  parameters.kernelParams = arguments;
  OK(cudaGraphExecKernelNodeSetParams(executable, first, &parameters));
  OK(cudaMemset(data, 0, 8));
  OK(cudaGraphLaunch(executable, a));
  OK(cudaStreamSynchronize(a));
  EXPECT(host == 200);

  // The whole graph again, from a second capture.
  cudaGraph_t other;
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 2; ++i) add<<<1, 1, 0, a>>>(data, 1);
  OK(cudaStreamEndCapture(a, &other));
  cudaGraphExecUpdateResultInfo result;
  GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, other, &result));
  EXPECT(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  OK(cudaGraphExecUpdate(executable, graph, &result));
  OK(cudaMemset(data, 0, 8));
  OK(cudaGraphLaunch(executable, a));
  OK(cudaStreamSynchronize(a));
  EXPECT(host == 6);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  GIVES(cudaErrorInvalidValue, cudaGraphDestroy(graph));

  // By hand.
  OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill = {data, 0, 5, 4, 2, 1};
  OK(cudaGraphAddMemsetNode(&list[0], graph, nullptr, 0, &fill));
  int seven = 7;
  void* addArguments[] = {&data, &seven};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)add;
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = addArguments;
  OK(cudaGraphAddKernelNode(&list[1], graph, list, 1, &kernel));
  OK(cudaGraphAddMemcpyNode1D(&list[2], graph, list + 1, 1, &host, data, 4, cudaMemcpyDeviceToHost));
  cudaHostNodeParams call = {count, &calls};
  OK(cudaGraphAddHostNode(&list[3], graph, list + 2, 1, &call));
  OK(cudaGraphAddChildGraphNode(&list[4], graph, list + 3, 1, other));
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &nodes));
  EXPECT(nodes == 4);
  OK(cudaGraphNodeGetDependentNodes(list[1], &first, nullptr, &(nodes = 1)));
  EXPECT(nodes == 1 && first == list[2]);
  cudaMemsetParams filled;
  OK(cudaGraphMemsetNodeGetParams(list[0], &filled));
  EXPECT(filled.value == 5 && filled.width == 2);
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(list[2], &type));
  EXPECT(type == cudaGraphNodeTypeMemcpy);
  kernel.gridDim = dim3(0);
  GIVES(cudaErrorInvalidConfiguration, cudaGraphAddKernelNode(&list[1], graph, list, 1, &kernel));
  OK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, 0));
  OK(cudaDeviceSynchronize());
  EXPECT(host == 12 && calls == 6);
  OK(cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost));
  EXPECT(host == 14);
  cudaGraphNode_t from = list[3], to = list[0];
  OK(cudaGraphAddDependencies(graph, &from, &to, 1));
  cudaGraphExec_t circle;
  GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&circle, graph, 0));

  // What ends a capture.
  GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorIllegalState, cudaStreamEndCapture(a, &graph));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(a));
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorStreamCaptureImplicit, cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
  int* unsafe = nullptr;
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaMalloc(&unsafe, 4));
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  OK(cudaMalloc(&unsafe, 4));
  OK(cudaFree(unsafe));
  OK(cudaStreamEndCapture(a, &graph));
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(fork, a));
  OK(cudaStreamWaitEvent(b, fork));
  add<<<1, 1, 0, b>>>(data, 1);
  GIVES(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(b, &graph));
  cudaGetLastError();
  OK(cudaStreamQuery(b) == cudaErrorStreamCaptureUnsupported ? cudaSuccess : cudaErrorUnknown);
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));

  // Memory of a graph.
  int* inner = nullptr;
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
  OK(cudaMallocAsync(&inner, 4, a));
  OK(cudaMemsetAsync(inner, 0, 4, a));
  add<<<1, 1, 0, a>>>(inner, 9);
  OK(cudaMemcpyAsync(&host, inner, 4, cudaMemcpyDeviceToHost, a));
  OK(cudaFreeAsync(inner, a));
  OK(cudaStreamEndCapture(a, &graph));
  OK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  OK(cudaGraphLaunch(executable, a));
  OK(cudaGraphLaunch(executable, a));
  OK(cudaStreamSynchronize(a));
  EXPECT(host == 9);
  return failures;
}
