// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shell scripts and what is close to them.
#include "audit_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  return unwarp::fuzz::auditAs({"a.sh", "a.slurm", ".env", "a.service", "gres.conf", "config.pbtxt"}, data, sizeBytes);
}
