// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread_group and the groups that a launch makes: thread_block, cluster_group, grid_group (Programming Guide,
// "Cooperative Groups"). A thread_group knows what kind it is, so that code which only has the base class works; the
// derived classes answer without looking. A cluster is one block.
#pragma once

#include "group_values.h"

namespace cooperative_groups {

namespace details {
enum class Kind : unsigned char { block, warpLanes, wideTile };
/// Barriers of tiles that span warps have numbers above those that PTX can name.
constexpr unsigned kTileBarriers = 64;

UW_DEVICE void blockBarrier() { __uw_barrier(0, 0, 0, 0); }
// Tiles of one size share a range of numbers, so that nested tiles do not meet.
UW_DEVICE void tileBarrier(unsigned size) {
  unsigned tile = __uw_linear() / size;
  unsigned left = blockThreads() - tile * size;
  __uw_barrier(kTileBarriers + size * 64 + tile, left < size ? left : size, 0, 0);
}
}  // namespace details

class thread_group {
 public:
  UW_MEMBER void sync() const {
    if (kind_ == details::Kind::block) return details::blockBarrier();
    if (kind_ == details::Kind::wideTile) return details::tileBarrier(size_);
    __uw_syncwarp(lanes_);
  }
  UW_MEMBER unsigned num_threads() const {
    return kind_ == details::Kind::block ? details::blockThreads() : size_;
  }
  UW_MEMBER unsigned size() const { return num_threads(); }
  UW_MEMBER unsigned thread_rank() const {
    if (kind_ == details::Kind::block) return __uw_linear();
    if (kind_ == details::Kind::wideTile) return __uw_linear() % size_;
    return details::rankIn(lanes_);
  }
  UW_MEMBER bool is_valid() const { return true; }

  /// The group's lanes in its warp. Of this toolkit, not of CUDA.
  UW_MEMBER details::LaneMask uwLanes() const { return lanes_; }
  UW_MEMBER details::Kind uwKind() const { return kind_; }

 protected:
  UW_MEMBER thread_group(details::Kind kind, details::LaneMask lanes, unsigned size)
      : lanes_(lanes), size_(size), kind_(kind) {}

  details::LaneMask lanes_;
  unsigned size_;
  details::Kind kind_;

  friend UW_MEMBER thread_group tiled_partition(const thread_group& parent, unsigned tileSize);
  friend UW_MEMBER thread_group this_thread();
};

/// The group of the calling thread alone.
UW_MEMBER thread_group this_thread() {
  return thread_group(details::Kind::warpLanes, details::LaneMask(1) << details::lane(), 1);
}

class thread_block : public thread_group {
 public:
  struct arrival_token {};

  UW_MEMBER thread_block() : thread_group(details::Kind::block, 0, 0) {}
  UW_MEMBER static void sync() { details::blockBarrier(); }
  // Nothing is known before the wait, so the wait is the barrier.
  UW_MEMBER static arrival_token barrier_arrive() { return {}; }
  UW_MEMBER static void barrier_wait(arrival_token&&) { details::blockBarrier(); }
  UW_MEMBER static unsigned thread_rank() { return __uw_linear(); }
  UW_MEMBER static unsigned num_threads() { return details::blockThreads(); }
  UW_MEMBER static unsigned size() { return details::blockThreads(); }
  UW_MEMBER static dim3 group_index() { return dim3(__uw_ctaid_x(), __uw_ctaid_y(), __uw_ctaid_z()); }
  UW_MEMBER static dim3 thread_index() { return dim3(__uw_tid_x(), __uw_tid_y(), __uw_tid_z()); }
  UW_MEMBER static dim3 dim_threads() { return dim3(__uw_ntid_x(), __uw_ntid_y(), __uw_ntid_z()); }
  UW_MEMBER static dim3 group_dim() { return dim_threads(); }
};

UW_MEMBER thread_block this_thread_block() { return thread_block(); }

/// Memory that tiles over several warps use. Theirs is their own here; the type stays for programs that make one.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  char reserved[16];
};
template <unsigned MaxBlockSize>
UW_MEMBER thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return thread_block();
}

class cluster_group {
 public:
  struct arrival_token {};

  UW_MEMBER static void sync() { details::blockBarrier(); }
  UW_MEMBER static arrival_token barrier_arrive() { return {}; }
  UW_MEMBER static void barrier_wait() { details::blockBarrier(); }
  UW_MEMBER static void barrier_wait(arrival_token&&) { details::blockBarrier(); }
  UW_MEMBER static unsigned query_shared_rank(const void*) { return 0; }
  template <class T>
  UW_MEMBER static T* map_shared_rank(T* address, int) {
    return address;
  }
  UW_MEMBER static dim3 block_index() { return dim3(0, 0, 0); }
  UW_MEMBER static unsigned block_rank() { return 0; }
  UW_MEMBER static dim3 thread_index() { return thread_block::thread_index(); }
  UW_MEMBER static unsigned thread_rank() { return __uw_linear(); }
  UW_MEMBER static dim3 dim_blocks() { return dim3(1, 1, 1); }
  UW_MEMBER static unsigned num_blocks() { return 1; }
  UW_MEMBER static dim3 dim_threads() { return thread_block::dim_threads(); }
  UW_MEMBER static unsigned num_threads() { return details::blockThreads(); }
  UW_MEMBER static unsigned size() { return details::blockThreads(); }
};

UW_MEMBER cluster_group this_cluster() { return {}; }

class grid_group {
 public:
  struct arrival_token {};

  UW_MEMBER static bool is_valid() { return true; }
  UW_MEMBER static void sync() { __uw_grid_sync(); }
  UW_MEMBER static arrival_token barrier_arrive() { return {}; }
  UW_MEMBER static void barrier_wait(arrival_token&&) { __uw_grid_sync(); }
  UW_MEMBER static unsigned long long thread_rank() {
    return details::blockIndex() * details::blockThreads() + __uw_linear();
  }
  UW_MEMBER static unsigned long long num_threads() { return details::gridBlocks() * details::blockThreads(); }
  UW_MEMBER static unsigned long long size() { return num_threads(); }
  UW_MEMBER static unsigned long long block_rank() { return details::blockIndex(); }
  UW_MEMBER static unsigned long long num_blocks() { return details::gridBlocks(); }
  UW_MEMBER static dim3 block_index() { return thread_block::group_index(); }
  UW_MEMBER static dim3 dim_blocks() { return dim3(__uw_nctaid_x(), __uw_nctaid_y(), __uw_nctaid_z()); }
  UW_MEMBER static dim3 group_dim() { return dim_blocks(); }
  UW_MEMBER static unsigned long long cluster_rank() { return block_rank(); }
  UW_MEMBER static unsigned long long num_clusters() { return num_blocks(); }
  UW_MEMBER static dim3 cluster_index() { return block_index(); }
  UW_MEMBER static dim3 dim_clusters() { return dim_blocks(); }
};

UW_MEMBER grid_group this_grid() { return {}; }

/// CUDA 13 no longer has groups over several devices.
class multi_grid_group;
template <class Never = void>
UW_MEMBER void this_multi_grid() {
  static_assert(!details::kSame<Never, void>, "cooperative_groups::this_multi_grid: CUDA 13 removed multi-device groups");
}

template <class Group>
UW_MEMBER void sync(const Group& group) {
  group.sync();
}
template <class Group>
UW_MEMBER auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
UW_MEMBER auto group_size(const Group& group) -> decltype(group.size()) {
  return group.size();
}

namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
}  // namespace experimental

}  // namespace cooperative_groups
