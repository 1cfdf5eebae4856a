// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs that the driver runs (clang, the linker, LLVM's tools), with nvcc's words when one cannot be started.
#pragma once

#include "base/process.h"

namespace unwarp::nvcc {

/// Runs a tool and gives its status; notStartedStatus after a message when it cannot be started.
int runTool(const std::vector<std::string>& command);

/// The same with what it prints: see printedBy.
Printed printedByTool(const std::vector<std::string>& command, Stream stream, std::string_view enough = {});

}  // namespace unwarp::nvcc
