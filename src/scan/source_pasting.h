// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that macros of the file paste together: `#define CU(f) cuda##f` makes `CU(Malloc)` a use of cudaMalloc, at the
// place of the use. Only function-like macros of this file with whole names as arguments are followed; a macro whose
// uses stand in other files is named in a note, since tokens of one file do not show what it makes.
#pragma once

#include "scan/facts.h"
#include "scan/source_facts.h"

namespace unwarp::scan {

/// A name that a macro call makes.
struct PastedName {
  TokenIndex use;         ///< the macro's name where it is called
  TokenIndex definition;  ///< and where it is defined
  std::uint32_t record;
};
std::vector<PastedName> findPastedNames(const SourceFacts& facts, const knowledge::Knowledge& knowledge,
                                        FileFacts& out);

}  // namespace unwarp::scan
