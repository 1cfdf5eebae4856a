// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where lane masks go and where lanes part: names that hold the result of a ballot, conditions that differ between
// lanes, how many bytes a mask argument has. Shared by the rules of groups M, S, Y and C. One function at a time, one
// step of copying; a mask that travels through memory or a parameter is out of sight.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "audit/rules/lanes.h"
#include "audit/rules/patterns.h"
#include "audit/rules/warp_model.h"

namespace unwarp::audit::patterns {

/// Whether the value of a ballot-like call is used as a mask: not compared, not shifted down to a group first.
bool keepsWholeMask(const SourceFacts& facts, const Collective& collective);

/// The lane masks of one function after the other.
class LaneMasks {
 public:
  explicit LaneMasks(const WarpModel& model) : model_(model) {}
  /// Whether a lane mask stands in `range` of `function`, unshifted: a call, or a name that the function assigns a
  /// whole mask (ballot, match, activemask, or such a name combined by & | ^ ~).
  bool standIn(std::uint32_t function, TokenRange range);

 private:
  void readNames(std::uint32_t function);
  const WarpModel& model_;
  std::uint32_t function_ = scan::noToken;
  std::unordered_set<std::string_view> names_;  ///< of function_
};

/// Bytes of the mask argument as the file tells: 4, 8, or nothing when unknown.
std::optional<int> maskBytes(const SourceFacts& facts, const Function* function, TokenRange mask);

/// The mask names all lanes (0xffffffff, -1, ~0, ~0ull, a constant of the file with such a value).
bool isFullMask(const SourceFacts& facts, TokenRange mask);

/// Whether a condition differs between the lanes of one 32-lane warp. `tid < 64` and conditions on warp numbers do not.
bool isDivergent(const SourceFacts& facts, const Places& places, TokenRange condition);

/// What the variable that `range` consists of was set to last before `at`; `range` itself when it is no such variable.
TokenRange lastValue(const SourceFacts& facts, TokenRange range, TokenIndex at);

/// The index is not the lane itself but a part of it: `lane & 31`, `lane % 32`, `lane / 2`, `min(lane, 31)`.
bool isFolded(const SourceFacts& facts, TokenRange index);

/// Only lanes 0 to 31 of a wave get to `t`: an `if` around it bounds the thread index by 32 or elects the first 32.
bool isConfinedTo32(const SourceFacts& facts, const Places& places, TokenIndex t);

/// `if (lane + offset < 32) v += taken` after a shuffle down: what came from beyond the group of 32 is not used.
bool isGuardedAt32(const SourceFacts& facts, const Places& places, const Collective& collective);

/// `if (...) return;` at the top level of one function after the other.
class EarlyExits {
 public:
  struct Exit {
    TokenIndex token;
    Control control;
  };
  explicit EarlyExits(const WarpModel& model) : model_(model) {}
  /// The first exits of a function in order, on whatever condition; no more than a few.
  const std::vector<Exit>& firstOf(std::uint32_t function);
  /// The condition of the first divergent exit that `t` comes after in its function, or an empty range.
  TokenRange before(TokenIndex t);

 private:
  void readExits(std::uint32_t function);
  const WarpModel& model_;
  std::uint32_t function_ = scan::noToken;
  std::vector<Exit> exits_;  ///< of function_: the divergent ones
  std::vector<Exit> first_;  ///< of function_
};

}  // namespace unwarp::audit::patterns
