// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of `vllm bench serve` and of the scripts that grew from it. Summary latencies are milliseconds when their
// names end in `_ms` and seconds when they do not; the per-request arrays are seconds either way. A failed request has
// an entry in `errors` and zeros in the arrays. The file knows no GPU, count or price: keys that users add with
// --metadata (gpu, n_gpu, tp, precision, engine) are taken, a sidecar gives the rest.
#include <algorithm>
#include <array>
#include <numeric>

#include "base/text.h"
#include "cost/money/reading.h"

namespace unwarp::cost::money {

namespace {

constexpr std::array<std::string_view, 6> engines{"vllm", "sglang", "tensorrt-llm", "tgi", "lmdeploy", "llama.cpp"};

constexpr std::size_t mostRequests = 10'000'000;

/// Numbers of an array, or nothing for what is no array; arrays inside count as their sum. An empty one leaves no node,
/// so places are told by the elements' keys; those missing up to `atLeast` are 0.
std::vector<double> numbers(const JsonNode* array, std::size_t atLeast = 0) {
  if (array == nullptr) return {};
  std::vector<double> values(atLeast, 0);
  for (const JsonNode& element : array->children) {
    auto place = static_cast<std::size_t>(parseDecimal(element.key).value_or(0));
    if (place > mostRequests) continue;  // no array: an object whose keys look like places
    if (place >= values.size()) values.resize(place + 1, 0);
    values[place] = element.number().value_or(0);
    for (const JsonNode& inner : element.children) values[place] += inner.number().value_or(0);
  }
  return values;
}

void readSummary(const JsonNode& root, LatencyKind kind, Reading& reading, Latency& latency) {
  std::string name(latencyNames[static_cast<std::size_t>(kind)]);
  auto figure = [&](std::string_view statistic) {
    std::string plain = std::string(statistic) + "_" + name;
    return root.has(plain + "_ms") ? reading.amount(root, plain + "_ms") : reading.amount(root, plain, 1000);
  };
  latency.meanMs = figure("mean");
  latency.p50Ms = root.has("median_" + name + "_ms") || root.has("median_" + name) ? figure("median") : figure("p50");
  latency.p90Ms = figure("p90");
  latency.p95Ms = figure("p95");
  latency.p99Ms = figure("p99");
}

/// Per-request values of the requests that did not fail.
void readSamples(const JsonNode& root, Measurement& m) {
  std::vector<double> ttft = numbers(root.find("ttfts"));
  std::vector<double> gaps = numbers(root.find("itls"), ttft.size());
  std::vector<double> tokens = numbers(root.find("output_lens"));
  if (ttft.empty()) return;
  const JsonNode* errors = root.find("errors");
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < ttft.size(); ++i) {
    const JsonNode* error = errors == nullptr || i >= errors->children.size() ? nullptr : &errors->children[i];
    if (ttft[i] <= 0 || (error != nullptr && !error->text.empty() && error->text != "null")) {
      ++dropped;
      continue;
    }
    m.of(LatencyKind::Ttft).samplesMs.push_back(1000 * ttft[i]);
    if (gaps.size() != ttft.size()) continue;
    m.of(LatencyKind::E2e).samplesMs.push_back(1000 * (ttft[i] + gaps[i]));
    if (tokens.size() == ttft.size()) m.requestOutputTokens.push_back(tokens[i]);
    if (tokens.size() == ttft.size() && tokens[i] > 1)
      m.of(LatencyKind::Tpot).samplesMs.push_back(1000 * gaps[i] / (tokens[i] - 1));
  }
  if (dropped > 0) m.marks.push_back(std::to_string(dropped) + " failed requests left out of the per-request values");
}

/// What users add to the file as key=value.
void readMetadata(const JsonNode& root, Reading& reading, Measurement& m) {
  for (std::string_view key : {"gpu", "hw", "accelerator"})
    if (m.gpu.empty() && root.has(key)) reading.setGpu(m, root.find(key)->text);
  for (std::string_view key : {"n_gpu", "gpus", "num_gpus"})
    if (auto count = reading.amount(root, key); count && *count >= 1 && !m.gpus)
      m.gpus = static_cast<int>(std::min(*count, 1e6));
  m.precision = toLower(reading.text(root, "precision"));
  std::string backend = toLower(reading.text(root, root.has("endpoint_type") ? "endpoint_type" : "backend"));
  if (root.has("engine"))
    setEngine(m, root.find("engine")->text);
  else if (std::find(engines.begin(), engines.end(), backend) != engines.end())
    m.engine = backend;
}

}  // namespace

void readVllmBench(const JsonNode& root, Reading& reading) {
  Measurement m;
  m.format = Format::VllmBench;
  m.source = reading.file();
  m.model = modelName(reading.text(root, "model_id"));
  if (const JsonNode* date = root.find("date")) m.date = reading.date(date->text, date->line, "date");
  readMetadata(root, reading, m);
  m.requests = reading.amount(root, "completed");
  m.failed = reading.amount(root, "failed");
  m.durationS = reading.amount(root, "duration");
  auto prompts = reading.amount(root, "num_prompts");
  if (!m.failed && prompts && m.requests && *prompts > *m.requests) m.failed = *prompts - *m.requests;
  if (m.requests && *m.requests > 0) {
    if (auto total = reading.amount(root, "total_input_tokens")) m.inputTokens = *total / *m.requests;
    if (auto total = reading.amount(root, "total_output_tokens")) m.outputTokens = *total / *m.requests;
  } else {
    m.wentWrong("no request was completed");
  }
  m.concurrency = reading.amount(root, "max_concurrency");
  if (const JsonNode* rate = root.find("request_rate");
      rate != nullptr && rate->text != "inf" && rate->text != "Infinity")
    m.requestRatePerS = reading.amount(root, "request_rate");
  m.requestsPerS = reading.amount(root, "request_throughput");
  m.goodputPerS = reading.amount(root, root.has("request_goodput:") ? "request_goodput:" : "request_goodput");
  m.outputTokensPerS = reading.amount(root, "output_throughput");
  m.inputTokensPerS = reading.amount(root, "input_throughput");
  if (auto total = reading.amount(root, "total_token_throughput"); total && m.outputTokensPerS && !m.inputTokensPerS)
    m.inputTokensPerS = std::max(0.0, *total - *m.outputTokensPerS);
  for (LatencyKind kind : {LatencyKind::Ttft, LatencyKind::Tpot, LatencyKind::Itl, LatencyKind::E2e})
    readSummary(root, kind, reading, m.of(kind));
  readSamples(root, m);
  if (m.durationS && *m.durationS > 0 && m.outputTokensPerS && m.outputTokens && m.requests) {
    double rate = *m.outputTokens * *m.requests / *m.durationS;
    if (rate > 2 * *m.outputTokensPerS || rate < 0.5 * *m.outputTokensPerS)
      reading.fail(root.find("duration")->line, "duration",
                   "tokens / duration is " + significant(rate, 3) + " per second but output_throughput says " +
                       significant(*m.outputTokensPerS, 3),
                   "write the duration in seconds");
  }
  reading.add(std::move(m));
}

}  // namespace unwarp::cost::money
