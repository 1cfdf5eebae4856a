// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: work kept with its order, to be run again and again. A node is a function that does its work and a list of
// nodes that come first; capture fills graphs by putting into them what would have been enqueued. A launch runs all
// nodes one after another in its stream, in an order that the dependencies allow.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/stream.h"

namespace uw {

struct Graph;

struct GraphNode {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<void()> work;
  std::vector<GraphNode*> after;
  cudaKernelNodeParams kernel{};
  std::vector<std::vector<char>> arguments;  // what `kernel.kernelParams` points to
  std::vector<void*> argumentPointers;
  cudaHostNodeParams host{};
  cudaMemsetParams fill{};
  std::unique_ptr<cudaMemcpy3DParms> copy;  // null for captured copies
  std::shared_ptr<Graph> child;
};

struct Graph {
  ~Graph();

  int device = 0;
  std::vector<std::unique_ptr<GraphNode>> nodes;
  std::vector<void*> memory;  // allocated by the graph's own nodes

  GraphNode* add(cudaGraphNodeType type, std::function<void()> work, std::vector<GraphNode*> after);
  bool owns(const GraphNode* node) const;
  /// All nodes, each after those it depends on; empty when they wait for each other in a circle.
  std::vector<GraphNode*> ordered() const;
};

/// One capture: the graph it fills and the streams that take part.
struct Capture {
  std::shared_ptr<Graph> graph;
  Stream* origin = nullptr;
  uint64_t id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool invalid = false;
  std::set<std::shared_ptr<Stream>> streams;
};

/// The calling thread's mode: which captures forbid it calls that could tear them.
cudaStreamCaptureMode& threadCaptureMode();
/// Captures that are going on; each leaves the list when it ends.
void noteCapture(const std::shared_ptr<Capture>& capture);
void forgetCapture(const Capture& capture);
/// Why a call that may wait for the device (an allocation, say) is forbidden now. Such a call ends the capture.
cudaError_t captureRefusal();

/// Puts work into the capture that a stream takes part in; it follows what the stream put there before.
GraphNode* addCaptured(Stream& stream, cudaGraphNodeType type, std::function<void()> work);
/// Keeps what a kernel node's parameters were, arguments copied.
void keepKernelParameters(GraphNode& node, const cudaKernelNodeParams& parameters, const std::vector<size_t>& sizes);

/// Built by the files that know launches and copies; each is checked as its direct form is.
cudaError_t kernelWork(const cudaKernelNodeParams& parameters, std::function<void()>& work, std::vector<size_t>& sizes);
cudaError_t copyWork(const cudaMemcpy3DParms& parameters, std::function<void()>& work);

}  // namespace uw
