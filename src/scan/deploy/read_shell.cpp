// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole files of shell and of settings: scripts and batch jobs, `.env` files, systemd units. Units are read by their
// keys
// (`ExecStart=`, `Environment=`); their descriptions are prose.
#include "base/text.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

std::string_view unquoted(std::string_view value) {
  if (value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0])
    return value.substr(1, value.size() - 2);
  return value;
}

void readEnvironmentFile(const ReadContext& context, std::string_view text, FileFacts& out) {
  LineReader reader(text);
  std::string_view line;
  while (reader.next(line)) {
    std::string_view content = trim(line);
    if (content.starts_with("export ")) content = trim(content.substr(7));
    const std::string_view name = assignmentName(content);
    if (name.empty()) continue;
    const std::string_view value = unquoted(trim(assignmentValue(content)));
    addEnvironment(context, name, value, reader.number(), out);
    if (value.find(':') != std::string_view::npos && value.find("://") == std::string_view::npos)
      addImage(context, value, reader.number(), out);
  }
}

void readUnitSetting(const ReadContext& context, std::string_view key, std::string_view value, std::uint32_t line,
                     FileFacts& out) {
  if (key.starts_with("Exec")) {
    const std::size_t command = value.find_first_not_of("-@:+!");
    if (command != std::string_view::npos) readShellText(context, value.substr(command), line, out);
  } else if (key == "Environment") {
    for (const ShellCommand& command : parseShell(value, line).commands)
      for (const ShellWord& word : command.words)
        if (!assignmentName(word.text).empty())
          addEnvironment(context, assignmentName(word.text), assignmentValue(word.text), word.line, out);
  } else if (key == "Image") {
    addImage(context, value, line, out);
  } else if (key == "AddDevice" || key == "DeviceAllow" || key == "BindsTo" || key == "Requires" || key == "After" ||
             key == "Wants") {
    for (const std::string_view name : words(value)) {
      addDeviceFile(context, name, line, out);
      std::string_view unit = name;
      if (unit.ends_with(".service")) unit.remove_suffix(8);
      if (unit.starts_with("nvidia-")) addSite(context, knowledge::Ecosystem::Cli, {unit}, line, {}, out);
    }
  }
}

void readUnit(const ReadContext& context, std::string_view text, FileFacts& out) {
  LineReader reader(text);
  std::string_view line;
  while (reader.next(line)) {
    const std::string_view content = trim(line);
    if (content.empty() || content[0] == '#' || content[0] == ';' || content[0] == '[') continue;
    const std::size_t equals = content.find('=');
    if (equals == std::string_view::npos) continue;
    const std::uint32_t firstLine = reader.number();
    std::string value(trim(content.substr(equals + 1)));
    while (value.ends_with("\\") && reader.next(line)) value += "\n" + std::string(trim(line));
    readUnitSetting(context, trim(content.substr(0, equals)), value, firstLine, out);
  }
}

}  // namespace

void readShell(const ReadContext& context, const Input& input, FileFacts& out) {
  if (out.kind == FileKind::SystemdUnit) return readUnit(context, input.bytes, out);
  if (out.kind == FileKind::DotEnv) return readEnvironmentFile(context, input.bytes, out);
  readShellText(context, input.bytes, 1, out);
}

}  // namespace unwarp::scan
