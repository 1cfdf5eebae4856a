// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One C-family file as tokens with structure: brackets matched, preprocessor branches judged, functions and kernels
// found, integer constants known. This is what token rules look at. No types, no macro expansion, no includes: what
// needs those is depth analysis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scan/lexer.h"

namespace unwarp::scan {

/// What the preprocessor branch around a token says about AMD.
enum class Branch : std::uint8_t {
  Plain,     ///< no condition that mentions HIP or ROCm
  HipOnly,   ///< compiled only for HIP/ROCm
  CudaOnly,  ///< compiled only when not HIP/ROCm (the HIP sibling exists or the code is left out there)
  Dead       ///< under `#if 0`
};

using TokenIndex = std::uint32_t;
inline constexpr TokenIndex noToken = 0xffffffffu;

/// A half-open token range.
struct TokenRange {
  TokenIndex begin = 0, end = 0;
  bool empty() const { return begin >= end; }
  bool contains(TokenIndex t) const { return t >= begin && t < end; }
};

struct Function {
  std::string_view name;
  TokenIndex nameToken;
  TokenRange qualifiers;                            ///< tokens before the name back to the previous `;`, `}` or `{`
  TokenRange parameters;                            ///< inside the parentheses
  TokenRange body;                                  ///< inside the braces; empty for a declaration
  bool isKernel = false;                            ///< __global__
  bool isDevice = false;                            ///< __global__ or __device__ (or a lambda marked so)
  bool isHost = false;                              ///< not device, or __host__ __device__
  std::optional<std::int64_t> launchBoundsThreads;  ///< first argument of __launch_bounds__ when it is known here
  bool launchBoundsHasSecond = false;
};

/// `kernel<<<grid, block, shared, stream>>>(args)`.
struct Launch {
  TokenIndex kernel;  ///< last identifier of the kernel's name
  TokenIndex open;    ///< the `<<<`
  std::vector<TokenRange> configuration;
  std::vector<TokenRange> arguments;
};

/// A call `name(args)` or `name<...>(args)`.
struct Call {
  TokenIndex name;
  std::vector<TokenRange> arguments;
  TokenIndex end = noToken;  ///< the closing parenthesis
};

/// `__shared__ T name[e1][e2]`, or one object with `__shared__`.
struct SharedVariable {
  TokenIndex nameToken;
  TokenRange type;                  ///< all that stands in front of the first name, attributes included
  std::vector<TokenRange> extents;  ///< inside each []; an empty range for `[]`; none for an object
  bool isExtern = false;
};

/// Bytes of a type and what its address is a multiple of.
struct Layout {
  std::int64_t bytes = 0, align = 1;
};

/// What template parameters stand for: tokens of arguments, which `outer` gives the parameters of.
struct Bindings {
  struct Argument {
    TokenRange tokens;
    const Bindings* outer = nullptr;
  };
  std::unordered_map<std::string_view, Argument> byName;
};

/// Under what an expression or type is read. Users give bindings or nothing; the rest keeps hostile files in bounds.
struct EvaluationScope {
  const Bindings* bindings = nullptr;
  int depth = 0;
  int* steps = nullptr;
};

class SourceFacts {
 public:
  /// Takes over `lexed`; `text` must outlive the object.
  SourceFacts(std::string_view path, std::string_view text, LexedFile lexed, const knowledge::Knowledge& knowledge);

  std::string_view path, text;
  std::vector<Token> tokens;
  std::vector<Directive> directives;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> markedComments;  ///< as in LexedFile
  std::vector<TokenIndex> match;                                        ///< partner of ( [ { or ) ] }, else noToken
  std::vector<TokenIndex> block;    ///< the `{` of the innermost block around a token (a brace stands in the outer one)
  std::vector<Branch> branch;       ///< per token
  std::vector<Function> functions;  ///< in order; kernels and device functions, and host functions
  std::vector<std::uint32_t> functionOf;  ///< per token: index into functions, or noToken
  std::vector<Launch> launches;
  std::vector<SharedVariable> sharedVariables;
  std::vector<TokenIndex> numbers;  ///< number tokens
  std::unordered_map<std::string_view, std::int64_t>
      constants;  ///< constexpr, const, enum and #define integers anywhere in this file (ambiguous ones left out)
  bool includesCuda = false, includesHip = false;
  bool isGpu = false;  ///< the file shows CUDA or HIP device code or API use

