// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arms of an architecture choice AMD compiles. HIP defines no `__CUDA_ARCH__` and provides none of the
// `NV_PROVIDES_SM_x`, so an arm for NVIDIA architectures is either replaced by a complete other arm or vanishes; host
// arms are no device code at all. Conditions that mix in other macros are not judged: their arms count as compiled.
#pragma once

#include "audit/rules/token_queries.h"

namespace unwarp::audit {

enum class Taken { Yes, No, Unknown };

/// Whether a compiler that does not define `__CUDA_ARCH__` takes the branch, for the usual single-test shapes.
Taken takenWithoutArch(const scan::SourceFacts& facts, const scan::Directive& directive);
/// True when the condition of the directive names `macro`.
bool directiveNames(const scan::SourceFacts& facts, const scan::Directive& directive, std::string_view macro);
/// True when the condition only asks which pass this is: `#ifdef __CUDA_ARCH__`, without a number.
bool isPassTest(const scan::SourceFacts& facts, const scan::Directive& directive);
/// Tokens of branch `i` of a guard: between its directive and the next one of the same guard.
scan::TokenRange branchTokens(const scan::SourceFacts& facts, const Guard& guard, std::size_t i);
/// True when code other than directives ends a statement in `range`.
bool hasStatements(const scan::SourceFacts& facts, scan::TokenRange range);
/// A fallback that only stops or complains is no equivalent of the guarded code.
bool isFailingFallback(const scan::SourceFacts& facts, scan::TokenRange range);

enum class ArchArm {
  Compiled,  ///< AMD compiles it, or that is not known
  Vanishes,  ///< left out on AMD, and nothing stands in for it
  Replaced   ///< left out on AMD, where another complete arm stands in for it
};

/// All architecture choices of one file.
class ArchArms {
 public:
  explicit ArchArms(const scan::SourceFacts& facts);
  ArchArm of(scan::TokenIndex token) const;
  /// True in the arm of a choice that only the host pass compiles with CUDA.
  bool isHost(scan::TokenIndex token) const { return host_.contain(token); }
  /// True in the arm of a `#if CUDART_VERSION >= N` whose other arm is complete: HIP has no such macro.
  bool wantsCudart(scan::TokenIndex token) const { return runtime_.contain(token); }

 private:
  void addGuard(const scan::SourceFacts& facts, const Guard& guard);
  void addTargetMacros(const scan::SourceFacts& facts);

  Regions vanishing_, replaced_, host_, runtime_;
};

}  // namespace unwarp::audit
