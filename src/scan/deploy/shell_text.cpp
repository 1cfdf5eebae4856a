// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From shell commands to facts. Command words are looked up with their arguments (`nvidia-smi mig -cgi 9`), wrappers
// are peeled off
// (`sudo env X=1 srun --gres=gpu:a100:1 nsys ...`), strings that hold commands are read as such (`bash -c`,
// here-documents of shells). What only prints or searches text (`echo`, `grep`) names no binding. Reading a variable is
// none either, setting one is. Limits: aliases and functions are not followed; a command held in a variable is seen
// where the variable is set.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/shell_families.h"
#include "scan/deploy/shell_parser.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

constexpr int maxCommandDepth = 6;
constexpr int maxWrappers = 16;
constexpr std::size_t maxCommandLineBytes = 400;

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// The command a word names: `${NVCC:-nvcc}` is its default, `@nvcc` (Make) is nvcc, `$PIP_CMD install` is pip.
std::string commandName(ShellWords words) {
  std::string_view word = words[0].text;
  while (word.starts_with("@")) word.remove_prefix(1);
  if (!word.starts_with("$") || word.find('/') != std::string_view::npos) {
    const std::size_t mark = word.find(":-");
    if (!word.starts_with("${") || mark == std::string_view::npos) return std::string(baseName(word));
  }
  if (const std::size_t mark = word.find(":-"); mark != std::string_view::npos && word.ends_with("}"))
    return std::string(baseName(word.substr(mark + 2, word.size() - mark - 3)));
  const std::string lower = toLower(word);
  const std::string_view next = words.size() > 1 ? std::string_view(words[1].text) : std::string_view();
  if (next == "-m" || next == "-c" || lower.find("python") != std::string::npos) return "python";
  if (next == "install" && lower.find("pip") != std::string::npos) return "pip";
  return std::string(word);
}

/// Whether `word` stands for a compiler: `$(NVCC)`, `${CXX}`, nvcc.
bool runsCompiler(std::string_view word, std::string_view name) {
  if (isCompiler(name)) return true;
  if (!word.starts_with("$")) return false;
  std::string variable;
  for (const char c : word)
    if (isIdentifierPart(c)) variable += c;
  return variable == "NVCC" || variable == "CXX" || variable == "CC" || variable == "HOST_CXX" ||
         variable == "CUDACXX" || variable == "HIPCC";
}

/// Whether the table lists the variable by its name, not by a pattern such as `NCCL_*`.
bool isListedVariable(const ReadContext& context, std::string_view name) {
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Env, name);
  if (record == knowledge::Knowledge::none) return false;
  for (const std::string_view pattern : split(context.knowledge.dependencies()[record].match, '|'))
    if (trim(pattern) == name) return true;
  return false;
}

/// Reads the settings at the front of a command and returns the rest. A variable of the script alone (`NCCL_VER=2.18`)
/// is none of the library's unless the library reads that very name.
ShellWords readAssignments(const ReadContext& context, ShellWords words, FileFacts& out) {
  const bool isLocal =
      std::all_of(words.begin(), words.end(), [](const ShellWord& word) { return !assignmentName(word.text).empty(); });
  while (!words.empty() && !words[0].quoted && !assignmentName(words[0].text).empty()) {
    if (isLocal && !isListedVariable(context, assignmentName(words[0].text))) {
      const std::string_view name = assignmentName(words[0].text), value = assignmentValue(words[0].text);
      addSetting(context, name, value, words[0].line, out);
      build::addFlagVariable(context, name, value, words[0].line, out);
      words = words.subspan(1);
      continue;
    }
    addEnvironment(context, assignmentName(words[0].text), assignmentValue(words[0].text), words[0].line, out);
    words = words.subspan(1);
  }
  return words;
}

bool isRecordedOn(std::uint32_t line, const FileFacts& out) {
  return !out.dependencies.empty() && out.dependencies.back().line == line;
}

