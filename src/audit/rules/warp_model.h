// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each device function of a file assumes about the width of a warp. Code that keeps to logical groups of 32 lanes
// throughout (offsets from 16 down, lane and warp numbers by 32) gives the same result in a 64-lane wave; it breaks
// where one piece of it works on the whole wave: a vote, a broadcast without width, a helper that uses warpSize. The
// rules of groups W and S ask this model whether such a piece is in sight, in the function itself, in its helpers or in
// its callers of the same file.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "audit/rules/lanes.h"
#include "audit/rules/patterns.h"

namespace unwarp::audit::patterns {

/// How far one shuffle reaches.
enum class Reach : std::uint8_t {
  Grouped,   ///< a width argument of at most 32, or offsets below 16: stays inside groups
  Fixed32,   ///< no width argument, the tree starts at 16 or ends at 32
  Wave,      ///< no width argument, the tree covers warpSize, or the source lane is not lane-relative
  Portable,  ///< a width argument that this file does not know
  Unknown,   ///< an offset that this file does not know
};

struct Shuffle {
  std::size_t collective;  ///< index into WarpModel::all
  Reach reach;
  TokenIndex bound = scan::noToken;  ///< the token that fixes the tree (16 or 32), when there is one
  bool by64 = false;                 ///< a tree that starts at the number 32, or the number 64 as width
};

/// What one function does, itself.
struct FunctionWidth {
  std::vector<Shuffle> shuffles;
  std::vector<TokenIndex> lane32;      ///< operators `& 31`, `% 32` applied to a thread place
  std::vector<TokenIndex> warp32;      ///< operators `/ 32`, `>> 5` applied to a thread place
  std::vector<TokenIndex> lane64;      ///< operators `& 63`, `% 64` applied to a thread place
  std::vector<TokenIndex> warp64;      ///< operators `/ 64`, `>> 6` applied to a thread place
  std::vector<std::uint32_t> callees;  ///< functions of this file with collectives that it calls
  std::vector<std::uint32_t> callers;
  bool votes = false;                 ///< ballot, match, activemask, any, all, reduce: over the whole wave
  bool usesWarpSize = false;          ///< the built-in warpSize
  bool usesWidthName = false;         ///< a width name whose value this file does not know
  bool callsUnknownWarpCode = false;  ///< in a HIP file: a function named like a warp collective, defined elsewhere
  bool broadcasts = false;            ///< a shuffle from an absolute lane, without width
  bool fixed = false;                 ///< a shuffle of reach Fixed32
  bool waveTree = false;              ///< a shuffle tree of reach Wave
  bool hasCollective = false;
  bool by64 = false;  ///< a shuffle by 64
};

class WarpModel {
 public:
  explicit WarpModel(const SourceFacts& facts);

  const SourceFacts& facts() const { return facts_; }
  const std::vector<Collective>& all() const { return all_; }
  const FunctionWidth& of(std::uint32_t function) const { return functions_[function]; }
  /// The collectives whose names stand in `range`, in order.
  std::span<const Collective> in(TokenRange range) const;
  const FunctionWidth& own(TokenIndex t) const { return functions_[facts_.functionOf[t]]; }
  std::size_t size() const { return functions_.size(); }
  /// The function, its callees or its callers (two steps) work on the whole wave somewhere.
  bool worksOnWave(std::uint32_t function) const;
  /// The function or its callees (two steps) hold a collective that is not confined to groups of at most 32.
  bool hasOpenCollective(std::uint32_t function) const;
  /// The function or its callees hold a collective whose reach is the wave, or unknown code.
  bool reachesWave(std::uint32_t function) const;
  /// The function, its callees (two steps) or its callers hold a shuffle by 64.
  bool shufflesBy64(std::uint32_t function) const;
  bool hasCallers(std::uint32_t function) const { return !functions_[function].callers.empty(); }
  /// The meaning of names in a function, computed once.
  const Places& places(std::uint32_t function) const;

 private:
  void addCollectives();
  void addUnrolledTrees();
  std::vector<TokenIndex>* laneMathOf(TokenIndex op, std::optional<std::int64_t> value);
  void addLaneMath();
  void addSubtractions(std::uint32_t function);
  void addCalls();
  void addUnknownWarpCode(std::uint32_t function,
                          const std::unordered_map<std::string_view, std::vector<std::uint32_t>>& byName);
  Shuffle reachOf(std::size_t collective, const Places& places) const;
  Reach loopReach(const Collective& collective, Shuffle& shuffle) const;
  template <class Predicate>
  bool inCallees(std::uint32_t function, Predicate predicate) const;

  const SourceFacts& facts_;
  std::vector<Collective> all_;
  std::vector<FunctionWidth> functions_;
  mutable std::unordered_map<std::uint32_t, std::unique_ptr<Places>> places_;
};

}  // namespace unwarp::audit::patterns
