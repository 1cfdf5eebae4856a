// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only the list of all files shows about one of them. Applied before anything is counted.
#pragma once

#include <vector>

#include "audit/file_outcome.h"

namespace unwarp::audit {

/// A file of a CUDA back end whose counterpart for AMD stands in the tree (`src/Cuda/Cuda_Team.hpp` beside
/// `src/HIP/HIP_Team.hpp`) is compiled for CUDA alone: what rules find in its kernels is a remark, and says where the
/// counterpart is. The folder or the file's name must say `cuda`; a folder `hip` that has neither the same file nor
/// most of its neighbours is no counterpart, since many projects translate the rest of `cuda/` when they build.
void remarkCudaBackEnds(std::vector<FileOutcome>& outcomes);

/// `#include "cub/cub.hpp"` that finds a file of the project, beside the includer or as the only one of that path's
/// end, in which nothing is of CUDA, binds nothing, and neither do names of the namespace `cub` in the includer.
void dropOwnHeaders(const knowledge::Knowledge& knowledge, std::vector<FileOutcome>& outcomes);

/// A file that shows CUDA by names of a namespace alone (`thrust::Engine`), and whose headers, or theirs, define that
/// namespace without any CUDA, uses the project's own. Headers are found by their file name, wherever in the tree; one
/// of them that shows CUDA or HIP leaves everything as it is.
void dropOwnNamespaces(const knowledge::Knowledge& knowledge, std::vector<FileOutcome>& outcomes);

/// A constant called `warpSize` in one file of a folder is the one that its neighbours use where only a constant will
/// do: W12, which is about HIP's variable, does not hold for them.
void dropOwnWidths(std::vector<FileOutcome>& outcomes);

}  // namespace unwarp::audit
