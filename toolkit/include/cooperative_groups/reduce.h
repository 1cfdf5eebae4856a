// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::reduce and the operators that go with it. Values of any trivially copyable type meet in a tree of
// shuffles by rank, which any number of threads can climb; 32-bit integers of the common operators need one meeting.
// Floating-point results may differ from a GPU's in their last bits: the order of the tree is nobody's promise.
#pragma once

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

#define UW_OPERATOR(NAME, EXPRESSION)                          \
  template <class T>                                           \
  struct NAME {                                                \
    __device__ __forceinline__ T operator()(T a, T b) const {  \
      return EXPRESSION;                                       \
    }                                                          \
  };
UW_OPERATOR(plus, a + b)
UW_OPERATOR(less, b < a ? b : a)
UW_OPERATOR(greater, a < b ? b : a)
UW_OPERATOR(bit_and, a& b)
UW_OPERATOR(bit_or, a | b)
UW_OPERATOR(bit_xor, a ^ b)
#undef UW_OPERATOR

namespace details {

// How `__uw_reduce` names an operation; -1: it has no name there.
template <class T, class Operator>
UW_DEVICE constexpr int reduceMode() {
  constexpr bool kSigned = kSame<T, int>;
  if constexpr (!kSigned && !kSame<T, unsigned>) return -1;
  if (kSame<Operator, plus<T>>) return 0;
  if (kSame<Operator, less<T>>) return kSigned ? 1 : 3;
  if (kSame<Operator, greater<T>>) return kSigned ? 2 : 4;
  if (kSame<Operator, bit_and<T>>) return 5;
  if (kSame<Operator, bit_or<T>>) return 6;
  if (kSame<Operator, bit_xor<T>>) return 7;
  return -1;
}

// The value of the lane that stands `distance` ranks above or below in `lanes`; the own one where there is none.
template <class T>
UW_DEVICE T fromRank(LaneMask lanes, const T& value, unsigned rank) {
  return fromLane(lanes, value, laneOfRank(lanes, rank));
}

// Combines by rank, lower ranks on the left: an operator need not commute.
template <class T, class Operator>
UW_DEVICE T reduceLanes(LaneMask lanes, T value, Operator& combine) {
  constexpr int kMode = reduceMode<T, PlainType<Operator>>();
  if constexpr (kMode >= 0) return static_cast<T>(__uw_reduce(lanes, static_cast<unsigned>(value), kMode));
  unsigned rank = rankIn(lanes);
  unsigned count = countLanes(lanes);
  for (unsigned distance = 1; distance < count; distance *= 2) {
    bool there = rank + distance < count;
    T other = fromRank(lanes, value, there ? rank + distance : rank);
    if (there) value = combine(value, other);
  }
  return fromRank(lanes, value, 0);
}

// A tile of several warps: each warp reduces, then every thread combines the warps' results in order.
template <class T, class Operator, class Tile>
UW_DEVICE T reduceWarps(const Tile& tile, T value, Operator& combine) {
  __shared__ alignas(16) unsigned char scratch[32 * sizeof(T)];
  T* results = reinterpret_cast<T*>(scratch);
  LaneMask lanes = lowLanes(blockThreads() - (__uw_linear() - lane())) & lowLanes(__uw_width());
  T own = reduceLanes(lanes, value, combine);
  unsigned warp = __uw_linear() / __uw_width();
  if (lane() == 0) results[warp] = own;
  tile.sync();
  unsigned first = (__uw_linear() - tile.thread_rank()) / __uw_width();
  unsigned end = first + Tile::num_threads() / __uw_width();
  unsigned warps = (blockThreads() + __uw_width() - 1) / __uw_width();
  T total = results[first];
  for (unsigned i = first + 1; i < end && i < warps; ++i) total = combine(total, results[i]);
  tile.sync();
  return total;
}

// A full tile exchanges with partners at distances 1, 2, 4, ...; the lower partner's value stands on the left.
template <class T, class Operator>
UW_DEVICE T reduceTile(LaneMask lanes, unsigned size, T value, Operator& combine) {
  for (unsigned distance = 1; distance < size; distance *= 2) {
    T other = shuffled(lanes, value, distance, size, kXor);
    value = (lane() & distance) ? combine(other, value) : combine(value, other);
  }
  return value;
}

template <class T, class Operator, unsigned Size, class Parent>
UW_DEVICE T reduceGroup(const thread_block_tile<Size, Parent>& tile, T value, Operator& combine) {
  if constexpr (Size > 32) {
    if (tile.uwIsWide()) return reduceWarps(tile, value, combine);
  }
  bool isFull = countLanes(tile.uwLanes()) == Size && reduceMode<T, PlainType<Operator>>() < 0;
  return isFull ? reduceTile(tile.uwLanes(), Size, value, combine) : reduceLanes(tile.uwLanes(), value, combine);
}
template <class T, class Operator>
UW_DEVICE T reduceGroup(const coalesced_group& group, T value, Operator& combine) {
  return reduceLanes(group.uwLanes(), value, combine);
}

}  // namespace details

template <class Group, class Value, class Operator>
UW_MEMBER auto reduce(const Group& group, Value&& value, Operator&& combine) -> details::PlainType<Value> {
  using T = details::PlainType<Value>;
  return details::reduceGroup<T, details::PlainType<Operator>>(
      group, static_cast<const T&>(value), const_cast<details::PlainType<Operator>&>(combine));
}
template <class Group, class Value>
UW_MEMBER auto reduce(const Group& group, Value&& value) -> details::PlainType<Value> {
  return reduce(group, static_cast<Value&&>(value), plus<details::PlainType<Value>>());
}

/// One thread of the group updates `destination`, an atomic of cuda:: or one that looks like it.
template <class Group, class Atomic, class Value, class Operator>
UW_MEMBER void reduce_update_async(const Group& group, Atomic& destination, Value&& value, Operator&& combine) {
  auto total = reduce(group, static_cast<Value&&>(value), combine);
  if (group.thread_rank() != 0) return;
  auto old = destination.load();
  while (!destination.compare_exchange_weak(old, combine(old, total))) {
  }
}
template <class Group, class Atomic, class Value, class Operator>
UW_MEMBER void reduce_store_async(const Group& group, Atomic& destination, Value&& value, Operator&& combine) {
  auto total = reduce(group, static_cast<Value&&>(value), combine);
  if (group.thread_rank() == 0) destination.store(total);
}

}  // namespace cooperative_groups
#endif
