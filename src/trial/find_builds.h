// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a project can be built, found without running anything. The rule, which docs/build-and-run.md gives in full:
// the topmost folder with a CMakeLists.txt that starts a project, or with a Makefile, is one build, and what lies below
// belongs to it; where neither stands, the folders below are asked. CUDA sources with a main function that belong to no
// build, or whose build gave no program, are builds of their own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"

namespace unwarp::trial {

/// A place where a build system starts.
struct BuildFolder {
  std::filesystem::path folder;
  bool hasCMake = false;           ///< CMakeLists.txt with project()
  std::filesystem::path makefile;  ///< GNUmakefile, makefile or Makefile; empty when there is none
};

/// The build folders in `root` or below it, ordered by path. Links are not followed.
std::vector<BuildFolder> findBuildFolders(const std::filesystem::path& root);

/// The CUDA sources (.cu) with a main function in `root` or below it but not in any of `without`, ordered by path.
std::vector<std::filesystem::path> findLoneSources(const std::filesystem::path& root,
                                                   const std::vector<std::filesystem::path>& without,
                                                   const knowledge::Knowledge& knowledge);

/// Whether a C++ text defines `main`: a function of that name that is declared with a type, outside of comments and
/// strings. Macros are not expanded.
bool definesMain(std::string_view text, const knowledge::Knowledge& knowledge);

}  // namespace unwarp::trial
