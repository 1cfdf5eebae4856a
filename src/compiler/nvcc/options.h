// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's command line as data: every long option with its short forms, what it takes and what Unwarp does with it.
// Parsing knows nothing else, so a new option of a new release is one row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace unwarp::nvcc {

enum class Takes : unsigned char { nothing, value, list, boolean, optional };

enum class Effect : unsigned char {
  phase,      // chooses what is made
  honoured,   // read by the plan under its long name
  compile,    // handed to both passes of our clang as written in `clang`
  host,       // handed to the host pass and the link
  link,       // handed to the linker driver
  noMeaning,  // tunes NVIDIA's tools; nothing here that it could change
  refused,    // ignoring it would change what the program means
};

struct Option {
  std::string_view name;    // without dashes
  std::string_view letter;  // short form without its dash; empty: none
  Takes takes;
  Effect effect;
  std::string_view clang;  // for `compile` and `link`: the flag; for `refused`: the reason
};

std::span<const Option> options();

struct GivenOption {
  const Option* option;
  std::string value;  // "true" or "false" for booleans
};

struct CommandLine {
  std::vector<GivenOption> options;  // lists are one entry per element
  std::vector<std::string> inputs;
  std::vector<std::string> forwarded;  // unknown flags, with --forward-unknown-to-host-compiler

  bool has(std::string_view name) const;
  /// The last value given, or `fallback`.
  std::string_view value(std::string_view name, std::string_view fallback = "") const;
  bool isTrue(std::string_view name, bool fallback) const;
  std::vector<std::string_view> values(std::string_view name) const;
};

/// Parses arguments; option files and NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS are already merged by `expand`.
Result<CommandLine> parse(const std::vector<std::string>& arguments);

/// Splits a line of options as nvcc does: blanks separate, quotes and backslashes keep together.
std::vector<std::string> splitOptions(std::string_view text);

}  // namespace unwarp::nvcc
