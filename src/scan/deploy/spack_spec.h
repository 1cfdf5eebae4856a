// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specs of the package manager Spack: `hdf5@1.14+mpi+cuda cuda_arch=80 ^cuda@12.4 %nvhpc`. They stand in environments
// (spack.yaml), recipes (package.py) and on the command line. What a spec switches off (`~cuda`) binds nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "scan/facts.h"

namespace unwarp::scan {

/// Looks up the parts of `spec` as the tables write them: `+cuda`, `cuda_arch=80`, `^cuda` (also for the package a spec
/// is about), `%nvhpc`.
void addSpackSpec(const ReadContext& context, std::string_view spec, std::uint32_t line, FileFacts& out);

}  // namespace unwarp::scan
