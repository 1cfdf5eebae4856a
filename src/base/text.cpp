// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text helpers. Everything is linear in its input except `nearest`, which is quadratic in the length of one word and used for
// messages only.
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace unwarp {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

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
  std::size_t length = lead >= 0xC2 && lead <= 0xDF ? 2 : (lead & 0xF0) == 0xE0 ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  unsigned second = byte(i + 1);
  if (lead == 0xE0 && second < 0xA0) return 0;   // overlong
  if (lead == 0xED && second >= 0xA0) return 0;  // surrogates
  if (lead == 0xF0 && second < 0x90) return 0;
  if (lead == 0xF4 && second >= 0x90) return 0;
  return length;
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
bool isIdentifierPart(char c) { return isIdentifierStart(c) || (c >= '0' && c <= '9'); }

bool globMatch(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool pathGlobMatch(std::string_view pattern, std::string_view path) {
  // Two backtrack points: `**` may eat slashes, `*` may not. Each is remembered once, so the cost stays near |pattern| * |path|.
  std::size_t p = 0, t = 0;
  std::size_t starP = std::string_view::npos, starT = 0, deepP = std::string_view::npos, deepT = 0;
  for (;;) {
    if (p + 1 < pattern.size() && pattern[p] == '*' && pattern[p + 1] == '*') {
      p += 2;
      if (p < pattern.size() && pattern[p] == '/') {  // "**/x" also matches "x"
        deepP = p + 1;
        p = p + 1;
      } else {
        deepP = p;
      }
      deepT = t;
      starP = std::string_view::npos;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '*') {
      starP = ++p;
      starT = t;
      continue;
    }
    if (t == path.size() && p == pattern.size()) return true;
    if (t < path.size() && p < pattern.size() && (pattern[p] == path[t] || (pattern[p] == '?' && path[t] != '/'))) {
      ++p;
      ++t;
      continue;
    }
    if (starP != std::string_view::npos && starT < path.size() && path[starT] != '/') {
      p = starP;
      t = ++starT;
      continue;
    }
    if (deepP != std::string_view::npos && deepT < path.size()) {
      p = deepP;
      t = ++deepT;
      starP = std::string_view::npos;
      continue;
    }
    return false;
  }
}

std::optional<std::int64_t> parseDecimal(std::string_view text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
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
