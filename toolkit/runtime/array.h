// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays: on a CPU, rows without gaps, slices without gaps. What textures and surfaces read and copies fill.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

/// The handle that programs hold; its type is named by the API.
struct cudaArray {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  // elements; 0 for a dimension that the array does not have
  unsigned flags = 0;
  size_t elementBytes = 0;
  char* data = nullptr;
  int device = 0;

  size_t rowBytes() const { return extent.width * elementBytes; }
  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t slices() const { return extent.depth ? extent.depth : 1; }
  size_t sliceBytes() const { return rowBytes() * rows(); }
};

namespace uw {

/// False for a handle that was never made or is freed.
bool isArray(const cudaArray* array);
/// Forgets the arrays of a device whose memory is freed as a whole.
void dropArrays(int device);
/// Bytes of an element; 0 for a format that no array can have.
size_t elementBytes(const cudaChannelFormatDesc& format);

}  // namespace uw
