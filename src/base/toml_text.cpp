// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/toml_text.h"

#include <algorithm>

namespace unwarp {

namespace {

/// The end of the string that starts at `at` with a quote: past its closing quotes, or where the text or, for strings
/// of one line, the line ends.
std::size_t endOfString(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const bool escapes = quote == '"';
  const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
  const bool multiLine = toml.substr(at).starts_with(triple);
  for (std::size_t i = at + (multiLine ? 3 : 1); i < toml.size(); ++i) {
    if (escapes && toml[i] == '\\') {
      ++i;
    } else if (!multiLine && toml[i] == '\n') {
      return i;
    } else if (!multiLine && toml[i] == quote) {
      return i + 1;
    } else if (multiLine && toml.substr(i).starts_with(triple)) {
      i += 3;
      // Up to two more quotes belong to the string.
      for (int more = 0; more < 2 && i < toml.size() && toml[i] == quote; ++more) ++i;
      return i;
    }
  }
  return toml.size();
}

}  // namespace

std::uint32_t lineOfForeignCharacter(std::string_view toml) {
  for (std::size_t i = toml.starts_with("\xEF\xBB\xBF") ? 3 : 0; i < toml.size();) {
    if (toml[i] == '#') {
      i = std::min(toml.find('\n', i), toml.size());
    } else if (toml[i] == '"' || toml[i] == '\'') {
      i = endOfString(toml, i);
    } else if (static_cast<unsigned char>(toml[i]) >= 0x80) {
      return static_cast<std::uint32_t>(1 +
                                        std::count(toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(i), '\n'));
    } else {
      ++i;
    }
  }
  return 0;
}

}  // namespace unwarp
