// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spelling rules behind parseLibraryName: SONAME versions, `-<hash>` of repaired wheels, DLL word sizes.
// Limits: a hash has 8 to 64 hexadecimal digits with at least one digit 0-9, so that `-deadbeef` style words in real
// names stay rare enough not to matter.
#include "scan/binary/library_name.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::scan {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isNameCharacter(char c) {
  return isIdentifierPart(c) || c == '-' || c == '.' || c == '+';
}

/// `libx-0123abcd` gives `libx`.
std::string_view withoutHash(std::string_view stem) {
  const std::size_t dash = stem.rfind('-');
  if (dash == std::string_view::npos || dash == 0) return stem;
  const std::string_view tail = stem.substr(dash + 1);
  if (tail.size() < 8 || tail.size() > 64) return stem;
  const bool hexadecimal =
      std::all_of(tail.begin(), tail.end(), [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); });
  const bool digit = std::any_of(tail.begin(), tail.end(), isDigit);
  return hexadecimal && digit ? stem.substr(0, dash) : stem;
}

std::optional<LibraryName> parseSharedObject(std::string_view text) {
  const std::size_t suffix = text.find(".so");
  if (suffix == std::string_view::npos || suffix < 4) return std::nullopt;
  const std::string_view tail = text.substr(suffix + 3);
  LibraryName out;
  if (!tail.empty()) {
    if (tail[0] != '.' || tail.size() < 2) return std::nullopt;
    out.version = tail.substr(1);
    if (!std::all_of(out.version.begin(), out.version.end(), [](char c) { return isIdentifierPart(c) || c == '.'; }))
      return std::nullopt;
  }
  out.name = std::string(withoutHash(text.substr(0, suffix))) + ".so";
  return out;
}

// macOS has the version before the ending: `libcudart.12.dylib`.
std::optional<LibraryName> parseDylib(std::string_view text) {
  constexpr std::string_view ending = ".dylib";
  if (!text.ends_with(ending)) return std::nullopt;
  const std::string_view stem = text.substr(0, text.size() - ending.size());
  const std::size_t dot = stem.find('.');
  if (stem.size() < 4 || dot == 3) return std::nullopt;
  LibraryName out{std::string(withoutHash(stem.substr(0, dot))) + ".so", ""};
  if (dot != std::string_view::npos) out.version = stem.substr(dot + 1);
  return out;
}

std::optional<LibraryName> parseDll(std::string_view text) {
  if (text.size() < 5 || !equalsIgnoreCase(text.substr(text.size() - 4), ".dll")) return std::nullopt;
  std::string_view stem = withoutHash(text.substr(0, text.size() - 4));
  if (equalsIgnoreCase(stem, "nvcuda")) return LibraryName{"libcuda.so", ""};
  if (equalsIgnoreCase(stem, "nvml")) return LibraryName{"libnvidia-ml.so", ""};
  // name64_12, nvrtc64_120_0, cudnn_ops64_9: the version is what follows the word size.
  std::string version;
  std::size_t end = stem.size();
  while (end > 0 && (isDigit(stem[end - 1]) || stem[end - 1] == '_')) --end;
  const std::string_view digits = stem.substr(end);
  if ((digits.starts_with("64_") || digits.starts_with("32_")) && digits.size() > 3) {
    version = digits.substr(3);
    std::replace(version.begin(), version.end(), '_', '.');
    stem = stem.substr(0, end);
  }
  if (stem.empty()) return std::nullopt;
  return LibraryName{"lib" + std::string(stem) + ".so", version};
}

}  // namespace

std::optional<LibraryName> parseLibraryName(std::string_view text) {
  const std::size_t slash = text.find_last_of("/\\");
  if (slash != std::string_view::npos) text.remove_prefix(slash + 1);
  if (text.size() > 255 || !std::all_of(text.begin(), text.end(), isNameCharacter)) return std::nullopt;
  if (text.starts_with("lib")) {
    if (auto name = parseSharedObject(text)) return name;
    if (auto name = parseDylib(text)) return name;
  }
  return parseDll(text);
}

}  // namespace unwarp::scan
