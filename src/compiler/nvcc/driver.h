// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp nvcc`, also called `nvcc`: runs a plan and reports like nvcc.
#pragma once

#include <string>
#include <vector>

namespace unwarp::nvcc {

/// Status as nvcc gives it: 0, 1 for errors of the command line, else the status of the failed step.
int runNvcc(const std::vector<std::string>& arguments);

/// The toolkit folder that belongs to this program.
std::string toolkitPath();

}  // namespace unwarp::nvcc
