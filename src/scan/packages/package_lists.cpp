// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What distributions' own package descriptions want: debian/control, RPM spec files, and plain lists for apt (Aptfile).
#include "base/text.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

/// Names of a list: `a (>= 1), b | c [amd64]`, `a >= 1`.
void addList(const ReadContext& context, std::string_view list, std::uint32_t line, FileFacts& out) {
  for (const std::string_view group : split(list, ','))
    for (const std::string_view item : split(group, '|')) {
      const std::vector<std::string_view> parts = words(item);
      if (!parts.empty()) addSystemPackage(context, parts.front(), line, out);
    }
}

}  // namespace

/// `Depends:` and kin with the lines that go on below; `Requires:` and `BuildRequires:`.
void readPackageFields(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  bool wanted = false;
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with('#') || trim(line).empty()) continue;
    const bool goesOn = line.front() == ' ' || line.front() == '\t';
    const std::size_t colon = line.find(':');
    if (!goesOn) {
      const std::string field = toLower(line.substr(0, colon));
      wanted = colon != std::string_view::npos &&
               (field.find("depends") != std::string::npos || field.find("requires") != std::string::npos ||
                field == "recommends" || field == "suggests");
    }
    if (wanted) addList(context, goesOn ? line : line.substr(colon + 1), lines.number(), out);
  }
}

void readPackageLines(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  for (std::string_view line; lines.next(line);)
    if (line = trim(line); !line.starts_with('#')) addSystemPackage(context, line, lines.number(), out);
}

}  // namespace unwarp::scan
