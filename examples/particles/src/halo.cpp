// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halo exchange between the GPUs of a line of ranks.
#include "solver.h"

namespace {

void check(ncclResult_t status) {
  if (status == ncclSuccess) return;
  std::fprintf(stderr, "NCCL: %s\n", ncclGetErrorString(status));
  std::exit(1);
}

}  // namespace

void exchangeHalo(ncclComm_t communicator, int rank, int ranks, const float4* send, float4* receive, int count,
                  cudaStream_t stream) {
  const size_t floats = static_cast<size_t>(count) * 4;
  check(ncclGroupStart());
  if (rank > 0) {
    check(ncclSend(send, floats, ncclFloat, rank - 1, communicator, stream));
    check(ncclRecv(receive, floats, ncclFloat, rank - 1, communicator, stream));
  }
  if (rank + 1 < ranks) {
    check(ncclSend(send + count, floats, ncclFloat, rank + 1, communicator, stream));
    check(ncclRecv(receive + count, floats, ncclFloat, rank + 1, communicator, stream));
  }
  check(ncclGroupEnd());
}
