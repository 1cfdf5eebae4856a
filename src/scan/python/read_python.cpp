// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Python reader: tokens, names, then one pass over the lines in which every use of an import is looked up and every
// literal is judged by its role. Nothing is executed or inferred beyond one file: a variable that holds "cuda" and is
// passed on later counts where it is assigned. Docstrings, comments and plain strings give nothing.
#include <algorithm>
#include <array>

#include "scan/python/python_scene.h"

namespace unwarp::scan::python {
namespace {

/// Libraries that take torch's device strings.
constexpr std::array<std::string_view, 12> torchRoots{
    "torch",     "torchvision",       "torchaudio",      "transformers",          "diffusers", "accelerate",
    "lightning", "pytorch_lightning", "torch_geometric", "sentence_transformers", "peft",      "timm"};
constexpr std::array<std::string_view, 4> buildRoots{"setuptools", "distutils", "skbuild", "Cython"};

bool isBuildScript(const Input& input, const PyNames& names) {
  for (const std::string_view name : {"setup.py", "SConstruct", "SConscript", "wscript"})
    if (input.path.ends_with(name)) return true;
  return std::any_of(buildRoots.begin(), buildRoots.end(),
                     [&names](std::string_view root) { return names.importsRoot(root); });
}

/// `NAME = "literal"` at any level of the file.
StringVariables collectStrings(const PyFile& file) {
  StringVariables strings;
  for (const PyLine& line : file.lines) {
    std::uint32_t value = line.first + 2;
    if (line.last - line.first > 3 && file.is(value, "(")) ++value;
    if (value < line.last && file.isName(line.first) && file.is(line.first + 1, "=") && file.isString(value))
      strings.try_emplace(file.at(line.first), value);
  }
  return strings;
}

void readLine(Scene& scene, const PyLine& line, const StringVariables& strings) {
  PyUse use;
  for (std::uint32_t token = line.first; token < line.last; ++token) {
    if (!scene.names.useAt(token, line, use)) continue;
    reportUse(scene, line, use);
    reportCall(scene, line, use, strings);
    token = use.last - 1;
  }
  reportCapabilityMethods(scene, line);
  reportLiterals(scene, line);
}

}  // namespace
}  // namespace unwarp::scan::python

namespace unwarp::scan {

void readPython(const ReadContext& context, const Input& input, FileFacts& out) {
  using namespace python;
  out.how = "python";
  const PyFile file = tokenizePython(input.bytes);
  const PyNames names(file, context.knowledge);
  Scene scene{.context = context, .file = file, .names = names, .out = out};
  scene.usesTorch =
      std::any_of(torchRoots.begin(), torchRoots.end(), [&](std::string_view root) { return names.importsRoot(root); });
  scene.usesTriton = names.importsRoot("triton");
  scene.usesCtypes = names.importsRoot("ctypes");
  scene.isBuildScript = isBuildScript(input, names);
  judgeNamesakes(scene);
  reportImports(scene);
  const StringVariables strings = collectStrings(file);
  const std::unordered_set<std::string_view> sessions = sessionsOf(file, names);
  for (const PyLine& line : file.lines) {
    if (PyNames::isImport(file, line)) continue;
    readLine(scene, line, strings);
    if (!sessions.empty()) reportSessions(scene, line, sessions);
  }
  if (out.kind == FileKind::Cython || input.path.ends_with(".pyx") || input.path.ends_with(".pxd") ||
      input.path.ends_with(".pxi"))
    readCythonExterns(scene);
  readPackageRecipe(context, input, out);
}

}  // namespace unwarp::scan
