// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One value per setting, and where it comes from: flag, environment, the project's unwarp.toml, the user's, default.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "cli/arguments.h"

namespace unwarp::cli {

struct Setting {
  std::vector<std::string> values;
  Origin origin = Origin::Default;
  std::string place = "default";  ///< the origin in full, with its file and line, or variable
};

class Settings {
 public:
  /// Merges the sources for the audited `path`. Unknown keys and wrong types in a file are errors with file and line.
  static Result<Settings> resolve(const Command& command, const Arguments& arguments, const std::string& path);

  const std::vector<std::string>& list(std::string_view flag) const;
  std::string text(std::string_view flag) const;
  bool on(std::string_view flag) const;
  /// Where the setting comes from in words: "command line", a file, a variable of the environment.
  std::string place(std::string_view flag) const;
  /// What stands before a complaint about the value: "unwarp.toml:3: ", or nothing for a flag on the command line.
  std::string blame(std::string_view flag) const;
  /// `key = value  # origin`, one per line.
  std::string show() const;
  /// The settings that shape the result and that somebody chose: what the result keeps of them.
  std::vector<result::ChosenSetting> chosen() const;
  /// The files that were read, weakest first.
  const std::vector<std::string>& configFiles() const { return configFiles_; }

 private:
  std::string readFile(const Command& command, Origin origin, const std::string& file);
  /// Every flag with a configuration key once, in the order of the tables, with its setting.
  std::vector<std::pair<const Flag*, const Setting*>> configurable() const;
  std::map<std::string, Setting, std::less<>> settings_;  ///< by flag name
  std::vector<std::string> configFiles_;
};

/// The whole number that `flag` was given, within `low` and `high`, or `fallback` when it was not given.
Result<std::int64_t> wholeNumber(const Settings& settings, std::string_view flag, std::int64_t low, std::int64_t high,
                                 std::int64_t fallback);

/// The audit's options out of the settings; fails on a number that is none.
Result<audit::Options> auditOptions(const Settings& settings, const std::string& path);

}  // namespace unwarp::cli
