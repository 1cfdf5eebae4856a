// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of boxes of bytes: what all memcpy and memset functions of the API become. A box is a place in
// memory with the distance from row to row and from slice to slice.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace uw {

struct Box {
  char* start = nullptr;
  size_t rowPitch = 0;    // bytes from row to row
  size_t slicePitch = 0;  // bytes from slice to slice
};

struct BoxExtent {
  size_t width = 0;  // bytes
  size_t height = 1;
  size_t depth = 1;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

enum class Completion { whenReached, beforeReturn };

struct CopyOrder {
  Box to;
  Box from;
  BoxExtent extent;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  cudaStream_t stream = nullptr;
  Completion completion = Completion::whenReached;
};

struct FillOrder {
  Box to;
  BoxExtent extent;
  int value = 0;
  cudaStream_t stream = nullptr;
};

/// Checks an order as CUDA does: direction, pitches, bounds of known allocations.
cudaError_t checkCopy(const CopyOrder& order);
cudaError_t checkFill(const FillOrder& order);
void copyBox(const Box& to, const Box& from, const BoxExtent& extent);
void fillBox(const FillOrder& order);
/// Checks the order and enqueues it.
cudaError_t enqueueCopy(const CopyOrder& order);
cudaError_t enqueueFill(const FillOrder& order);

inline Box line(const void* start) {
  return {static_cast<char*>(const_cast<void*>(start)), 0, 0};
}

}  // namespace uw
