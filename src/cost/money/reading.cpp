// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/reading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/text.h"

namespace unwarp::cost::money {

namespace {

struct Unit {
  std::string_view name, dimension;
  double scale;
};

constexpr std::array<Unit, 25> units{{{"ns", "ms", 1e-6},
                                      {"us", "ms", 1e-3},
                                      {"ms", "ms", 1},
                                      {"milliseconds", "ms", 1},
                                      {"s", "ms", 1e3},
                                      {"sec", "ms", 1e3},
                                      {"seconds", "ms", 1e3},
                                      {"ns", "s", 1e-9},
                                      {"us", "s", 1e-6},
                                      {"ms", "s", 1e-3},
                                      {"s", "s", 1},
                                      {"sec", "s", 1},
                                      {"seconds", "s", 1},
                                      {"tokens/s", "tokens/s", 1},
                                      {"tokens/sec", "tokens/s", 1},
                                      {"tokens/second", "tokens/s", 1},
                                      {"requests/s", "requests/s", 1},
                                      {"requests/sec", "requests/s", 1},
                                      {"requests/second", "requests/s", 1},
                                      {"samples/s", "requests/s", 1},
                                      {"queries/s", "requests/s", 1},
                                      {"tokens", "count", 1},
                                      {"requests", "count", 1},
                                      {"count", "count", 1},
                                      {"latency (ms)", "ms", 1}}};

}  // namespace

std::optional<double> unitScale(std::string_view unit, std::string_view dimension) {
  for (const Unit& known : units)
    if (known.dimension == dimension && equalsIgnoreCase(known.name, unit)) return known.scale;
  return std::nullopt;
}

void Reading::fail(std::uint32_t line, std::string field, std::string what, std::string fix) {
  if (!fault_) fault_ = BadInput{file_, line, std::move(field), std::move(what), std::move(fix)};
}

std::optional<double> Reading::checked(std::optional<double> value, std::string_view given, std::uint32_t line,
                                       std::string_view name) {
  if (!value) {
    fail(line, std::string(name), "'" + std::string(given.substr(0, 40)) + "' is no number",
         "write a plain number with a decimal point");
    return std::nullopt;
  }
  if (*value < 0) {
    fail(line, std::string(name), std::string(given.substr(0, 40)) + " is negative", "write a value of at least 0");
    return std::nullopt;
  }
  return value;
}

std::optional<double> Reading::amount(const JsonNode& parent, std::string_view name, double scale) {
  const JsonNode* node = parent.find(name);
  if (node == nullptr) return std::nullopt;
  // Python writes NaN for the mean of nothing.
  if (node->kind == JsonNode::Kind::Plain && node->text == "NaN") return std::nullopt;
  auto value = checked(node->number(), node->text, node->line, name);
  return value ? std::optional(*value * scale) : std::nullopt;
}

std::optional<double> Reading::amount(const CsvTable& table, std::size_t row, std::string_view name, double scale) {
  std::string_view cell = table.cell(row, name);
  if (cell.empty()) return std::nullopt;
  auto value = checked(parseNumber(cell), cell, table.line(row), name);
  return value ? std::optional(*value * scale) : std::nullopt;
}

std::optional<double> Reading::number(const CsvTable& table, std::size_t row, std::string_view name) {
  std::string_view cell = table.cell(row, name);
  if (cell.empty()) return std::nullopt;
  auto value = parseNumber(cell);
  if (!value) checked(value, cell, table.line(row), name);
  return value;
}

std::string Reading::text(const JsonNode& parent, std::string_view name) const {
  const JsonNode* node = parent.find(name);
  return node == nullptr ? std::string() : node->text;
}

std::optional<double> Reading::withUnit(const JsonNode& metric, std::string_view name, std::string_view dimension) {
  const JsonNode* value = metric.find(name);
  if (value == nullptr) return std::nullopt;
  const JsonNode* unit = metric.find("unit");
  if (unit == nullptr) {
    fail(metric.line, metric.key, "has no unit", "add \"unit\" as the benchmark writes it");
    return std::nullopt;
  }
  auto scale = unitScale(unit->text, dimension);
  if (!scale) {
    fail(unit->line, metric.key + ".unit", "'" + unit->text + "' is no unit of " + std::string(dimension),
         "write one such as " + std::string(dimension));
    return std::nullopt;
  }
  return amount(metric, name, *scale);
}

std::string Reading::date(std::string_view text, std::uint32_t line, std::string_view field) {
  if (text.empty()) return {};
  std::string day(text.substr(0, 10));
  bool packed =
      text.size() >= 8 && std::all_of(text.begin(), text.begin() + 8, [](char c) { return c >= '0' && c <= '9'; });
  if (packed)
    day = std::string(text.substr(0, 4)) + "-" + std::string(text.substr(4, 2)) + "-" + std::string(text.substr(6, 2));
  if (parseDate(day)) return day;
  fail(line, std::string(field), "'" + std::string(text.substr(0, 40)) + "' is no date of the calendar",
       "write it as YYYY-MM-DD");
  return {};
}

void Reading::setGpu(Measurement& measurement, std::string_view text) const {
  std::vector<std::string_view> found = gpus_.in(text);
  if (found.size() == 1) {
    measurement.gpu = found[0];
  } else if (found.size() > 1) {
    measurement.unfit = "a mixed system: " + std::string(text);
  } else if (!text.empty()) {
    measurement.marks.push_back(gpus_.unknown(text));
  }
}

void Reading::add(Measurement measurement) {
  for (Latency& latency : measurement.latency) summarise(latency);
  if (auto why = unitMixUp(measurement)) fail(0, "units", *why, "check which unit each field of the file is in");
  if (measurement.failed && measurement.requests && *measurement.failed > 0) {
    double share = *measurement.failed / (*measurement.failed + *measurement.requests);
    std::string text = significant(100 * share, 2) + " % of the requests failed";
    if (share > 0.1 && measurement.unfit.empty())
      measurement.wentWrong(text);
    else
      measurement.marks.push_back(text);
  }
  out_.measurements.push_back(std::move(measurement));
}

std::string modelName(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  std::size_t cache = text.rfind("models--");
  if (cache == std::string_view::npos) return std::string(text);
  text.remove_prefix(cache + 8);
  std::string name(text.substr(0, text.find('/')));
  if (std::size_t dash = name.find("--"); dash != std::string::npos) name.replace(dash, 2, "/");
  return name;
}

void setEngine(Measurement& measurement, std::string_view text) {
  text = trim(text.substr(0, text.find(',')));
  std::size_t blank = text.find(' ');
  measurement.engine = toLower(text.substr(0, blank));
  if (blank != std::string_view::npos) measurement.engineVersion = trim(text.substr(blank));
}

double quantileOf(const std::vector<double>& sorted, double share) {
  double at = share * static_cast<double>(sorted.size() - 1);
  std::size_t below = static_cast<std::size_t>(at);
  std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

void summarise(Latency& latency) {
  if (latency.samplesMs.empty()) return;
  std::vector<double> sorted = latency.samplesMs;
  std::sort(sorted.begin(), sorted.end());
  auto fill = [&](std::optional<double>& figure, double share) {
    if (!figure) figure = quantileOf(sorted, share);
  };
  fill(latency.p50Ms, 0.5);
  fill(latency.p90Ms, 0.9);
  fill(latency.p95Ms, 0.95);
  fill(latency.p99Ms, 0.99);
  if (!latency.meanMs)
    latency.meanMs = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
}

std::optional<std::string> unitMixUp(const Measurement& m) {
  const Latency &ttft = m.of(LatencyKind::Ttft), &tpot = m.of(LatencyKind::Tpot), &e2e = m.of(LatencyKind::E2e);
  // A request lasts about its first token and the others; means of long-tailed loads stay within a factor of 20.
  if (ttft.meanMs && tpot.meanMs && e2e.meanMs && m.outputTokens && *e2e.meanMs > 0) {
    double expected = *ttft.meanMs + *tpot.meanMs * std::max(0.0, *m.outputTokens - 1);
    double ratio = expected / *e2e.meanMs;
    if (ratio > 50 || ratio < 0.02)
      return "ttft + tpot x (tokens - 1) is " + significant(expected, 3) + " ms but a request lasts " +
             significant(*e2e.meanMs, 3) + " ms: seconds and milliseconds are mixed";
  }
  // Little's law: requests in flight = rate x duration of one.
  if (e2e.meanMs && m.requestsPerS && m.concurrency && *m.concurrency > 0) {
    double inFlight = *e2e.meanMs / 1000 * *m.requestsPerS;
    if (inFlight > 30 * *m.concurrency)
      return significant(inFlight, 3) + " requests would be in flight at a concurrency of " +
             significant(*m.concurrency, 3) + ": a latency in milliseconds reads as seconds";
    if (inFlight < *m.concurrency / 300 && !m.requestRatePerS)
      return significant(inFlight, 2) + " requests would be in flight at a concurrency of " +
             significant(*m.concurrency, 3) + ": a latency in seconds reads as milliseconds";
  }
  if (m.outputTokensPerS && m.requestsPerS && m.outputTokens && *m.outputTokensPerS > 0) {
    double ratio = *m.requestsPerS * *m.outputTokens / *m.outputTokensPerS;
    if (ratio > 20 || ratio < 0.05)
      return "requests/s x output tokens per request is " + significant(*m.requestsPerS * *m.outputTokens, 3) +
             " but output tokens/s says " + significant(*m.outputTokensPerS, 3);
  }
  return std::nullopt;
}

}  // namespace unwarp::cost::money
