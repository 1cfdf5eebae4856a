// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CMake presets: cache variables and environment of each preset. A cache variable is written plain or as an object with
// type and value.
#include "base/json_tokens.h"
#include "scan/build/guard_mark.h"
#include "scan/build/hip_words.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

/// Index of `key` in the path, or its size.
std::size_t positionOf(const std::vector<std::string>& path, std::string_view key) {
  std::size_t i = 0;
  while (i < path.size() && path[i] != key) ++i;
  return i;
}

}  // namespace

void readCMakePresets(const ReadContext& context, const Input& input, FileFacts& out) {
  bool hipPreset = false;
  const bool whole = visitJson(input.bytes, [&](const JsonScalar& scalar) {
    const auto& path = scalar.path;
    if (path.size() == 3 && path[2] == "name") hipPreset = build::mentionsHip(scalar.value);
    const build::GuardMark mark(out, hipPreset);
    const std::size_t cache = positionOf(path, "cacheVariables");
    const bool plain = cache + 2 == path.size(), typed = cache + 3 == path.size() && path.back() == "value";
    if (plain || typed) addCmakeEntry(context, path[cache + 1] + "=" + scalar.value, scalar.line, out);
    const std::size_t environment = positionOf(path, "environment");
    if (environment + 2 == path.size()) addEnvironment(context, path[environment + 1], scalar.value, scalar.line, out);
  });
  if (!whole) out.notes.push_back("not valid JSON: read up to the fault");
}

}  // namespace unwarp::scan
