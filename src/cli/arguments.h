// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a command line by a flag table: what was given, without yet saying what it means.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"

namespace unwarp::cli {

struct Arguments {
  std::map<std::string, std::vector<std::string>, std::less<>> flags;  ///< by name; a switch has one empty value
  std::vector<std::string> positionals;
  bool has(std::string_view flag) const { return flags.find(flag) != flags.end(); }
};

/// Accepts `--name value`, `--name=value`, `-n value`, `-nvalue`, `--`. Unknown flags fail with the nearest known one.
Result<Arguments> parseArguments(const Command& command, int argc, char** argv);

}  // namespace unwarp::cli
