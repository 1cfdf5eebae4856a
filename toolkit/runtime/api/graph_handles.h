// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of graphs: pointers that are looked up before they are used, so that a stale one is an error and no crash.
#pragma once

#include <memory>

#include "cuda_runtime_api.h"
#include "runtime/graph.h"

namespace uw {

cudaGraph_t handleOf(const std::shared_ptr<Graph>& graph);
/// Null for a handle that is none.
std::shared_ptr<Graph> graphOf(cudaGraph_t handle);

}  // namespace uw
