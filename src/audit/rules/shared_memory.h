// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory that a file declares statically, in bytes. Sizes are known for types and extents that this file fixes,
// its templates' included where it instantiates them or gives defaults: the largest instantiation counts. Sums leave
// out what is not known (types and constants of other files, padding between variables, what called functions declare)
// and say so. Dynamic shared memory is not looked at.
#pragma once

#include <cstdint>
#include <map>

#include "scan/source_facts.h"

namespace unwarp::audit {

struct StaticShared {
  std::int64_t total = 0, largest = 0;
  scan::TokenIndex token = scan::noToken;    ///< name of the largest variable
  scan::TokenIndex unknown = scan::noToken;  ///< name of a variable that is left out of `total`
};

/// The static `__shared__` variables of each function by its index, those at file scope that it names included.
std::map<std::uint32_t, StaticShared> staticShared(const scan::SourceFacts& facts);

/// What a file adds to the `lds` gate.
struct SharedDemand {
  std::int64_t bytes = 0;      ///< largest known sum of one function; 0 when none is known
  std::uint32_t unknowns = 0;  ///< functions whose sum leaves something out
};
SharedDemand sharedDemand(const scan::SourceFacts& facts);

}  // namespace unwarp::audit
