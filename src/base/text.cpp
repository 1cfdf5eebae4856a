// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text helpers. Everything is linear in its input except `nearest`, which is quadratic in the length of one word and
// used for messages only.
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace unwarp {

namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// Length of the valid UTF-8 sequence at `text[i]`, or 0.
std::size_t utf8Length(std::string_view text, std::size_t i) {
  auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  unsigned lead = byte(i);
  if (lead < 0x80) return 1;
  std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                       : (lead & 0xF0) == 0xE0        ? 3
                       : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                      : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  unsigned second = byte(i + 1);
  if (lead == 0xE0 && second < 0xA0) return 0;   // overlong
  if (lead == 0xED && second >= 0xA0) return 0;  // surrogates
  if (lead == 0xF0 && second < 0x90) return 0;
  if (lead == 0xF4 && second >= 0x90) return 0;
  return length;
}

/// One element of a pattern against one character.
struct Element {
  std::size_t end = 0;  ///< where the next element starts
  bool takes = false;
};

/// The loop of both kinds of pattern: `*` takes any run of characters, `elementAt(pattern, at, c)` says what the rest
/// takes. Only the last `*` is gone back to, since an earlier one can gain nothing by taking more.
template <class ElementAt>
bool starMatch(std::string_view pattern, std::string_view text, const ElementAt& elementAt) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
      continue;
    }
    Element element = p < pattern.size() ? elementAt(pattern, p, text[t]) : Element{};
    if (element.takes) {
      p = element.end;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p >= pattern.size();
}

bool inNamedClass(std::string_view name, unsigned char c) {
  bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
  if (name == "alpha") return letter;
  if (name == "digit") return digit;
  if (name == "alnum") return letter || digit;
  if (name == "lower") return c >= 'a' && c <= 'z';
  if (name == "upper") return c >= 'A' && c <= 'Z';
  if (name == "space") return isBlank(static_cast<char>(c));
  if (name == "xdigit") return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  return name == "punct" && c > 0x20 && c < 0x7f && !letter && !digit;
}

/// `[a-z_]`, `[!x]`, `[[:digit:]]`. A bracket that does not close takes nothing.
Element bracketElement(std::string_view pattern, std::size_t open, unsigned char c) {
  std::size_t i = open + 1;
  bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool inside = false;
  for (bool first = true; i < pattern.size(); first = false) {
    if (pattern[i] == ']' && !first) return {i + 1, inside != negated};
    if (pattern.substr(i, 2) == "[:") {
      std::size_t close = pattern.find(":]", i + 2);
      if (close != std::string_view::npos) {
        inside |= inNamedClass(pattern.substr(i + 2, close - i - 2), c);
        i = close + 2;
        continue;
      }
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    unsigned char low = static_cast<unsigned char>(pattern[i]), high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      i += pattern[i + 2] == '\\' && i + 3 < pattern.size() ? 3 : 2;
      high = static_cast<unsigned char>(pattern[i]);
    }
    inside |= c >= low && c <= high;
    ++i;
  }
  return {pattern.size(), false};
}

Element globElement(std::string_view pattern, std::size_t p, char c) {
  return {p + 1, pattern[p] == '?' || pattern[p] == c};
}

/// The same with bracket expressions and escapes, for one segment of a path.
Element segmentElement(std::string_view pattern, std::size_t p, char c) {
  if (pattern[p] == '[') return bracketElement(pattern, p, static_cast<unsigned char>(c));
  if (pattern[p] == '\\') return {p + 2, p + 1 < pattern.size() && pattern[p + 1] == c};
  return globElement(pattern, p, c);
}

int hexDigit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    std::size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> pieces;
  std::size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && isBlank(text[i])) ++i;
    std::size_t begin = i;
    while (i < text.size() && !isBlank(text[i])) ++i;
    if (i > begin) pieces.push_back(text.substr(begin, i - begin));
  }
  return pieces;
}

bool equalsIgnoreCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string toLower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

bool isIdentifierStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool isIdentifierPart(char c) {
  return isIdentifierStart(c) || (c >= '0' && c <= '9');
}

bool globMatch(std::string_view pattern, std::string_view text) {
  return starMatch(pattern, text, globElement);
}

bool pathGlobMatch(std::string_view pattern, std::string_view path) {
  // Segment by segment; only the last `**` needs to be remembered, since an earlier one can gain nothing by taking
  // more.
  constexpr std::size_t none = std::string_view::npos;
  auto segment = [](std::string_view text, std::size_t from) { return text.substr(from, text.find('/', from) - from); };
  auto next = [](std::string_view text, std::size_t from) {
    std::size_t slash = text.find('/', from);
    return slash == std::string_view::npos ? slash : slash + 1;
  };
  std::size_t p = 0, t = 0, deepP = none, deepT = none;
  for (;;) {
    if (p != none && segment(pattern, p) == "**") {
      p = next(pattern, p);
      if (p == none) return t != none;
      deepP = p;
      deepT = t;
      continue;
    }
    if (p == none && t == none) return true;
    if (p != none && t != none && starMatch(segment(pattern, p), segment(path, t), segmentElement)) {
      p = next(pattern, p);
      t = next(path, t);
      continue;
    }
    if (deepP == none || deepT == none) return false;
    deepT = next(path, deepT);
    if (deepT == none) return false;
    p = deepP;
    t = deepT;
  }
}

