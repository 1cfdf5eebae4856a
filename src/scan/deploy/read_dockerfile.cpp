// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dockerfiles, Containerfiles and Apptainer definitions. Arguments with defaults are put into FROM lines, so that
// `FROM ${BASE}` shows the image it builds on; stages that continue another stage are no images. Labels and comments
// are prose. Limits: arguments given on the command line are not known here, `ONBUILD` counts like the instruction it
// delays.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/json_tokens.h"
#include "base/text.h"
#include "scan/deploy/dockerfile.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t maxExpandedBytes = 2048;

/// Drops leading `--option=value` words and returns the value of `--from`, if any.
std::string_view cutOptions(std::string_view& arguments) {
  std::string_view from;
  arguments = trim(arguments);
  while (arguments.starts_with("--")) {
    const std::size_t end = std::min(arguments.find_first_of(" \t\n"), arguments.size());
    const std::string_view option = arguments.substr(0, end);
    if (option.starts_with("--from=")) from = option.substr(7);
    arguments.remove_prefix(end);
    const std::size_t next = arguments.find_first_not_of(" \t\\\n");
    arguments.remove_prefix(std::min(next, arguments.size()));
  }
  return from;
}

class DockerfileReader {
 public:
  DockerfileReader(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  void read(const DockerInstruction& instruction) {
    const std::string& name = instruction.name;
    std::string_view arguments = instruction.arguments;
    if (name == "ONBUILD") return onBuild(instruction);
    if (name == "FROM") return from(arguments, instruction.line);
    if (name == "ARG") return argument(arguments, instruction.line);
    if (name == "ENV") return environment(arguments, instruction.line);
    if (name == "COPY" || name == "ADD") {
      const std::string_view source = cutOptions(arguments);
      if (!source.empty() && !isStage(source)) addImage(context_, expanded(source), instruction.line, out_);
      return;
    }
    if (name == "RUN") return run(instruction);
    if (name == "HEALTHCHECK") {
      const std::size_t command = arguments.find("CMD");
      if (command != npos) shellOrList(arguments.substr(command + 3), instruction.line);
      return;
    }
    if (name == "CMD" || name == "ENTRYPOINT") shellOrList(arguments, instruction.line);
  }

 private:
  void onBuild(const DockerInstruction& instruction) {
    const std::string_view arguments = trim(instruction.arguments);
    const std::size_t end = std::min(arguments.find_first_of(" \t"), arguments.size());
    DockerInstruction delayed = instruction;
    delayed.name = std::string(arguments.substr(0, end));
    delayed.arguments = std::string(arguments.substr(end));
    if (delayed.name != "ONBUILD") read(delayed);
  }

  bool isStage(std::string_view name) const {
    const bool isNumber = name.find_first_not_of("0123456789") == npos;
    return isNumber || stages_.contains(toLower(name));
  }

  void from(std::string_view arguments, std::uint32_t line) {
    cutOptions(arguments);
    const std::vector<std::string_view> parts = words(arguments);
    if (parts.empty()) return;
    if (!isStage(parts[0]) && parts[0] != "scratch") addImage(context_, expanded(parts[0]), line, out_);
    if (parts.size() >= 3 && equalsIgnoreCase(parts[1], "as")) stages_.insert(toLower(parts[2]));
  }

  void argument(std::string_view arguments, std::uint32_t line) {
    const ShellScript parsed = parseShell(arguments, line);
    for (const ShellCommand& command : parsed.commands) {
      for (const ShellWord& word : command.words) {
        const std::string_view name = assignmentName(word.text);
        if (name.empty()) continue;
        std::string value = expanded(assignmentValue(word.text));
        addEnvironment(context_, name, value, word.line, out_);
        arguments_.insert_or_assign(std::string(name), std::move(value));
      }
    }
  }

  void environment(std::string_view arguments, std::uint32_t line) {
    const ShellScript parsed = parseShell(arguments, line);
    for (const ShellCommand& command : parsed.commands) {
      if (command.words.empty()) continue;
      if (assignmentName(command.words[0].text).empty()) {
        // Old form: ENV NAME the rest of the line
        const std::string value = commandLine("", command.words);
        addEnvironment(context_, command.words[0].text, value, command.words[0].line, out_);
        continue;
      }
      for (const ShellWord& word : command.words) {
        const std::string_view name = assignmentName(word.text);
        if (name.empty()) continue;
        addEnvironment(context_, name, assignmentValue(word.text), word.line, out_);
        arguments_.insert_or_assign(std::string(name), expanded(assignmentValue(word.text)));
      }
    }
  }

  void run(const DockerInstruction& instruction) {
    std::string_view arguments = instruction.arguments;
    std::string_view rest = arguments;
    cutOptions(rest);
    readOptions(arguments.substr(0, arguments.size() - rest.size()), instruction.line);
    const auto skipped = static_cast<std::uint32_t>(
        std::count(arguments.begin(), arguments.end() - static_cast<std::ptrdiff_t>(rest.size()), '\n'));
    const std::uint32_t line = instruction.line + skipped;
    if (instruction.hereDocument.empty()) return shellOrList(rest, line);
    const std::string_view interpreter = trim(rest.substr(0, rest.find("<<")));
    const std::string_view body = trim(instruction.hereDocument);
    if (interpreter.starts_with("python") ||
        (body.starts_with("#!") && body.substr(0, body.find('\n')).find("python") != npos)) {
      readPythonText(context_, instruction.hereDocument, instruction.hereDocumentLine, out_);
    } else if (interpreter.empty() || interpreter.ends_with("sh") || interpreter.find("sh -") != npos) {
      readShellText(context_, instruction.hereDocument, instruction.hereDocumentLine, out_);
    } else {
      readShellText(context_, rest, line, out_);
    }
  }

  /// RUN --device=nvidia.com/gpu=all, RUN --mount=from=image
  void readOptions(std::string_view options, std::uint32_t line) {
    for (const std::string_view option : words(options)) {
      if (option.starts_with("--device=")) addDeviceFile(context_, option.substr(9), line, out_);
      const std::size_t from = option.starts_with("--mount=") ? option.find("from=") : npos;
      if (from == npos) continue;
      const std::string_view image = option.substr(from + 5, option.find(',', from) - from - 5);
      if (!isStage(image)) addImage(context_, expanded(image), line, out_);
    }
  }

  void shellOrList(std::string_view arguments, std::uint32_t line) {
    const std::string_view text = trim(arguments);
    if (text.starts_with("[")) {
      std::vector<ShellWord> list;
      std::string json(text);
      for (std::size_t i = json.find("\\\n"); i != npos; i = json.find("\\\n", i)) json[i] = ' ';
      const bool valid = visitJson(json, [&](const JsonScalar& scalar) {
        if (scalar.isString) list.push_back({scalar.value, line + scalar.line - 1, true});
      });
      if (valid && !list.empty()) return readCommandList(context_, list, out_);
    }
    readShellText(context_, arguments, line, out_);
  }

  /// `text` with the arguments known so far; unknown ones stay.
  std::string expanded(std::string_view text) const {
    std::string result;
    while (!text.empty() && result.size() < maxExpandedBytes) {
      const std::size_t dollar = text.find('$');
      result += text.substr(0, dollar);
      if (dollar == npos) break;
      text.remove_prefix(dollar);
      const bool braced = text.size() > 1 && text[1] == '{';
      std::size_t nameEnd = braced ? 2 : 1;
      while (nameEnd < text.size() && isIdentifierPart(text[nameEnd])) ++nameEnd;
      const std::string name(text.substr(braced ? 2 : 1, nameEnd - (braced ? 2 : 1)));
      const std::size_t close = braced ? text.find('}', nameEnd) : nameEnd;
      const std::size_t end = close == npos ? text.size() : close + (braced ? 1 : 0);
      const std::string_view modifier = text.substr(nameEnd, close == npos ? npos : close - nameEnd);
      const auto found = arguments_.find(name);
      if (found != arguments_.end())
        result += found->second;
      else if (modifier.starts_with(":-"))
        result += modifier.substr(2);
      else
        result += text.substr(0, std::max<std::size_t>(end, 1));
      text.remove_prefix(std::max<std::size_t>(end, 1));
    }
    return result;
  }

  const ReadContext& context_;
  FileFacts& out_;
  std::unordered_map<std::string, std::string> arguments_;
  std::unordered_set<std::string> stages_;
};

/// Whether a definition's section holds commands.
bool isScriptSection(std::string_view section) {
  constexpr std::string_view sections[] = {"%post",   "%environment", "%runscript", "%startscript",
                                           "%test",   "%setup",       "%pre",       "%appinstall",
                                           "%apprun", "%appenv",      "%apptest",   "%appstart"};
  return std::find(std::begin(sections), std::end(sections), section) != std::end(sections);
}

/// Header lines (`From: image`) and sections (`%post`) of an Apptainer definition.
void readDefinition(const ReadContext& context, std::string_view text, FileFacts& out) {
  LineReader reader(text);
  std::string_view line;
  std::string_view section;
  std::size_t begin = 0;
  std::uint32_t firstLine = 0;
  std::string_view bootstrap;
  const auto finish = [&](std::size_t end) {
    if (isScriptSection(section)) readShellText(context, text.substr(begin, end - begin), firstLine, out);
  };
  while (reader.next(line)) {
    const std::string_view content = trim(line);
    const bool isSection = content.size() > 1 && content[0] == '%' && content[1] >= 'a' && content[1] <= 'z';
    const std::size_t colon = content.find(':');
    const std::string key = toLower(content.substr(0, colon));
    if (isSection) {
      finish(reader.offset());
      section = content.substr(0, content.find_first_of(" \t"));
      begin = reader.offset() + line.size();
      firstLine = reader.number();
    } else if (key == "bootstrap" && colon != npos) {
      // A new stage starts: its header is no part of the section before it.
      finish(reader.offset());
      section = {};
      bootstrap = trim(content.substr(colon + 1));
    } else if (section.empty() && key == "from" && colon != npos && bootstrap != "localimage") {
      addImage(context, trim(content.substr(colon + 1)), reader.number(), out);
    } else if (section == "%arguments") {
      const std::string_view name = assignmentName(content);
      if (!name.empty()) addEnvironment(context, name, assignmentValue(content), reader.number(), out);
    }
  }
  finish(text.size());
}

bool isDefinition(std::string_view text) {
  LineReader reader(text);
  std::string_view line;
  while (reader.next(line)) {
    const std::string content = toLower(trim(line));
    if (content.empty() || content.starts_with("#")) continue;
    return content.starts_with("bootstrap:") || content.starts_with("%post");
  }
  return false;
}

}  // namespace

void readDockerfile(const ReadContext& context, const Input& input, FileFacts& out) {
  if (out.kind == FileKind::Apptainer || isDefinition(input.bytes)) return readDefinition(context, input.bytes, out);
  DockerfileReader reader(context, out);
  for (const DockerInstruction& instruction : splitDockerfile(input.bytes)) reader.read(instruction);
}

}  // namespace unwarp::scan
