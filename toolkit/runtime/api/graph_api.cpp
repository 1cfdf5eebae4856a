// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs built by hand, made executable and launched. An executable graph is a list of functions in order; it keeps
// which node each came from, so that parameters can be changed later.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "cuda_runtime_api.h"
#include "runtime/api/copy.h"
#include "runtime/api/graph_handles.h"
#include "runtime/context.h"
#include "runtime/stats.h"

namespace uw {
namespace {

struct Step {
  const GraphNode* node;
  cudaGraphNodeType type;
  std::function<void()> work;
};

struct Executable {
  std::vector<std::shared_ptr<Graph>> sources;  // keep nodes and memory
  std::vector<Step> steps;
  int device = 0;
  std::mutex mutex;
};

struct Handles {
  std::mutex mutex;
  std::map<Graph*, std::shared_ptr<Graph>> graphs;
  std::map<Executable*, std::shared_ptr<Executable>> executables;
};

Handles& handles() {
  static auto* const instance = new Handles;
  return *instance;
}

std::shared_ptr<Executable> executableOf(cudaGraphExec_t handle) {
  Handles& all = handles();
  std::lock_guard lock(all.mutex);
  auto found = all.executables.find(reinterpret_cast<Executable*>(handle));
  return found == all.executables.end() ? nullptr : found->second;
}

struct Place {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  size_t count;
};

cudaError_t addNode(const Place& place, cudaGraphNodeType type, std::function<void()> work,
                    GraphNode** made = nullptr) {
  std::shared_ptr<Graph> graph = graphOf(place.graph);
  if (!graph || !place.node || (place.count > 0 && !place.dependencies)) return cudaErrorInvalidValue;
  std::vector<GraphNode*> after;
  for (size_t i = 0; i < place.count; ++i) {
    auto* earlier = reinterpret_cast<GraphNode*>(place.dependencies[i]);
    if (!graph->owns(earlier)) return cudaErrorInvalidValue;
    after.push_back(earlier);
  }
  GraphNode* node = graph->add(type, std::move(work), std::move(after));
  if (made) *made = node;
  *place.node = handleOf(node);
  return cudaSuccess;
}

cudaMemcpy3DParms lineCopy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms what{};
  what.dstPtr = {to, bytes, bytes, 1};
  what.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  what.extent = {bytes, 1, 1};
  what.kind = kind;
  return what;
}

cudaError_t addKernel(const Place& place, const cudaKernelNodeParams* parameters) {
  if (!parameters) return cudaErrorInvalidValue;
  std::function<void()> work;
  std::vector<size_t> sizes;
  if (cudaError_t error = kernelWork(*parameters, work, sizes)) return error;
  GraphNode* node = nullptr;
  if (cudaError_t error = addNode(place, cudaGraphNodeTypeKernel, work, &node)) return error;
  keepKernelParameters(*node, *parameters, sizes);
  return cudaSuccess;
}

cudaError_t addCopy(const Place& place, const cudaMemcpy3DParms* parameters) {
  if (!parameters) return cudaErrorInvalidValue;
  std::function<void()> work;
  if (cudaError_t error = copyWork(*parameters, work)) return error;
  GraphNode* node = nullptr;
  if (cudaError_t error = addNode(place, cudaGraphNodeTypeMemcpy, work, &node)) return error;
  node->copy = std::make_unique<cudaMemcpy3DParms>(*parameters);
  return cudaSuccess;
}

cudaError_t addFill(const Place& place, const cudaMemsetParams* parameters) {
  if (!parameters) return cudaErrorInvalidValue;
  std::function<void()> work;
  if (cudaError_t error = fillWork(*parameters, work)) return error;
  GraphNode* node = nullptr;
  if (cudaError_t error = addNode(place, cudaGraphNodeTypeMemset, work, &node)) return error;
  node->fill = *parameters;
  return cudaSuccess;
}

cudaError_t addHost(const Place& place, const cudaHostNodeParams* parameters) {
  if (!parameters || !parameters->fn) return cudaErrorInvalidValue;
  GraphNode* node = nullptr;
  if (cudaError_t error = addNode(place, cudaGraphNodeTypeHost, hostWork(*parameters), &node)) return error;
  node->host = *parameters;
  return cudaSuccess;
}

// A copy of a graph; the i-th node of one is the i-th of the other.
std::shared_ptr<Graph> cloned(const std::shared_ptr<Graph>& from) {
  auto graph = std::make_shared<Graph>();
  graph->device = from->device;
  std::map<const GraphNode*, GraphNode*> twin;
  for (const auto& node : from->nodes) {
    GraphNode* made = graph->add(node->type, node->work, {});
    twin[node.get()] = made;
    if (node->type == cudaGraphNodeTypeKernel) {
      std::vector<size_t> sizes;
      for (const auto& argument : node->arguments) sizes.push_back(argument.size());
      keepKernelParameters(*made, node->kernel, sizes);
    }
    made->host = node->host;
    made->fill = node->fill;
    if (node->copy) made->copy = std::make_unique<cudaMemcpy3DParms>(*node->copy);
    made->child = node->child ? cloned(node->child) : nullptr;
  }
  for (const auto& node : from->nodes) {
    for (const GraphNode* earlier : node->after) twin[node.get()]->after.push_back(twin[earlier]);
  }
  return graph;
}

bool flatten(const std::shared_ptr<Graph>& graph, Executable& into) {
  std::vector<GraphNode*> order = graph->ordered();
  if (order.size() != graph->nodes.size()) return false;
  into.sources.push_back(graph);
  for (const GraphNode* node : order) {
    into.steps.push_back({node, node->type, node->work});
    if (node->child && !flatten(node->child, into)) return false;
  }
  return true;
}

cudaError_t instantiate(cudaGraphExec_t* out, cudaGraph_t handle, unsigned long long flags) {
  std::shared_ptr<Graph> graph = graphOf(handle);
  if (!out || !graph) return cudaErrorInvalidValue;
  constexpr unsigned long long kKnown = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                        cudaGraphInstantiateFlagUseNodePriority;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
    recordUnimplemented("cudaGraphInstantiateFlagDeviceLaunch");
    return cudaErrorNotSupported;
  }
  if (flags & ~kKnown) return cudaErrorInvalidValue;
  auto made = std::make_shared<Executable>();
  made->device = currentDevice();
  if (!flatten(graph, *made)) return cudaErrorInvalidValue;
  Handles& all = handles();
  std::lock_guard lock(all.mutex);
  all.executables[made.get()] = made;
  *out = reinterpret_cast<cudaGraphExec_t>(made.get());
  return cudaSuccess;
}