std::optional<std::int64_t> parseDecimal(std::string_view text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> parseNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<std::int64_t> parseCInteger(std::string_view text) {
  while (!text.empty() && (lower(text.back()) == 'u' || lower(text.back()) == 'l' || lower(text.back()) == 'z')) {
    text.remove_suffix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x') {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && lower(text[1]) == 'b') {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::array<char, 72> digits;
  std::size_t count = 0;
  for (char c : text) {
    if (c == '\'') continue;
    if (count == digits.size()) return std::nullopt;
    digits[count++] = c;
  }
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + count, value, base);
  if (error != std::errc() || end != digits.data() + count || count == 0) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& choices) {
  std::string_view best;
  std::size_t bestDistance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::string_view choice : choices) {
    if (choice.size() > word.size() + bestDistance || word.size() > choice.size() + bestDistance) continue;
    std::size_t distance = editDistance(word, choice);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = choice;
    }
  }
  return best;
}

std::uint64_t stableHash(std::string_view text, std::uint64_t seed) {
  // FNV-1a with a final avalanche: simple, the same everywhere, good enough for fingerprints and hash tables.
  std::uint64_t hash = 0xcbf29ce484222325ull ^ (seed * 0x9e3779b97f4a7c15ull);
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ull;
  }
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdull;
  hash ^= hash >> 33;
  return hash;
}

void appendUtf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

std::string_view withoutByteOrderMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

namespace {

enum class ByteOrder : std::uint8_t { LowFirst, HighFirst };

/// ASCII in UTF-16 has a zero in every other byte, always the same one; nine of ten units must be so.
bool isPlainlyUtf16(std::string_view bytes, ByteOrder order) {
  constexpr std::size_t looked = 1024, fewest = 8;
  const std::size_t end = std::min(looked, bytes.size() & ~std::size_t{1});
  const std::size_t high = order == ByteOrder::LowFirst ? 1 : 0;
  std::size_t ascii = 0;
  for (std::size_t i = 0; i < end; i += 2) {
    const bool zeroHigh = bytes[i + high] == '\0', zeroLow = bytes[i + 1 - high] == '\0';
    if (zeroHigh && zeroLow) return false;
    ascii += zeroHigh ? 1u : 0u;
  }
  return end >= fewest && ascii * 20 >= end * 9;
}

std::optional<ByteOrder> utf16Order(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return ByteOrder::LowFirst;
  if (bytes.starts_with("\xFE\xFF")) return ByteOrder::HighFirst;
  if (bytes.size() < 2 || bytes.size() % 2 != 0 || (bytes[0] == '\0') == (bytes[1] == '\0')) return std::nullopt;
  const ByteOrder order = bytes[1] == '\0' ? ByteOrder::LowFirst : ByteOrder::HighFirst;
  return isPlainlyUtf16(bytes, order) ? std::optional(order) : std::nullopt;
}

}  // namespace

std::optional<std::string> utf8FromUtf16(std::string_view bytes) {
  const std::optional<ByteOrder> order = utf16Order(bytes);
  if (!order) return std::nullopt;
  constexpr std::uint32_t mark = 0xFEFF, replacement = 0xFFFD;
  const std::size_t high = *order == ByteOrder::LowFirst ? 1 : 0;
  const auto unit = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + high]) << 8 |
                                      static_cast<unsigned char>(bytes[i + 1 - high]));
  };
  const auto isHalf = [](std::uint32_t code, std::uint32_t first) { return code >= first && code < first + 0x400; };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (i == 0 && code == mark) continue;
    if (isHalf(code, 0xD800) && i + 3 < bytes.size() && isHalf(unit(i + 2), 0xDC00)) {
      code = 0x10000 + ((code - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    } else if (isHalf(code, 0xD800) || isHalf(code, 0xDC00)) {
      code = replacement;
    }
    appendUtf8(text, code);
  }
  return text;
}

std::string toValidUtf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = utf8Length(text, i);
    if (length == 0) {
      result += "\xEF\xBF\xBD";
      ++i;
    } else {
      result.append(text.substr(i, length));
      i += length;
    }
  }
  return result;
}

std::string pathText(std::string_view path) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result;
  result.reserve(path.size());
  for (std::size_t i = 0; i < path.size();) {
    std::size_t length = utf8Length(path, i);
    if (path[i] == '\\') {
      result += "\\\\";
    } else if (length != 0) {
      result.append(path.substr(i, length));
    } else {
      unsigned char byte = static_cast<unsigned char>(path[i]);
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 0xf]};
    }
    i += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string pathBytes(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool escape = text[i] == '\\';
    if (escape && i + 3 < text.size() && text[i + 1] == 'x' && hexDigit(text[i + 2]) >= 0 &&
        hexDigit(text[i + 3]) >= 0) {
      result += static_cast<char>(hexDigit(text[i + 2]) * 16 + hexDigit(text[i + 3]));
      i += 3;
    } else {
      if (escape && i + 1 < text.size() && text[i + 1] == '\\') ++i;
      result += text[i];
    }
  }
  return result;
}

bool LineReader::next(std::string_view& line) {
  if (rest_.empty()) return false;
  offset_ = nextOffset_;
  std::size_t at = rest_.find('\n');
  std::size_t taken = at == std::string_view::npos ? rest_.size() : at + 1;
  line = rest_.substr(0, at);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  rest_.remove_prefix(taken);
  nextOffset_ += taken;
  ++number_;
  return true;
}

}  // namespace unwarp
