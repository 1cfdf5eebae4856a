// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/arguments.h"

#include "base/text.h"

namespace unwarp::cli {

namespace {

const Flag* findFlag(const Command& command, std::string_view word) {
  for (const Flag& flag : command.flags) {
    if (flag.name == word) return &flag;
    if (word.size() == 2 && word[0] == '-' && flag.letter != 0 && word[1] == flag.letter) return &flag;
  }
  return nullptr;
}

Error unknownFlag(const Command& command, std::string_view word) {
  std::vector<std::string_view> names;
  for (const Flag& flag : command.flags) names.push_back(flag.name);
  std::string_view near = nearest(word, names);
  std::string message = "unknown flag '" + std::string(word) + "' for `unwarp " + std::string(command.name) + "`";
  if (!near.empty()) message += "; did you mean " + std::string(near) + "?";
  if (command.name == "explain") message += "; a topic that begins so stands behind --: `unwarp explain -- TOPIC`";
  return Error{message};
}

}  // namespace

Result<Arguments> parseArguments(const Command& command, int argc, char** argv) {
  Arguments result;
  bool onlyPositionals = false;
  for (int i = 0; i < argc; ++i) {
    std::string_view word = argv[i];
    if (onlyPositionals || word.size() < 2 || word[0] != '-') {
      result.positionals.emplace_back(word);
      continue;
    }
    if (word == "--") {
      onlyPositionals = true;
      continue;
    }
    std::size_t equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    std::string_view name = equals != std::string_view::npos ? word.substr(0, equals)
                            : word.starts_with("--")         ? word
                                                             : word.substr(0, 2);
    const Flag* flag = findFlag(command, name);
    if (flag == nullptr) return unknownFlag(command, name);
    std::vector<std::string>& values = result.flags[std::string(flag->name)];
    if (!values.empty() && !flag->repeats) return Error{std::string(flag->name) + " is given twice"};
    bool attached = equals != std::string_view::npos || name.size() < word.size();
    if (flag->argument.empty()) {
      if (attached) return Error{std::string(flag->name) + " takes no value"};
      values.emplace_back();
      continue;
    }
    if (attached) {
      values.emplace_back(word.substr(equals != std::string_view::npos ? equals + 1 : 2));
    } else {
      values.emplace_back(i + 1 < argc ? argv[++i] : "");
    }
    if (values.back().empty()) return Error{std::string(flag->name) + " needs a value: " + std::string(flag->argument)};
  }
  if (command.arguments.empty() && !result.positionals.empty())
    return Error{"`unwarp " + std::string(command.name) + "` takes no argument: '" + result.positionals.front() + "'"};
  return result;
}

}  // namespace unwarp::cli
