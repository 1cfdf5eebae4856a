// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/cost_account.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/toml.h"

namespace unwarp::cli {

Result<std::vector<cost::GpuTarget>> gpuTargets(const cost::Accountant& accountant, const cost::Manifest& manifest,
                                                const AccountRequest& request,
                                                const std::vector<std::string>& targets) {
  std::vector<cost::GpuTarget> result;
  const std::vector<std::string>& names = request.gpus.empty() ? manifest.targets : request.gpus;
  for (const std::string& name : names) {
    std::string_view gpu = accountant.gpus().find(name);
    if (gpu.empty()) return Error{"--gpu: " + accountant.gpus().unknown(name)};
    if (std::any_of(result.begin(), result.end(), [&](const cost::GpuTarget& other) { return other.gpu == gpu; }))
      return Error{"--gpu " + name + ": " + std::string(gpu) + " is named twice; name each GPU once"};
    result.push_back({std::string(gpu), std::string(accountant.gpus().target(gpu))});
  }
  if (!result.empty()) return result;
  for (const std::string& target : targets) result.push_back({"", target});
  if (result.empty()) result.push_back({"MI300X", std::string(accountant.gpus().target("MI300X"))});
  return result;
}

Result<cost::Manifest> manifestOf(const cost::Accountant& accountant, const std::string& file) {
  if (file.empty()) return cost::Manifest();
  auto bytes = FileBytes::open(file);
  if (!bytes) return Error{bytes.error()};
  return cost::readManifest(file, bytes->view(), accountant.gpus(), accountant.rates(), accountant.defaults());
}

std::string manifestBeside(const std::string& path) {
  std::error_code error;
  std::filesystem::path file = std::filesystem::path(path) / "unwarp.toml";
  if (!std::filesystem::is_regular_file(file, error)) return {};
  auto bytes = FileBytes::open(file.string());
  if (!bytes) return {};
  bool holds = false;
  visitToml(bytes->view(),
            [&](const TomlValue& value) { holds = holds || value.path[0] == "cost" || value.path[0] == "workload"; });
  return holds ? file.string() : std::string();
}

}  // namespace unwarp::cli
