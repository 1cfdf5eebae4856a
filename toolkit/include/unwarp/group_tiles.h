// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups inside a warp: coalesced_group, whatever lanes are converged, and thread_block_tile, a power of two of
// neighbours. A tile's ballots are relative to the tile, so those of up to 32 threads fit CUDA's type at any width. A
// tile wider than the warp synchronises by a barrier of its own; one of 64 threads is a single warp at 64 lanes.
#pragma once

#include "group_types.h"

namespace cooperative_groups {

class coalesced_group : public thread_group {
 public:
  UW_MEMBER explicit coalesced_group(details::LaneMask lanes, unsigned metaRank = 0, unsigned metaSize = 1)
      : thread_group(details::Kind::warpLanes, lanes, details::countLanes(lanes)), metaRank_(metaRank), metaSize_(metaSize) {}

  UW_MEMBER void sync() const { __uw_syncwarp(lanes_); }
  UW_MEMBER unsigned num_threads() const { return size_; }
  UW_MEMBER unsigned size() const { return size_; }
  UW_MEMBER unsigned thread_rank() const { return details::rankIn(lanes_); }
  UW_MEMBER unsigned meta_group_rank() const { return metaRank_; }
  UW_MEMBER unsigned meta_group_size() const { return metaSize_; }

  template <class T>
  UW_MEMBER details::PlainType<T> shfl(T&& value, int source) const {
    return details::fromLane<details::PlainType<T>>(lanes_, value, details::laneOfRank(lanes_, source));
  }
  template <class T>
  UW_MEMBER details::PlainType<T> shfl_up(T&& value, int delta) const {
    int rank = static_cast<int>(thread_rank());
    return shfl(static_cast<T&&>(value), rank >= delta ? rank - delta : rank);
  }
  template <class T>
  UW_MEMBER details::PlainType<T> shfl_down(T&& value, unsigned delta) const {
    unsigned rank = thread_rank();
    return shfl(static_cast<T&&>(value), static_cast<int>(rank + delta < size_ ? rank + delta : rank));
  }
  UW_MEMBER int any(int predicate) const { return details::any(lanes_, predicate != 0); }
  UW_MEMBER int all(int predicate) const { return details::all(lanes_, predicate != 0); }
  UW_MEMBER unsigned ballot(int predicate) const {
    return static_cast<unsigned>(details::packed(details::ballot(lanes_, predicate != 0), lanes_));
  }
  template <class T>
  UW_MEMBER unsigned match_any(T value) const {
    return static_cast<unsigned>(details::packed(details::match(lanes_, value, 0), lanes_));
  }
  template <class T>
  UW_MEMBER unsigned match_all(T value, int& all) const {
    details::LaneMask same = details::match(lanes_, value, 1);
    all = same != 0;
    return static_cast<unsigned>(details::packed(same, lanes_));
  }

 private:
  unsigned metaRank_;
  unsigned metaSize_;
};

UW_MEMBER coalesced_group coalesced_threads() { return coalesced_group(__uw_activemask()); }

/// Without a parent type this is also the base of all tiles of one size, so that either can be passed for it.
template <unsigned Size, class Parent = void>
class thread_block_tile;

template <unsigned Size>
class thread_block_tile<Size, void> : public thread_group {
  static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has a power of two of threads, at most 1024");

 public:
  UW_MEMBER void sync() const {
    if (Size > 32 && Size > __uw_width()) return details::tileBarrier(Size);
    __uw_syncwarp(lanes_);
  }
  UW_MEMBER static constexpr unsigned num_threads() { return Size; }
  UW_MEMBER static constexpr unsigned size() { return Size; }
  UW_MEMBER static unsigned thread_rank() { return __uw_linear() & (Size - 1); }
  UW_MEMBER unsigned meta_group_rank() const { return metaRank_; }
  UW_MEMBER unsigned meta_group_size() const { return metaSize_; }

  template <class T>
  UW_MEMBER details::PlainType<T> shfl(T&& value, int source) const {
    return moved<T>(value, static_cast<unsigned>(source), details::kIndex);
  }
  template <class T>
  UW_MEMBER details::PlainType<T> shfl_up(T&& value, unsigned delta) const {
    return moved<T>(value, delta, details::kUp);
  }
  template <class T>
  UW_MEMBER details::PlainType<T> shfl_down(T&& value, unsigned delta) const {
    return moved<T>(value, delta, details::kDown);
  }
  template <class T>
  UW_MEMBER details::PlainType<T> shfl_xor(T&& value, unsigned lanes) const {
    return moved<T>(value, lanes, details::kXor);
  }
  UW_MEMBER int any(int predicate) const {
    if (isWide()) return anyOfWarps(predicate != 0);
    return details::any(lanes_, predicate != 0);
  }
  UW_MEMBER int all(int predicate) const {
    if (isWide()) return !anyOfWarps(predicate == 0);
    return details::all(lanes_, predicate != 0);
  }
  UW_MEMBER unsigned ballot(int predicate) const {
    needsOneWarp();
    return static_cast<unsigned>(details::ballot(lanes_, predicate != 0) >> firstLane());
  }
  template <class T>
  UW_MEMBER unsigned match_any(T value) const {
    needsOneWarp();
    return static_cast<unsigned>(details::match(lanes_, value, 0) >> firstLane());
  }
  template <class T>
  UW_MEMBER unsigned match_all(T value, int& all) const {
    needsOneWarp();
    details::LaneMask same = details::match(lanes_, value, 1);
    all = same != 0;
    return static_cast<unsigned>(same >> firstLane());
  }

