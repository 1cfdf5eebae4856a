// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CMake's language as a list of commands with their arguments; comments gone, quoting undone, lines kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan::build {

struct CMakeArgument {
  std::string_view
      text;  ///< without quotes or brackets, escapes left as written; "(" and ")" of nested groups are arguments too
  std::uint32_t line, column;
  bool quoted = false;  ///< in quotes or a bracket argument
};

struct CMakeCommand {
  std::string name;  ///< in lower case, as CMake does not tell cases apart
  std::uint32_t line, column;
  std::vector<CMakeArgument> arguments;
  bool guarded = false;  ///< in an if chain one of whose conditions mentions HIP or ROCm
};

/// Tokenizes a listfile. Never fails: what is no command is passed over, what is not closed ends with the text.
std::vector<CMakeCommand> tokenizeCMake(std::string_view text);

}  // namespace unwarp::scan::build
