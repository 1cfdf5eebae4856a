// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of knowledge/ loaded once, and texts read as files, for the tests of this folder and of the gate.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cost/money/ingest.h"
#include "cost/money/prices.h"

namespace unwarp::cost::money {

inline const knowledge::Knowledge& builtIn() {
  static const auto loaded = knowledge::Knowledge::load("");
  return **loaded;
}

inline const GpuNames& gpuNames() {
  static const auto names = GpuNames::load(builtIn());
  return *names;
}

/// `text` as the file "input" with an optional sidecar.
inline Result<Ingested> readText(std::string_view text, std::string_view sidecar = "") {
  return ingestText({"input", text, "input.toml", sidecar}, gpuNames());
}

/// One row in the shape of MLPerf v6.1 (`object`) or v5.1; `rate` is per GPU.
inline std::string mlperfRow(std::string_view gpu, double rate, std::string_view model, std::string_view scenario) {
  return R"({"Organization":"Made Up","Division":"closed","MlperfModel":")" + std::string(model) + R"(","Scenario":")" +
         std::string(scenario) + R"(","Units":"Tokens/s","Result":)" + std::to_string(rate * 8) +
         R"(,"accelerator_model_name":")" + std::string(gpu) +
         R"(","accelerators_per_node":8,"number_of_nodes":1,"total_accelerators":8,"framework":"vLLM 0.10",)" +
         R"("weight_data_types":"fp4"})";
}

}  // namespace unwarp::cost::money