/// A variable that holds a command: `NVCC=/usr/local/cuda/bin/nvcc`, `PROFILER="nsys profile -o x"`.
void readHeldCommand(const ReadContext& context, const ShellWord& assignment, FileFacts& out) {
  const std::string_view value = trim(assignmentValue(assignment.text));
  if (value.empty() || value.size() > maxCommandLineBytes || isRecordedOn(assignment.line, out)) return;
  // CMAKE_EXTRA="${CMAKE_EXTRA} -DGGML_CUDA=ON"
  for (const std::string_view option : words(value))
    if (option.starts_with("-D")) addCmakeEntry(context, option.substr(2), assignment.line, out);
  const std::vector<std::string_view> pieces = words(value);
  if (pieces.size() > 1 && !pieces[1].starts_with("-") && pieces[1] != "profile" && pieces[1] != "launch") return;
  const std::string line = std::string(baseName(pieces[0])) + std::string(value.substr(pieces[0].size()));
  if (pieces[0].find_first_of("$:;,") == std::string_view::npos || pieces.size() == 1)
    addSite(context, Ecosystem::Cli, {line}, assignment.line, {}, out);
}

/// `sudo -u x`, `timeout -k 5 30`, `env -i A=1`: the words of the wrapped command.
ShellWords unwrapped(const ReadContext& context, std::string_view wrapper, ShellWords words, FileFacts& out) {
  constexpr std::array<std::string_view, 20> valueOptions{"-u", "-g", "-n", "-k", "-s",         "-I",      "-P",
                                                          "-L", "-o", "-e", "-i", "-c",         "-E",      "-N",
                                                          "-m", "-C", "-f", "-d", "--interval", "--signal"};
  words = words.subspan(1);
  while (!words.empty() && words[0].text.starts_with("-")) {
    const std::string_view option = words[0].text;
    const bool standsAlone =
        (wrapper == "sudo" && (option == "-E" || option == "-n" || option == "-i" || option == "-s")) ||
        (wrapper == "env" && option == "-i") || wrapper == "exec" || wrapper == "time" || wrapper == "nohup";
    const bool hasValue =
        !standsAlone && isOneOf(option, valueOptions) && words.size() > 1 && !words[1].text.starts_with("-");
    words = words.subspan(hasValue ? 2 : 1);
  }
  words = readAssignments(context, words, out);
  const auto isAmount = [](std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; };
  while ((wrapper == "timeout" || wrapper == "travis_wait" || wrapper == "taskset" || wrapper == "retry") &&
         !words.empty() && isAmount(words[0].text))
    words = words.subspan(1);
  return words;
}

void readSettings(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (const ShellWord& word : words.subspan(1)) {
    if (word.text.starts_with("-")) continue;
    const std::string_view name = assignmentName(word.text);
    if (name.empty() && words[0].text != "set" && words[0].text != "local")
      addEnvironment(context, word.text, {}, word.line, out);
    else if (!name.empty())
      addEnvironment(context, name, assignmentValue(word.text), word.line, out);
    if (!name.empty()) readHeldCommand(context, word, out);
  }
}

/// `bash -c "..."`, `eval "..."`, `ssh host "..."`.
ShellWords readShellString(const ReadContext& context, std::string_view name, ShellWords words, int depth,
                           FileFacts& out) {
  std::size_t i = 1;
  if (name == "ssh") {
    while (i < words.size() && words[i].text.starts_with("-"))
      i += optionAt(words, i).valueInNextWord && words[i].text.size() == 2 ? 2 : 1;
    ++i;
  } else if (name != "eval") {
    while (i < words.size() && words[i].text.starts_with("-") && words[i].text.find('c') == std::string::npos) ++i;
    if (i >= words.size() || !words[i].text.starts_with("-")) return {};
    ++i;
  }
  if (i >= words.size()) return {};
  if (words.size() - i > 1 && name != "bash" && name != "sh" && name != "zsh") return words.subspan(i);
  if (depth >= maxCommandDepth) return {};
  const ShellScript script = parseShell(words[i].text, words[i].line);
  for (const ShellCommand& command : script.commands) readCommandWords(context, command.words, depth + 1, out);
  return {};
}

void readPythonCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string_view option = words[i].text;
    if (!option.starts_with("-")) return;
    if (option == "-c") return readPythonText(context, words[i + 1].text, words[i + 1].line, out);
    if (option != "-m") continue;
    const std::string_view module = words[i + 1].text;
    addSite(context, Ecosystem::Cli, {"python -m " + std::string(module) + " "}, words[i].line, {}, out);
    if (module == "pip" || module == "uv" || module == "pipx") readPipCommand(context, words.subspan(i + 1), out);
    return;
  }
}

/// Libraries that are linked, copied or left out by name.
void readLinks(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (const ShellWord& word : words.subspan(1)) {
    std::string_view file = baseName(word.text);
    const std::size_t version = file.find(".so.");
    if (version != std::string_view::npos) file = file.substr(0, version + 3);
    if (file.starts_with("lib") && (file.ends_with(".so") || file.ends_with(".a")))
      addSite(context, Ecosystem::Lib, {file}, word.line, {}, out);
  }
}

/// `bazel build --config=cuda --action_env CUDA_HOME=/x //...`.
void readBazelOptions(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i].text.starts_with("--"))
      addBazelOption(context, words[i].text, i + 1 < words.size() ? std::string_view(words[i + 1].text) : "",
                     words[i].line, out);
}

/// Options of configure scripts, which the tables list by themselves.
void readBuildOptions(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (const ShellWord& word : words.subspan(1)) {
    const std::string_view text = word.text;
    const std::size_t equals = text.find('=');
    if (!text.starts_with("--") || (equals != std::string_view::npos && isOffValue(text.substr(equals + 1)))) continue;
    addSite(context, Ecosystem::Cli, {text}, word.line, {}, out);
  }
}

/// Codecs and elements that programs take as plain words: `-hwaccel cuda`, `nvh264enc`.
void readMediaWords(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 1; i < words.size(); ++i)
    addSite(context, Ecosystem::Config, {words[i - 1].text + " " + words[i].text, words[i].text}, words[i].line, {},
            out);
}

/// Facts any program's arguments may hold: device files, settings given as options.
void readArguments(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word.starts_with("/dev/nvidia")) addDeviceFile(context, word, words[i].line, out);
    if (!word.starts_with("--") || word.size() > maxCommandLineBytes) continue;
    const ShellOption option = optionAt(words, i);
    if (option.value.empty() || option.value.size() > 64) continue;
    std::string name(option.name.substr(2));
    std::replace(name.begin(), name.end(), '-', '_');
    addSetting(context, name, option.value, words[i].line, out);
  }
}

/// Reads one command of a known family; returns the command it runs, if any.
ShellWords readFamily(const ReadContext& context, ShellFamily family, std::string_view name, ShellWords words,
                      int depth, FileFacts& out) {
  switch (family) {
    case ShellFamily::Prints:
      return {};
    case ShellFamily::Setting:
      readSettings(context, words, out);
      return {};
    case ShellFamily::Setenv:
      if (words.size() > 1)
        addEnvironment(context, words[1].text, words.size() > 2 ? words[2].text : std::string(), words[1].line, out);
      return {};
    case ShellFamily::Wrapper:
      return unwrapped(context, name, words, out);
    case ShellFamily::Locates:
      if (name == "command" && words.size() > 1 && !words[1].text.starts_with("-")) return words.subspan(1);
      for (const ShellWord& word : words.subspan(1))
        addSite(context, Ecosystem::Cli, {baseName(word.text)}, word.line, {}, out);
      return {};
    case ShellFamily::ShellString:
      return readShellString(context, name, words, depth, out);
    case ShellFamily::Python:
      readPythonCommand(context, words, out);
      return {};
    case ShellFamily::Pip:
      readPipCommand(context, words, out);
      return {};
    case ShellFamily::Conda:
      readCondaCommand(context, words, out);
      return {};
    case ShellFamily::SystemPackages:
      readSystemPackages(context, words, out);
      return {};
    case ShellFamily::Container:
      return readContainerCommand(context, words, out);
    case ShellFamily::Apptainer:
      return readApptainerCommand(context, words, out);
    case ShellFamily::Cluster:
      readClusterCommand(context, words, out);
      return {};
    case ShellFamily::Cloud:
      readCloudCommand(context, words, out);
      return {};
    case ShellFamily::Scheduler:
      return readSchedulerCommand(context, words, out);
    case ShellFamily::Launcher:
      return readLauncherCommand(context, words, out);
    case ShellFamily::Module:
      readModuleCommand(context, words, out);
      return {};
    case ShellFamily::Cmake:
      readCmakeCommand(context, words, out);
      return {};
    case ShellFamily::Make:
      readMakeCommand(context, words, out);
      return {};
    case ShellFamily::Links:
      readLinks(context, words, out);
      return {};
    case ShellFamily::Program:
      return {};
  }
  return {};
}