  /// Whether the tile spans warps at this width. Of this toolkit, not of CUDA.
  UW_MEMBER static bool uwIsWide() { return isWide(); }

 protected:
  UW_MEMBER thread_block_tile(unsigned metaRank, unsigned metaSize)
      : thread_group(isWide() ? details::Kind::wideTile : details::Kind::warpLanes, ownLanes(), Size),
        metaRank_(metaRank), metaSize_(metaSize) {}

 private:
  static_assert(Size <= 1024);
  UW_MEMBER static bool isWide() { return Size > 32 && Size > __uw_width(); }
  UW_MEMBER static unsigned firstLane() { return details::lane() & ~(Size - 1); }
  UW_MEMBER static details::LaneMask ownLanes() {
    if (isWide()) return details::lowLanes(__uw_width());
    details::LaneMask lanes = details::lowLanes(Size) << firstLane();
    // The last warp may be partial.
    unsigned left = details::blockThreads() - (__uw_linear() - details::lane());
    return lanes & details::lowLanes(left);
  }
  UW_MEMBER static constexpr void needsOneWarp() {
    static_assert(Size <= 32, "votes by lane, matches and shuffles need a tile of at most 32 threads");
  }
  template <class T>
  UW_MEMBER details::PlainType<T> moved(const details::PlainType<T>& value, unsigned operand,
                                        details::ShuffleMode mode) const {
    needsOneWarp();
    return details::shuffled<details::PlainType<T>>(lanes_, value, operand, Size, mode);
  }
  UW_MEMBER int anyOfWarps(bool predicate) const {
    __shared__ int votes[32];
    int& vote = votes[__uw_linear() / Size];
    vote = 0;
    sync();
    if (predicate) __atomic_store_n(&vote, 1, __ATOMIC_RELAXED);
    sync();
    int result = vote;
    sync();
    return result;
  }

  unsigned metaRank_;
  unsigned metaSize_;
};

template <unsigned Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
 public:
  UW_MEMBER explicit thread_block_tile(const Parent& parent)
      : thread_block_tile<Size, void>(parent.thread_rank() / Size, (parent.num_threads() + Size - 1) / Size) {}
};

namespace details {
struct WholeBlock {
  UW_MEMBER static unsigned thread_rank() { return __uw_linear(); }
  UW_MEMBER static unsigned num_threads() { return blockThreads(); }
};
}  // namespace details

// ---- partitions -----------------------------------------------------------------------------------------------------

template <unsigned Size>
UW_MEMBER thread_block_tile<Size, thread_block> tiled_partition(const thread_block& parent) {
  return thread_block_tile<Size, thread_block>(parent);
}
template <unsigned Size, unsigned ParentSize, class Grandparent>
UW_MEMBER auto tiled_partition(const thread_block_tile<ParentSize, Grandparent>& parent)
    -> thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>> {
  static_assert(Size <= ParentSize, "a tile is no larger than its parent");
  return thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>(parent);
}

/// Tiles of a coalesced group by rank: neighbours in the group, not in the warp.
UW_MEMBER coalesced_group tiled_partition(const coalesced_group& parent, unsigned tileSize) {
  unsigned size = parent.size();
  unsigned tile = parent.thread_rank() / tileSize;
  details::LaneMask lanes = 0;
  unsigned rank = 0;
  for (details::LaneMask rest = parent.uwLanes(); rest; rest &= rest - 1, ++rank) {
    if (rank / tileSize == tile) lanes |= rest & -rest;
  }
  return coalesced_group(lanes, tile, (size + tileSize - 1) / tileSize);
}
template <unsigned Size>
UW_MEMBER coalesced_group tiled_partition(const coalesced_group& parent) {
  return tiled_partition(parent, Size);
}
UW_MEMBER thread_group tiled_partition(const thread_group& parent, unsigned tileSize) {
  if (parent.uwKind() == details::Kind::warpLanes) return tiled_partition(coalesced_group(parent.uwLanes()), tileSize);
  if (tileSize > __uw_width()) return thread_group(details::Kind::wideTile, 0, tileSize);
  details::LaneMask lanes = details::lowLanes(tileSize) << (details::lane() & ~(tileSize - 1));
  unsigned left = details::blockThreads() - (__uw_linear() - details::lane());
  lanes &= details::lowLanes(left);
  return thread_group(details::Kind::warpLanes, lanes, details::countLanes(lanes));
}
UW_MEMBER thread_group tiled_partition(const thread_block& parent, unsigned tileSize) {
  return tiled_partition(static_cast<const thread_group&>(parent), tileSize);
}

/// Threads with the same label.
template <class Group, class Label>
UW_MEMBER coalesced_group labeled_partition(const Group& parent, Label label) {
  return coalesced_group(details::match(parent.uwLanes(), label, 0));
}
template <class Group>
UW_MEMBER coalesced_group binary_partition(const Group& parent, bool predicate) {
  details::LaneMask yes = details::ballot(parent.uwLanes(), predicate);
  return coalesced_group(predicate ? yes : parent.uwLanes() & ~yes, predicate ? 1 : 0, 2);
}

// ---- one thread for all ---------------------------------------------------------------------------------------------

template <class Group, class Function, class... Arguments>
UW_MEMBER void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
UW_MEMBER auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  using Result = decltype(static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...));
  alignas(Result) unsigned char bytes[sizeof(Result)] = {};
  Result* result = reinterpret_cast<Result*>(bytes);
  if (group.thread_rank() == 0) *result = static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
  return group.shfl(*result, 0);
}

namespace experimental {
using cooperative_groups::tiled_partition;
}

}  // namespace cooperative_groups
