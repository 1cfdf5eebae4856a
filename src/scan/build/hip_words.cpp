// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An identifier is cut into words at underscores and at camel humps; one word must be a known one. The list is short on
// purpose: a wrong guard hides a binding, a missing one only leaves it unmarked.
#include "scan/build/hip_words.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace unwarp::scan::build {
namespace {

constexpr std::array<std::string_view, 10> hipWords{"hip",    "hipcc",   "hipblas", "hipcub",    "hipsparse",
                                                    "hipify", "hipfort", "amdgpu",  "hipblaslt", "hipclang"};

bool isKnown(std::string_view word) {
  const std::string lower = toLower(word);
  return lower.starts_with("rocm") || std::find(hipWords.begin(), hipWords.end(), lower) != hipWords.end();
}

bool isLower(char c) {
  return c >= 'a' && c <= 'z';
}
bool isUpper(char c) {
  return c >= 'A' && c <= 'Z';
}

}  // namespace

bool isHipWord(std::string_view identifier) {
  if (identifier == "is_amd" || identifier == "IS_AMD" || identifier == "amd") return true;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= identifier.size(); ++i) {
    const bool end =
        i == identifier.size() || identifier[i] == '_' || (isLower(identifier[i - 1]) && isUpper(identifier[i]));
    if (!end) continue;
    if (isKnown(identifier.substr(begin, i - begin))) return true;
    begin = i < identifier.size() && identifier[i] == '_' ? i + 1 : i;
  }
  return false;
}

bool mentionsHip(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (!isIdentifierPart(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && isIdentifierPart(text[i])) ++i;
    if (isHipWord(text.substr(begin, i - begin))) return true;
  }
  return false;
}

}  // namespace unwarp::scan::build
