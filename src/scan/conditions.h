// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preprocessor conditions in three-valued logic: what a condition is in a build for AMD and in one for CUDA, when only
// the macros that stand for HIP or ROCm are known.
#pragma once

#include <cstdint>

#include "scan/source_facts.h"

namespace unwarp::scan {

enum class Truth : std::uint8_t { False, True, Unknown };
enum class Build : std::uint8_t { Amd, Cuda };

constexpr Truth negate(Truth a) {
  return a == Truth::Unknown ? a : a == Truth::True ? Truth::False : Truth::True;
}
constexpr Truth both(Truth a, Truth b) {
  if (a == Truth::False || b == Truth::False) return Truth::False;
  return a == Truth::True && b == Truth::True ? Truth::True : Truth::Unknown;
}
constexpr Truth either(Truth a, Truth b) {
  return negate(both(negate(a), negate(b)));
}

/// `defined(macro)` in that build.
Truth macroDefined(std::string_view macro, Build build);

/// The condition of `#if` or `#elif`. Linear in its tokens; nesting beyond a limit is unknown.
Truth evaluateCondition(const SourceFacts& facts, TokenRange condition, Build build);

}  // namespace unwarp::scan
