// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls whose arguments hold another language: CUDA C++ for a run-time compiler, a shell command, a library's file
// name, an environment variable. Only resolved names count (`from subprocess import run as r` does), and only arguments
// that are literals or names of literals of this file; a command put together at run time is read as far as it is
// written down.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/python/python_scene.h"

namespace unwarp::scan::python {
namespace {

using knowledge::Ecosystem;
using Range = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::array<std::string_view, 13> commandCalls{"os.system",
                                                        "os.popen",
                                                        "os.execvp",
                                                        "subprocess.run",
                                                        "subprocess.call",
                                                        "subprocess.Popen",
                                                        "subprocess.getoutput",
                                                        "subprocess.check_call",
                                                        "subprocess.check_output",
                                                        "subprocess.getstatusoutput",
                                                        "commands.getoutput",
                                                        "sh.bash",
                                                        "pexpect.spawn"};
constexpr std::array<std::string_view, 8> kernelCalls{"cupy.RawKernel",
                                                      "cupy.RawModule",
                                                      "cupy.ElementwiseKernel",
                                                      "cupy.ReductionKernel",
                                                      "cupy.core.RawKernel",
                                                      "cupy._core.RawKernel",
                                                      "pycuda.compiler.SourceModule",
                                                      "pycuda.compiler.DynamicSourceModule"};
constexpr std::array<std::string_view, 6> libraryCalls{"ctypes.CDLL",   "ctypes.cdll.LoadLibrary",   "ctypes.PyDLL",
                                                       "ctypes.WinDLL", "ctypes.windll.LoadLibrary", "cffi.FFI.dlopen"};

template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

/// An argument: `value` tokens, and the keyword before them or nothing.
struct Argument {
  std::string_view keyword;
  Range value;
};

std::vector<Argument> argumentsAt(const PyFile& file, std::uint32_t open, std::uint32_t last) {
  std::vector<Argument> arguments;
  for (const Range& piece : splitAtCommas(file, open + 1, closingBracket(file, open, last))) {
    if (piece.first >= piece.second) continue;
    const bool keyword = piece.second - piece.first > 2 && file.isName(piece.first) && file.is(piece.first + 1, "=");
    arguments.push_back(
        {keyword ? file.at(piece.first) : std::string_view(), {piece.first + (keyword ? 2 : 0), piece.second}});
  }
  return arguments;
}

/// Adjacent literals as one text whose lines are those of the file: line breaks fill the gaps between them.
struct Literal {
  std::string text;
  std::uint32_t line = 0;     ///< of the first literal; 0 when there is none
  std::uint32_t current = 0;  ///< of the end of `text`
};

void appendLiteral(const PyFile& file, std::uint32_t token, Literal& out) {
  const PyToken& place = file.tokens[token];
  if (out.line == 0) out.line = out.current = place.line;
  for (; out.current < place.line; ++out.current) out.text += '\n';
  const PyString string = openString(file.at(token));
  // An escaped line break in a text of many lines would shift all lines behind it; such texts are taken as written.
  const std::string value = string.triple ? std::string(string.body) : stringValue(file.at(token));
  out.current += static_cast<std::uint32_t>(std::count(value.begin(), value.end(), '\n'));
  out.text += value;
}

/// The text of the literals in `range`, or of the literal that a variable stands for; each literal is given out once.
Literal takeLiteral(Scene& scene, Range range, const StringVariables& strings) {
  Literal literal;
  for (std::uint32_t i = range.first; i < range.second; ++i)
    if (scene.file.isString(i) && scene.embedded.insert(i).second) appendLiteral(scene.file, i, literal);
  if (literal.line != 0 || range.second != range.first + 1) return literal;
  const auto variable = strings.find(scene.file.at(range.first));
  if (variable != strings.end() && scene.embedded.insert(variable->second).second)
    appendLiteral(scene.file, variable->second, literal);
  return literal;
}

void embed(Scene& scene, Range range, const StringVariables& strings) {
  const Literal literal = takeLiteral(scene, range, strings);
  if (literal.line != 0 && !trim(literal.text).empty())
    readEmbeddedSource(scene.context, literal.text, literal.line, scene.out);
}

void kernelCall(Scene& scene, const PyUse& use, const std::vector<Argument>& arguments,
                const StringVariables& strings) {
  const bool parts = use.dotted.ends_with("ElementwiseKernel") || use.dotted.ends_with("ReductionKernel");
  std::size_t position = 0;
  for (const Argument& argument : arguments) {
    const bool named = !argument.keyword.empty();
    const bool source = named ? argument.keyword == "code" || argument.keyword == "source" ||
                                    argument.keyword == "preamble" || argument.keyword == "operation"
                              : position == (parts ? 2u : 0u);
    if (source) embed(scene, argument.value, strings);
    if (argument.keyword == "options") {
      for (std::uint32_t i = argument.value.first; i < argument.value.second; ++i)
        if (scene.file.isString(i))
          addCompilerFlag(scene.context, stringValue(scene.file.at(i)), scene.file.tokens[i].line, scene.out);
    }
    ++position;
  }
}

/// The words of a command: one string, or a list whose unknown elements become `X`.
std::string commandText(const PyFile& file, Range range) {
  if (!file.is(range.first, "[") && !file.is(range.first, "(")) {
    std::string text;
    for (std::uint32_t i = range.first; i < range.second; ++i)
      if (file.isString(i)) text += stringValue(file.at(i));
    return text;
  }
  std::string text;
  for (const Range& item : splitAtCommas(file, range.first + 1, closingBracket(file, range.first, range.second))) {
    if (!text.empty()) text += ' ';
    if (item.first < item.second && file.isString(item.first))
      text += stringValue(file.at(item.first));
    else if (textOf(file, item.first, item.second) == "sys.executable")
      text += "python";
    else
      text += 'X';
  }
  return text;
}

void commandCall(Scene& scene, const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    if (!argument.keyword.empty() && argument.keyword != "args" && argument.keyword != "cmd") continue;
    const std::string text = commandText(scene.file, argument.value);
    if (!text.empty()) readShellText(scene.context, text, scene.file.tokens[argument.value.first].line, scene.out);
    return;
  }
}

void libraryCall(Scene& scene, const std::vector<Argument>& arguments) {
  if (arguments.empty() || !scene.file.isString(arguments[0].value.first)) return;
  const PyToken& place = scene.file.tokens[arguments[0].value.first];
  addLibraryFile(scene.context, stringValue(scene.file.at(arguments[0].value.first)), place.line, place.column,
                 scene.out);
}

void loadInline(Scene& scene, const std::vector<Argument>& arguments, const StringVariables& strings) {
  std::size_t position = 0;
  for (const Argument& argument : arguments) {
    const bool source = argument.keyword.empty() ? position == 2 : argument.keyword == "cuda_sources";
    const bool flags = argument.keyword == "extra_cuda_cflags" || argument.keyword == "extra_ldflags";
    if (source) embed(scene, argument.value, strings);
    for (std::uint32_t i = argument.value.first; flags && i < argument.value.second; ++i)
      if (scene.file.isString(i))
        addCompilerFlag(scene.context, stringValue(scene.file.at(i)), scene.file.tokens[i].line, scene.out);
    ++position;
  }
}

/// `"X" in os.environ`, `"X" not in os.environ`.
bool isMembership(const PyFile& file, const PyLine& line, const PyUse& use) {
  return use.dotted == "os.environ" && use.first >= line.first + 3 && file.is(use.first - 1, "in");
}

/// `os.environ["X"] = v`, `os.getenv("X", d)`, `"X" in os.environ` and their kin.
void environment(Scene& scene, const PyLine& line, const PyUse& use) {
  const PyFile& file = scene.file;
  if (isMembership(file, line, use)) {
    const std::uint32_t name = use.first - (file.is(use.first - 2, "not") ? 3 : 2);
    if (file.isString(name))
      addEnvironment(scene.context, stringValue(file.at(name)), {}, file.tokens[name].line, scene.out);
    return;
  }
  if (!file.isString(use.last + 1)) return;
  const std::string name = stringValue(file.at(use.last + 1));
  const std::uint32_t close = closingBracket(file, use.last, line.last);
  std::string value;
  if (file.is(use.last, "[")) {
    if (file.is(close + 1, "="))
      value = file.isString(close + 2) && close + 3 == line.last ? stringValue(file.at(close + 2))
                                                                 : textOf(file, close + 2, line.last);
  } else if (use.dotted == "os.environ.setdefault" && file.is(use.last + 2, ",")) {
    value = file.isString(use.last + 3) ? stringValue(file.at(use.last + 3)) : textOf(file, use.last + 3, close);
  }
  addEnvironment(scene.context, name, value, file.tokens[use.last + 1].line, scene.out);
}

bool isEnvironment(const PyFile& file, const PyUse& use) {
  if (file.is(use.last, "[")) return use.dotted == "os.environ";
  return use.dotted == "os.getenv" || use.dotted == "os.putenv" || use.dotted == "os.unsetenv" ||
         use.dotted == "os.environ.get" || use.dotted == "os.environ.setdefault" || use.dotted == "os.environ.pop";
}

}  // namespace

