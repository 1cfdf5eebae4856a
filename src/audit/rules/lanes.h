// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables of a device function carry a thread's place: the thread index itself, a lane number modulo 32 or
// modulo the real width, a warp number. A single pass over the function's assignments in text order; the last meaning
// of a name wins, a name that mixes meanings keeps the first varying one. No control flow, no calls: what a helper
// returns is known only by the helper's name.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "scan/source_facts.h"

namespace unwarp::audit::patterns {

/// The place that a value stands for.
enum class Place : std::uint8_t {
  None,       ///< the same for all threads as far as this file tells
  Thread,     ///< varies from thread to thread: threadIdx.x and what is made of it by + - * and shifts
  Row,        ///< threadIdx.y or .z
  Lane32,     ///< thread modulo 32
  LaneWave,   ///< thread modulo the width of the device
  LaneNamed,  ///< a lane by its name only (a parameter called `lane`)
  Warp32,     ///< thread divided by 32
  WarpWave,   ///< thread divided by the width of the device
};

inline bool isLane(Place place) {
  return place == Place::Lane32 || place == Place::LaneWave || place == Place::LaneNamed;
}
/// Differs between lanes of one 32-lane warp.
inline bool variesInWarp(Place place) {
  return place == Place::Thread || isLane(place);
}

class Places {
 public:
  Places(const scan::SourceFacts& facts, const scan::Function& function);
  /// The place that an expression stands for; comparisons and function calls in it count as None.
  Place of(scan::TokenRange expression) const;
  Place ofName(std::string_view name) const;
  /// Some threadIdx.y or .z stands in the function's body.
  bool readsRows() const { return readsRows_; }

 private:
  Place ofToken(scan::TokenIndex t) const;
  const scan::SourceFacts& facts_;
  bool readsRows_ = false;
  std::unordered_map<std::string_view, Place> names_;
};

}  // namespace unwarp::audit::patterns
