// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/launch_counts.h"

#include "base/file.h"
#include "base/json_tokens.h"
#include "base/text.h"

namespace unwarp::trial {

LaunchCounts takeLaunchCounts(const std::filesystem::path& folder) {
  LaunchCounts counts;
  std::error_code failed;
  for (auto it = std::filesystem::directory_iterator(folder, failed);
       !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
    Result<FileBytes> bytes = FileBytes::open(it->path().string());
    if (!bytes) continue;
    visitJson(bytes->view(), [&](const JsonScalar& value) {
      const std::vector<std::string>& path = value.path;
      if (path.size() == 1 && path[0] == "launches")
        counts.launches += static_cast<std::uint64_t>(parseDecimal(value.value).value_or(0));
      if (path.size() != 3) return;
      if (path[0] == "kernels" && path[2] == "tier") counts.tiers.insert(value.value);
      if (path[0] == "unimplemented" && path[2] == "name") counts.unimplemented.insert(value.value);
    });
  }
  std::filesystem::remove_all(folder, failed);
  std::filesystem::create_directory(folder, failed);
  return counts;
}

}  // namespace unwarp::trial
