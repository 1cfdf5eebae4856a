// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What benchmark results, price lists and bills become, whatever wrote them. Every number here has one unit (its name
// says which), so that the units of a file are read once, by its reader. What a file does not say stays empty and is
// never guessed: a comparison then says "not stated" instead of assuming equality.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unwarp::cost::money {

enum class Format : std::uint8_t {
  VllmBench,
  Aiperf,
  AiperfRecords,
  MlperfV5,
  MlperfV6,
  MlperfLog,
  InferenceX,
  Focus,
  Infracost,
  Gpuhunt,
  Csv
};
inline constexpr std::array<std::string_view, 11> formatNames{
    "vllm-bench", "aiperf", "aiperf-records", "mlperf-v5", "mlperf-v6", "mlperf-log",
    "inferencex", "focus",  "infracost",      "gpuhunt",   "csv"};

/// One latency in milliseconds. `samples` holds one value per successful request where the file has them.
struct Latency {
  std::optional<double> meanMs, p50Ms, p90Ms, p95Ms, p99Ms;
  std::vector<double> samplesMs;
  bool empty() const { return !meanMs && !p50Ms && !p90Ms && !p95Ms && !p99Ms && samplesMs.empty(); }
};

/// Time to first token, time per output token, time between tokens, whole request.
enum class LatencyKind : std::uint8_t { Ttft, Tpot, Itl, E2e };
inline constexpr std::array<std::string_view, 4> latencyNames{"ttft", "tpot", "itl", "e2el"};

/// One run of one workload on one system.
struct Measurement {
  std::string workload;   ///< scenario of a suite, or what a sidecar says
  std::string model;      ///< as the file spells it, without folders of a cache
  std::string precision;  ///< lower case: fp8, mxfp4, bf16
  std::string engine;     ///< lower case first word: vllm, sglang, tensorrt
  std::string engineVersion;
  std::string gpu;           ///< a name of knowledge/cost/gpus.tsv
  std::string round;         ///< of a suite: v5.1
  std::string accuracyGate;  ///< what the run had to keep: "99.9" of MLPerf, or the user's words
  std::string accuracy;      ///< metric and value as printed
  std::optional<int> gpus;
  std::optional<double> inputTokens, outputTokens;  ///< per request, means
  std::optional<double> concurrency, requestRatePerS;
  std::optional<double> outputTokensPerS, inputTokensPerS, requestsPerS, goodputPerS;  ///< whole system
  std::optional<double> requests, failed, durationS, powerW;
  std::array<Latency, 4> latency;           ///< by LatencyKind
  std::vector<double> requestOutputTokens;  ///< beside the samples of E2e, where both are known
  std::string source;                       ///< file, with its row where it has several
  std::string date;                         ///< YYYY-MM-DD or less, empty when unknown
  Format format = Format::Csv;
  std::vector<std::string> marks;  ///< what a reader of a comparison must know
  std::string unfit;               ///< why this run may not enter any comparison, or empty
  bool failedRun = false;          ///< unfit because the run went wrong, not because of what it is

  const Latency& of(LatencyKind kind) const { return latency[static_cast<std::size_t>(kind)]; }
  Latency& of(LatencyKind kind) { return latency[static_cast<std::size_t>(kind)]; }
  void wentWrong(std::string why) {
    unfit = std::move(why);
    failedRun = true;
  }
  std::optional<double> outputTokensPerSPerGpu() const {
    if (!outputTokensPerS || !gpus || *gpus <= 0) return std::nullopt;
    return *outputTokensPerS / *gpus;
  }
};

/// What one GPU costs for an hour.
struct Price {
  std::string gpu;
  std::string basis;  ///< owning-hyperscaler, rental-3y, on-demand, spot, ...
  double low = 0, high = 0;
  std::string currency;
  std::string status;  ///< agreed, disputed, placeholder
  std::string note;
  std::string source, asOf;
};

/// One row of a bill.
struct Charge {
  std::string category;  ///< Usage, Purchase, Tax, Credit, Adjustment
  std::string service, resource, region;
  std::string start, end;
  std::string gpu;                 ///< empty when the row names none
  std::optional<double> gpuHours;  ///< consumed, where quantity and unit say so
  double billed = 0;
  std::optional<double> effective, list, contracted;
  std::string currency;
  std::string source;
};

/// All that was found in a file or folder.
struct Ingested {
  std::vector<Measurement> measurements;
  std::vector<Price> prices;
  std::vector<Charge> charges;
  std::vector<std::string> notes;   ///< what was not read, and why
  std::vector<std::string> broken;  ///< files of a folder that are results by their name but empty or cut short
};

}  // namespace unwarp::cost::money
