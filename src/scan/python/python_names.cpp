// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports bind names to dotted paths; `cuda = torch.cuda` does too. When a name is bound twice (`import cupy as xp`
// with a numpy fallback), the binding that the tables know wins, because that is the one an audit is after. Relative
// imports bind to nothing: a project's own `from . import cuda` is no CUDA package. Parameters that shadow an import
// are not noticed.
#include "scan/python/python_names.h"

#include <algorithm>
#include <array>

namespace unwarp::scan::python {
namespace {

constexpr std::array<std::string_view, 10> gpuRoots{"torch",  "cupy",       "cupyx",     "numba", "pycuda",
                                                    "triton", "flash_attn", "deepspeed", "jax",   "onnxruntime"};

/// Aliases of aliases could grow without bound in a hostile file; no record is longer.
constexpr std::size_t longestPath = 512;

std::string_view rootOf(std::string_view dotted) {
  return dotted.substr(0, dotted.find('.'));
}

}  // namespace

PyNames::PyNames(const PyFile& file, const knowledge::Knowledge& knowledge) : file_(file), knowledge_(knowledge) {
  for (std::uint32_t i = 0; i < file_.lines.size(); ++i) {
    const PyLine& line = file_.lines[i];
    if (line.parent != i) continue;
    if (isImport(file_, line))
      importLine(i);
    else
      literalImport(i);
  }
  for (const PyLine& line : file_.lines) aliasLine(line);
}

bool PyNames::isImport(const PyFile& file, const PyLine& line) {
  const std::string_view word = file.at(line.first);
  if (word == "import" || word == "cimport") return true;
  if (word != "from") return false;
  for (std::uint32_t i = line.first + 1; i < line.last; ++i)
    if (file.is(i, "import") || file.is(i, "cimport")) return true;
  return false;
}

std::string_view PyNames::meaning(std::string_view name) const {
  const auto found = bindings_.find(name);
  return found == bindings_.end() ? std::string_view() : std::string_view(found->second);
}

std::string PyNames::dottedAt(std::uint32_t& token, std::uint32_t last) const {
  std::string dotted;
  while (token < last && file_.isName(token)) {
    dotted += file_.at(token++);
    if (token + 1 >= last || !file_.is(token, ".") || !file_.isName(token + 1)) break;
    dotted += '.';
    ++token;
  }
  return dotted;
}

void PyNames::importLine(std::uint32_t index) {
  const PyLine& line = file_.lines[index];
  if (file_.is(line.first, "from")) {
    for (std::uint32_t i = line.first + 1; i < line.last; ++i)
      if (file_.is(i, "import") || file_.is(i, "cimport")) return fromLine(index, i);
    return;
  }
  for (const auto& [begin, end] : splitAtCommas(file_, line.first + 1, line.last)) {
    std::uint32_t token = begin;
    std::string dotted = dottedAt(token, end);
    if (dotted.empty()) continue;
    roots_.emplace(rootOf(dotted));
    imports_.push_back({dotted, begin, index});
    if (file_.is(token, "as") && token + 1 < end)
      bind(file_.at(token + 1), dotted);
    else
      bind(file_.at(begin), std::string(rootOf(dotted)));
  }
}

void PyNames::fromLine(std::uint32_t index, std::uint32_t importToken) {
  const PyLine& line = file_.lines[index];
  std::uint32_t token = line.first + 1;
  const bool relative = file_.is(token, ".");
  const std::string base = relative ? std::string() : dottedAt(token, importToken);
  if (!relative && base.empty()) return;
  if (!relative) roots_.emplace(rootOf(base));
  std::uint32_t first = importToken + 1, last = line.last;
  if (file_.is(first, "(")) {
    last = closingBracket(file_, first, last);
    ++first;
  }
  for (const auto& [begin, end] : splitAtCommas(file_, first, last)) {
    if (begin >= end) continue;
    const bool renamed = end - begin >= 3 && file_.is(begin + 1, "as");
    const std::string_view name = file_.at(renamed ? begin + 2 : begin);
    if (relative) {
      if (file_.isName(begin)) bind(name, {});
      continue;
    }
    const bool star = file_.is(begin, "*");
    std::string dotted = star ? base : base + "." + std::string(file_.at(begin));
    imports_.push_back({dotted, begin, index});
    if (!star && file_.isName(begin)) bind(name, std::move(dotted));
  }
}

/// `x = importlib.import_module("a.b")` and `__import__("a.b")`.
void PyNames::literalImport(std::uint32_t index) {
  const PyLine& line = file_.lines[index];
  for (std::uint32_t i = line.first; i + 2 < line.last; ++i) {
    if (!file_.is(i, "import_module") && !file_.is(i, "__import__") && !file_.is(i, "find_spec")) continue;
    if (!file_.is(i + 1, "(") || !file_.isString(i + 2)) continue;
    const PyString literal = openString(file_.at(i + 2));
    if (literal.formatted || literal.body.empty() || literal.body[0] == '.') continue;
    if (literal.body.size() > 200 || literal.body.find_first_of(" \n\\/:") != std::string_view::npos) continue;
    imports_.push_back({std::string(literal.body), i + 2, index});
    if (file_.is(i, "find_spec")) continue;
    roots_.emplace(rootOf(literal.body));
    const bool plainTarget = file_.isName(line.first) && file_.is(line.first + 1, "=");
    if (plainTarget) bind(file_.at(line.first), std::string(literal.body));
  }
}

/// `name = imported.path`, nothing else on the line.
void PyNames::aliasLine(const PyLine& line) {
  if (line.last - line.first < 5 || !file_.isName(line.first) || !file_.is(line.first + 1, "=")) return;
  std::uint32_t token = line.first + 2;
  const std::string_view root = meaning(file_.at(token));
  if (root.empty()) return;
  const std::string_view rootName = file_.at(token);
  const std::string written = dottedAt(token, line.last);
  if (token != line.last || written.size() <= rootName.size()) return;
  std::string dotted = std::string(root) + written.substr(rootName.size());
  if (matters(dotted)) bind(file_.at(line.first), std::move(dotted));
}

bool PyNames::matters(const std::string& dotted) const {
  const std::string_view root = rootOf(dotted);
  return std::find(gpuRoots.begin(), gpuRoots.end(), root) != gpuRoots.end() ||
         knowledge_.findDependency(knowledge::Ecosystem::Python, dotted) != knowledge::Knowledge::none;
}

void PyNames::bind(std::string_view name, std::string dotted) {
  if (dotted.size() > longestPath) return;
  const auto [entry, fresh] = bindings_.try_emplace(name, dotted);
  if (!fresh && (matters(dotted) || !matters(entry->second))) entry->second = std::move(dotted);
}

bool PyNames::useAt(std::uint32_t token, const PyLine& line, PyUse& use) const {
  if (!file_.isName(token)) return false;
  if (token > line.first && file_.is(token - 1, ".")) return false;
  const std::string_view base = meaning(file_.at(token));
  if (base.empty()) return false;
  std::uint32_t last = token;
  const std::string written = dottedAt(last, line.last);
  const bool bare = last == token + 1;
  const bool assigned = bare && last < line.last && file_.is(last, "=");
  const bool parameter =
      bare && (file_.is(line.first, "def") || (file_.is(line.first, "async") && file_.is(line.first + 1, "def")));
  if (assigned || parameter) return false;
  use = {token, last, std::string(base) + written.substr(file_.at(token).size())};
  return true;
}

}  // namespace unwarp::scan::python
