// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Package managers of C++ projects: vcpkg (vcpkg.json), Conan (conanfile.txt, conanfile.py) and Spack's recipes
// (package.py). The tables write their names with the manager in front (`vcpkg:cuda`), since registries share names.
// Recipes are Python and are read as such too; here it is only what their own calls name.
#include <algorithm>
#include <array>

#include "base/json_tokens.h"
#include "base/text.h"
#include "scan/build/guard_mark.h"
#include "scan/deploy/sites.h"
#include "scan/deploy/spack_spec.h"
#include "scan/python/python_tokens.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;
using python::PyFile;
using python::PyLine;

/// One name of a package manager; it is shown without the manager.
void addNative(const ReadContext& context, std::string_view manager, std::string_view name, std::string_view version,
               std::uint32_t line, FileFacts& out) {
  if (name.empty() || name.size() > 200) return;
  const std::string key = std::string(manager) + ":" + std::string(name);
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::OtherPkg, key);
  if (record == knowledge::Knowledge::none || context.knowledge.dependencies()[record].falsePositive) return;
  out.dependencies.push_back({record, line, 1, std::string(version), false, std::string(name)});
}

/// `opencv/4.8.1@user/channel` of Conan.
void addConanReference(const ReadContext& context, std::string_view reference, std::uint32_t line, FileFacts& out) {
  reference = trim(reference);
  const std::size_t slash = reference.find('/');
  if (slash == std::string_view::npos || reference.find(' ') != std::string_view::npos) return;
  const std::string_view version = reference.substr(slash + 1);
  addNative(context, "conan", reference.substr(0, slash), version.substr(0, version.find_first_of("@#")), line, out);
}

/// `opencv/*:with_cuda` or, of the recipe itself, `with_cuda`.
void addConanOption(const ReadContext& context, std::string_view option, std::string_view value, std::uint32_t line,
                    FileFacts& out) {
  while (!value.empty() && (value.front() == '"' || value.front() == '\'')) value = value.substr(1, value.size() - 2);
  if (!isOffValue(value)) addNative(context, "conan", trim(option), {}, line, out);
}

class SpackRecipe {
 public:
  SpackRecipe(const ReadContext& context, const PyFile& file, FileFacts& out)
      : context_(context), file_(file), out_(out) {}

  void read(const PyLine& line) {
    const std::string_view function = file_.at(line.first);
    if (function == "class") return bases(line);
    const bool call = file_.is(line.first + 1, "(") && file_.isString(line.first + 2);
    if (!call || (function != "depends_on" && function != "variant")) return;
    const std::string_view text = python::openString(file_.at(line.first + 2)).body;
    const std::uint32_t number = file_.tokens[line.first + 2].line;
    addSpackSpec(context_, function == "variant" ? "+" + std::string(text) : std::string(text), number, out_);
  }

 private:
  /// `class Foo(CMakePackage, CudaPackage, ROCmPackage)`: with both, the recipe has its AMD side.
  void bases(const PyLine& line) {
    bool hip = false;
    for (std::uint32_t i = line.first; i < line.last; ++i) hip |= file_.is(i, "ROCmPackage");
    const build::GuardMark mark(out_, hip);
    for (std::uint32_t i = line.first; i < line.last; ++i)
      if (file_.isName(i)) addSite(context_, Ecosystem::Config, {file_.at(i)}, file_.tokens[i].line, {}, out_);
  }

  const ReadContext& context_;
  const PyFile& file_;
  FileFacts& out_;
};

class ConanRecipe {
 public:
  ConanRecipe(const ReadContext& context, const PyFile& file, FileFacts& out)
      : context_(context), file_(file), out_(out) {}

  void read(const PyLine& line) {
    constexpr std::array<std::string_view, 5> requirements{"requires", "build_requires", "tool_requires",
                                                           "test_requires", "python_requires"};
    const std::uint32_t word = file_.is(line.first, "self") ? line.first + 2 : line.first;
    const std::string_view name = file_.at(word);
    if (std::find(requirements.begin(), requirements.end(), name) != requirements.end()) {
      for (std::uint32_t i = word; i < line.last; ++i)
        if (file_.isString(i)) addConanReference(context_, body(i), file_.tokens[i].line, out_);
    } else if (name == "options" || name == "default_options") {
      options(line);
    }
  }

