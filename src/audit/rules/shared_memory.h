// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory that a file declares statically, in bytes. Sizes are known for built-in and CUDA vector types with
// extents that this file fixes; what needs templates, other files or padding counts as nothing. Dynamic shared memory
// is not looked at.
#pragma once

#include <cstdint>
#include <map>

#include "scan/source_facts.h"

namespace unwarp::audit {

struct StaticShared {
  std::int64_t total = 0, largest = 0;
  scan::TokenIndex token = scan::noToken;  ///< name of the largest array
};

/// Known bytes of the static `__shared__` arrays of each function, by its index.
std::map<std::uint32_t, StaticShared> staticShared(const scan::SourceFacts& facts);
/// Largest sum of the known static `__shared__` arrays of one function; 0 when none is known.
std::int64_t largestStaticSharedBytes(const scan::SourceFacts& facts);

}  // namespace unwarp::audit
