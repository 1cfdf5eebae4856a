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
  Base32,     ///< the first thread of a group of 32; to those who ask, as much the group's place as Warp32
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
  Place of(scan::TokenRange expression) const { return shown(read(expression)); }
  Place ofName(std::string_view name) const { return shown(readName(name)); }
  /// `warp * 32`, `tid & ~31`, or a variable with such a value.
  bool isBaseOf32(scan::TokenRange expression) const { return read(expression) == Place::Base32; }
  /// Some threadIdx.y or .z stands in the function's body.
  bool readsRows() const { return readsRows_; }

 private:
  static Place shown(Place place) { return place == Place::Base32 ? Place::Warp32 : place; }
  Place read(scan::TokenRange expression) const;
  Place readName(std::string_view name) const;
  scan::TokenRange operandAfter(scan::TokenIndex op, scan::TokenIndex limit) const;
  bool makesBase(Place place, std::string_view op, scan::TokenRange right) const;
  Place ofToken(scan::TokenIndex t) const;
  const scan::SourceFacts& facts_;
  bool readsRows_ = false;
  std::unordered_map<std::string_view, Place> names_;
};

}  // namespace unwarp::audit::patterns
