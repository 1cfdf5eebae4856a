// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages wanted by TOML tables: `name = "spec"` and `name = { version = ..., extras = [...], git = ... }` come as
// separate scalars and are put together here.
#pragma once

#include "scan/json_tokens.h"
#include "scan/python/requirement.h"

namespace unwarp::scan::packages {

class WantedPackages {
 public:
  WantedPackages(const ReadContext& context, const Input& input, FileFacts& out);

  /// One PEP 508 text.
  void addRequirementText(std::string_view text, std::uint32_t line);
  /// One scalar below the package whose name is at `namePosition` of the path. Conda tables go to the conda look-up.
  void addTableEntry(const JsonScalar& scalar, std::size_t namePosition, bool conda = false);
  /// Ends the package under construction.
  void flush();

 private:
  bool servedElsewhere(std::string_view name) const;

  const ReadContext& context_;
  FileFacts& out_;
  python::TorchIndex index_;
  bool rocm_;
  std::vector<std::string> path_;  ///< of the package under construction
  python::Package package_;
  std::uint32_t line_ = 0;
  bool conda_ = false;
};

/// The position of the package name in pixi's tables (`dependencies`, `feature.X.dependencies`,
/// `target.Y.pypi-dependencies`, ...), or 0.
std::size_t pixiNamePosition(const std::vector<std::string>& path, std::size_t base);

}  // namespace unwarp::scan::packages
