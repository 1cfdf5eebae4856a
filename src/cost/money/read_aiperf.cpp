// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AIPerf's exports: the summary (one object per metric with its unit; GenAI-Perf writes the same shape) and the records
// (one JSON line per request). Units are read, never assumed. Of the records only those of the profiling phase without
// error count; warm-up and cancelled ones are told and left out.
#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "cost/money/reading.h"

namespace unwarp::cost::money {

namespace {

struct LatencyMetric {
  LatencyKind kind;
  std::string_view name;
};
// AIPerf's inter-token latency is a mean over one request: what vLLM calls time per output token.
constexpr std::array<LatencyMetric, 4> latencyMetrics{{{LatencyKind::Ttft, "time_to_first_token"},
                                                       {LatencyKind::Tpot, "inter_token_latency"},
                                                       {LatencyKind::Itl, "inter_chunk_latency"},
                                                       {LatencyKind::E2e, "request_latency"}}};

std::optional<double> average(const JsonNode& root, Reading& reading, std::string_view name, std::string_view unit) {
  const JsonNode* metric = root.find(name);
  return metric == nullptr ? std::nullopt : reading.withUnit(*metric, "avg", unit);
}

std::optional<double> firstOf(std::optional<double> a, std::optional<double> b) {
  return a ? a : b;
}

void readConfig(const JsonNode& root, Reading& reading, Measurement& m) {
  // AIPerf keeps the names below the endpoint, GenAI-Perf beside it.
  for (const JsonNode* names : {root.at({"input_config", "endpoint", "model_names"}),
                                root.at({"input_config", "model_names"}), root.at({"input_config", "model"})})
    if (m.model.empty() && names != nullptr)
      m.model = modelName(names->children.empty() ? names->text : names->children[0].text);
  if (const JsonNode* load = root.at({"input_config", "loadgen"})) {
    m.concurrency = reading.amount(*load, "concurrency");
    m.requestRatePerS = reading.amount(*load, "request_rate");
  }
  if (const JsonNode* start = root.find("start_time")) m.date = reading.date(start->text, start->line, "start_time");
  if (const JsonNode* cancelled = root.find("was_cancelled"); cancelled != nullptr && cancelled->isTrue())
    m.wentWrong("the run was cancelled");
}

/// One line of the records, already known to count.
void addRecord(const JsonNode& record, Reading& reading, Measurement& m) {
  const JsonNode* metrics = record.find("metrics");
  if (metrics == nullptr) return;
  for (const LatencyMetric& known : latencyMetrics)
    if (const JsonNode* metric = metrics->find(known.name); metric != nullptr)
      if (auto value = reading.withUnit(*metric, "value", "ms")) m.of(known.kind).samplesMs.push_back(*value);
  auto add = [&](std::optional<double>& sum, std::string_view name) {
    if (const JsonNode* metric = metrics->find(name); metric != nullptr)
      if (auto value = reading.withUnit(*metric, "value", "count")) sum = sum.value_or(0) + *value;
  };
  add(m.inputTokens, "input_sequence_length");
  add(m.outputTokens, "output_sequence_length");
  if (const JsonNode* metric = metrics->find("output_sequence_length");
      metric != nullptr && metrics->has("request_latency"))
    m.requestOutputTokens.push_back(reading.withUnit(*metric, "value", "count").value_or(0));
  m.requests = m.requests.value_or(0) + 1;
}

}  // namespace

void readAiperf(const JsonNode& root, Reading& reading) {
  Measurement m;
  m.format = Format::Aiperf;
  m.source = reading.file();
  readConfig(root, reading, m);
  for (const LatencyMetric& known : latencyMetrics) {
    const JsonNode* metric = root.find(known.name);
    if (metric == nullptr) continue;
    Latency& latency = m.of(known.kind);
    latency.meanMs = reading.withUnit(*metric, "avg", "ms");
    latency.p50Ms = reading.withUnit(*metric, "p50", "ms");
    latency.p90Ms = reading.withUnit(*metric, "p90", "ms");
    latency.p95Ms = reading.withUnit(*metric, "p95", "ms");
    latency.p99Ms = reading.withUnit(*metric, "p99", "ms");
  }
  m.requests = average(root, reading, "request_count", "count");
  m.failed = average(root, reading, "error_request_count", "count");
  m.durationS = average(root, reading, "benchmark_duration", "s");
  m.requestsPerS = average(root, reading, "request_throughput", "requests/s");
  m.goodputPerS = average(root, reading, "goodput", "requests/s");
  m.outputTokensPerS = average(root, reading, "output_token_throughput", "tokens/s");
  m.inputTokensPerS = average(root, reading, "input_token_throughput", "tokens/s");
  m.inputTokens = average(root, reading, "input_sequence_length", "count");
  m.outputTokens = firstOf(average(root, reading, "output_sequence_length", "count"),
                           average(root, reading, "output_token_count", "count"));
  reading.add(std::move(m));
}

void readAiperfRecords(std::string_view text, Reading& reading) {
  Measurement m;
  m.format = Format::AiperfRecords;
  m.source = reading.file();
  double first = std::numeric_limits<double>::infinity(), last = 0;
  std::size_t otherPhases = 0, failed = 0;
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    if (trim(line).empty()) continue;
    auto record = parseJson(line, lines.number());
    if (!record) return reading.fail(lines.number(), "", record.error(), "write one JSON object per line");
    const JsonNode* metadata = record->find("metadata");
    const JsonNode* cancelled = metadata == nullptr ? nullptr : metadata->find("was_cancelled");
    if (metadata != nullptr && metadata->has("benchmark_phase") &&
        metadata->find("benchmark_phase")->text != "profiling") {
      ++otherPhases;
    } else if (record->has("error") || (cancelled != nullptr && cancelled->isTrue())) {
      ++failed;
    } else {
      addRecord(*record, reading, m);
      if (metadata == nullptr) continue;
      if (auto start = reading.amount(*metadata, "request_start_ns", 1e-9)) first = std::min(first, *start);
      if (auto end = reading.amount(*metadata, "request_end_ns", 1e-9)) last = std::max(last, *end);
    }
  }
  m.failed = static_cast<double>(failed);
  if (otherPhases > 0)
    m.marks.push_back(std::to_string(otherPhases) + " records of other phases than profiling left out");
  if (!m.requests) m.wentWrong("no record of the profiling phase without error");
  if (m.requests && last > first) {
    m.durationS = last - first;
    m.requestsPerS = *m.requests / *m.durationS;
    if (m.outputTokens) m.outputTokensPerS = *m.outputTokens / *m.durationS;
    if (m.inputTokens) m.inputTokensPerS = *m.inputTokens / *m.durationS;
  }
  if (m.requests && m.outputTokens) m.outputTokens = *m.outputTokens / *m.requests;
  if (m.requests && m.inputTokens) m.inputTokens = *m.inputTokens / *m.requests;
  reading.add(std::move(m));
}

}  // namespace unwarp::cost::money
