// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::inclusive_scan and exclusive_scan: results of an operator over the ranks up to a thread's own. The
// first thread of an exclusive scan gets the operator's neutral value where it is known and T() otherwise.
#pragma once

#include "reduce.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include <limits>

namespace cooperative_groups {

namespace details {

template <class T, class Operator>
UW_DEVICE constexpr T neutral() {
  if constexpr (std::numeric_limits<T>::is_specialized) {
    using Limits = std::numeric_limits<T>;
    if constexpr (kSame<Operator, less<T>>) return Limits::has_infinity ? Limits::infinity() : Limits::max();
    if constexpr (kSame<Operator, greater<T>>) return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    if constexpr (kSame<Operator, bit_and<T>>) return static_cast<T>(~T());
  }
  return T();
}

template <class T, class Operator>
UW_DEVICE T scanLanes(LaneMask lanes, T value, Operator& combine) {
  unsigned rank = rankIn(lanes);
  unsigned count = countLanes(lanes);
  for (unsigned distance = 1; distance < count; distance *= 2) {
    T other = fromRank(lanes, value, rank >= distance ? rank - distance : rank);
    if (rank >= distance) value = combine(other, value);
  }
  return value;
}

// Results of the warps before the own one go on the left.
template <class T, class Operator, class Tile>
UW_DEVICE T scanWarps(const Tile& tile, T value, Operator& combine) {
  __shared__ alignas(16) unsigned char scratch[32 * sizeof(T)];
  T* results = reinterpret_cast<T*>(scratch);
  LaneMask lanes = lowLanes(blockThreads() - (__uw_linear() - lane())) & lowLanes(__uw_width());
  T own = scanLanes(lanes, value, combine);
  unsigned warp = __uw_linear() / __uw_width();
  if (rankIn(lanes) + 1 == countLanes(lanes)) results[warp] = own;
  tile.sync();
  unsigned first = (__uw_linear() - tile.thread_rank()) / __uw_width();
  if (warp > first) {
    T before = results[first];
    for (unsigned i = first + 1; i < warp; ++i) before = combine(before, results[i]);
    own = combine(before, own);
  }
  tile.sync();
  return own;
}

// The value of the thread one rank below; for rank 0 `first`.
template <class T, class Tile>
UW_DEVICE T shiftedWarps(const Tile& tile, T value, T first) {
  __shared__ alignas(16) unsigned char scratch[32 * sizeof(T)];
  T* results = reinterpret_cast<T*>(scratch);
  LaneMask lanes = lowLanes(blockThreads() - (__uw_linear() - lane())) & lowLanes(__uw_width());
  unsigned warp = __uw_linear() / __uw_width();
  unsigned rank = rankIn(lanes);
  if (rank + 1 == countLanes(lanes)) results[warp] = value;
  tile.sync();
  T other = fromRank(lanes, value, rank ? rank - 1 : 0);
  if (rank == 0 && tile.thread_rank() != 0) other = results[warp - 1];
  tile.sync();
  return tile.thread_rank() == 0 ? first : other;
}

template <class T, class Operator, unsigned Size, class Parent>
UW_DEVICE T scanGroup(const thread_block_tile<Size, Parent>& tile, T value, Operator& combine) {
  if constexpr (Size > 32) {
    if (tile.uwIsWide()) return scanWarps(tile, value, combine);
  }
  return scanLanes(tile.uwLanes(), value, combine);
}
template <class T, class Operator>
UW_DEVICE T scanGroup(const coalesced_group& group, T value, Operator& combine) {
  return scanLanes(group.uwLanes(), value, combine);
}

template <class T>
UW_DEVICE T shiftedLanes(LaneMask lanes, T value, T first) {
  unsigned rank = rankIn(lanes);
  T other = fromRank(lanes, value, rank ? rank - 1 : 0);
  return rank ? other : first;
}
template <class T, unsigned Size, class Parent>
UW_DEVICE T shifted(const thread_block_tile<Size, Parent>& tile, T value, T first) {
  if constexpr (Size > 32) {
    if (tile.uwIsWide()) return shiftedWarps(tile, value, first);
  }
  return shiftedLanes(tile.uwLanes(), value, first);
}
template <class T>
UW_DEVICE T shifted(const coalesced_group& group, T value, T first) {
  return shiftedLanes(group.uwLanes(), value, first);
}

}  // namespace details

template <class Group, class Value, class Operator>
UW_MEMBER auto inclusive_scan(const Group& group, Value&& value, Operator&& combine) -> details::PlainType<Value> {
  using T = details::PlainType<Value>;
  return details::scanGroup<T, details::PlainType<Operator>>(
      group, static_cast<const T&>(value), const_cast<details::PlainType<Operator>&>(combine));
}
template <class Group, class Value>
UW_MEMBER auto inclusive_scan(const Group& group, Value&& value) -> details::PlainType<Value> {
  return inclusive_scan(group, static_cast<Value&&>(value), plus<details::PlainType<Value>>());
}
template <class Group, class Value, class Operator>
UW_MEMBER auto exclusive_scan(const Group& group, Value&& value, Operator&& combine) -> details::PlainType<Value> {
  using T = details::PlainType<Value>;
  T upToOwn = inclusive_scan(group, static_cast<Value&&>(value), combine);
  return details::shifted<T>(group, upToOwn, details::neutral<T, details::PlainType<Operator>>());
}
template <class Group, class Value>
UW_MEMBER auto exclusive_scan(const Group& group, Value&& value) -> details::PlainType<Value> {
  return exclusive_scan(group, static_cast<Value&&>(value), plus<details::PlainType<Value>>());
}

namespace details {

// The last thread adds the group's total to an atomic; what stood there before goes on the left of every result.
template <class Group, class Atomic, class T, class Operator>
UW_DEVICE T updated(const Group& group, Atomic& destination, T upToOwn, Operator& combine) {
  T old{};
  unsigned last = group.num_threads() - 1;
  if (group.thread_rank() == last) {
    old = destination.load();
    while (!destination.compare_exchange_weak(old, combine(old, upToOwn))) {
    }
  }
  return group.shfl(old, static_cast<int>(last));
}

}  // namespace details

template <class Group, class Atomic, class Value, class Operator>
UW_MEMBER auto inclusive_scan_update(const Group& group, Atomic& destination, Value&& value, Operator&& combine)
    -> details::PlainType<Value> {
  auto own = inclusive_scan(group, static_cast<Value&&>(value), combine);
  return combine(details::updated(group, destination, own, combine), own);
}
template <class Group, class Atomic, class Value>
UW_MEMBER auto inclusive_scan_update(const Group& group, Atomic& destination, Value&& value) -> details::PlainType<Value> {
  return inclusive_scan_update(group, destination, static_cast<Value&&>(value), plus<details::PlainType<Value>>());
}
template <class Group, class Atomic, class Value, class Operator>
UW_MEMBER auto exclusive_scan_update(const Group& group, Atomic& destination, Value&& value, Operator&& combine)
    -> details::PlainType<Value> {
  using T = details::PlainType<Value>;
  T own = inclusive_scan(group, static_cast<Value&&>(value), combine);
  T before = details::updated(group, destination, own, combine);
  T below = details::shifted<T>(group, own, own);
  return group.thread_rank() == 0 ? before : combine(before, below);
}
template <class Group, class Atomic, class Value>
UW_MEMBER auto exclusive_scan_update(const Group& group, Atomic& destination, Value&& value) -> details::PlainType<Value> {
  return exclusive_scan_update(group, destination, static_cast<Value&&>(value), plus<details::PlainType<Value>>());
}

}  // namespace cooperative_groups
#endif
