// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meson build files, read with the Python tokenizer (strings and comments agree). The CUDA language needs nvcc, so it
// counts as nvcc; `dependency('cuda', modules: [...])` counts as the libraries it links.
#include <algorithm>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/build/guard_mark.h"
#include "scan/build/hip_words.h"
#include "scan/python/python_tokens.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;
using python::PyFile;
using python::PyLine;

class MesonReader {
 public:
  MesonReader(const ReadContext& context, const PyFile& file, FileFacts& out)
      : context_(context), file_(file), out_(out) {}

  void run() {
    int guard = 0, depth = 0;  // depth of the outermost guarded `if`, counted from 1
    for (const PyLine& line : file_.lines) {
      const std::string_view word = file_.at(line.first);
      if (word == "if") ++depth;
      if ((word == "if" || word == "elif") && guard == 0 && mentionsHip(line)) guard = depth;
      const build::GuardMark mark(out_, guard > 0);
      read(line);
      if (word != "endif") continue;
      if (guard == depth) guard = 0;
      depth = std::max(0, depth - 1);
    }
  }

 private:
  bool mentionsHip(const PyLine& line) const {
    for (std::uint32_t i = line.first; i < line.last; ++i)
      if (build::mentionsHip(file_.at(i).substr(0, 80))) return true;
    return false;
  }

  std::string text(std::uint32_t token) const { return python::stringValue(file_.at(token)); }

  void read(const PyLine& line) {
    for (std::uint32_t i = line.first; i < line.last; ++i) {
      if (file_.isName(i) && file_.is(i + 1, "(")) call(i, line.last);
      if (!file_.isString(i) || line.last - line.first == 1) continue;
      const std::string value = text(i);
      if (value.starts_with("-") || value.starts_with("/usr/local/cuda") || value.starts_with("/opt/cuda"))
        build::addFlagWords(context_, value, file_.tokens[i].line, out_);
    }
  }

  void call(std::uint32_t name, std::uint32_t last) {
    const std::string_view callee = file_.at(name);
    const std::uint32_t close = python::closingBracket(file_, name + 1, last);
    const std::uint32_t line = file_.tokens[name].line;
    if (callee == "project" || callee == "add_languages") {
      for (std::uint32_t i = name + 2 + (callee == "project" ? 1 : 0); i < close; ++i)
        if (file_.isString(i) && !file_.is(i - 1, ":") && text(i) == "cuda")
          addDependency(context_, out_, Ecosystem::CMake, "add_languages('cuda')", line);
    } else if (callee == "dependency" && file_.isString(name + 2) && text(name + 2) == "cuda") {
      addDependency(context_, out_, Ecosystem::CMake, "dependency('cuda')", line);
      for (std::uint32_t i = name + 3; i < close; ++i)
        if (file_.isString(i)) build::addLinkLibrary(context_, text(i), file_.tokens[i].line, out_);
    } else if (callee == "import" && file_.isString(name + 2) && text(name + 2).ends_with("cuda")) {
      addDependency(context_, out_, Ecosystem::CMake, "import('unstable-cuda')", line);
    } else if (callee == "find_library" && file_.isString(name + 2)) {
      build::addLinkLibrary(context_, text(name + 2), line, out_);
    } else if ((callee == "find_program" || callee == "run_command") && file_.isString(name + 2)) {
      addDependency(context_, out_, Ecosystem::Cli, text(name + 2), line);
    } else if (callee == "has_header" && file_.isString(name + 2)) {
      addDependency(context_, out_, Ecosystem::Header, text(name + 2), line);
    }
  }

  const ReadContext& context_;
  const PyFile& file_;
  FileFacts& out_;
};

}  // namespace

void readMeson(const ReadContext& context, const Input& input, FileFacts& out) {
  const PyFile file = python::tokenizePython(input.bytes);
  MesonReader(context, file, out).run();
}

}  // namespace unwarp::scan
