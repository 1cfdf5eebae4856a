// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::experimental::awbarrier, the class over the primitives of cuda_awbarrier_primitives.h.
#pragma once

#include "cuda_awbarrier_primitives.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace nvcuda {
namespace experimental {

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    __device__ uint32_t pending_count() const { return __mbarrier_token_pending_count(token_); }

   private:
    friend class awbarrier;
    __device__ explicit arrival_token(__mbarrier_token_t token) : token_(token) {}
    __mbarrier_token_t token_;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  __device__ arrival_token arrive() { return arrival_token(__mbarrier_arrive(&state_)); }
  __device__ arrival_token arrive_and_drop() { return arrival_token(__mbarrier_arrive_and_drop(&state_)); }
  __device__ bool timed_wait(arrival_token token, uint32_t) { return __mbarrier_test_wait(&state_, token.token_); }
  __device__ bool timed_wait_parity(bool phase, uint32_t) { return __mbarrier_test_wait_parity(&state_, phase); }
  __device__ bool try_wait(arrival_token token, uint32_t) { return __mbarrier_test_wait(&state_, token.token_); }
  __device__ bool try_wait_parity(bool phase, uint32_t) { return __mbarrier_test_wait_parity(&state_, phase); }
  __device__ void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&state_, token.token_)) {
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ static constexpr uint32_t max() { return (1u << 20) - 1; }

 private:
  friend __device__ void init(awbarrier* barrier, uint32_t expected);
  friend __device__ void inval(awbarrier* barrier);
  friend class pipeline;
  __mbarrier_t state_;
};

__device__ __forceinline__ void init(awbarrier* barrier, uint32_t expected) { __mbarrier_init(&barrier->state_, expected); }
__device__ __forceinline__ void inval(awbarrier* barrier) { __mbarrier_inval(&barrier->state_); }

}  // namespace experimental
}  // namespace nvcuda
#endif
