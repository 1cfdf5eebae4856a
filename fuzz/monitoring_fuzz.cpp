// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dashboards, metric rules, model files.
#include "audit_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  return unwarp::fuzz::auditAs({"dashboard.json", "prometheus.rules", "prometheus.yml", "model.plan", "model.engine"},
                               data, sizeBytes);
}
