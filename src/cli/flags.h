// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands and flags as data: parsing, help, configuration keys and (later) man pages and completions all come from
// these tables.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace unwarp::cli {

struct Flag {
  std::string_view name;         ///< "--target"
  char letter;                   ///< 't' for -t, or 0
  std::string_view argument;     ///< "TARGET"; empty for a switch
  bool repeats;                  ///< may be given several times
  std::string_view configKey;    ///< key of unwarp.toml, or empty
  std::string_view environment;  ///< variable, or empty
  std::string_view fallback;     ///< default as shown in help
  std::string_view help;
};

struct Command {
  std::string_view name, arguments, summary, details;
  std::span<const Flag> flags;
  std::span<const std::string_view> examples;
  int (*run)(int argc, char** argv);
};

std::span<const Command> commands();
const Command* findCommand(std::string_view name);

/// Help of one command, or of the program when `command` is null, in 80 columns.
std::string helpText(const Command* command);
/// The keys of unwarp.toml: what they are, their flags, variables and defaults.
std::string configurationText();

}  // namespace unwarp::cli
