// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// String literals of C and C++ that bind a program to CUDA: a library's file name, a function's name that is looked up
// in one, an environment variable, a shell command, and CUDA C++ for a run-time compiler. A literal counts by what it
// is and where it stands, never because of its words: messages and comments mention CUDA all the time.
#pragma once

#include "scan/facts.h"
#include "scan/source_facts.h"

namespace unwarp::scan {

/// Whether some literal may be one of these: a look at the literals only, so that files without any pay little.
bool mayHoldBindings(const LexedFile& lexed, std::string_view text, const knowledge::Knowledge& knowledge);

/// Whether kernels in literals are read too: not of files that are read in pieces.
enum class EmbeddedKernels : std::uint8_t { Read, LeaveOut };
void findStringBindings(const ReadContext& context, const SourceFacts& facts, EmbeddedKernels kernels, FileFacts& out);

}  // namespace unwarp::scan
