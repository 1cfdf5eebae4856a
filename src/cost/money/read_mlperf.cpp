// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLPerf inference: the summary of v5.1 (an array of rows), that of v6.1 (an object whose keys are "0", "1", ...), and
// the log of one run. A result belongs to the whole system, so the count of accelerators is part of the row: a# x Nodes
// in v5.1, total_accelerators in v6.1, and in the system file for a log. Rows of the open division, inferred rows and
// mixed systems are read and marked unfit for comparison, with the reason.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "cost/money/reading.h"

namespace unwarp::cost::money {

namespace {

/// The accuracy target that a benchmark's name ends in: "llama2-70b-99.9" is "99.9".
std::string accuracyGate(std::string_view benchmark) {
  for (std::string_view gate : {"99.9", "99"})
    if (benchmark.ends_with("-" + std::string(gate))) return std::string(gate);
  return {};
}

void setResult(const JsonNode& row, std::string_view value, std::string_view unit, Reading& reading, Measurement& m) {
  const JsonNode* unitNode = row.find(unit);
  std::string words = unitNode == nullptr ? std::string() : unitNode->text;
  if (auto scale = unitScale(words, "tokens/s")) {
    m.outputTokensPerS = reading.amount(row, value, *scale);
  } else if (auto perSecond = unitScale(words, "requests/s")) {
    m.requestsPerS = reading.amount(row, value, *perSecond);
  } else if (auto ms = unitScale(words, "ms")) {
    m.of(LatencyKind::E2e).p90Ms = reading.amount(row, value, *ms);
  } else {
    reading.fail(row.line, std::string(unit), "'" + words + "' is no unit of a result",
                 "write Tokens/s, Samples/s, Queries/s or Latency (ms)");
  }
}

void setCount(Measurement& m, std::optional<double> count, Reading& reading, const JsonNode& row,
              std::string_view field) {
  if (!count || *count < 1 || *count > 1e6 || *count != std::floor(*count))
    reading.fail(row.line, std::string(field), "is no count of accelerators", "write how many the whole system has");
  else
    m.gpus = static_cast<int>(*count);
}

void setDivision(Measurement& m, std::string_view division) {
  if (toLower(division) == "open") m.unfit = "open division: model and rules may differ";
}

std::string rowSource(const Reading& reading, std::string_view key) {
  return reading.file() + " row " + std::string(key);
}

void readV5Row(const JsonNode& row, Reading& reading) {
  Measurement m;
  m.format = Format::MlperfV5;
  m.source = rowSource(reading, row.key);
  m.workload = reading.text(row, "Scenario");
  m.model = reading.text(row, row.has("UsedModel") ? "UsedModel" : "Model");
  m.accuracyGate = accuracyGate(reading.text(row, "Model"));
  m.accuracy = reading.text(row, "Accuracy");
  m.precision = toLower(reading.text(row, "weight_data_types"));
  if (m.precision == "unset") m.precision.clear();
  m.round = reading.text(row, "version");
  setEngine(m, reading.text(row, "Software"));
  auto perNode = reading.amount(row, "a#"), nodes = reading.amount(row, "Nodes");
  setCount(m, perNode && nodes ? std::optional(*perNode * *nodes) : std::nullopt, reading, row, "a# x Nodes");
  setResult(row, "Performance_Result", "Performance_Units", reading, m);
  reading.setGpu(m, reading.text(row, "Accelerator"));
  setDivision(m, reading.text(row, "Category"));
  if (auto inferred = reading.amount(row, "inferred"); inferred && *inferred != 0 && m.unfit.empty())
    m.unfit = "an inferred row: derived from another result, not measured";
  if (auto errors = reading.amount(row, "errors"); errors && *errors > 0 && m.unfit.empty())
    m.wentWrong("the checker found errors in this submission");
  if (const JsonNode* power = row.find("has_power"); power != nullptr && power->isTrue())
    m.powerW = reading.amount(row, "Power_Result");
  reading.add(std::move(m));
}

void readV6Row(const JsonNode& row, Reading& reading) {
  Measurement m;
  m.format = Format::MlperfV6;
  m.source = rowSource(reading, row.key);
  m.workload = reading.text(row, "Scenario");
  m.model = reading.text(row, "MlperfModel");
  m.accuracyGate = accuracyGate(m.model);
  m.accuracy = reading.text(row, "Accuracy");
  m.precision = toLower(reading.text(row, "weight_data_types"));
  m.round = row.has("version") ? reading.text(row, "version") : "v6.1";
  setEngine(m, reading.text(row, "framework"));
  auto total = reading.amount(row, "total_accelerators");
  setCount(m, total, reading, row, "total_accelerators");
  auto perNode = reading.amount(row, "accelerators_per_node"), nodes = reading.amount(row, "number_of_nodes");
  if (perNode && nodes && total && *perNode * *nodes != *total)
    m.marks.push_back("accelerators_per_node x number_of_nodes is " + significant(*perNode * *nodes, 6) + ", not " +
                      significant(*total, 6) + " as total_accelerators says; the latter is used");
  setResult(row, "Result", "Units", reading, m);
  reading.setGpu(m, reading.text(row, "accelerator_model_name"));
  setDivision(m, reading.text(row, "Division"));
  m.powerW = reading.amount(row, "design_power_watts");
  reading.add(std::move(m));
}

/// "Tokens per second: 124879" -> the key and the text behind the colon.
std::string_view valueOf(std::string_view line, std::string_view name) {
  std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || trim(line.substr(0, colon)) != name) return {};
  return trim(line.substr(colon + 1));
}

}  // namespace

void readMlperfV5(const JsonNode& root, Reading& reading) {
  for (const JsonNode& row : root.children) readV5Row(row, reading);
}

void readMlperfV6(const JsonNode& root, Reading& reading) {
  for (const JsonNode& row : root.children) readV6Row(row, reading);
}

void readMlperfLog(std::string_view text, Reading& reading) {
  Measurement m;
  m.format = Format::MlperfLog;
  m.source = reading.file();
  m.marks.push_back("a log names no model and no system: a sidecar gives them");
  struct Figure {
    std::string_view name;
    std::optional<double>& target;
    double scale;
  };
  std::string result;
  const std::array<Figure, 6> figures{{{"Tokens per second", m.outputTokensPerS, 1},
                                       {"Completed tokens per second", m.outputTokensPerS, 1},
                                       {"Samples per second", m.requestsPerS, 1},
                                       {"Mean latency (ns)", m.of(LatencyKind::E2e).meanMs, 1e-6},
                                       {"50.00 percentile latency (ns)", m.of(LatencyKind::E2e).p50Ms, 1e-6},
                                       {"99.00 percentile latency (ns)", m.of(LatencyKind::E2e).p99Ms, 1e-6}}};
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    if (auto scenario = valueOf(line, "Scenario"); !scenario.empty()) m.workload = scenario;
    if (auto outcome = valueOf(line, "Result is"); !outcome.empty()) result = outcome;
    for (const Figure& figure : figures) {
      std::string_view value = valueOf(line, figure.name);
      if (value.empty()) continue;
      auto number = parseNumber(value);
      if (!number || *number < 0)
        return reading.fail(lines.number(), std::string(figure.name),
                            "'" + std::string(value.substr(0, 40)) + "' is no result",
                            "keep the file as LoadGen wrote it");
      figure.target = *number * figure.scale;
    }
  }
  if (result != "VALID") m.wentWrong("the run is not VALID" + (result.empty() ? "" : " but " + result));
  reading.add(std::move(m));
}

}  // namespace unwarp::cost::money
