// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TOML, read positionally: every value with its path and line, for manifests under audit and for our own files. There
// is no tree and no library: manifests are untrusted, may hold faulty lines (templates), and want the lines of their
// values. The walk takes linear time, limits nesting, goes on behind a fault and tells the first one.
// Limits: number formats and dates pass as written; keys that stand twice are noticed by `readTomlEntries` only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp {

/// String: was in quotes. Plain: a number, a boolean, a date. List and Table: one begins here, and has no value.
enum class TomlKind : std::uint8_t { String, Plain, List, Table };

struct TomlValue {
  const std::vector<std::string>& path;  ///< keys; elements of lists and of arrays of tables have their index in it
  std::string value;
  TomlKind kind;
  std::uint32_t line;  ///< from 1
};

/// What is no TOML; `what` says what to write instead.
struct TomlFault {
  std::uint32_t line;
  std::string what;
};

/// Calls `visit` for each value in source order. What is no TOML is passed over up to the end of its line.
std::optional<TomlFault> visitToml(std::string_view text, const std::function<void(const TomlValue&)>& visit);

/// `key = value` or `key = [values]`: all that our own files hold.
struct TomlEntry {
  struct Value {
    std::string text;
    TomlKind kind;
  };
  std::string key;
  std::uint32_t line = 0;
  bool isList = false;
  std::vector<Value> values;  ///< one when it is no list; a table counts as one value of that kind

  bool isString() const { return !isList && values[0].kind == TomlKind::String; }
  bool isBoolean() const {
    return !isList && values[0].kind == TomlKind::Plain && (values[0].text == "true" || values[0].text == "false");
  }
};

/// A TOML integer: `12`, `+1_000`, `0x2`, `0o17`, `0b1`.
std::optional<std::int64_t> tomlInteger(std::string_view text);

/// The entries in source order; a key that stands twice is a fault.
std::optional<TomlFault> readTomlEntries(std::string_view text, std::vector<TomlEntry>& entries);

}  // namespace unwarp