cudaError_t launch(cudaGraphExec_t handle, cudaStream_t streamHandle) {
  std::shared_ptr<Executable> executable = executableOf(handle);
  std::shared_ptr<Stream> stream = streamOf(streamHandle);
  if (!executable) return cudaErrorInvalidValue;
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  if (cudaError_t refusal = here.refusal(*stream)) return refusal;
  std::vector<Step> steps;
  {
    std::lock_guard lock(executable->mutex);
    steps = executable->steps;
  }
  auto work = [executable, steps = std::move(steps), &here] {
    for (const Step& step : steps) {
      if (step.work && here.stickyError() == cudaSuccess) step.work();
    }
  };
  here.enqueue(stream, work, {}, cudaGraphNodeTypeGraph);
  return cudaSuccess;
}

cudaError_t change(cudaGraphExec_t handle, cudaGraphNode_t node, std::function<void()> work) {
  std::shared_ptr<Executable> executable = executableOf(handle);
  if (!executable) return cudaErrorInvalidValue;
  std::lock_guard lock(executable->mutex);
  for (Step& step : executable->steps) {
    if (handleOf(step.node) != node) continue;
    step.work = std::move(work);
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t update(cudaGraphExec_t handle, cudaGraph_t graphHandle, cudaGraphExecUpdateResultInfo* result) {
  std::shared_ptr<Executable> executable = executableOf(handle);
  std::shared_ptr<Graph> graph = graphOf(graphHandle);
  if (!executable || !graph || !result) return cudaErrorInvalidValue;
  *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  Executable fresh;
  std::lock_guard lock(executable->mutex);
  bool same = flatten(graph, fresh) && fresh.steps.size() == executable->steps.size();
  if (!same) result->result = cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; same && i < fresh.steps.size(); ++i) {
    if (fresh.steps[i].type == executable->steps[i].type) continue;
    *result = {cudaGraphExecUpdateErrorNodeTypeChanged, handleOf(fresh.steps[i].node), nullptr};
    same = false;
  }
  if (!same) return cudaErrorGraphExecUpdateFailure;
  for (size_t i = 0; i < fresh.steps.size(); ++i) executable->steps[i].work = std::move(fresh.steps[i].work);
  executable->sources.insert(executable->sources.end(), fresh.sources.begin(), fresh.sources.end());
  return cudaSuccess;
}

std::vector<const GraphNode*> nodesOf(const Graph& graph, bool rootsOnly) {
  std::vector<const GraphNode*> list;
  for (const auto& node : graph.nodes) {
    if (!rootsOnly || node->after.empty()) list.push_back(node.get());
  }
  return list;
}

}  // namespace

cudaError_t fillWork(const cudaMemsetParams& what, std::function<void()>& work) {
  bool element = what.elementSize == 1 || what.elementSize == 2 || what.elementSize == 4;
  if (!element) return cudaErrorInvalidValue;
  FillOrder order{
      line(what.dst), {what.width * what.elementSize, what.height, 1}, static_cast<int>(what.value), nullptr};
  order.to.rowPitch = what.pitch;
  if (cudaError_t error = checkFill(order)) return error;
  work = [order, what] {
    if (what.elementSize == 1) return fillBox(order);
    for (size_t y = 0; y < what.height; ++y) {
      char* row = order.to.start + y * what.pitch;
      for (size_t x = 0; x < what.width; ++x) std::memcpy(row + x * what.elementSize, &what.value, what.elementSize);
    }
  };
  return cudaSuccess;
}

