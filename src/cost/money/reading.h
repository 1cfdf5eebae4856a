// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the readers of this folder share: checked look-ups that remember the first fault with its file, line, field and
// fix, and the conversion of units that files name. A reader is a function that fills `Ingested`; it stops being asked
// when a fault is there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/csv.h"
#include "base/json_tree.h"
#include "cost/money/gpu_names.h"
#include "cost/money/measurement.h"
#include "cost/quantity.h"

namespace unwarp::cost::money {

class Reading {
 public:
  Reading(std::string file, const GpuNames& gpus, Ingested& out) : file_(std::move(file)), gpus_(gpus), out_(out) {}

  const std::string& file() const { return file_; }
  const GpuNames& gpus() const { return gpus_; }
  Ingested& out() { return out_; }
  const std::optional<BadInput>& fault() const { return fault_; }
  /// The first fault stays.
  void fail(std::uint32_t line, std::string field, std::string what, std::string fix);

  /// A member that is a number of at least 0, times `scale`; nothing when it is missing or null. Text, NaN and negative
  /// numbers are faults.
  std::optional<double> amount(const JsonNode& parent, std::string_view name, double scale = 1);
  /// The same for a cell of a table; an empty cell is missing.
  std::optional<double> amount(const CsvTable& table, std::size_t row, std::string_view name, double scale = 1);
  /// A cell that may be negative.
  std::optional<double> number(const CsvTable& table, std::size_t row, std::string_view name);
  /// Text of a member, empty when it is missing.
  std::string text(const JsonNode& parent, std::string_view name) const;
  /// A metric {unit, NAME} in milliseconds, or in the unit of throughput that the suffix "/s" names; a unit that is not
  /// known is a fault.
  std::optional<double> withUnit(const JsonNode& metric, std::string_view name, std::string_view dimension);
  /// `YYYY-MM-DD` of a date, a timestamp or `YYYYMMDD-hhmmss`; an impossible date is a fault.
  std::string date(std::string_view text, std::uint32_t line, std::string_view field);
  /// Sets `gpu` and, where the text names several, `unfit`; a text without a known GPU becomes a mark.
  void setGpu(Measurement& measurement, std::string_view text) const;
  void add(Measurement measurement);

 private:
  std::optional<double> checked(std::optional<double> value, std::string_view given, std::uint32_t line,
                                std::string_view name);
  std::string file_;
  const GpuNames& gpus_;
  Ingested& out_;
  std::optional<BadInput> fault_;
};

/// How many of the base unit (milliseconds; tokens or requests per second; seconds) one of `unit` is; nothing when the
/// unit is not of that `dimension` ("ms", "tokens/s", "requests/s", "s", "count").
std::optional<double> unitScale(std::string_view unit, std::string_view dimension);
/// "models/models--openai--gpt-oss-120b/snapshots/b5c9/" is openai/gpt-oss-120b.
std::string modelName(std::string_view text);
/// Engine and version of "vLLM 0.6.5.dev964, PyTorch 2.7": first word in lower case, and what follows up to the comma.
void setEngine(Measurement& measurement, std::string_view text);
/// Fills p50, p90, p99 and mean from the samples where the file gave none.
void summarise(Latency& latency);
/// Linear interpolation between order statistics, `share` in [0, 1]; `sorted` is not empty.
double quantileOf(const std::vector<double>& sorted, double share);
/// Latencies, lengths, throughput and duration that cannot all be in the units they claim become a fault.
std::optional<std::string> unitMixUp(const Measurement& measurement);

// One reader per format, in files of their names.
void readVllmBench(const JsonNode& root, Reading& reading);
void readAiperf(const JsonNode& root, Reading& reading);
void readAiperfRecords(std::string_view text, Reading& reading);
void readMlperfV5(const JsonNode& root, Reading& reading);
void readMlperfV6(const JsonNode& root, Reading& reading);
void readMlperfLog(std::string_view text, Reading& reading);
void readInferenceX(const JsonNode& root, Reading& reading);
void readInfracost(const JsonNode& root, Reading& reading);
void readFocus(const CsvTable& table, Reading& reading);
void readGpuhunt(const CsvTable& table, Reading& reading);
void readPlainCsv(const CsvTable& table, Reading& reading);

}  // namespace unwarp::cost::money
