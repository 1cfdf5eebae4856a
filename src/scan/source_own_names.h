// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that a project gives to things of its own although CUDA has them too: a `namespace thrust` about engines, an
// `atomicAdd` over std::atomic. Decided by one file: it defines the name, and nothing else in it shows CUDA or HIP (no
// header of theirs, no path, qualifier or launch of device code, no runtime call). A file that shows either of them
// reopens `namespace cub` to add to CUDA's, and overloads `atomicAdd` beside CUDA's. So do forward declarations and
// specialisations anywhere.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scan/source_facts.h"

namespace unwarp::scan {

struct OwnNames {
  bool showsVendor = false;  ///< then the sets are empty
  std::unordered_set<std::string_view> namespaces, functions;
};

/// The file opens a namespace that is called like one of CUDA's: `namespace thrust {`. Tokens alone tell.
bool opensKnownNamespace(const LexedFile& lexed, std::string_view text, const knowledge::Knowledge& knowledge);

OwnNames findOwnNames(const SourceFacts& facts, const knowledge::Knowledge& knowledge);

/// Where a name of CUDA's runtime functions is something of the project's own.
using OwnScopes = std::unordered_map<std::string_view, std::vector<TokenRange>>;
/// Functions without CUDA's types that the file declares as members, in a namespace of its own, or defines as `static`
/// without a word of CUDA or HIP in them: in their class, namespace or file the name is theirs. A declaration at file
/// scope or with C linkage is CUDA's own (interposers write those), and so is what a compatibility header maps to HIP.
OwnScopes findOwnFunctions(const SourceFacts& facts, const knowledge::Knowledge& knowledge);

/// A path that only device code has: `x.cu`, `x.cuh`, `x.hip`.
bool isDevicePath(std::string_view path);

}  // namespace unwarp::scan
