// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vocabulary shared by token rules: warp collectives and what each argument is, names that stand for the warp
// width, small questions about conditions, loops and declarations. Everything here looks at tokens of one file and
// never guesses a value: what is not written in the file is "unknown", and a rule that meets an unknown stays silent
// unless its page says otherwise.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scan/source_facts.h"

namespace unwarp::audit::patterns {

using scan::Call;
using scan::Function;
using scan::isAny;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// Built-ins that work over the lanes of a warp. `Sync` is __syncwarp.
enum class CollectiveKind : std::uint8_t {
  ShuffleIndex,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  Ballot,
  Vote,
  Match,
  Reduce,
  ActiveMask,
  Sync
};

/// One call of a warp built-in with its arguments told apart. Ranges that the call does not have are empty.
struct Collective {
  Call call;
  CollectiveKind kind;
  bool takesMask = false;  ///< a `_sync` form
  TokenRange mask, value, lane, width;
  bool isShuffle() const { return kind <= CollectiveKind::ShuffleXor; }
  bool returnsLaneMask() const {
    return kind == CollectiveKind::Ballot || kind == CollectiveKind::Match || kind == CollectiveKind::ActiveMask;
  }
};

/// All warp built-ins called in the file outside preprocessor directives, in token order.
std::vector<Collective> collectives(const SourceFacts& facts);

/// Whether `name` is a warp built-in, with or without `_sync`.
bool isCollectiveName(std::string_view name);

/// Code that is compiled only for AMD or only for CUDA beside an AMD sibling: rules about CUDA assumptions leave it
/// alone.
inline bool isPlain(const SourceFacts& facts, TokenIndex t) {
  return t < facts.branch.size() && facts.branch[t] == scan::Branch::Plain;
}

/// Whether `t` stands in a kernel or device function, or in a function that reads threadIdx or blockIdx.
bool runsOnDevice(const SourceFacts& facts, TokenIndex t);

/// Plain code inside a kernel or device function.
inline bool isPlainDevice(const SourceFacts& facts, TokenIndex t) {
  return isPlain(facts, t) && runsOnDevice(facts, t);
}

/// Names like WARP_SIZE, kWarpSize, WARPSIZE, threads_per_warp, WAVE_SIZE; not WARPS_PER_BLOCK, HALF_WARP,
/// LOG_WARP_SIZE.
bool isWidthName(std::string_view name);

/// Value of a range, redundant parentheses and casts removed; nothing when unknown.
std::optional<std::int64_t> valueOf(const SourceFacts& facts, TokenRange range);
/// An integer literal with a suffix that makes it 64 bits wide (`1ull`).
bool hasLongSuffix(std::string_view literal);
/// Value of one token: a literal or a constant of the file.
std::optional<std::int64_t> valueOf(const SourceFacts& facts, TokenIndex t);

/// Removes enclosing parentheses and leading casts: `((unsigned)(x))` gives `x`.
TokenRange stripped(const SourceFacts& facts, TokenRange range);

/// The token that declares the name at `t` in the same function or as a template parameter around it, or noToken.
TokenIndex ownDeclaration(const SourceFacts& facts, TokenIndex t);

/// The built-in warpSize, unless the file gives that name a value or a declaration of its own.
bool isBuiltinWidth(const SourceFacts& facts, TokenIndex t);
/// The built-in warpSize stands in `range`.
bool usesBuiltinWidth(const SourceFacts& facts, TokenRange range);
/// warpSize, or a width name whose value this file does not know.
bool isUnknownWidth(const SourceFacts& facts, TokenIndex t);
/// Any token of `range` is an unknown width.
bool mentionsUnknownWidth(const SourceFacts& facts, TokenRange range);

/// Any identifier of `range` is `name`.
bool usesName(const SourceFacts& facts, TokenRange range, std::string_view name);

/// The token before the one that opens the operand ending at `last`: walks back over `a.b[c](d)->e`, parentheses
/// included.
TokenIndex operandBegin(const SourceFacts& facts, TokenIndex last);

/// The innermost `keyword (...)` whose statement or block holds `t`, searched upwards inside the function. `keyword` is
/// if, for or while.
struct Control {
  TokenIndex keyword = scan::noToken;
  TokenRange condition;  ///< inside the parentheses
  TokenRange body;       ///< inside the braces, or the single statement
};
/// All controls (if, for, while) around `t`, innermost first, up to the function's body. At most 32 levels.
std::vector<Control> controlsAround(const SourceFacts& facts, TokenIndex t);
/// The control that starts at keyword token `t`.
std::optional<Control> controlAt(const SourceFacts& facts, TokenIndex t);

/// Pieces of `for (init; condition; step)`; empty pieces when the range is not of that shape.
struct ForHeader {
  TokenRange init, condition, step;
};
ForHeader forHeader(const SourceFacts& facts, TokenRange inside);

/// The text of a range for messages, blanks folded, at most `limit` characters.
std::string shortText(const SourceFacts& facts, TokenRange range, std::size_t limit = 40);

/// The type words written before the declaration of `name` inside `function` (parameters included), or an empty range.
/// The declaration nearest before `at` wins.
TokenRange declaredType(const SourceFacts& facts, const Function& function, std::string_view name, TokenIndex at);

/// Whether type words spell an integer of 32 bits (int, unsigned, uint32_t, ...), not a pointer.
bool isInt32Type(const SourceFacts& facts, TokenRange type);
/// Whether type words spell an integer of 64 bits.
bool isInt64Type(const SourceFacts& facts, TokenRange type);

/// `left = right` around `t`, compound assignments included: the assigned name (when the left side ends in one) and
/// both sides. Nothing when `t` is not on the right side of an assignment of its own statement.
struct Assignment {
  TokenIndex name = scan::noToken;
  TokenRange left, right;
  TokenIndex op = scan::noToken;
  bool declares = false;  ///< a type stands before the name
};
std::optional<Assignment> assignmentAround(const SourceFacts& facts, TokenIndex t);

/// The directive that holds `t`, or null.
const scan::Directive* directiveAround(const SourceFacts& facts, TokenIndex t);

}  // namespace unwarp::audit::patterns
