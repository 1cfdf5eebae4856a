// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// InferenceX (once InferenceMAX) rows: the flat row with fixed lengths, the flat and the nested row of an agentic
// replay, and baseline rows. Latencies are seconds but for baseline rows; throughput is per GPU, so the count of GPUs
// matters: tp x pp x pcp_size on one node, prefill plus decode GPUs across nodes. With split serving the output rate
// may count decode GPUs only; which, the sum of the three rates tells.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cost/money/reading.h"

namespace unwarp::cost::money {

namespace {

std::optional<double> member(const JsonNode& row, Reading& reading, std::string_view a, std::string_view b) {
  return row.has(a) ? reading.amount(row, a) : reading.amount(row, b);
}

void setGpuCount(const JsonNode& row, Reading& reading, Measurement& m) {
  auto prefill = reading.amount(row, "num_prefill_gpu"), decode = reading.amount(row, "num_decode_gpu");
  double count = prefill && decode ? *prefill + *decode
                                   : reading.amount(row, "tp").value_or(1) * reading.amount(row, "pp").value_or(1) *
                                         reading.amount(row, "pcp_size").value_or(1);
  if (count < 1 || count > 1e6 || count != std::floor(count))
    reading.fail(row.line, "tp", "gives no count of GPUs", "write tp, and pp and pcp_size where they are not 1");
  else
    m.gpus = static_cast<int>(count);
}

/// Rates of the whole system from rates per GPU.
void setRates(const JsonNode& row, Reading& reading, Measurement& m) {
  auto total = reading.amount(row, "tput_per_gpu"), out = reading.amount(row, "output_tput_per_gpu"),
       in = reading.amount(row, "input_tput_per_gpu");
  auto prefill = reading.amount(row, "num_prefill_gpu"), decode = reading.amount(row, "num_decode_gpu");
  if (!m.gpus) return;
  double gpus = *m.gpus;
  double outGpus = gpus, inGpus = gpus;
  if (total && out && in && prefill && decode && *total > 0) {
    bool ofAll = std::abs(*out + *in - *total) <= 0.01 * *total;
    bool ofOwn = std::abs(*out * *decode + *in * *prefill - *total * gpus) <= 0.01 * *total * gpus;
    if (!ofAll && ofOwn) {
      outGpus = *decode;
      inGpus = *prefill;
    } else if (!ofAll) {
      m.marks.push_back("rates per GPU do not add up over all GPUs nor over those of their phase");
    }
  }
  if (out) m.outputTokensPerS = *out * outGpus;
  if (in) m.inputTokensPerS = *in * inGpus;
}

void setFlatLatency(const JsonNode& row, Reading& reading, Measurement& m) {
  for (LatencyKind kind : {LatencyKind::Ttft, LatencyKind::Tpot, LatencyKind::Itl, LatencyKind::E2e}) {
    std::string name(latencyNames[static_cast<std::size_t>(kind)]);
    if (kind == LatencyKind::E2e && !row.has("mean_e2el") && row.has("mean_ttlt")) name = "ttlt";
    Latency& latency = m.of(kind);
    auto figure = [&](std::string_view statistic) {
      std::string plain = std::string(statistic) + "_" + name;
      return row.has(plain + "_ms") ? reading.amount(row, plain + "_ms") : reading.amount(row, plain, 1000);
    };
    latency.meanMs = figure("mean");
    latency.p50Ms = figure("median");
    latency.p90Ms = figure("p90");
    latency.p95Ms = figure("p95");
    latency.p99Ms = figure("p99");
  }
}

void readNested(const JsonNode& row, Reading& reading, Measurement& m) {
  const JsonNode& metrics = *row.find("request_metrics");
  for (LatencyKind kind : {LatencyKind::Ttft, LatencyKind::Tpot, LatencyKind::Itl, LatencyKind::E2e}) {
    const JsonNode* block = metrics.at({"latency", latencyNames[static_cast<std::size_t>(kind)]});
    if (block == nullptr) continue;
    Latency& latency = m.of(kind);
    latency.meanMs = reading.amount(*block, "mean", 1000);
    latency.p50Ms = reading.amount(*block, "p50", 1000);
    latency.p90Ms = reading.amount(*block, "p90", 1000);
    latency.p95Ms = reading.amount(*block, "p95", 1000);
    latency.p99Ms = reading.amount(*block, "p99", 1000);
  }
  if (const JsonNode* tokens = metrics.at({"tokens", "input"})) m.inputTokens = reading.amount(*tokens, "mean");
  if (const JsonNode* tokens = metrics.at({"tokens", "output_actual"}))
    m.outputTokens = reading.amount(*tokens, "mean");
  if (const JsonNode* rate = metrics.at({"throughput", "output"}))
    m.outputTokensPerS = reading.amount(*rate, "tokens_per_second");
  if (const JsonNode* rate = metrics.at({"throughput", "input"}))
    m.inputTokensPerS = reading.amount(*rate, "tokens_per_second");
  if (const JsonNode* rates = metrics.find("throughput")) m.durationS = reading.amount(*rates, "duration_seconds");
  if (const JsonNode* accounts = row.find("request_accounting")) {
    m.requests = reading.amount(*accounts, "records_profiled");
    m.failed = reading.amount(*accounts, "records_error_dropped");
  }
}

void readFlat(const JsonNode& row, Reading& reading, Measurement& m) {
  m.inputTokens = member(row, reading, "isl", "mean_input_tokens");
  m.outputTokens = member(row, reading, "osl", "mean_output_tokens_actual");
  setRates(row, reading, m);
  setFlatLatency(row, reading, m);
  m.requests = reading.amount(row, "num_requests_successful");
  auto all = reading.amount(row, "num_requests_total");
  if (all && m.requests && *all > *m.requests) m.failed = *all - *m.requests;
  m.durationS = reading.amount(row, "duration_seconds");
  m.powerW = reading.amount(row, "avg_total_gpu_power_w");
}

/// Milliseconds, whole-system rates, and power per run.
void readBaseline(const JsonNode& row, Reading& reading, Measurement& m) {
  const JsonNode& metrics = *row.find("metrics");
  m.inputTokens = reading.amount(row, "isl");
  m.outputTokens = reading.amount(row, "osl");
  m.requests = reading.amount(metrics, "successful_requests");
  m.requestsPerS = reading.amount(metrics, "request_throughput");
  m.outputTokensPerS = reading.amount(metrics, "output_token_throughput");
  if (auto total = reading.amount(metrics, "total_token_throughput"); total && m.outputTokensPerS)
    m.inputTokensPerS = std::max(0.0, *total - *m.outputTokensPerS);
  setFlatLatency(metrics, reading, m);
  const JsonNode* gpu = row.find("gpu");
  if (gpu == nullptr) return;
  m.powerW = reading.amount(*gpu, "total_avg_power_w");
  if (auto seen = reading.amount(*gpu, "n_gpus"); seen && m.gpus && *seen > *m.gpus)
    m.marks.push_back("power was read of " + significant(*seen, 4) + " GPUs while " + std::to_string(*m.gpus) +
                      " served");
}

void readRow(const JsonNode& row, Reading& reading, std::string source) {
  Measurement m;
  m.format = Format::InferenceX;
  m.source = std::move(source);
  m.workload = reading.text(row, "scenario_type");
  m.model = modelName(reading.text(row, "model"));
  m.precision = toLower(reading.text(row, "precision"));
  m.engine = toLower(reading.text(row, "framework"));
  std::string image = reading.text(row, "image");
  if (std::size_t colon = image.rfind(':'); colon != std::string::npos) m.engineVersion = image.substr(colon + 1);
  reading.setGpu(m, reading.text(row, "hw"));
  m.concurrency = member(row, reading, "conc", "users");
  if (const JsonNode* time = row.find("ts")) m.date = reading.date(time->text, time->line, "ts");
  std::string speculation = reading.text(row, "spec_decoding");
  if (!speculation.empty() && speculation != "none") m.marks.push_back("speculative decoding: " + speculation);
  setGpuCount(row, reading, m);
  if (row.has("request_metrics"))
    readNested(row, reading, m);
  else if (row.has("metrics"))
    readBaseline(row, reading, m);
  else
    readFlat(row, reading, m);
  reading.add(std::move(m));
}

}  // namespace

void readInferenceX(const JsonNode& root, Reading& reading) {
  if (root.has("hw")) return readRow(root, reading, reading.file());
  for (const JsonNode& row : root.children) readRow(row, reading, reading.file() + " row " + row.key);
}

}  // namespace unwarp::cost::money
