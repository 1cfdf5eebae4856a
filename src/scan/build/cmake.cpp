// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a CMake listfile binds: the CUDA language, find modules, imported targets, options, architecture lists, flags,
// libraries and folders of an installed toolkit. Each command is judged by its own grammar, so that messages,
// conditions and source lists with "cuda" in a path stay silent. Variables are not expanded: a name that a variable
// holds counts where it is written.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/build/cmake_tokens.h"
#include "scan/build/flags.h"
#include "scan/build/guard_mark.h"
#include "scan/deploy/sites.h"
#include "scan/python/requirement.h"
#include "scan/readers.h"

namespace unwarp::scan::build {
namespace {

using knowledge::Ecosystem;

constexpr std::array<std::string_view, 10> silentCommands{"message", "if",      "elseif",       "else",       "endif",
                                                          "while",   "foreach", "cmake_policy", "endforeach", "return"};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Reader {
 public:
  Reader(const ReadContext& context, FileFacts& out, const std::vector<CMakeCommand>& commands)
      : context_(context), out_(out), commands_(commands) {}

  void run() {
    for (const CMakeCommand& command : commands_) {
      const bool definesTarget = command.name == "add_library" || command.name == "add_executable";
      if (definesTarget && !command.arguments.empty()) targets_.push_back(command.arguments[0].text);
    }
    std::sort(targets_.begin(), targets_.end());
    for (const CMakeCommand& command : commands_) read(command);
  }

 private:
  void read(const CMakeCommand& command) {
    if (std::find(silentCommands.begin(), silentCommands.end(), command.name) != silentCommands.end()) return;
    const GuardMark mark(out_, command.guarded);
    const std::string& name = command.name;
    addName(command.name, command.line, command.column);
    if (name == "find_package" || name == "find_dependency")
      findPackage(command);
    else if (name == "include" || name == "check_language")
      call(command, name);
    else if (name == "enable_language" || name == "project")
      languages(command);
    else if (name == "set" || name == "option" || name == "list" || name == "string" ||
             name == "cmake_dependent_option")
      variable(command);
    else if (name == "set_property" || name == "set_target_properties" || name == "set_source_files_properties")
      properties(command);
    else if (name == "target_link_libraries" || name == "link_libraries" || name == "find_library")
      libraries(command);
    else if (name == "execute_process" || name == "add_custom_command" || name == "add_custom_target")
      processes(command);
    else if (name == "find_program")
      programs(command);
    everywhere(command);
    if (holdsFlags(command)) flags(command);
  }

  bool add(Ecosystem ecosystem, std::string_view name, const CMakeArgument& place, std::string_view version = {}) {
    return addDependency(context_, out_, ecosystem, name, place.line, version, false, place.column);
  }

  bool addName(std::string_view name, std::uint32_t line, std::uint32_t column) {
    return addDependency(context_, out_, Ecosystem::CMake, name, line, {}, false, column);
  }

  void call(const CMakeCommand& command, std::string_view name) {
    if (command.arguments.empty()) return;
    const std::string text = std::string(name) + "(" + std::string(command.arguments[0].text) + ")";
    addName(text, command.line, command.column);
  }

  void findPackage(const CMakeCommand& command) {
    if (command.arguments.empty()) return;
    const std::string text = "find_package(" + std::string(command.arguments[0].text) + ")";
    std::string_view version;
    if (command.arguments.size() > 1 && !command.arguments[1].text.empty() && command.arguments[1].text[0] >= '0' &&
        command.arguments[1].text[0] <= '9')
      version = command.arguments[1].text;
    addDependency(context_, out_, Ecosystem::CMake, text, command.line, version, false, command.column);
  }

  void languages(const CMakeCommand& command) {
    const bool cuda =
        std::any_of(command.arguments.begin(), command.arguments.end(),
                    [](const CMakeArgument& argument) { return argument.text == "CUDA" && !argument.quoted; });
    if (!cuda) return;
    addName(command.name == "project" ? "project(X CUDA)" : "enable_language(CUDA)", command.line, command.column);
  }

  /// `set(NAME ...)`, `option(NAME ...)`, `list(APPEND NAME ...)`, `string(APPEND NAME ...)`.
  void variable(const CMakeCommand& command) {
    const std::size_t at = command.name == "list" || command.name == "string" ? 1 : 0;
    if (command.arguments.size() <= at ||
        (at == 1 && !isOneOf(command.arguments[0].text, {"APPEND", "PREPEND", "INSERT"})))
      return;
    const CMakeArgument& name = command.arguments[at];
    if (name.text.starts_with("ENV{") && name.text.ends_with("}")) {
      const std::string_view value =
          command.arguments.size() > at + 1 ? command.arguments[at + 1].text : std::string_view();
      addEnvironment(context_, name.text.substr(4, name.text.size() - 5), value, name.line, out_);
      return;
    }
    const std::string_view value =
        command.arguments.size() > at + 1 ? command.arguments[at + 1].text : std::string_view();
    const bool off = command.name == "set" && isOffValue(value);
    const std::string setting = std::string(name.text) + "=" + std::string(value.substr(0, 64));
    if (!off && !add(Ecosystem::CMake, name.text, name, isArchitectures(name.text) ? value : std::string_view()) &&
        !isBuildString(setting))
      add(Ecosystem::Config, setting, name);
    if (name.text.find("LANGUAGES") == std::string_view::npos) return;
    for (std::size_t i = at + 1; i < command.arguments.size(); ++i)
      if (command.arguments[i].text == "CUDA")
        addName("enable_language(CUDA)", command.arguments[i].line, command.arguments[i].column);
  }

  /// `*=*=*cuda*` describes a build string of conda; a variable whose value has an equals sign is none.
  bool isBuildString(std::string_view setting) const {
    const std::uint32_t record = context_.knowledge.findDependency(Ecosystem::Config, setting);
    return record != knowledge::Knowledge::none && context_.knowledge.dependencies()[record].match.starts_with("*=*=");
  }

  static bool isArchitectures(std::string_view name) { return name.find("CUDA_ARCH") != std::string_view::npos; }

  void properties(const CMakeCommand& command) {
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const CMakeArgument& argument = command.arguments[i];
      const bool language = (argument.text == "LANGUAGE" || argument.text == "LINKER_LANGUAGE") &&
                            i + 1 < command.arguments.size() && command.arguments[i + 1].text == "CUDA";
      if (language) add(Ecosystem::CMake, "LANGUAGE CUDA", argument);
      if (argument.quoted || argument.text.find("CUDA_") == std::string_view::npos) continue;
      const std::string_view value =
          i + 1 < command.arguments.size() ? command.arguments[i + 1].text : std::string_view();
      if (!isOffValue(value))
        add(Ecosystem::CMake, argument.text, argument, isArchitectures(argument.text) ? value : std::string_view());
    }
  }