void reportCall(Scene& scene, const PyLine& line, const PyUse& use, const StringVariables& strings) {
  const GuardMark mark(scene.out, line.guarded);
  if (isMembership(scene.file, line, use) || isEnvironment(scene.file, use)) return environment(scene, line, use);
  if (!scene.file.is(use.last, "(")) return;
  const bool inlineLoad =
      use.dotted == "torch.utils.cpp_extension.load_inline" || use.dotted == "torch.utils.cpp_extension.load";
  const bool which = use.dotted == "shutil.which" || use.dotted == "distutils.spawn.find_executable";
  const bool findLibrary = use.dotted == "ctypes.util.find_library";
  const bool kernel = isOneOf(use.dotted, kernelCalls), command = isOneOf(use.dotted, commandCalls);
  if (!inlineLoad && !which && !findLibrary && !kernel && !command && !isOneOf(use.dotted, libraryCalls)) return;
  const std::vector<Argument> arguments = argumentsAt(scene.file, use.last, line.last);
  if (inlineLoad) return loadInline(scene, arguments, strings);
  if (kernel) return kernelCall(scene, use, arguments, strings);
  if (command) return commandCall(scene, arguments);
  if (!which && !findLibrary) return libraryCall(scene, arguments);
  if (arguments.empty() || !scene.file.isString(arguments[0].value.first)) return;
  const PyToken& place = scene.file.tokens[arguments[0].value.first];
  std::string name = stringValue(scene.file.at(arguments[0].value.first));
  if (findLibrary) name = "lib" + name + ".so";
  addDependency(scene.context, scene.out, which ? Ecosystem::Cli : Ecosystem::Lib, name, place.line, {}, false,
                place.column);
}

}  // namespace unwarp::scan::python
