// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/session.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace unwarp::trial {
namespace {

std::string inFrontOf(const char* variable, const std::string& folder) {
  const char* before = std::getenv(variable);
  std::string rest = before != nullptr && *before != '\0' ? ":" + std::string(before) : "";
  return std::string(variable) + "=" + folder + rest;
}

}  // namespace

std::string Session::shown(const std::filesystem::path& path) const {
  return path == project ? "." : pathText(path.lexically_relative(project).string());
}

std::string Session::shownText(std::string text) const {
  for (const std::string& prefix : {project.string() + "/", project.string(), scratch.string() + "/"}) {
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
      text.replace(at, prefix.size(), prefix.ends_with('/') ? "" : ".");
  }
  return text;
}

Ended Session::run(const std::vector<std::string>& words, const std::filesystem::path& folder,
                   std::chrono::seconds time, std::vector<std::string> changes) const {
  const char* path = std::getenv("PATH");
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDAToolkit_ROOT"})
    changes.push_back(std::string(variable) + "=" + toolkit);
  changes.push_back("CUDACXX=" + toolkit + "/bin/nvcc");
  changes.push_back("PATH=" + toolkit + "/bin:" + (path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"));
  changes.push_back(inFrontOf("LD_LIBRARY_PATH", toolkit + "/lib64"));
  changes.push_back("TMPDIR=" + (scratch / "tmp").string());
  changes.push_back("LC_ALL=C.UTF-8");
  RunLimits limits;
  limits.time = std::min<std::chrono::steady_clock::duration>(time, deadline - std::chrono::steady_clock::now());
  return supervision.run({words, folder.string(), environmentWith(changes)}, limits);
}

Ended Session::build(const std::vector<std::string>& words, const std::filesystem::path& folder) const {
  return run(words, folder, buildTime, {"MAKEFLAGS=", "CLICOLOR=0"});
}

Ended Session::check(const std::vector<std::string>& words, const std::filesystem::path& folder,
                     std::vector<std::string> changes) const {
  return run(words, folder, runTime, std::move(changes));
}

}  // namespace unwarp::trial
