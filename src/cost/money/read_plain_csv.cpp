// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our own plain table, for whoever has numbers and no tool: one row per run or price, units in the column names. A
// column that reads like a rate or a latency but names no unit is refused, because 0.18 may be seconds or milliseconds
// and nobody can tell later.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "cost/money/reading.h"

namespace unwarp::cost::money {

namespace {

constexpr std::array<std::string_view, 27> plainColumns{"workload",
                                                        "model",
                                                        "precision",
                                                        "engine",
                                                        "engine_version",
                                                        "gpu",
                                                        "date",
                                                        "accuracy",
                                                        "accuracy_gate",
                                                        "round",
                                                        "gpus",
                                                        "isl",
                                                        "osl",
                                                        "concurrency",
                                                        "requests",
                                                        "failed",
                                                        "duration_s",
                                                        "output_tokens_per_s",
                                                        "input_tokens_per_s",
                                                        "requests_per_s",
                                                        "power_w",
                                                        "request_rate_per_s",
                                                        "goodput_per_s",
                                                        "price_per_gpu_hour",
                                                        "currency",
                                                        "basis",
                                                        "source"};
constexpr std::array<std::string_view, 5> statistics{"mean", "p50", "p90", "p95", "p99"};

/// "ttft_p50_ms": which latency, which figure, how many milliseconds one of its units is.
struct LatencyColumn {
  LatencyKind kind;
  std::size_t statistic;
  double scale;
};

std::optional<LatencyColumn> latencyColumn(std::string_view name) {
  std::string lower = toLower(name);
  double scale = lower.ends_with("_ms") ? 1 : lower.ends_with("_s") ? 1000 : 0;
  if (scale == 0) return std::nullopt;
  std::string_view rest = std::string_view(lower).substr(0, lower.rfind('_'));
  for (std::size_t kind = 0; kind < latencyNames.size(); ++kind)
    for (std::size_t s = 0; s < statistics.size(); ++s)
      if (rest == std::string(latencyNames[kind]) + "_" + std::string(statistics[s]))
        return LatencyColumn{static_cast<LatencyKind>(kind), s, scale};
  return std::nullopt;
}

bool looksLikeAFigure(std::string_view name) {
  std::string lower = toLower(name);
  for (std::string_view word : {"ttft", "tpot", "itl", "e2el", "latency", "throughput", "tokens", "duration", "price"})
    if (lower.find(word) != std::string::npos) return true;
  return false;
}

void checkColumns(const CsvTable& table, Reading& reading) {
  std::string ignored;
  for (const std::string& name : table.header()) {
    std::string lower = toLower(name);
    if (std::find(plainColumns.begin(), plainColumns.end(), lower) != plainColumns.end() || latencyColumn(name))
      continue;
    if (looksLikeAFigure(name))
      return reading.fail(1, name, "is a figure without a known unit",
                          "name it like ttft_p50_ms, output_tokens_per_s, duration_s or price_per_gpu_hour");
    ignored += (ignored.empty() ? "" : ", ") + name;
  }
  if (!ignored.empty()) reading.out().notes.push_back(reading.file() + ": columns not read: " + ignored);
}

void setLatencies(const CsvTable& table, std::size_t row, Reading& reading, Measurement& m) {
  for (const std::string& name : table.header()) {
    auto column = latencyColumn(name);
    if (!column) continue;
    Latency& latency = m.of(column->kind);
    std::optional<double>* const figures[] = {&latency.meanMs, &latency.p50Ms, &latency.p90Ms, &latency.p95Ms,
                                              &latency.p99Ms};
    *figures[column->statistic] = reading.amount(table, row, name, column->scale);
  }
}

Measurement measurementOf(const CsvTable& table, std::size_t row, Reading& reading) {
  Measurement m;
  m.format = Format::Csv;
  m.source = reading.file() + ":" + std::to_string(table.line(row));
  m.workload = table.cell(row, "workload");
  m.model = table.cell(row, "model");
  m.precision = toLower(table.cell(row, "precision"));
  m.engine = toLower(table.cell(row, "engine"));
  m.engineVersion = table.cell(row, "engine_version");
  m.accuracy = table.cell(row, "accuracy");
  m.accuracyGate = table.cell(row, "accuracy_gate");
  m.round = table.cell(row, "round");
  m.date = reading.date(table.cell(row, "date"), table.line(row), "date");
  m.inputTokens = reading.amount(table, row, "isl");
  m.outputTokens = reading.amount(table, row, "osl");
  m.concurrency = reading.amount(table, row, "concurrency");
  m.requestRatePerS = reading.amount(table, row, "request_rate_per_s");
  m.requests = reading.amount(table, row, "requests");
  m.failed = reading.amount(table, row, "failed");
  m.durationS = reading.amount(table, row, "duration_s");
  m.outputTokensPerS = reading.amount(table, row, "output_tokens_per_s");
  m.inputTokensPerS = reading.amount(table, row, "input_tokens_per_s");
  m.requestsPerS = reading.amount(table, row, "requests_per_s");
  m.goodputPerS = reading.amount(table, row, "goodput_per_s");
  m.powerW = reading.amount(table, row, "power_w");
  if (auto count = reading.amount(table, row, "gpus")) {
    if (*count < 1 || *count > 1e6 || *count != std::floor(*count))
      reading.fail(table.line(row), "gpus", "is no count of GPUs", "write a whole number of at least 1");
    else
      m.gpus = static_cast<int>(*count);
  }
  setLatencies(table, row, reading, m);
  return m;
}

void readPrice(const CsvTable& table, std::size_t row, Reading& reading, std::string_view gpu) {
  auto price = reading.amount(table, row, "price_per_gpu_hour");
  if (!price) return;
  std::string currency(table.cell(row, "currency"));
  if (!isCurrencyCode(currency))
    return reading.fail(table.line(row), "currency",
                        currency.empty() ? "is missing beside a price" : "'" + currency + "' is no currency",
                        "add a column currency with a code such as USD");
  if (*price == 0)
    return reading.fail(table.line(row), "price_per_gpu_hour", "is 0", "leave it empty if it is not known");
  Price offer;
  offer.gpu = gpu;
  offer.basis = table.cell(row, "basis").empty() ? "given" : table.cell(row, "basis");
  offer.low = offer.high = *price;
  offer.currency = currency;
  offer.status = "agreed";
  offer.note = table.cell(row, "source");
  offer.source = reading.file() + ":" + std::to_string(table.line(row));
  offer.asOf = reading.date(table.cell(row, "date"), table.line(row), "date");
  reading.out().prices.push_back(std::move(offer));
}

}  // namespace

void readPlainCsv(const CsvTable& table, Reading& reading) {
  checkColumns(table, reading);
  for (std::size_t row = 0; row < table.rows() && !reading.fault(); ++row) {
    Measurement m = measurementOf(table, row, reading);
    std::string_view text = table.cell(row, "gpu");
    std::string_view gpu = reading.gpus().find(text);
    if (!text.empty() && gpu.empty())
      return reading.fail(table.line(row), "gpu", reading.gpus().unknown(text),
                          "write one name of `unwarp cost money --prices`");
    m.gpu = gpu;
    readPrice(table, row, reading, gpu);
    bool measured = m.outputTokensPerS || m.requestsPerS || m.inputTokensPerS;
    for (const Latency& latency : m.latency) measured = measured || !latency.empty();
    if (measured) reading.add(std::move(m));
  }
}

}  // namespace unwarp::cost::money