/// `uv run app`, `poetry run app`, `conda run -n env app`: the words behind `run`.
ShellWords runByEnvironment(ShellFamily family, ShellWords words) {
  if (family != ShellFamily::Pip && family != ShellFamily::Conda) return {};
  if (words.size() < 3 || words[1].text != "run") return {};
  std::size_t i = 2;
  while (i < words.size() && words[i].text.starts_with("-")) {
    const bool hasValue =
        words[i].text == "-n" || words[i].text == "-p" || words[i].text == "--name" || words[i].text == "--with";
    i += hasValue ? 2 : 1;
  }
  return words.subspan(std::min(i, words.size()));
}

/// `echo "CUDA_PATH=/x" >> $GITHUB_ENV` and `echo 'export CUDA_HOME=/x' >> ~/.bashrc` set what they print.
void readPrintedSettings(const ReadContext& context, const ShellCommand& command, const ShellCommand* next,
                         FileFacts& out) {
  std::string targets;
  for (const std::string& target : command.redirects) targets += target + " ";
  if (next != nullptr && next->pipedFrom)
    for (const ShellWord& word : next->words) targets += word.text + " ";
  const bool step = targets.find("GITHUB_ENV") != std::string::npos;
  const bool profile = targets.find("bashrc") != std::string::npos || targets.find("profile") != std::string::npos ||
                       targets.find("zshrc") != std::string::npos ||
                       targets.find("/etc/environment") != std::string::npos;
  if (!step && !profile) return;
  for (const ShellWord& word : ShellWords(command.words).subspan(1)) {
    std::string_view text = trim(word.text);
    if (text.starts_with("export ")) text = trim(text.substr(7));
    const std::string_view name = assignmentName(text);
    if (!name.empty()) addEnvironment(context, name, assignmentValue(text), word.line, out);
  }
}

bool writesScript(const ShellCommand& command) {
  const std::string_view body = trim(command.hereDocument);
  if (body.starts_with("#!")) return body.substr(0, body.find('\n')).find("sh") != std::string_view::npos;
  return std::any_of(command.redirects.begin(), command.redirects.end(), [](const std::string& target) {
    return target.ends_with(".sh") || target.ends_with(".sbatch") || target.ends_with(".slurm") ||
           target.ends_with("bashrc") || target.ends_with("profile");
  });
}

void readHereDocument(const ReadContext& context, const ShellCommand& command, int depth, FileFacts& out);

void readScript(const ReadContext& context, std::string_view text, std::uint32_t firstLine, int depth, FileFacts& out) {
  const ShellScript script = parseShell(text, firstLine);
  if (script.tooDeep) out.notes.push_back("shell commands nested too deep were not read");
  for (const SchedulerDirective& directive : script.directives) readSchedulerDirective(context, directive, out);
  for (std::size_t i = 0; i < script.commands.size(); ++i) {
    const ShellCommand& command = script.commands[i];
    const std::size_t firstDependency = out.dependencies.size();
    const std::size_t firstMention = out.mentions.size();
    if (!command.words.empty()) {
      readCommandWords(context, command.words, depth, out);
      const std::string_view name = command.words[0].text;
      const ShellCommand* next = i + 1 < script.commands.size() ? &script.commands[i + 1] : nullptr;
      if (name == "echo" || name == "printf") readPrintedSettings(context, command, next, out);
    }
    if (!command.hereDocument.empty()) readHereDocument(context, command, depth, out);
    if (!command.guarded) continue;
    for (std::size_t k = firstDependency; k < out.dependencies.size(); ++k) out.dependencies[k].guarded = true;
    for (std::size_t k = firstMention; k < out.mentions.size(); ++k) out.mentions[k].guarded = true;
  }
}

