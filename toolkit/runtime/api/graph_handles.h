// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of graphs: pointers that are looked up before they are used, so that a stale one is an error and no crash.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/graph.h"

namespace uw {

cudaGraph_t handleOf(const std::shared_ptr<Graph>& graph);
/// Null for a handle that is none.
std::shared_ptr<Graph> graphOf(cudaGraph_t handle);
/// The graph that a node belongs to, or null.
std::shared_ptr<Graph> graphOfNode(cudaGraphNode_t handle);
GraphNode* nodeOf(cudaGraphNode_t handle);

inline cudaGraphNode_t handleOf(const GraphNode* node) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<GraphNode*>(node));
}

/// The usual way of the API to give a list: how many, or as many as fit.
template <class List>
cudaError_t give(const List& list, cudaGraphNode_t* out, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (out) {
    for (size_t i = 0; i < *count; ++i) out[i] = i < list.size() ? handleOf(list[i]) : nullptr;
  }
  *count = out ? std::min(*count, list.size()) : list.size();
  return cudaSuccess;
}

cudaError_t fillWork(const cudaMemsetParams& parameters, std::function<void()>& work);
std::function<void()> hostWork(const cudaHostNodeParams& parameters);

}  // namespace uw
