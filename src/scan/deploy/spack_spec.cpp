// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See spack_spec.h. A part ends where the next sigil starts; settings (`name=value`) take the whole word.
#include "scan/deploy/spack_spec.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "scan/deploy/sites.h"

namespace unwarp::scan {
namespace {

/// One part with its sigil: `+cuda`, `^cuda@12.4`, `hdf5@1.14`.
void addPart(const ReadContext& context, std::string_view part, std::uint32_t line, FileFacts& out) {
  if (part.empty() || part[0] == '~' || part[0] == '-') return;
  const bool hasSigil = part[0] == '+' || part[0] == '^' || part[0] == '%';
  const std::size_t at = part.find('@');
  const std::string name = (hasSigil ? "" : "^") + std::string(part.substr(0, at));
  const std::string_view version = at == std::string_view::npos ? std::string_view() : part.substr(at + 1);
  addSite(context, knowledge::Ecosystem::Config, {name}, line, version, out);
}

}  // namespace

void addSpackSpec(const ReadContext& context, std::string_view spec, std::uint32_t line, FileFacts& out) {
  for (std::string_view word : words(spec)) {
    const std::size_t equals = word.find('=');
    const std::size_t version = word.find('@');
    if (equals != std::string_view::npos && version == std::string_view::npos) {
      if (!isOffValue(word.substr(equals + 1)))
        addSite(context, knowledge::Ecosystem::Config, {word}, line, word.substr(equals + 1), out);
      continue;
    }
    while (!word.empty()) {
      const std::size_t next = std::min(word.find_first_of("+~^%", 1), word.size());
      addPart(context, word.substr(0, next), line, out);
      word.remove_prefix(next);
    }
  }
}

}  // namespace unwarp::scan
