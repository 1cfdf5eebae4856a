// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions that several detectors of the groups L, A, R, N and B ask about a file: what stands in an asm statement,
// how many threads a launch uses, which local an expression names. All answers come from tokens of one file, so they
// are "known" or "not known", never guessed: a detector stays silent on "not known". No type information, no includes,
// no data flow beyond one function.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scan/source_facts.h"

namespace unwarp::audit {

/// True when no preprocessor branch around `token` already speaks for AMD (neither HIP-only nor CUDA-only with a HIP
/// sibling) and the file is not the NVIDIA half of a pair by its name (`memory.nvidia.hpp`).
bool isLive(const scan::SourceFacts& facts, scan::TokenIndex token);

/// True for == != < > <= >=.
bool isComparison(std::string_view op);

/// Value of `range` when it is one expression known in this file: integer constants, locals initialised once with a
/// constant.
std::optional<std::int64_t> constantOf(const scan::SourceFacts& facts, scan::TokenRange range);
/// Where `name` is declared in the function around `use` (parameter list included): the token of the name, or noToken.
scan::TokenIndex declarationOf(const scan::SourceFacts& facts, std::string_view name, scan::TokenIndex use);
/// The tokens of the type in front of a declared name: back to the previous `;`, `{`, `}`, `(` or top-level `,`.
scan::TokenRange typeBefore(const scan::SourceFacts& facts, scan::TokenIndex name);
/// Tokens of the initialiser of the declared `name`: after `=`, or inside `(...)` or `{...}`; empty when there is none.
scan::TokenRange initialiserOf(const scan::SourceFacts& facts, scan::TokenIndex name);

/// Threads per block of a launch configuration's second argument.
struct BlockShape {
  std::int64_t x = 1;
  std::int64_t total = 1;
};
std::optional<BlockShape> blockShape(const scan::SourceFacts& facts, scan::TokenRange block);

/// The definition (with a body) of the function called `name`; kernels first. Null when the file has none or several
/// that differ in kind.
const scan::Function* definitionOf(const scan::SourceFacts& facts, std::string_view name);

/// `status curandSetX(...) {`, `CUresult cuLaunchX(...);`, `CUresult Wrapper::cuLaunchX(...)`: the declaration or
/// definition of a shim, not a call.
bool isDefinition(const scan::SourceFacts& facts, const scan::Call& call);

/// definitionOf with a memory, for detectors that ask once per launch.
class Definitions {
 public:
  explicit Definitions(const scan::SourceFacts& facts) : facts_(facts) {}
  const scan::Function* of(std::string_view name) {
    auto [entry, isNew] = known_.emplace(name, nullptr);
    if (isNew) entry->second = definitionOf(facts_, name);
    return entry->second;
  }

 private:
  const scan::SourceFacts& facts_;
  std::unordered_map<std::string_view, const scan::Function*> known_;
};

/// Token ranges that may nest, with a fast answer to "is this token in any of them?".
class Regions {
 public:
  void add(scan::TokenRange range) { ranges_.push_back(range); }
  /// To be called once, after the last add.
  void close();
  bool contain(scan::TokenIndex token) const;

 private:
  std::vector<scan::TokenRange> ranges_;  ///< after close: by begin, each end the largest so far
};

/// One `asm (...)` with its instructions.
struct AsmStatement {
  scan::TokenIndex keyword;
  scan::TokenIndex open;
  bool inDevice;
  bool usesMacro;                      ///< part of the template comes from a macro
  std::string code;                    ///< the joined template string, escapes of line ends resolved to blanks
  std::vector<std::string> mnemonics;  ///< dotted names in order: "mov.u32"
};
std::vector<AsmStatement> asmStatements(const scan::SourceFacts& facts);
/// True when the text is NVIDIA assembly (dotted mnemonics, `%%` registers or PTX directives), not that of a host or
/// AMD processor.
bool isPtx(const AsmStatement& statement);

/// The parenthesised condition of one control statement; for `for` all three parts.
struct Condition {
  scan::TokenIndex keyword;
  scan::TokenRange inside;
  bool isLoop;
};
/// Conditions of if, while and for statements inside `body`, in order.
std::vector<Condition> conditionsIn(const scan::SourceFacts& facts, scan::TokenRange body);

/// One `#if ... #endif` with the token ranges of its branches.
struct Guard {
  std::uint32_t first;                  ///< index of the opening directive
  std::vector<std::uint32_t> branches;  ///< indexes of if, elif and else directives
  std::uint32_t last = 0;               ///< index of the endif
};
/// Tokens between cudaStreamBeginCapture and the cudaStreamEndCapture that follows it in the same function.
std::vector<scan::TokenRange> captureRanges(const scan::SourceFacts& facts);
/// All complete conditionals of the file, innermost first where they nest.
std::vector<Guard> guardsOf(const scan::SourceFacts& facts);

/// Name of the variable that the statement around `token` assigns or initialises ("x" of `auto x = ...`), or empty.
std::string_view assignedName(const scan::SourceFacts& facts, scan::TokenIndex token);
/// The single identifier that `range` names, through `&`, `*`, casts and member access (`&buf.p` gives "p"), or empty.
std::string_view namedVariable(const scan::SourceFacts& facts, scan::TokenRange range);
/// True when one of `words` occurs in `range`. Unlike SourceFacts::mentions this searches the index, so that asking
/// about a whole function body once per call stays cheap.
bool occursIn(const scan::SourceFacts& facts, scan::TokenRange range, std::initializer_list<std::string_view> words);
/// Text of a string literal token without its quotes, or empty.
std::string_view literalText(const scan::SourceFacts& facts, scan::TokenIndex token);
/// True when `text` contains `part`, without regard to case.
bool containsIgnoreCase(std::string_view text, std::string_view part);
/// True when `text` starts with one of `prefixes`.
bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes);

}  // namespace unwarp::audit
