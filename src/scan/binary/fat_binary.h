// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers of GPU code: NVIDIA fat binaries (.nv_fatbin, __nv_relfatbin, .fatbin), cubin headers, LLVM offload
// binaries (.llvm.offloading) and clang offload bundles (.hip_fatbin). Only headers are read: nothing is decompressed
// and payload pages stay untouched, so a library with a gigabyte of kernels costs a few pages.
// Limits: the container format of CUDA 4.1 and later; older ones are reported as unrecognised.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scan/binary/elf_image.h"

namespace unwarp::scan {

enum class GpuImageKind : std::uint8_t { Ptx, Sass, LtoIr };

/// One piece of GPU code for one architecture.
struct GpuImage {
  GpuImageKind kind = GpuImageKind::Sass;
  std::uint32_t sm = 0;  ///< 80 for sm_80
  char suffix = 0;       ///< 'a' (this architecture only), 'f' (its family), or 0
  bool compressed = false;

  /// `sm_90a`, `compute_80` or `lto_80`, as nvcc's code= option writes it.
  std::string architecture() const;
  friend bool operator==(const GpuImage&, const GpuImage&) = default;
};

/// What a run of bytes with containers holds, in file order.
struct FatBinary {
  std::size_t containers = 0;
  std::vector<GpuImage> images;
  std::vector<std::string> problems;
};

/// Finds and lists all containers in a section or a .fatbin file.
FatBinary readFatBinary(std::string_view bytes);

/// True at the start of a container: magic word, version and header size agree.
bool startsFatBinary(std::string_view bytes);

/// The architecture of an EM_CUDA ELF file (cubin).
GpuImage cubinImage(const ElfImage& image);

/// Code objects of clang's own containers: targets such as `gfx942` or `sm_80`, sorted and unique.
struct OffloadTargets {
  std::vector<std::string> amd;
  std::vector<std::string> nvidia;
  std::vector<std::string> problems;
};
/// __CLANG_OFFLOAD_BUNDLE__ and its compressed form (whose targets are unknown).
OffloadTargets readOffloadBundle(std::string_view bytes);
/// LLVM OffloadBinary records (section .llvm.offloading), one after another.
OffloadTargets readLlvmOffloading(std::string_view bytes);

/// "sm_80 sm_90a compute_90": unique, SASS before PTX before LTO-IR, by number.
std::string listArchitectures(std::vector<GpuImage> images);

}  // namespace unwarp::scan
