// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cooperative groups are made of: lanes of a warp as 64-bit masks, and values of any trivially copyable type that
// travel between lanes in pieces of 8 bytes. The warp's width is asked at run time; nothing here knows 32.
#pragma once

#include "opaque.h"
#include "warp.h"

#define UW_MEMBER __device__ __forceinline__

namespace cooperative_groups {
namespace details {

using LaneMask = unsigned long long;

UW_DEVICE unsigned lane() { return __uw_linear() % __uw_width(); }
UW_DEVICE unsigned blockThreads() { return __uw_ntid_x() * __uw_ntid_y() * __uw_ntid_z(); }
UW_DEVICE unsigned long long blockIndex() {
  return __uw_ctaid_x() + (unsigned long long)__uw_nctaid_x() * (__uw_ctaid_y() + (unsigned long long)__uw_nctaid_y() * __uw_ctaid_z());
}
UW_DEVICE unsigned long long gridBlocks() {
  return (unsigned long long)__uw_nctaid_x() * __uw_nctaid_y() * __uw_nctaid_z();
}
UW_DEVICE LaneMask lowLanes(unsigned count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }
UW_DEVICE unsigned countLanes(LaneMask lanes) { return static_cast<unsigned>(__builtin_popcountll(lanes)); }
UW_DEVICE unsigned lowestLane(LaneMask lanes) { return static_cast<unsigned>(__builtin_ctzll(lanes)); }
UW_DEVICE unsigned rankIn(LaneMask lanes) { return countLanes(lanes & lowLanes(lane())); }

// Tiles and whole warps are neighbours, for which a rank is a distance.
UW_DEVICE bool areNeighbours(LaneMask lanes) {
  LaneMask low = lanes >> lowestLane(lanes);
  return (low & (low + 1)) == 0;
}

// The lane that holds rank `rank` of `lanes`; the lowest one when there are fewer.
UW_DEVICE unsigned laneOfRank(LaneMask lanes, unsigned rank) {
  if (areNeighbours(lanes)) return lowestLane(lanes) + (rank < countLanes(lanes) ? rank : 0);
  LaneMask rest = lanes;
  for (unsigned i = 0; i < rank && rest; ++i) rest &= rest - 1;
  return lowestLane(rest ? rest : lanes);
}

// Bits of `lanes` that stand at set bits of `group`, packed by rank.
UW_DEVICE LaneMask packed(LaneMask lanes, LaneMask group) {
  if (areNeighbours(group)) return (lanes & group) >> lowestLane(group);
  LaneMask result = 0;
  for (unsigned rank = 0; group; ++rank, group &= group - 1) {
    if (lanes & group & -group) result |= 1ull << rank;
  }
  return result;
}

enum ShuffleMode : unsigned { kIndex, kUp, kDown, kXor };

// Moves a value between lanes of `group`, all of which call it. Without a segment the operand of an index is the lane's
// number in the warp.
template <class T>
UW_DEVICE T shuffled(LaneMask group, const T& value, unsigned operand, unsigned segment, ShuffleMode mode) {
  static_assert(__is_trivially_copyable(T), "a value that moves between threads must be trivially copyable");
  constexpr unsigned kPieces = (sizeof(T) + 7) / 8;
  unsigned long long pieces[kPieces] = {};
  __builtin_memcpy(pieces, &value, sizeof(T));
  for (unsigned i = 0; i < kPieces; ++i) pieces[i] = __uw_shuffle(group, pieces[i], operand, segment, mode);
  alignas(T) unsigned char bytes[sizeof(T)];
  __builtin_memcpy(bytes, pieces, sizeof(T));
  return *reinterpret_cast<T*>(bytes);
}
template <class T>
UW_DEVICE T fromLane(LaneMask group, const T& value, unsigned source) {
  return shuffled(group, value, source, 0, kIndex);
}

UW_DEVICE LaneMask ballot(LaneMask group, bool predicate) { return __uw_vote(group, predicate, 3) & group; }
UW_DEVICE bool all(LaneMask group, bool predicate) { return __uw_vote(group, predicate, 0) != 0; }
UW_DEVICE bool any(LaneMask group, bool predicate) { return __uw_vote(group, predicate, 1) != 0; }

// Lanes of `group` whose value has the same bits; with `mode` 1 the group or nothing.
template <class T>
UW_DEVICE LaneMask match(LaneMask group, const T& value, unsigned mode) {
  static_assert(sizeof(T) <= 8, "values that are matched have at most 8 bytes");
  return __uw_match(group, __uw_bits(value), mode) & group;
}

template <class T>
struct Plain {
  using type = T;
};
template <class T>
struct Plain<T&> {
  using type = T;
};
template <class T>
struct Plain<T&&> {
  using type = T;
};
template <class T>
struct Plain<const T> {
  using type = T;
};
template <class T>
struct Plain<const T&> {
  using type = T;
};
template <class T>
using PlainType = typename Plain<T>::type;

template <class A, class B>
inline constexpr bool kSame = false;
template <class A>
inline constexpr bool kSame<A, A> = true;

}  // namespace details
}  // namespace cooperative_groups
