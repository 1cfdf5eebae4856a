// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Metric names in monitoring queries.
#pragma once

#include <cstdint>
#include <string_view>

#include "scan/facts.h"

namespace unwarp::scan {

/// Records the known metrics a query names (`avg(DCGM_FI_DEV_GPU_UTIL{gpu="0"})`), each once per line. Label values are
/// no metrics, except behind `__name__`.
void addMetrics(const ReadContext&, std::string_view query, std::uint32_t line, FileFacts& out);

}  // namespace unwarp::scan
