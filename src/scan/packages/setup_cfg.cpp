// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setup.cfg and tox.ini: requirement lists as indented lines below `install_requires`, `extras` and `deps`; tox's
// `setenv` and `commands`.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

enum class Block { Other, Requirements, Environment, PassedEnvironment, Commands };

Block blockOf(std::string_view section, std::string_view key) {
  constexpr std::array<std::string_view, 6> lists{"install_requires", "setup_requires", "tests_require",
                                                  "requires",         "deps",           "requires_dist"};
  if (section == "options.extras_require" || std::find(lists.begin(), lists.end(), key) != lists.end())
    return Block::Requirements;
  if (key == "setenv" || key == "set_env") return Block::Environment;
  if (key == "passenv" || key == "pass_env") return Block::PassedEnvironment;
  if (key == "commands" || key == "commands_pre" || key == "commands_post" || key == "allowlist_externals")
    return Block::Commands;
  return Block::Other;
}

void readItem(const ReadContext& context, Block block, std::string_view text, std::uint32_t line, FileFacts& out) {
  text = trim(text);
  if (text.empty() || text[0] == '#' || text[0] == ';') return;
  if (block == Block::Requirements) {
    // tox: `py310: torch`; a factor before the requirement
    const std::size_t colon = text.find(": ");
    if (colon != std::string_view::npos && text.find("://") == std::string_view::npos)
      text = trim(text.substr(colon + 2));
    addRequirement(context, text, line, out);
  } else if (block == Block::Environment) {
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      addEnvironment(context, trim(text.substr(0, equals)), trim(text.substr(equals + 1)), line, out);
  } else if (block == Block::PassedEnvironment) {
    for (const std::string_view word : words(text)) {
      const std::string_view name = word.substr(0, word.find(','));
      addDependency(context, out, knowledge::Ecosystem::Env, name, line);
    }
  } else if (block == Block::Commands) {
    readShellText(context, text, line, out);
  }
}

}  // namespace

void readSetupCfg(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  std::string_view line;
  std::string section;
  Block block = Block::Other;
  while (lines.next(line)) {
    if (line.starts_with("[")) {
      section = std::string(line.substr(1, line.find(']') - 1));
      block = Block::Other;
      continue;
    }
    const bool indented = line.starts_with(" ") || line.starts_with("\t");
    if (indented) {
      readItem(context, block, line, lines.number(), out);
      continue;
    }
    if (line.starts_with("#") || line.starts_with(";")) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    block = blockOf(section, trim(line.substr(0, equals)));
    readItem(context, block, line.substr(equals + 1), lines.number(), out);
  }
}

}  // namespace unwarp::scan
