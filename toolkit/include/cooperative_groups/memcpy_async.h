// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::memcpy_async, wait and wait_prior. The copy is done when the call returns, shared out among the
// threads of the group; what remains of waiting is that all of them have come.
#pragma once

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

namespace details {

template <class Group>
UW_DEVICE void copyTogether(const Group& group, void* target, const void* source, size_t bytes) {
  constexpr size_t kPiece = 16;
  auto* to = static_cast<char*>(target);
  auto* from = static_cast<const char*>(source);
  size_t step = kPiece * group.num_threads();
  for (size_t at = kPiece * group.thread_rank(); at < bytes; at += step) {
    size_t left = bytes - at;
    if (left >= kPiece) {
      __builtin_memcpy(to + at, from + at, kPiece);
    } else {
      for (size_t i = 0; i < left; ++i) to[at + i] = from[at + i];
    }
  }
}

}  // namespace details

/// `shape` is a number of bytes, plain or with an alignment that is known.
template <class Group, class Element, class Shape>
UW_MEMBER void memcpy_async(const Group& group, Element* target, const Element* source, const Shape& shape) {
  details::copyTogether(group, target, source, static_cast<size_t>(shape));
}
/// Numbers of elements: as many are copied as both sides have.
template <class Group, class Element, class TargetShape, class SourceShape>
UW_MEMBER void memcpy_async(const Group& group, Element* target, const TargetShape& targetShape, const Element* source,
                            const SourceShape& sourceShape) {
  size_t room = static_cast<size_t>(targetShape);
  size_t given = static_cast<size_t>(sourceShape);
  details::copyTogether(group, target, source, (room < given ? room : given) * sizeof(Element));
}

template <class Group>
UW_MEMBER void wait(const Group& group) {
  group.sync();
}
template <unsigned Stages, class Group>
UW_MEMBER void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
#endif
