// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Premake and xmake: build files in Lua. Calls with literal strings say everything that is wanted here; they are read
// line by line, and nothing is evaluated.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

/// The code of a line and the strings in it, without its comment.
struct LuaLine {
  std::string_view call;  ///< the first word: `links` of `links { "cudart" }`
  std::vector<std::string_view> strings;
};

LuaLine lineOf(std::string_view line) {
  LuaLine found;
  line = trim(line);
  std::size_t at = 0;
  while (at < line.size() && isIdentifierPart(line[at])) ++at;
  found.call = line.substr(0, at);
  while (at < line.size() && !line.substr(at).starts_with("--")) {
    if (line[at] != '"' && line[at] != '\'') {
      ++at;
      continue;
    }
    const std::size_t close = std::min(line.find(line[at], at + 1), line.size());
    found.strings.push_back(line.substr(at + 1, close - at - 1));
    at = close + 1;
  }
  return found;
}

bool linksLibraries(std::string_view call) {
  constexpr std::array<std::string_view, 4> calls{"links", "add_links", "add_syslinks", "linkoptions"};
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

}  // namespace

void readLuaBuild(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  std::string_view open;  // a call whose table goes on over lines
  for (std::string_view line; lines.next(line);) {
    LuaLine found = lineOf(line);
    const std::uint32_t number = lines.number();
    if (found.call.empty() && !found.strings.empty()) found.call = open;
    if (!found.call.empty()) open = found.call;
    if (found.call.empty()) continue;
    if (addDependency(context, out, Ecosystem::CMake, found.call, number)) continue;
    for (const std::string_view text : found.strings) {
      const std::string named = std::string(found.call) + "(\"" + std::string(text) + "\")";
      if (addDependency(context, out, Ecosystem::CMake, named, number)) continue;
      if (linksLibraries(found.call) && build::addLinkLibrary(context, text, number, out)) continue;
      build::addFlagWords(context, text, number, out);
    }
  }
}

}  // namespace unwarp::scan
