// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds what can be built, each build in its own way: CMake into a folder of its own, make in the copy, a source alone
// with nvcc. A build goes on behind what fails (make -k), so that one file that does not compile costs only what needs
// it.
#pragma once

#include <filesystem>
#include <set>
#include <vector>

#include "knowledge/knowledge.h"
#include "result/trial_result.h"
#include "trial/find_builds.h"
#include "trial/session.h"

namespace unwarp::trial {

/// A build that was tried, and what came out of it.
struct Built {
  result::Build build;
  std::filesystem::path folder;                      ///< of the sources, in the copy
  std::filesystem::path output;                      ///< where it was built
  std::vector<std::filesystem::path> programs = {};  ///< with device code, or using a library that has it; ordered
};

/// Builds everything below the copy of the project. `copied` are files that were there before.
std::vector<Built> buildAll(const Session& session, const std::set<std::filesystem::path>& copied,
                            const knowledge::Knowledge& knowledge);

/// Builds one source, which may include files of the folders in `includes`.
Built buildSource(const Session& session, const std::filesystem::path& source,
                  const std::vector<std::filesystem::path>& includes);

/// Variables for make's command line: Makefiles that name a place of their own for CUDA are overruled; their compiler
/// and flags stay theirs.
std::vector<std::string> makeOverrides(const Session& session);

/// Empty when the toolkit compiles and links a kernel, else the reason in one line.
std::string whyNoToolkit(const Session& session);

}  // namespace unwarp::trial
