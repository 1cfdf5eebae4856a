// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the names of a Python file stand for: imports and simple aliases, resolved to dotted paths.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scan/facts.h"
#include "scan/python/python_tokens.h"

namespace unwarp::scan::python {

/// One imported thing: `import a.b` gives "a.b", `from a import b` gives "a.b", `from a import *` gives "a".
struct PyImport {
  std::string dotted;
  std::uint32_t token;  ///< where to point
  std::uint32_t line;   ///< index into PyFile::lines
};

/// A use of an imported name with all attributes behind it: tokens [first, last).
struct PyUse {
  std::uint32_t first, last;
  std::string dotted;  ///< resolved
};

/// Names of one file. Scopes are not told apart: a name means what it was imported as anywhere in the file.
class PyNames {
 public:
  PyNames(const PyFile& file, const knowledge::Knowledge& knowledge);

  const std::vector<PyImport>& imports() const { return imports_; }
  /// Whether any import has `root` as its first component.
  bool importsRoot(std::string_view root) const { return roots_.contains(std::string(root)); }
  /// The dotted path behind a bare name, or empty.
  std::string_view meaning(std::string_view name) const;
  /// The use that starts at `token`, if a name of this file's imports stands there and is read (not assigned, not a
  /// keyword).
  bool useAt(std::uint32_t token, const PyLine& line, PyUse& use) const;
  /// Whether the line is an import statement.
  static bool isImport(const PyFile& file, const PyLine& line);

 private:
  void importLine(std::uint32_t line);
  void fromLine(std::uint32_t line, std::uint32_t importToken);
  void literalImport(std::uint32_t line);
  void aliasLine(const PyLine& line);
  void bind(std::string_view name, std::string dotted);
  bool matters(const std::string& dotted) const;
  std::string dottedAt(std::uint32_t& token, std::uint32_t last) const;

  const PyFile& file_;
  const knowledge::Knowledge& knowledge_;
  std::vector<PyImport> imports_;
  std::unordered_map<std::string_view, std::string> bindings_;
  std::unordered_set<std::string> roots_;
};

}  // namespace unwarp::scan::python
