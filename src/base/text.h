// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text as views: nothing here allocates unless it returns a std::string.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp {

std::string_view trim(std::string_view text);
/// Splits at every `separator`; an empty text gives one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Splits at runs of blanks; no empty pieces.
std::vector<std::string_view> words(std::string_view text);
bool equalsIgnoreCase(std::string_view a, std::string_view b);
std::string toLower(std::string_view text);
bool isIdentifierStart(char c);
bool isIdentifierPart(char c);
/// Whole-string match; `*` any run, `?` one character. Linear in practice, never exponential.
bool globMatch(std::string_view pattern, std::string_view text);
/// Path glob as in ignore files: `*`, `?` and `[a-z]` stop at `/`, a segment `**` does not; `\\` takes the next
/// character as it is.
bool pathGlobMatch(std::string_view pattern, std::string_view path);
/// Decimal, hexadecimal, octal or binary C literal with suffixes and digit separators.
std::optional<std::int64_t> parseCInteger(std::string_view text);
std::optional<std::int64_t> parseDecimal(std::string_view text);
/// A finite number such as `-1`, `0.5` or `2e3`, filling the whole text; no blanks, no thousands separators.
std::optional<double> parseNumber(std::string_view text);
/// The nearest of `choices` within a third of the word's length, or empty: for "did you mean".
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& choices);
/// 64-bit hash, stable over machines and releases (fingerprints rely on it).
std::uint64_t stableHash(std::string_view text, std::uint64_t seed = 0);
/// Appends one character, whose number is at most 0x10FFFF.
void appendUtf8(std::string& out, std::uint32_t code);
/// Text without the byte order mark that some editors write before UTF-8.
std::string_view withoutByteOrderMark(std::string_view text);
/// UTF-16 as UTF-8 without a byte order mark: of text that starts with such a mark, or that plainly is UTF-16 because
/// nearly all of its first characters are ASCII. Nothing for all other bytes. Half a pair becomes U+FFFD.
std::optional<std::string> utf8FromUtf16(std::string_view bytes);
/// Replaces invalid UTF-8 by U+FFFD so that every output is valid.
std::string toValidUtf8(std::string_view text);
/// A file's name as results spell it, valid UTF-8 and different for different names: a byte that is not UTF-8 becomes
/// `\xNN`, a backslash two of them. `pathBytes` gives the name back.
std::string pathText(std::string_view path);
std::string pathBytes(std::string_view text);

/// Walks lines without copying. Lines count from 1; a final line without line break counts.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}
  /// False at the end. `line` lacks its line break ("\n" or "\r\n").
  bool next(std::string_view& line);
  std::uint32_t number() const { return number_; }
  /// Offset of the current line in the text.
  std::size_t offset() const { return offset_; }

 private:
  std::string_view rest_;
  std::size_t offset_ = 0;
  std::size_t nextOffset_ = 0;
  std::uint32_t number_ = 0;
};

}  // namespace unwarp
