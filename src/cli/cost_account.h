// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a folder or manifest to an account: what `cost` and `assess` share.
#pragma once

#include <string>

#include "cli/audit_command.h"
#include "cost/account/account.h"

namespace unwarp::cli {

/// What of the command line concerns the account; empty or missing: the manifest's answer or a default.
struct AccountRequest {
  std::string manifestFile;
  std::vector<std::string> gpus;
  std::string translatedFile;
};

/// The GPUs in question: the request's, else the manifest's, else those that `targets` are the LLVM names of.
Result<std::vector<cost::GpuTarget>> gpuTargets(const cost::Accountant& accountant, const cost::Manifest& manifest,
                                                const AccountRequest& request, const std::vector<std::string>& targets);

/// An empty manifest when there is no file.
Result<cost::Manifest> manifestOf(const cost::Accountant& accountant, const std::string& file);

/// `PATH/unwarp.toml` when it holds a manifest, else empty.
std::string manifestBeside(const std::string& path);

}  // namespace unwarp::cli
