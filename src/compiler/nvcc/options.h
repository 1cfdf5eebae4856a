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

enum class Takes : unsigned char { nothing, value, list, boolean };

enum class Effect : unsigned char {
  phase,      // chooses what is made
  honoured,   // read by the plan under its long name
  compile,    // handed to both passes of our clang as written in `clang`, with the value behind it
  noMeaning,  // tunes NVIDIA's tools; nothing here that it could change
  refused,    // ignoring it would change what the program means
};

struct Option {
  std::string_view name;    // without dashes
  std::string_view letter;  // short form without its dash; empty: none
  Takes takes;
  Effect effect;
  std::string_view clang;  // for `compile`: the flag; for `refused`: the reason
};

// Options whose values are few.
struct Allowed {
  std::string_view name, values;
};

std::span<const Option> options();
std::span<const Allowed> allowedValues();

struct GivenOption {
  const Option* option;
  std::string value;  // "true" or "false" for booleans
};

struct CommandLine {
  std::vector<GivenOption> options;  // lists are one entry per element
  std::vector<std::string> inputs;
  std::vector<std::string> toCompiler;  // unknown flags, with --forward-unknown-to-host-compiler
  std::vector<std::string> toLinker;    // likewise
  std::vector<std::string> warnings;

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
