// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every step of a trial needs: where things lie, what programs see, how long they may take. A step that finds the
// time of the whole trial used up does not start.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/supervision.h"

namespace unwarp::trial {

struct Session {
  const Supervision& supervision;
  std::filesystem::path scratch;  ///< holds everything; gone in the end
  std::filesystem::path project;  ///< the copy of the project
  std::string toolkit;            ///< CUDA_HOME
  unsigned jobs = 1;              ///< compilers at a time
  std::chrono::seconds buildTime{}, runTime{};
  std::chrono::steady_clock::time_point deadline;
  std::function<void(std::string_view)> say;  ///< tells what is going on; may do nothing

  bool isOver() const { return std::chrono::steady_clock::now() >= deadline || supervision.interrupted(); }
  /// A path of the project as results spell it; "." for the project's own folder.
  std::string shown(const std::filesystem::path& path) const;
  /// A text in which scratch paths have become what the user knows: paths of the project.
  std::string shownText(std::string text) const;
  /// Runs a program of the build: with the toolkit in reach.
  Ended build(const std::vector<std::string>& words, const std::filesystem::path& folder) const;
  /// Runs a check, with `changes` of the environment (NAME=VALUE) on top of the toolkit's.
  Ended check(const std::vector<std::string>& words, const std::filesystem::path& folder,
              std::vector<std::string> changes) const;

 private:
  Ended run(const std::vector<std::string>& words, const std::filesystem::path& folder, std::chrono::seconds time,
            std::vector<std::string> changes) const;
};

}  // namespace unwarp::trial
