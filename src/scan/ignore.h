// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ignore files with the meaning git gives them: last match wins, `!` takes back, a trailing `/` is for folders, a `/`
// elsewhere anchors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan {

/// The patterns of one folder's ignore files.
class IgnoreList {
 public:
  /// Adds the lines of one file. `file` names it in reasons.
  void add(std::string_view text, std::string_view file);
  bool empty() const { return patterns_.empty(); }
  /// 1 ignored, -1 taken back, 0 nothing said. `path` is relative to the folder of the list. `file` receives the
  /// deciding file's name.
  int decide(std::string_view path, bool isFolder, std::string_view& file) const;

 private:
  struct Pattern {
    std::string glob;
    bool negated, folderOnly, anchored;
    bool literal;  ///< no wildcard in it
    std::string file;
  };
  std::vector<Pattern> patterns_;
};

}  // namespace unwarp::scan
