// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines of a Python file stand in a branch that already knows about HIP or ROCm.
#pragma once

#include "scan/python/python_tokens.h"

namespace unwarp::scan::python {

/// Marks every line of an if/elif/else chain one of whose conditions mentions HIP or ROCm, and lines with such a
/// conditional expression.
void markGuardedLines(PyFile& file);

/// True when the tokens before `token` decide by the platform whether it is evaluated at all:
/// `torch.version.hip is None and HERE`, `is_nvidia() and (x or HERE)`. Looks back a bounded number of tokens.
bool isBehindPlatformTest(const PyFile& file, const PyLine& line, std::uint32_t token);

}  // namespace unwarp::scan::python
