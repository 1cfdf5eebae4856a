// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/settings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "base/toml.h"
#include "scan/ignore.h"

namespace unwarp::cli {

namespace {

namespace fs = std::filesystem;

/// A file of settings may stand here: what is none after all (a pipe, a link to nowhere) is named when it is opened.
bool holdsConfig(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::symlink_status(path, error).type();
  return type != fs::file_type::not_found && type != fs::file_type::none && !fs::is_directory(path, error);
}

/// The nearest unwarp.toml at or above `path`, or empty.
std::string nearestConfig(const std::string& path) {
  std::error_code error;
  fs::path folder = fs::weakly_canonical(path, error);
  if (error) return {};
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  for (;; folder = folder.parent_path()) {
    if (holdsConfig(folder / "unwarp.toml")) return (folder / "unwarp.toml").string();
    if (folder == folder.parent_path()) return {};
  }
}

std::string userConfig() {
  const char* base = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  fs::path path = base != nullptr && *base != 0 ? fs::path(base)
                  : home != nullptr             ? fs::path(home) / ".config"
                                                : fs::path();
  path /= "unwarp/unwarp.toml";
  return holdsConfig(path) ? path.string() : std::string();
}

const std::vector<std::string> noValues;

/// The settings without which a result cannot be read: the rest says how it is shown, gated or computed.
constexpr std::array<std::string_view, 6> shapesResult{"targets", "select",  "ignore",
                                                       "preview", "exclude", "no-ignore"};

/// Tables of unwarp.toml that are no settings: the manifest of `unwarp cost` reads them.
constexpr std::array<std::string_view, 2> manifestTables{"cost", "workload"};

}  // namespace

std::string Settings::readFile(const Command& command, Origin origin, const std::string& file) {
  Result<FileBytes> bytes = FileBytes::open(file);
  if (!bytes) return bytes.error();
  if (toValidUtf8(bytes->view()) != bytes->view()) return file + ": not valid UTF-8";
  std::vector<TomlEntry> entries;
  if (const auto fault = readTomlEntries(bytes->view(), entries))
    return file + ":" + std::to_string(fault->line) + ": " + fault->what;
  for (const TomlEntry& entry : entries) {
    if (std::find(manifestTables.begin(), manifestTables.end(), entry.key) != manifestTables.end()) continue;
    std::string where = file + ":" + std::to_string(entry.line) + ": ";
    const Flag* flag = nullptr;
    std::vector<std::string_view> keys;
    bool elsewhere = false;
    for (const Command& other : commands()) {
      for (const Flag& candidate : other.flags) {
        if (candidate.configKey.empty()) continue;
        keys.push_back(candidate.configKey);
        if (candidate.configKey != entry.key) continue;
        elsewhere = true;
        if (&other == &command) flag = &candidate;
      }
    }
    if (!elsewhere) {
      std::string_view near = nearest(entry.key, keys);
      return where + "unknown key '" + entry.key + "'" +
             (near.empty() ? "" : "; did you mean " + std::string(near) + "?");
    }
    if (flag == nullptr) continue;  // a key of another command
    std::vector<std::string> values;
    if (flag->argument.empty()) {
      if (!entry.isBoolean()) return where + entry.key + " must be true or false";
      if (entry.values[0].text == "true") values.emplace_back();
    } else {
      if (entry.isList && !flag->repeats) return where + entry.key + " takes one value";
      for (const TomlEntry::Value& value : entry.values) {
        const auto number = value.kind == TomlKind::Plain ? tomlInteger(value.text) : std::nullopt;
        if (flag->argument == "N" && number) {
          values.push_back(std::to_string(*number));
          continue;
        }
        if (flag->argument == "N" && value.kind != TomlKind::String)
          return where + entry.key + " must be a whole number";
        if (value.kind != TomlKind::String)
          return where + entry.key + (entry.isList ? " must hold strings" : " must be a string") + " in quotes";
        if (origin == Origin::ProjectFile && flag->name == "--format" && value.text.find('=') != std::string::npos)
          return where + "a project's file chooses no files to write: drop '" +
                 value.text.substr(value.text.find('=')) + "', or give --format on the command line";
        if (value.text.empty()) return where + entry.key + " needs a value: " + std::string(flag->argument);
        values.push_back(value.text);
      }
    }
    settings_.insert_or_assign(std::string(flag->name),
                               Setting{values, origin, file + ":" + std::to_string(entry.line)});
  }
  configFiles_.push_back(file);
  return {};
}

Result<Settings> Settings::resolve(const Command& command, const Arguments& arguments, const std::string& path) {
  Settings result;
  // From weakest to strongest; later ones overwrite.
  std::string user = userConfig();
  if (!user.empty()) {
    std::string error = result.readFile(command, Origin::UserFile, user);
    if (!error.empty()) return Error{error};
  }
  const char* configVariable = std::getenv("UNWARP_CONFIG");
  auto given = arguments.flags.find("--config");
  std::string project = given != arguments.flags.end()                      ? given->second.front()
                        : configVariable != nullptr && *configVariable != 0 ? configVariable
                                                                            : nearestConfig(path);
  if (!project.empty()) {
    std::string error = result.readFile(command, Origin::ProjectFile, project);
    if (!error.empty()) return Error{error};
  }
  for (const Flag& flag : command.flags) {
    std::string variable(flag.environment);
    const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
    if (value == nullptr || *value == 0) continue;
    Setting setting{{}, Origin::Environment, "environment " + variable};
    if (flag.repeats) {
      std::string list(value);
      for (char& c : list)
        if (c == ',') c = ' ';
      for (std::string_view word : words(list)) setting.values.emplace_back(word);
    } else {
      setting.values.emplace_back(value);
    }
    result.settings_.insert_or_assign(std::string(flag.name), std::move(setting));
  }
  for (const auto& [name, values] : arguments.flags)
    result.settings_.insert_or_assign(name, Setting{values, Origin::CommandLine, "command line"});
  for (const Flag& flag : command.flags) result.settings_.try_emplace(std::string(flag.name));
  return result;
}

const std::vector<std::string>& Settings::list(std::string_view flag) const {
  auto it = settings_.find(flag);
  return it == settings_.end() ? noValues : it->second.values;
}
std::string Settings::text(std::string_view flag) const {
  return list(flag).empty() ? std::string() : list(flag).back();
}
std::string Settings::place(std::string_view flag) const {
  auto it = settings_.find(flag);
  return it == settings_.end() ? std::string() : it->second.place;
}
std::string Settings::blame(std::string_view flag) const {
  auto it = settings_.find(flag);
  const bool written =
      it != settings_.end() && it->second.origin != Origin::Default && it->second.origin != Origin::CommandLine;
  return written ? it->second.place + ": " : std::string();
}
bool Settings::on(std::string_view flag) const {
  return !list(flag).empty();
}

std::vector<std::pair<const Flag*, const Setting*>> Settings::configurable() const {
  std::vector<std::pair<const Flag*, const Setting*>> result;
  for (const Command& command : commands()) {
    for (const Flag& flag : command.flags) {
      auto it = settings_.find(flag.name);
      bool known = std::any_of(result.begin(), result.end(),
                               [&](const auto& one) { return one.first->configKey == flag.configKey; });
      if (it != settings_.end() && !flag.configKey.empty() && !known) result.emplace_back(&flag, &it->second);
    }
  }
  return result;
}

std::string Settings::show() const {
  std::string text;
  for (const auto& [flag, setting] : configurable()) {
    std::string value;
    if (flag->argument.empty()) {
      value = setting->values.empty() ? "false" : "true";
    } else if (setting->values.empty()) {
      value = "(" + std::string(flag->fallback.empty() ? "none" : flag->fallback) + ")";
    } else {
      for (const std::string& one : setting->values) value += (value.empty() ? "\"" : ", \"") + one + "\"";
      if (flag->repeats) value = "[" + value + "]";
    }
    text += std::string(flag->configKey) + " = " + value + "  # " + setting->place + "\n";
  }
  return text;
}

std::vector<result::ChosenSetting> Settings::chosen() const {
  std::vector<result::ChosenSetting> result;
  for (const auto& [flag, setting] : configurable()) {
    bool shapes = std::find(shapesResult.begin(), shapesResult.end(), flag->configKey) != shapesResult.end();
    if (!shapes || setting->origin == Origin::Default) continue;
    std::vector<std::string> values = setting->values;
    if (flag->argument.empty()) values = {setting->values.empty() ? "false" : "true"};
    result.push_back({std::string(flag->configKey), std::move(values), setting->origin});
  }
  return result;
}

Result<std::int64_t> wholeNumber(const Settings& settings, std::string_view flag, std::int64_t low, std::int64_t high,
                                 std::int64_t fallback) {
  if (!settings.on(flag)) return fallback;
  auto number = parseDecimal(settings.text(flag));
  if (number && *number >= low && *number <= high) return *number;
  return Error{settings.blame(flag) + std::string(flag) + " must be a number from " + std::to_string(low) + " to " +
               std::to_string(high) + ", not '" + settings.text(flag) + "'"};
}

Result<audit::Options> auditOptions(const Settings& settings, const std::string& path) {
  audit::Options options;
  options.root = path;
  if (settings.on("--target")) {
    options.targets.clear();
    for (const std::string& target : settings.list("--target"))
      if (std::find(options.targets.begin(), options.targets.end(), target) == options.targets.end())
        options.targets.push_back(target);
  }
  options.select = settings.list("--select");
  options.ignore = settings.list("--ignore");
  for (const std::string& glob : settings.list("--exclude")) {
    if (const std::string_view fault = scan::globFault(glob); !fault.empty())
      return Error{settings.place("--exclude") + ": exclude: '" + glob + "' " + std::string(fault) +
                   "; write \\[ for a bracket"};
    options.exclude.push_back(glob);
  }
  options.preview = settings.on("--preview");
  options.useIgnoreFiles = !settings.on("--no-ignore");
  auto threads = wholeNumber(settings, "--threads", 1, 1024, options.threads);
  if (!threads) return Error{threads.error()};
  options.threads = static_cast<unsigned>(*threads);
  return options;
}

}  // namespace unwarp::cli
