// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See gitignore(5). Names are compared byte by byte, with regard to case. Ignore files above the root and
// .git/info/exclude are not read: an audit sees the folder it is given.
#include "scan/ignore.h"

#include "base/text.h"

namespace unwarp::scan {

namespace {

/// Behind the `]` of the bracket expression that opens at `open`, or npos.
std::size_t endOfBracket(std::string_view segment, std::size_t open) {
  std::size_t at = open + 1;
  if (at < segment.size() && (segment[at] == '!' || segment[at] == '^')) ++at;
  for (bool first = true; at < segment.size(); first = false) {
    if (segment[at] == ']' && !first) return at + 1;
    const std::size_t name = segment.substr(at, 2) == "[:" ? segment.find(":]", at + 2) : std::string_view::npos;
    at = name != std::string_view::npos ? name + 2 : at + (segment[at] == '\\' ? 2 : 1);
  }
  return std::string_view::npos;
}

}  // namespace

std::string_view globFault(std::string_view glob) {
  if (glob.empty()) return "is empty";
  for (const std::string_view segment : split(glob, '/')) {
    for (std::size_t at = 0; at < segment.size();) {
      if (segment[at] == '\\' && at + 1 == segment.size()) return "ends a name with a backslash";
      at = segment[at] == '[' ? endOfBracket(segment, at) : at + (segment[at] == '\\' ? 2 : 1);
      if (at == std::string_view::npos) return "has a '[' that does not close";
    }
  }
  return {};
}

std::vector<BadPattern> IgnoreList::add(std::string_view text, std::string_view file) {
  std::vector<BadPattern> bad;
  LineReader lines(withoutByteOrderMark(text));
  std::string_view line;
  while (lines.next(line)) {
    while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    Pattern pattern{"", false, false, false, false, std::string(file)};
    if (line.front() == '!') {
      pattern.negated = true;
      line.remove_prefix(1);
    }
    if (line.ends_with("/")) {
      pattern.folderOnly = true;
      line.remove_suffix(1);
    }
    pattern.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with("/")) line.remove_prefix(1);
    if (line.empty()) continue;
    if (const std::string_view fault = globFault(line); !fault.empty())
      bad.push_back({lines.number(), std::string(line), fault});
    pattern.glob = line;
    pattern.literal = line.find_first_of("*?[\\") == std::string_view::npos;
    patterns_.push_back(std::move(pattern));
  }
  return bad;
}

int IgnoreList::decide(std::string_view path, bool isFolder, std::string_view& file) const {
  std::string_view base = path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  for (std::size_t i = patterns_.size(); i-- > 0;) {
    const Pattern& pattern = patterns_[i];
    if (pattern.folderOnly && !isFolder) continue;
    std::string_view candidate = pattern.anchored ? path : base;
    if (pattern.literal ? pattern.glob != candidate : !pathGlobMatch(pattern.glob, candidate)) continue;
    file = pattern.file;
    return pattern.negated ? -1 : 1;
  }
  return 0;
}

}  // namespace unwarp::scan