  /// Link names; a name that is a target of this file is that target.
  void libraries(const CMakeCommand& command) {
    const bool find = command.name == "find_library";
    for (std::size_t i = find || command.name == "target_link_libraries" ? 1 : 0; i < command.arguments.size(); ++i) {
      const CMakeArgument& argument = command.arguments[i];
      if (find && isOneOf(argument.text, {"PATHS", "HINTS", "PATH_SUFFIXES", "DOC", "ENV"})) return;
      if (argument.text.starts_with("-")) addFlagWords(context_, argument.text, argument.line, out_);
      if (std::binary_search(targets_.begin(), targets_.end(), argument.text)) continue;
      addLinkLibrary(context_, argument.text, argument.line, out_);
    }
  }

  void processes(const CMakeCommand& command) {
    std::string text;
    std::uint32_t line = 0;
    const auto flush = [&] {
      if (!text.empty()) readShellText(context_, text, line, out_);
      text.clear();
      line = 0;
    };
    bool inCommand = false;
    for (const CMakeArgument& argument : command.arguments) {
      if (argument.text == "COMMAND" || argument.text == "ARGS") {
        if (argument.text == "COMMAND") flush();
        inCommand = true;
      } else if (inCommand && !argument.quoted && isKeyword(argument.text)) {
        inCommand = false;
      } else if (inCommand) {
        if (text.empty()) line = argument.line;
        text += (text.empty() ? "" : " ") + shellWord(argument);
      }
    }
    flush();
  }

  /// One word for the shell reader: the compiler's variables are the compiler.
  static std::string shellWord(const CMakeArgument& argument) {
    if (isOneOf(argument.text,
                {"${CMAKE_CUDA_COMPILER}", "${CUDA_NVCC_EXECUTABLE}", "${CUDAToolkit_NVCC_EXECUTABLE}", "${NVCC}"}))
      return "nvcc";
    if (!argument.quoted) return std::string(argument.text);
    std::string word = "'";
    for (char c : argument.text) word += c == '\'' ? ' ' : c;
    return word + "'";
  }

  static bool isKeyword(std::string_view text) {
    return text.size() > 3 &&
           std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
  }

  void programs(const CMakeCommand& command) {
    for (std::size_t i = 1; i < command.arguments.size(); ++i) {
      const CMakeArgument& argument = command.arguments[i];
      if (isOneOf(argument.text, {"PATHS", "HINTS", "PATH_SUFFIXES", "DOC", "ENV"})) return;
      add(Ecosystem::Cli, argument.text, argument);
    }
  }

