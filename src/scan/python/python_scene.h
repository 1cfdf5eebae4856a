// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the Python reader share: the file, its names, where facts go. Each part is one function over a
// line.
#pragma once

#include "scan/build/guard_mark.h"
#include "scan/facts.h"
#include "scan/python/python_names.h"
#include "scan/python/python_tokens.h"
#include "scan/readers.h"

namespace unwarp::scan::python {

using build::GuardMark;

struct Scene {
  const ReadContext& context;
  const PyFile& file;
  const PyNames& names;
  FileFacts& out;
  bool usesTorch = false;  ///< torch, or a library whose device strings are torch's
  bool usesTriton = false;
  bool usesCtypes = false;
  bool isBuildScript = false;                    ///< setup.py and the like
  int flashAttention = 0;                        ///< the one generation that the file's names give away, or 0
  bool usesApex = false;                         ///< names of NVIDIA's apex seen, not those of its namesake
  bool usesWarp = false;                         ///< names of NVIDIA's warp seen
  std::unordered_set<std::uint32_t> embedded{};  ///< literals already read as CUDA C++: a text used twice is one place
};

/// The literals that a call or line may refer to by name: `SOURCE = r"""..."""`.
using StringVariables = std::unordered_map<std::string_view, std::uint32_t>;

// python_uses.cpp
/// Looks at the file's imports and uses once for what tells namesakes and generations apart.
void judgeNamesakes(Scene& scene);
/// Import sites.
void reportImports(Scene& scene);
/// A dotted use: dependency and mention. True when it is a binding.
bool reportUse(Scene& scene, const PyLine& line, const PyUse& use);
/// Calls of methods that ask for the device's capability on whatever object: `platform.has_device_capability(80)`.
void reportCapabilityMethods(Scene& scene, const PyLine& line);

// python_calls.cpp
/// What a call of a resolved name means: kernels in strings, commands, environment, libraries. `open` is the
/// parenthesis or bracket.
void reportCall(Scene& scene, const PyLine& line, const PyUse& use, const StringVariables& strings);

// python_literals.cpp
/// Device strings, back ends, compiler flags and requirements that stand in a line whatever is called.
void reportLiterals(Scene& scene, const PyLine& line);

// cython.cpp
void readCythonExterns(Scene& scene);

/// nox.cpp: the names that stand for a nox session, none in a file without nox; their commands and settings.
std::unordered_set<std::string_view> sessionsOf(const PyFile& file, const PyNames& names);
void reportSessions(Scene& scene, const PyLine& line, const std::unordered_set<std::string_view>& sessions);

}  // namespace unwarp::scan::python
