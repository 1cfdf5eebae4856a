// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/output_text.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp {

namespace {

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : toValidUtf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    // U+0080 to U+009F are controls too: C2 80 to C2 9F.
    const bool secondControl = !out.empty() && out.back() == '\xc2' && byte >= 0x80 && byte < 0xa0;
    if (secondControl) out.pop_back();
    if (byte < 0x20 || byte == 0x7f || secondControl)
      out.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 0xf]);
    else
      out += c;
  }
  return out;
}

std::size_t columnsOf(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) columns += continues(c) ? 0 : 1;
  return columns;
}

std::string clipped(std::string_view text, std::size_t columns, std::string_view ellipsis) {
  if (columnsOf(text) <= columns) return std::string(text);
  const std::size_t room = columns - std::min(columns, columnsOf(ellipsis));
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (continues(text[end])) continue;
    if (seen == room) break;
    ++seen;
  }
  return std::string(text.substr(0, end)).append(ellipsis);
}

std::string clippedInFront(std::string_view text, std::size_t columns, std::string_view ellipsis) {
  const std::size_t width = columnsOf(text);
  if (width <= columns) return std::string(text);
  const std::size_t room = columns - std::min(columns, columnsOf(ellipsis));
  std::size_t begin = text.size();
  for (std::size_t kept = 0; kept < room && begin > 0;) {
    --begin;
    if (!continues(text[begin])) ++kept;
  }
  return std::string(ellipsis).append(text.substr(begin));
}

std::string markdownCell(std::string_view text) {
  std::string out;
  for (char c : printable(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string csvCell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

bool isFormula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
}

std::string csvCellOf(std::string_view untrusted) {
  return csvCell((isFormula(untrusted) ? " " : "") + toValidUtf8(untrusted));
}

}  // namespace unwarp