std::function<void()> hostWork(const cudaHostNodeParams& what) {
  return [what] {
    HostFunctionScope inside;
    what.fn(what.userData);
  };
}

std::shared_ptr<Graph> graphOfNode(cudaGraphNode_t handle) {
  Handles& all = handles();
  std::lock_guard lock(all.mutex);
  for (const auto& [address, graph] : all.graphs) {
    if (graph->owns(reinterpret_cast<GraphNode*>(handle))) return graph;
  }
  return nullptr;
}

GraphNode* nodeOf(cudaGraphNode_t handle) {
  return graphOfNode(handle) ? reinterpret_cast<GraphNode*>(handle) : nullptr;
}

cudaGraph_t handleOf(const std::shared_ptr<Graph>& graph) {
  Handles& all = handles();
  std::lock_guard lock(all.mutex);
  all.graphs[graph.get()] = graph;
  return reinterpret_cast<cudaGraph_t>(graph.get());
}

std::shared_ptr<Graph> graphOf(cudaGraph_t handle) {
  Handles& all = handles();
  std::lock_guard lock(all.mutex);
  auto found = all.graphs.find(reinterpret_cast<Graph*>(handle));
  return found == all.graphs.end() ? nullptr : found->second;
}

}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (!graph || flags != 0) return remember(cudaErrorInvalidValue);
  auto made = std::make_shared<uw::Graph>();
  made->device = uw::currentDevice();
  *graph = uw::handleOf(made);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  uw::Handles& all = uw::handles();
  std::lock_guard lock(all.mutex);
  return remember(all.graphs.erase(reinterpret_cast<uw::Graph*>(graph)) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t handle) {
  auto graph = uw::graphOf(handle);
  if (!clone || !graph) return remember(cudaErrorInvalidValue);
  *clone = uw::handleOf(uw::cloned(graph));
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  auto graph = uw::graphOf(handle);
  return remember(graph ? uw::give(uw::nodesOf(*graph, false), nodes, count) : cudaErrorInvalidValue);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  auto graph = uw::graphOf(handle);
  return remember(graph ? uw::give(uw::nodesOf(*graph, true), nodes, count) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  size_t count) {
  return remember(uw::addNode({node, graph, dependencies, count}, cudaGraphNodeTypeEmpty, {}));
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const struct cudaKernelNodeParams* parameters) {
  return remember(uw::addKernel({node, graph, dependencies, count}, parameters));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const struct cudaMemcpy3DParms* parameters) {
  return remember(uw::addCopy({node, graph, dependencies, count}, parameters));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters = uw::lineCopy(to, from, bytes, kind);
  return remember(uw::addCopy({node, graph, dependencies, count}, &parameters));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const struct cudaMemsetParams* parameters) {
  return remember(uw::addFill({node, graph, dependencies, count}, parameters));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 size_t count, const struct cudaHostNodeParams* parameters) {
  return remember(uw::addHost({node, graph, dependencies, count}, parameters));
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t count, cudaGraph_t child) {
  auto inner = uw::graphOf(child);
  if (!inner) return remember(cudaErrorInvalidValue);
  uw::GraphNode* made = nullptr;
  cudaError_t error = uw::addNode({node, graph, dependencies, count}, cudaGraphNodeTypeGraph, {}, &made);
  if (made) made->child = uw::cloned(inner);
  return remember(error);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return remember(uw::instantiate(executable, graph, flags));
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return remember(uw::instantiate(executable, graph, flags));
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  uw::Handles& all = uw::handles();
  std::lock_guard lock(all.mutex);
  bool known = all.executables.erase(reinterpret_cast<uw::Executable*>(handle)) != 0;
  return remember(known ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
  return remember(uw::update(executable, graph, result));
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams* parameters) {
  std::function<void()> work;
  std::vector<size_t> sizes;
  if (!parameters) return remember(cudaErrorInvalidValue);
  if (cudaError_t error = uw::kernelWork(*parameters, work, sizes)) return remember(error);
  return remember(uw::change(executable, node, std::move(work)));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  std::function<void()> work;
  if (cudaError_t error = uw::copyWork(uw::lineCopy(to, from, bytes, kind), work)) return remember(error);
  return remember(uw::change(executable, node, std::move(work)));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaMemsetParams* parameters) {
  std::function<void()> work;
  if (!parameters) return remember(cudaErrorInvalidValue);
  if (cudaError_t error = uw::fillWork(*parameters, work)) return remember(error);
  return remember(uw::change(executable, node, std::move(work)));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams* parameters) {
  if (!parameters || !parameters->fn) return remember(cudaErrorInvalidValue);
  return remember(uw::change(executable, node, uw::hostWork(*parameters)));
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!uw::executableOf(executable)) return remember(cudaErrorInvalidValue);
  return remember(uw::streamOf(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return remember(uw::launch(executable, stream));
}

}  // extern "C"
