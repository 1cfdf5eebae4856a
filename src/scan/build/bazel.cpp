// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bazel's BUILD and .bzl files in Starlark (read with the Python tokenizer), and .bazelrc. Labels of the usual CUDA
// repositories name libraries; `copts` and `linkopts` hold flags. `select` over a ROCm condition guards its statement.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/build/guard_mark.h"
#include "scan/build/hip_words.h"
#include "scan/python/python_tokens.h"
#include "scan/python/requirement.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

/// Repositories that hold the toolkit's libraries as targets.
constexpr std::array<std::string_view, 6> toolkitRepositories{
    "@local_config_cuda//", "@local_cuda//",        "@cuda//",
    "@rules_cuda//",        "@local_config_nccl//", "@local_config_tensorrt//"};

/// `if_cuda` and kin choose for CUDA; `if_rocm` for AMD.
bool isGuarded(const python::PyFile& file, const python::PyLine& line) {
  for (std::uint32_t i = line.first; i < line.last; ++i) {
    const bool condition = (file.isString(i) && file.is(i + 1, ":")) || file.isName(i);
    if (condition && build::mentionsHip(file.at(i))) return true;
  }
  return false;
}

void readString(const ReadContext& context, std::string_view text, std::uint32_t line, FileFacts& out) {
  for (std::string_view repository : toolkitRepositories) {
    if (!text.starts_with(repository)) continue;
    const std::size_t colon = text.rfind(':');
    const std::string_view target =
        colon == std::string_view::npos ? text.substr(text.rfind('/') + 1) : text.substr(colon + 1);
    if (!build::addLinkLibrary(context, target, line, out)) addDependency(context, out, Ecosystem::CMake, text, line);
    return;
  }
  if (text == "rules_cuda") {
    addDependency(context, out, Ecosystem::CMake, text, line);
    return;
  }
  if (text.starts_with("https://")) {
    python::addPackageAddress(context, text, line, out);
    return;
  }
  if (text.starts_with("-") || text.starts_with("/usr/local/cuda") || text.starts_with("/opt/cuda"))
    build::addFlagWords(context, text, line, out);
}

/// `build:cuda --action_env=CUDA_HOME=/x --copt=-DY`.
void readBazelrc(const ReadContext& context, std::string_view text, FileFacts& out) {
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    line = trim(line);
    if (line.starts_with("#")) continue;
    const build::GuardMark mark(out, build::mentionsHip(line.substr(0, line.find(' '))));
    for (std::string_view word : words(line)) {
      if (word.starts_with("--")) addDependency(context, out, Ecosystem::Cli, word, lines.number());
      for (std::string_view option : {"--action_env=", "--repo_env=", "--test_env=", "--host_action_env="}) {
        if (!word.starts_with(option)) continue;
        const std::string_view setting = word.substr(option.size());
        const std::size_t equals = setting.find('=');
        addEnvironment(context, setting.substr(0, equals),
                       equals == std::string_view::npos ? std::string_view() : setting.substr(equals + 1),
                       lines.number(), out);
      }
      for (std::string_view option : {"--copt=", "--linkopt=", "--cxxopt="})
        if (word.starts_with(option)) addCompilerFlag(context, word.substr(option.size()), lines.number(), out);
    }
  }
}

}  // namespace

void readBazel(const ReadContext& context, const Input& input, FileFacts& out) {
  if (input.path.ends_with("bazelrc")) return readBazelrc(context, input.bytes, out);
  const python::PyFile file = python::tokenizePython(input.bytes);
  for (const python::PyLine& line : file.lines) {
    if (line.last - line.first == 1) continue;  // a docstring
    const build::GuardMark mark(out, isGuarded(file, line));
    for (std::uint32_t i = line.first; i < line.last; ++i) {
      const bool call = file.isName(i) && file.is(i + 1, "(") && !(i > line.first && file.is(i - 1, "def"));
      if (call) addDependency(context, out, Ecosystem::CMake, file.at(i), file.tokens[i].line);
      if (file.isString(i)) readString(context, python::openString(file.at(i)).body, file.tokens[i].line, out);
    }
  }
}

}  // namespace unwarp::scan
