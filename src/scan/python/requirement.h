// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One wanted package, whichever file wants it: what requirement lines, TOML tables and lock files have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scan/facts.h"

namespace unwarp::scan::python {

/// A package as a manifest names it.
struct Package {
  std::string name;
  std::vector<std::string> extras;
  std::string version;  ///< specifier or exact version, as written
  std::string marker;   ///< environment marker, or empty
  std::string url;      ///< direct or version-control address, or empty
};

/// Parses one PEP 508 requirement (name, extras, specifier, marker or address). False when it is none.
bool parseRequirement(std::string_view text, Package& package);

/// Looks a package up (extras, version-dependent records, toolkit suffixes) and adds it. False when it is no binding.
bool addPackage(const ReadContext& context, const Package& package, std::uint32_t line, FileFacts& out,
                bool guarded = false);

/// A repository or archive address of a package ("git+https://github.com/NVIDIA/apex"). False when it is no binding.
bool addPackageAddress(const ReadContext& context, std::string_view address, std::uint32_t line, FileFacts& out,
                       bool guarded = false);

/// A package index: those that serve only CUDA builds bind torch to CUDA.
void addPackageIndex(const ReadContext& context, std::string_view address, std::uint32_t line, FileFacts& out,
                     bool guarded = false);

/// Which builds the indexes named in a whole file serve: `/whl/cpu` and `/whl/rocm6.2` decide what a plain `torch`
/// means there.
enum class TorchIndex { Unknown, Cuda, Cpu, Rocm };
TorchIndex torchIndexOf(std::string_view text);

/// Whether a package comes from torch's own index, so that the index decides about CUDA.
bool isTorchFamily(std::string_view name);

/// Whether a path's name says that the file is the AMD variant of a manifest ("requirements/rocm.txt").
bool isRocmVariant(std::string_view path);

}  // namespace unwarp::scan::python