  /// What counts in whichever command: imported targets, the environment, toolkit folders, addresses of known
  /// repositories.
  void everywhere(const CMakeCommand& command) {
    for (const CMakeArgument& argument : command.arguments) {
      if (argument.text.size() > 4096) continue;
      importedTargets(argument);
      languageExpressions(argument);
      for (std::size_t at = argument.text.find("$ENV{"); at != std::string_view::npos;
           at = argument.text.find("$ENV{", at + 5)) {
        const std::size_t close = argument.text.find('}', at);
        if (close == std::string_view::npos) break;
        addEnvironment(context_, argument.text.substr(at + 5, close - at - 5), {}, argument.line, out_);
      }
      if (!holdsFlags(command)) addToolkitPath(context_, argument.text, argument.line, out_);
      const bool fetched = argument.text.starts_with("https://") || argument.text.starts_with("git@");
      if (fetched) python::addPackageAddress(context_, argument.text, argument.line, out_);
      hubRepository(command, argument);
    }
  }

  /// CPM's short forms: `gh:NVIDIA/cccl@2.5.0`, `GITHUB_REPOSITORY NVIDIA/cutlass`.
  void hubRepository(const CMakeCommand& command, const CMakeArgument& argument) {
    const std::string_view text = argument.text;
    const bool named = &argument != &command.arguments.front() && (&argument)[-1].text == "GITHUB_REPOSITORY";
    if (text.starts_with("gh:") || named)
      python::addPackageAddress(context_, "github.com/" + std::string(text.substr(named ? 0 : 3)), argument.line, out_);
  }

  /// `$<COMPILE_LANGUAGE:CUDA>` and `$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>`, once per argument.
  void languageExpressions(const CMakeArgument& argument) {
    for (std::string_view expression : {"COMPILE_LANGUAGE:CUDA", "COMPILE_LANG_AND_ID:CUDA"})
      if (argument.text.find(expression) != std::string_view::npos)
        return void(add(Ecosystem::CMake, expression, argument));
  }

  void importedTargets(const CMakeArgument& argument) {
    for (std::size_t at = argument.text.find("::"); at != std::string_view::npos;
         at = argument.text.find("::", at + 2)) {
      std::size_t begin = at, end = at + 2;
      while (begin > 0 && (isIdentifierPart(argument.text[begin - 1]) || argument.text[begin - 1] == '-')) --begin;
      while (end < argument.text.size() && (isIdentifierPart(argument.text[end]) || argument.text[end] == '-')) ++end;
      addDependency(context_, out_, Ecosystem::CMake, argument.text.substr(begin, end - begin), argument.line, {},
                    false, argument.column + static_cast<std::uint32_t>(begin));
    }
  }

  bool holdsFlags(const CMakeCommand& command) const {
    if (command.name.ends_with("_compile_options") || command.name.ends_with("_link_options") ||
        command.name == "add_link_options" || command.name == "add_definitions")
      return true;
    if (command.name == "cuda_add_library" || command.name == "cuda_add_executable") return true;
    for (std::size_t i = 0; i < command.arguments.size() && i < 2; ++i) {
      const std::string_view name = command.arguments[i].text;
      const bool flagged =
          name.find("FLAGS") != std::string_view::npos || name.find("GENCODE") != std::string_view::npos ||
          name.find("_OPTIONS") != std::string_view::npos || name.find("NVCC") != std::string_view::npos;
      if (flagged && isOneOf(command.name, {"set", "list", "string"})) return true;
    }
    return false;
  }

  /// Flags, also those inside `$<$<COMPILE_LANGUAGE:CUDA>:...>`; `-gencode` and its value may be two arguments.
  void flags(const CMakeCommand& command) {
    std::string text;
    std::uint32_t line = 0;
    const auto flush = [&] {
      if (!text.empty()) addFlagWords(context_, text, line, out_);
      text.clear();
    };
    for (const CMakeArgument& argument : command.arguments) {
      if (argument.text.size() > 16384) continue;
      if (argument.line != line) flush();
      line = argument.line;
      std::string piece(argument.text);
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const bool expression = piece[i] == '>' || piece[i] == '<';
        const bool behind = piece[i] == ':' && i > 0 && (piece[i - 1] == '>' || piece[i - 1] == ' ');
        if (expression || behind || piece[i] == ';') piece[i] = ' ';
      }
      text += ' ' + piece;
    }
    flush();
  }

  const ReadContext& context_;
  FileFacts& out_;
  const std::vector<CMakeCommand>& commands_;
  std::vector<std::string_view> targets_;
};

}  // namespace
}  // namespace unwarp::scan::build

namespace unwarp::scan {

void readCMake(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::vector<build::CMakeCommand> commands = build::tokenizeCMake(input.bytes);
  build::Reader(context, out, commands).run();
}

}  // namespace unwarp::scan