 private:
  std::string_view body(std::uint32_t token) const { return python::openString(file_.at(token)).body; }

  /// `{"opencv/*:with_cuda": True}`, `("opencv:with_cuda=True",)` and `self.options["opencv"].with_cuda = True`.
  void options(const PyLine& line) {
    for (std::uint32_t i = line.first; i < line.last; ++i) {
      const bool assigned = file_.isName(i) && file_.is(i + 1, "=") && i > line.first;
      if (assigned) addConanOption(context_, file_.at(i), file_.at(i + 2), file_.tokens[i].line, out_);
      if (!file_.isString(i)) continue;
      const std::string_view text = body(i);
      const std::size_t equals = text.find('=');
      if (file_.is(i + 1, ":"))
        addConanOption(context_, text, file_.at(i + 2), file_.tokens[i].line, out_);
      else if (equals != std::string_view::npos)
        addConanOption(context_, text.substr(0, equals), text.substr(equals + 1), file_.tokens[i].line, out_);
    }
  }

  const ReadContext& context_;
  const PyFile& file_;
  FileFacts& out_;
};

/// vcpkg.json: `"dependencies": ["cuda", {"name": "opencv4", "features": ["cuda"]}]`, also those of features.
class VcpkgManifest {
 public:
  VcpkgManifest(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  void visit(const JsonScalar& scalar) {
    const std::vector<std::string>& path = scalar.path;
    const auto list = std::find(path.begin(), path.end(), "dependencies");
    if (!scalar.isString || path.end() - list < 2) return;
    const std::vector<std::string> item(path.begin(), list + 2);
    if (item != item_) flush();
    item_ = item;
    const auto detail = list + 2;
    if (detail == path.end() || (*detail == "name" && detail + 1 == path.end())) {
      name_ = scalar.value;
      line_ = scalar.line;
    } else if (*detail == "features" && (path.end() - detail == 2 || path.back() == "name")) {
      features_.emplace_back(scalar.value, scalar.line);
    }
  }

  void flush() {
    addNative(context_, "vcpkg", name_, {}, line_, out_);
    for (const auto& [feature, line] : features_)
      addNative(context_, "vcpkg", name_ + "[" + feature + "]", {}, line, out_);
    name_.clear();
    features_.clear();
  }

 private:
  const ReadContext& context_;
  FileFacts& out_;
  std::vector<std::string> item_;
  std::string name_;
  std::uint32_t line_ = 0;
  std::vector<std::pair<std::string, std::uint32_t>> features_;
};

void readConanText(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  std::string_view line, section;
  while (lines.next(line)) {
    line = trim(line.substr(0, line.find('#')));
    if (line.starts_with("[")) {
      section = line;
    } else if (section == "[options]") {
      const std::size_t equals = line.find('=');
      if (equals != std::string_view::npos)
        addConanOption(context, line.substr(0, equals), line.substr(equals + 1), lines.number(), out);
    } else if (section.ends_with("requires]")) {
      addConanReference(context, line, lines.number(), out);
    }
  }
}

}  // namespace

void readNativePackages(const ReadContext& context, const Input& input, FileFacts& out) {
  if (baseName(input.path) == "conanfile.txt") return readConanText(context, input, out);
  VcpkgManifest manifest(context, out);
  const bool whole = visitJson(input.bytes, [&](const JsonScalar& scalar) { manifest.visit(scalar); });
  manifest.flush();
  if (!whole) out.notes.push_back("not valid JSON: read up to the fault");
}

void readPackageRecipe(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::string_view name = baseName(input.path);
  if (name != "package.py" && name != "conanfile.py") return;
  const PyFile file = python::tokenizePython(input.bytes);
  SpackRecipe spack(context, file, out);
  ConanRecipe conan(context, file, out);
  for (const PyLine& line : file.lines) {
    const build::GuardMark mark(out, line.guarded);
    if (name == "package.py")
      spack.read(line);
    else
      conan.read(line);
  }
}

}  // namespace unwarp::scan
