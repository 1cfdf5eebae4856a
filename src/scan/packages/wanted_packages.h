// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages wanted by TOML tables: `name = "spec"` and `name = { version = ..., extras = [...], git = ... }` come as
// separate scalars and are put together here.
#pragma once

#include "base/json_tokens.h"
#include "scan/python/requirement.h"

namespace unwarp::scan::packages {

class WantedPackages {
 public:
  WantedPackages(const ReadContext& context, const Input& input, FileFacts& out);

  /// One PEP 508 text in a list; a list for AMD (`rocm = [...]`) wants AMD's builds.
  void addRequirementText(const JsonScalar& scalar);
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

/// One scalar of pixi's manifest; its tables begin at `base` of the path.
void readPixiEntry(const ReadContext& context, const JsonScalar& scalar, std::size_t base, WantedPackages& wanted,
                   FileFacts& out);

/// A channel of conda, by name or address.
void addCondaChannel(const ReadContext& context, std::string_view channel, std::uint32_t line, FileFacts& out);

}  // namespace unwarp::scan::packages