void readHereDocument(const ReadContext& context, const ShellCommand& command, int depth, FileFacts& out) {
  std::string name;
  for (const ShellWord& word : command.words) {
    const std::string_view base = baseName(word.text);
    if (word.text == "sudo" || word.text == "env" || word.text == "exec") continue;
    name = std::string(base);
    break;
  }
  constexpr std::array<std::string_view, 8> shells{"bash", "sh", "zsh", "ssh", "sbatch", "qsub", "bsub", "dash"};
  const bool isShell = name.empty() || isOneOf(std::string_view(name), shells) || writesScript(command);
  const bool inContainer = shellFamilyOf(name) == ShellFamily::Container && !command.words.empty() &&
                           command.words.back().text.ends_with("sh");
  if (shellFamilyOf(name) == ShellFamily::Python) {
    readPythonText(context, command.hereDocument, command.hereDocumentLine, out);
  } else if ((isShell || inContainer) && depth < maxCommandDepth) {
    readScript(context, command.hereDocument, command.hereDocumentLine, depth + 1, out);
  }
}

}  // namespace

ShellOption optionAt(ShellWords words, std::size_t index) {
  const std::string_view word = words[index].text;
  const std::size_t equals = word.find('=');
  if (equals != std::string_view::npos) return {word.substr(0, equals), word.substr(equals + 1), false};
  if (index + 1 >= words.size() || words[index + 1].text.starts_with("-")) return {word, {}, false};
  return {word, words[index + 1].text, true};
}

std::string commandLine(std::string_view name, ShellWords words) {
  std::string line(name);
  for (std::size_t i = 1; i < words.size() && line.size() < maxCommandLineBytes; ++i) {
    line += ' ';
    line += std::string_view(words[i].text).substr(0, maxCommandLineBytes);
  }
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

void readCommandWords(const ReadContext& context, ShellWords words, int depth, FileFacts& out) {
  if (depth > maxCommandDepth) return;
  for (int wrappers = 0; wrappers < maxWrappers; ++wrappers) {
    const ShellWords settings = words;
    words = readAssignments(context, words, out);
    if (words.empty())
      for (const ShellWord& setting : settings) readHeldCommand(context, setting, out);
    if (words.empty() || words[0].text.empty()) return;
    const std::string name = commandName(words);
    // PowerShell: `$env:NAME = value`, `$NAME = value`.
    if (words[0].text.starts_with("$") && words.size() > 2 && words[1].text == "=") {
      const std::string_view variable = words[0].text;
      if (toLower(variable).starts_with("$env:"))
        addEnvironment(context, variable.substr(5), words[2].text, words[0].line, out);
      else
        addSetting(context, variable.substr(1), words[2].text, words[0].line, out);
      return;
    }
    const ShellFamily family = shellFamilyOf(name);
    if (family == ShellFamily::Program || family == ShellFamily::ShellString)
      addSite(context, Ecosystem::Cli, {commandLine(name, words), name}, words[0].line, {}, out);
    if (runsCompiler(words[0].text, name)) return readCompilerCommand(context, words, out);
    if (name == "bazel" || name == "bazelisk") readBazelOptions(context, words, out);
    if (name == "configure" || name == "setup.py") readBuildOptions(context, words, out);
    if (name == "spack" || name == "vcpkg" || name.starts_with("nix")) readNativeInstall(context, words, out);
    if (name == "ffmpeg" || name.starts_with("gst-launch")) readMediaWords(context, words, out);
    if (family == ShellFamily::Program || family == ShellFamily::Python) readArguments(context, words, out);
    const ShellWords run = runByEnvironment(family, words);
    words = run.empty() ? readFamily(context, family, name, words, depth, out) : run;
    if (words.empty()) return;
  }
}

void readCommandList(const ReadContext& context, ShellWords words, FileFacts& out) {
  readCommandWords(context, words, 0, out);
}

void readShellText(const ReadContext& context, std::string_view text, std::uint32_t firstLine, FileFacts& out) {
  readScript(context, text, firstLine, 0, out);
}

}  // namespace unwarp::scan