  std::string_view at(TokenIndex t) const {
    return t < tokens.size() ? text.substr(tokens[t].offset, tokens[t].length) : std::string_view();
  }
  bool is(TokenIndex t, std::string_view spelling) const { return at(t) == spelling; }
  bool isIdentifier(TokenIndex t) const { return t < tokens.size() && tokens[t].kind == TokenKind::Identifier; }
  std::uint32_t line(TokenIndex t) const { return tokens[t].line; }
  std::uint32_t column(TokenIndex t) const;
  /// Source text from the first to the last token of a range.
  std::string_view textOf(TokenRange range) const;

  /// All tokens spelled `word` (identifiers only), in order. Constant time after the first use of the file.
  std::span<const TokenIndex> named(std::string_view word) const;
  /// The call whose name is token `t`, if a parenthesis follows (template arguments skipped).
  std::optional<Call> callAt(TokenIndex t) const;
  /// All calls of any of `names`, in token order.
  std::vector<Call> calls(std::initializer_list<std::string_view> names) const;
  /// Value of an integer constant expression made of literals, constants of this file, sizeof(known type), + - * / % <<
  /// >> & | ~ ( ), and parameters that are bound.
  std::optional<std::int64_t> evaluate(TokenRange range, EvaluationScope scope = {}) const;
  /// Bytes of the type that `type` spells, when this file shows them (source_types.cpp).
  std::optional<Layout> layoutOf(TokenRange type, EvaluationScope scope = {}) const;
  /// Binds the parameters of the `template <...>` in `head`: what `arguments` does not give has its default, or nothing
  /// known. False when there are more arguments than parameters.
  bool bind(TokenRange head, std::span<const TokenRange> arguments, const Bindings* outer, Bindings& out) const;
  /// Template arguments of `name<...>` at `t`, or nothing.
  std::vector<TokenRange> templateArguments(TokenIndex t) const;
  /// Value of the constant named at `t`: the innermost one that is declared in a block around it, else the file's.
  std::optional<std::int64_t> constantAt(TokenIndex t) const;
  /// What initialises the constant of a block that is named at `t`, or an empty range.
  TokenRange localInitialiser(TokenIndex t) const {
    const LocalConstant* constant = localConstantAt(t);
    return constant == nullptr ? TokenRange{} : constant->initialiser;
  }
  /// Whether token `t` stands in the body of a kernel or device function.
  bool inDevice(TokenIndex t) const {
    return t < functionOf.size() && functionOf[t] != noToken && functions[functionOf[t]].isDevice;
  }
  /// The kernel or function around `t`, or null.
  const Function* enclosing(TokenIndex t) const {
    return t < functionOf.size() && functionOf[t] != noToken ? &functions[functionOf[t]] : nullptr;
  }
  /// Whether any token of `range` is one of `names`.
  bool mentions(TokenRange range, std::initializer_list<std::string_view> names) const;
  /// Splits the inside of a bracket pair at top-level commas.
  std::vector<TokenRange> splitArguments(TokenRange inside) const;
  /// The statement around `t`: from after the previous `;`, `{`, `}` to the next `;` or `{` or `}` (exclusive).
  TokenRange statement(TokenIndex t) const;

 private:
  void judgeBranches();
  void matchBrackets();
  void findBlocks();
  void findFunctions();
  void findLaunches();
  void findSharedVariables();
  void findConstants();
  /// A constant of a block of code; without a value it only hides others of its name.
  struct LocalConstant {
    TokenRange scope;  ///< from its name to the end of the block
    std::optional<std::int64_t> value;
    TokenRange initialiser;
  };
  const LocalConstant* localConstantAt(TokenIndex t) const;
  std::unordered_map<std::string_view, std::int64_t> fileConstants_;                 ///< those outside of blocks
  std::unordered_map<std::string_view, std::vector<LocalConstant>> localConstants_;  ///< in token order
  mutable std::unordered_map<std::string_view, std::vector<TokenIndex>> index_;
  mutable bool indexed_ = false;
  std::vector<std::uint32_t> lineStarts_;   ///< offset of each line
  std::vector<TokenIndex> statementStops_;  ///< every `;`, `{` and `}`
};

/// Whether `word` is one of `choices`.
inline bool isAny(std::string_view word, std::initializer_list<std::string_view> choices) {
  return std::find(choices.begin(), choices.end(), word) != choices.end();
}

/// True when an identifier of a preprocessor condition stands for HIP or ROCm (USE_ROCM, __HIP_PLATFORM_AMD__,
/// GGML_USE_HIP, ...).
bool isHipMacro(std::string_view identifier);

}  // namespace unwarp::scan
