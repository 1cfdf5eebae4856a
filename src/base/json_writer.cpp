// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nearly every string of a report is plain ASCII without anything to escape, so that case is found eight bytes at a
// time and copied whole; only the rest is looked at byte by byte. Bytes above 0x7f send the text through toValidUtf8
// once: the output is valid UTF-8 whatever a file name holds, and characters stay readable instead of becoming \u
// escapes. The solidus is not escaped.
#include "base/json_writer.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "base/text.h"

namespace unwarp {
namespace {

constexpr std::uint64_t ones = 0x0101010101010101u;
constexpr std::uint64_t highs = 0x8080808080808080u;

/// Non-zero when one of eight bytes is zero (exact as a yes or no answer).
constexpr std::uint64_t hasZero(std::uint64_t eight) {
  return (eight - ones) & ~eight & highs;
}

bool isPlain(unsigned char c) {
  return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/// Length of the leading run of bytes that stand for themselves.
std::size_t plainPrefix(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data() + i, 8);
    const std::uint64_t control = (eight - ones * 0x20) & ~eight;
    const std::uint64_t special = (control | eight) & highs;
    if (special | hasZero(eight ^ (ones * '"')) | hasZero(eight ^ (ones * '\\'))) break;
  }
  while (i < text.size() && isPlain(static_cast<unsigned char>(text[i]))) ++i;
  return i;
}

void appendEscaped(std::string& out, char c) {
  constexpr char digits[] = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      break;
  }
  if (static_cast<unsigned char>(c) >= 0x20) {
    out += c;
    return;
  }
  out += "\\u00";
  out += digits[(c >> 4) & 0xf];
  out += digits[c & 0xf];
}

}  // namespace

void JsonWriter::quote(std::string_view text) {
  out_ += '"';
  const std::size_t plain = plainPrefix(text);
  out_.append(text.data(), plain);
  if (plain < text.size()) quoteHard(text.substr(plain));
  out_ += '"';
}

void JsonWriter::quoteHard(std::string_view text) {
  // The plain prefix ends at a character boundary, so validating the rest alone gives the same answer.
  bool ascii = true;
  for (const char c : text) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
  const std::string valid = ascii ? std::string() : toValidUtf8(text);
  for (const char c : ascii ? text : std::string_view(valid)) appendEscaped(out_, c);
}

void JsonWriter::signedNumber(std::int64_t number) {
  separate();
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void JsonWriter::unsignedNumber(std::uint64_t number) {
  separate();
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  char digits[40];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace unwarp
