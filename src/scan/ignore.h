// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ignore files with the meaning git gives them: last match wins, `!` takes back, a trailing `/` is for folders, a `/`
// elsewhere anchors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan {

/// Why `glob` can match nothing ("has a '[' that does not close"), or empty when it is a pattern.
std::string_view globFault(std::string_view glob);

/// A pattern of an ignore file that is none.
struct BadPattern {
  std::uint32_t line;
  std::string glob;
  std::string_view what;  ///< globFault()
};

/// The patterns of one folder's ignore files.
class IgnoreList {
 public:
  /// Adds the lines of one file. `file` names it in reasons. Gives the patterns that are none; they match nothing.
  std::vector<BadPattern> add(std::string_view text, std::string_view file);
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
