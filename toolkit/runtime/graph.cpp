// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph.h"

#include <algorithm>
#include <mutex>

#include "runtime/memory.h"

namespace uw {
namespace {

struct Captures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> all;
};

Captures& captures() {
  static auto* const instance = new Captures;
  return *instance;
}

}  // namespace

Graph::~Graph() {
  for (void* address : memory) uw::memory().release(address, true);
}

GraphNode* Graph::add(cudaGraphNodeType type, std::function<void()> work, std::vector<GraphNode*> after) {
  auto node = std::make_unique<GraphNode>();
  node->type = type;
  node->work = std::move(work);
  node->after = std::move(after);
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

bool Graph::owns(const GraphNode* node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& one) { return one.get() == node; });
}

std::vector<GraphNode*> Graph::ordered() const {
  std::vector<GraphNode*> out;
  std::set<const GraphNode*> placed;
  // Nodes are nearly always added after what they depend on, so one round does.
  for (bool moved = true; moved && out.size() < nodes.size();) {
    moved = false;
    for (const auto& node : nodes) {
      bool ready = !placed.count(node.get()) &&
                   std::all_of(node->after.begin(), node->after.end(),
                               [&](const GraphNode* earlier) { return placed.count(earlier) != 0; });
      if (!ready) continue;
      placed.insert(node.get());
      out.push_back(node.get());
      moved = true;
    }
  }
  if (out.size() < nodes.size()) out.clear();
  return out;
}

cudaStreamCaptureMode& threadCaptureMode() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

void noteCapture(const std::shared_ptr<Capture>& capture) {
  std::lock_guard lock(captures().mutex);
  captures().all.push_back(capture);
}

void forgetCapture(const Capture& capture) {
  std::lock_guard lock(captures().mutex);
  std::erase_if(captures().all, [&](const auto& one) { return one.get() == &capture; });
}

cudaError_t captureRefusal() {
  cudaStreamCaptureMode mode = threadCaptureMode();
  if (mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  std::lock_guard lock(captures().mutex);
  for (const auto& capture : captures().all) {
    bool own = capture->thread == std::this_thread::get_id();
    bool forbids = own ? capture->mode != cudaStreamCaptureModeRelaxed
                       : mode == cudaStreamCaptureModeGlobal && capture->mode == cudaStreamCaptureModeGlobal;
    if (!forbids) continue;
    capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

GraphNode* addCaptured(Stream& stream, cudaGraphNodeType type, std::function<void()> work) {
  CaptureState state = stream.captureState();
  GraphNode* node = state.capture->graph->add(type, std::move(work), state.frontier);
  state.frontier = {node};
  stream.setCaptureState(state);
  return node;
}

void keepKernelParameters(GraphNode& node, const cudaKernelNodeParams& parameters, const std::vector<size_t>& sizes) {
  std::vector<std::vector<char>> copies;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const char* from = static_cast<const char*>(parameters.kernelParams[i]);
    copies.emplace_back(from, from + sizes[i]);
  }
  node.kernel = parameters;
  node.arguments = std::move(copies);
  node.argumentPointers.clear();
  for (auto& argument : node.arguments) node.argumentPointers.push_back(argument.data());
  node.kernel.kernelParams = node.argumentPointers.data();
  node.kernel.extra = nullptr;
}

}  // namespace uw
