// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the files of a tree without following links out of it, honouring ignore files.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace unwarp::scan {

struct WalkOptions {
  bool useIgnoreFiles = true;              ///< .gitignore, .ignore, .unwarpignore
  std::vector<std::string> exclude;        ///< path globs from the configuration, relative to the root
  std::vector<std::string> skipRealPaths;  ///< absolute folders never entered (the report being written)
};

struct WalkResult {
  std::vector<std::string> files;                            ///< relative to the root, '/' separated, sorted
  std::vector<std::pair<std::string, std::string>> skipped;  ///< path, reason; sorted
  std::string fault;  ///< why the tree cannot be walked as asked (a pattern in .unwarpignore that is none), or empty
};

/// Walks `root` (a folder, or one file: then the only entry is its base name). Depth is bounded by the file system's
/// path limit.
WalkResult walk(const std::string& root, const WalkOptions& options);

}  // namespace unwarp::scan
