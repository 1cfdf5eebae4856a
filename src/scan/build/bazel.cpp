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
#include "scan/build/logical_lines.h"
#include "scan/deploy/sites.h"
#include "scan/python/python_tokens.h"
#include "scan/python/requirement.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

/// `if_cuda` and kin choose for CUDA; `if_rocm` for AMD.
bool isGuarded(const python::PyFile& file, const python::PyLine& line) {
  for (std::uint32_t i = line.first; i < line.last; ++i) {
    const bool condition = (file.isString(i) && file.is(i + 1, ":")) || file.isName(i);
    if (condition && build::mentionsHip(file.at(i))) return true;
  }
  return false;
}

/// A label of a repository that the tables know: `@local_config_cuda//cuda:cublas` is that library, anything else in it
/// the repository.
void addLabel(const ReadContext& context, std::string_view label, std::uint32_t line, FileFacts& out) {
  while (label.starts_with("@@")) label.remove_prefix(1);
  if (context.knowledge.findDependency(Ecosystem::CMake, label) == knowledge::Knowledge::none) return;
  const std::size_t colon = label.rfind(':');
  const std::string_view target =
      colon == std::string_view::npos ? label.substr(label.rfind('/') + 1) : label.substr(colon + 1);
  if (build::addLinkLibrary(context, target, line, out)) return;
  if (addDependency(context, out, Ecosystem::CMake, label, line))
    out.dependencies.back().name = label.substr(0, label.find("//"));
}

/// Whether a call declares or fetches a repository, so that names in it are repositories without their `@`.
bool declaresRepository(std::string_view function) {
  return function.ends_with("_archive") || function.ends_with("_repository") || function == "bazel_dep" ||
         function == "use_repo";
}

void readString(const ReadContext& context, std::string_view text, std::uint32_t line, FileFacts& out) {
  if (text.starts_with("@")) return addLabel(context, text, line, out);
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

/// `name = "nccl_archive"` of `http_archive(...)`.
bool namesRepository(const python::PyFile& file, const python::PyLine& line, std::uint32_t string) {
  if (!declaresRepository(file.at(line.first)) || string < line.first + 2) return false;
  return file.is(string - 1, "(") || file.is(string - 1, ",") ||
         (file.is(string - 1, "=") && file.is(string - 2, "name"));
}

/// `build:cuda --action_env CUDA_HOME=/x --copt=-DY`.
void readBazelrc(const ReadContext& context, std::string_view text, FileFacts& out) {
  build::LogicalLines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    line = trim(line);
    if (line.starts_with("#")) continue;
    const build::GuardMark mark(out, build::mentionsHip(line.substr(0, line.find(' '))));
    std::string_view waiting;  // an option whose value may be the next word
    std::uint32_t waitingLine = 0;
    build::eachPhysicalLine(line, lines.number(), '\\', [&](std::string_view piece, std::uint32_t number) {
      for (std::string_view word : words(piece)) {
        if (word.starts_with("#")) break;
        if (!waiting.empty()) addBazelOption(context, waiting, word, waitingLine, out);
        waiting = word.starts_with("-") ? word : std::string_view();
        waitingLine = number;
      }
    });
    if (!waiting.empty()) addBazelOption(context, waiting, {}, waitingLine, out);
  }
}

}  // namespace

void addBazelOption(const ReadContext& context, std::string_view option, std::string_view next, std::uint32_t line,
                    FileFacts& out) {
  constexpr std::array<std::string_view, 4> environments{"--action_env", "--repo_env", "--test_env",
                                                         "--host_action_env"};
  constexpr std::array<std::string_view, 9> flags{"--copt",         "--cxxopt",     "--conlyopt",
                                                  "--linkopt",      "--host_copt",  "--host_cxxopt",
                                                  "--host_linkopt", "--cuda_copts", "--nvcc_copt"};
  const std::size_t equals = option.find('=');
  const std::string_view name = option.substr(0, equals);
  const auto isOneOf = [name](auto& list) { return std::find(list.begin(), list.end(), name) != list.end(); };
  std::string_view value = equals == std::string_view::npos ? next : option.substr(equals + 1);
  if (isOneOf(flags)) return addCompilerFlag(context, value, line, out);
  if (equals == std::string_view::npos && next.starts_with("-")) value = {};
  if (isOneOf(environments)) {
    const std::size_t before = out.dependencies.size();
    const std::size_t split = value.find('=');
    addEnvironment(context, value.substr(0, split),
                   split == std::string_view::npos ? std::string_view() : value.substr(split + 1), line, out);
    if (out.dependencies.size() != before) return;  // the variable says more than the option that sets it
  }
  const std::size_t last = value.rfind('=');
  if (isOffValue(last == std::string_view::npos ? value : value.substr(last + 1))) return;
  const std::string whole = value.empty() ? std::string(name) : std::string(name) + "=" + std::string(value);
  if (!addDependency(context, out, Ecosystem::Cli, whole, line) && equals == std::string_view::npos)
    addDependency(context, out, Ecosystem::Cli, name, line);
}

void readBazel(const ReadContext& context, const Input& input, FileFacts& out) {
  if (input.path.substr(input.path.rfind('/') + 1).find("bazelrc") != std::string_view::npos)
    return readBazelrc(context, input.bytes, out);
  const python::PyFile file = python::tokenizePython(input.bytes);
  for (const python::PyLine& line : file.lines) {
    if (line.last - line.first == 1) continue;  // a docstring
    const build::GuardMark mark(out, isGuarded(file, line));
    for (std::uint32_t i = line.first; i < line.last; ++i) {
      const bool call = file.isName(i) && file.is(i + 1, "(") && !(i > line.first && file.is(i - 1, "def"));
      if (call) addDependency(context, out, Ecosystem::CMake, file.at(i), file.tokens[i].line);
      if (!file.isString(i)) continue;
      const std::string_view text = python::openString(file.at(i)).body;
      const bool repository = namesRepository(file, line, i) && text != "rules_cuda";
      readString(context, repository ? "@" + std::string(text) : std::string(text), file.tokens[i].line, out);
    }
  }
}

}  // namespace unwarp::scan
