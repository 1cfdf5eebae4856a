// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs ask about the nodes of a graph and change in them before it is made executable.
#include "cuda_runtime_api.h"
#include "runtime/api/graph_handles.h"
#include "runtime/context.h"

using uw::remember;

namespace uw {
namespace {

GraphNode* typed(cudaGraphNode_t handle, cudaGraphNodeType type) {
  GraphNode* node = nodeOf(handle);
  return node && node->type == type ? node : nullptr;
}

std::vector<const GraphNode*> dependents(const Graph& graph, const GraphNode* on) {
  std::vector<const GraphNode*> list;
  for (const auto& node : graph.nodes) {
    if (std::find(node->after.begin(), node->after.end(), on) != node->after.end()) list.push_back(node.get());
  }
  return list;
}

cudaError_t giveEdges(const Graph& graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  std::vector<const GraphNode*> first, second;
  for (const auto& node : graph.nodes) {
    for (const GraphNode* earlier : node->after) {
      first.push_back(earlier);
      second.push_back(node.get());
    }
  }
  if (!count || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
  size_t room = *count;
  if (cudaError_t error = give(first, from, count)) return error;
  return to ? give(second, to, &room) : cudaSuccess;
}

}  // namespace
}  // namespace uw

extern "C" {

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType* type) {
  uw::GraphNode* node = uw::nodeOf(handle);
  if (!node || !type) return remember(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* dependencies, cudaGraphEdgeData*,
                                         size_t* count) {
  uw::GraphNode* node = uw::nodeOf(handle);
  return remember(node ? uw::give(node->after, dependencies, count) : cudaErrorInvalidValue);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t count) {
  auto graph = uw::graphOf(handle);
  if (!graph || (count > 0 && (!from || !to))) return remember(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    auto* first = reinterpret_cast<uw::GraphNode*>(from[i]);
    auto* second = reinterpret_cast<uw::GraphNode*>(to[i]);
    if (!graph->owns(first) || !graph->owns(second) || first == second) return remember(cudaErrorInvalidValue);
    second->after.push_back(first);
  }
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, struct cudaKernelNodeParams* parameters) {
  uw::GraphNode* node = uw::nodeOf(handle);
  if (!node || !parameters || node->type != cudaGraphNodeTypeKernel) return remember(cudaErrorInvalidValue);
  *parameters = node->kernel;
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle, const struct cudaKernelNodeParams* parameters) {
  uw::GraphNode* node = uw::nodeOf(handle);
  if (!node || !parameters || node->type != cudaGraphNodeTypeKernel) return remember(cudaErrorInvalidValue);
  std::vector<size_t> sizes;
  if (cudaError_t error = uw::kernelWork(*parameters, node->work, sizes)) return remember(error);
  uw::keepKernelParameters(*node, *parameters, sizes);
  return cudaSuccess;
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, struct cudaHostNodeParams* parameters) {
  uw::GraphNode* node = uw::nodeOf(handle);
  if (!node || !parameters || node->type != cudaGraphNodeTypeHost) return remember(cudaErrorInvalidValue);
  *parameters = node->host;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes, cudaGraphEdgeData*,
                                           size_t* count) {
  auto graph = uw::graphOfNode(handle);
  if (!graph) return remember(cudaErrorInvalidValue);
  return remember(uw::give(uw::dependents(*graph, uw::nodeOf(handle)), nodes, count));
}
cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData*,
                              size_t* count) {
  auto graph = uw::graphOf(handle);
  return remember(graph ? uw::giveEdges(*graph, from, to, count) : cudaErrorInvalidValue);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData*, size_t count) {
  auto graph = uw::graphOf(handle);
  if (!graph || (count > 0 && (!from || !to))) return remember(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    auto* first = reinterpret_cast<uw::GraphNode*>(from[i]);
    auto* second = reinterpret_cast<uw::GraphNode*>(to[i]);
    if (!graph->owns(second) || std::erase(second->after, first) == 0) return remember(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  auto graph = uw::graphOfNode(handle);
  if (!graph) return remember(cudaErrorInvalidValue);
  auto* gone = reinterpret_cast<uw::GraphNode*>(handle);
  for (const auto& node : graph->nodes) std::erase(node->after, gone);
  std::erase_if(graph->nodes, [&](const auto& node) { return node.get() == gone; });
  return cudaSuccess;
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* graph) {
  uw::GraphNode* node = uw::typed(handle, cudaGraphNodeTypeGraph);
  if (!node || !node->child || !graph) return remember(cudaErrorInvalidValue);
  *graph = uw::handleOf(node->child);
  return cudaSuccess;
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t handle, const struct cudaHostNodeParams* parameters) {
  uw::GraphNode* node = uw::typed(handle, cudaGraphNodeTypeHost);
  if (!node || !parameters || !parameters->fn) return remember(cudaErrorInvalidValue);
  node->host = *parameters;
  node->work = uw::hostWork(*parameters);
  return cudaSuccess;
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, struct cudaMemsetParams* parameters) {
  uw::GraphNode* node = uw::typed(handle, cudaGraphNodeTypeMemset);
  if (!node || !parameters) return remember(cudaErrorInvalidValue);
  *parameters = node->fill;
  return cudaSuccess;
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle, const struct cudaMemsetParams* parameters) {
  uw::GraphNode* node = uw::typed(handle, cudaGraphNodeTypeMemset);
  if (!node || !parameters) return remember(cudaErrorInvalidValue);
  if (cudaError_t error = uw::fillWork(*parameters, node->work)) return remember(error);
  node->fill = *parameters;
  return cudaSuccess;
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, struct cudaMemcpy3DParms* parameters) {
  uw::GraphNode* node = uw::typed(handle, cudaGraphNodeTypeMemcpy);
  // A captured copy keeps what it does, not how it was written.
  if (!node || !parameters || !node->copy) return remember(cudaErrorInvalidValue);
  *parameters = *node->copy;
  return cudaSuccess;
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle, const struct cudaMemcpy3DParms* parameters) {
  uw::GraphNode* node = uw::typed(handle, cudaGraphNodeTypeMemcpy);
  if (!node || !parameters) return remember(cudaErrorInvalidValue);
  if (cudaError_t error = uw::copyWork(*parameters, node->work)) return remember(error);
  node->copy = std::make_unique<cudaMemcpy3DParms>(*parameters);
  return cudaSuccess;
}

}  // extern "C"
