// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/ingest.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "cost/money/reading.h"
#include "cost/money/sidecar.h"

namespace unwarp::cost::money {

namespace {

namespace fs = std::filesystem;

std::optional<Format> jsonFormat(const JsonNode& root) {
  if (root.has("projects") && root.has("currency")) return Format::Infracost;
  if (root.has("hw") && (root.has("tput_per_gpu") || root.has("request_metrics") || root.has("metrics")))
    return Format::InferenceX;
  if (root.has("model_id") && (root.has("output_throughput") || root.has("request_throughput")))
    return Format::VllmBench;
  if (root.has("Submitter") && root.has("Performance_Units")) return Format::MlperfV5;
  if (root.has("MlperfModel") && root.has("Units")) return Format::MlperfV6;
  for (std::string_view metric : {"request_throughput", "time_to_first_token", "request_latency"})
    if (const JsonNode* node = root.find(metric); node != nullptr && node->has("unit")) return Format::Aiperf;
  if (root.has("metadata") && root.has("metrics")) return Format::AiperfRecords;
  return std::nullopt;
}

/// Of the root, or of its first element when the file holds several results.
std::optional<Format> documentFormat(const JsonNode& root) {
  if (auto format = jsonFormat(root)) return format;
  return root.children.empty() ? std::nullopt : jsonFormat(root.children[0]);
}

std::optional<Format> csvFormat(std::string_view text) {
  auto table = CsvTable::parse(text.substr(0, text.find('\n')));
  if (!table) return std::nullopt;
  auto has = [&](std::string_view name) { return table->column(name).has_value(); };
  if (has("BilledCost") && has("ChargePeriodStart")) return Format::Focus;
  if (has("instance_name") && has("price") && has("gpu_name")) return Format::Gpuhunt;
  bool figure = has("price_per_gpu_hour") || has("throughput") || has("latency");
  for (const std::string& name : table->header())
    for (std::string_view start : {"ttft", "tpot", "e2el", "output_tok", "requests_per_s"})
      figure = figure || toLower(name).starts_with(start);
  return figure ? std::optional(Format::Csv) : std::nullopt;
}

bool isLog(std::string_view text) {
  return text.substr(0, 400).find("MLPerf Results Summary") != std::string_view::npos;
}

bool looksLikeJson(std::string_view text) {
  std::string_view start = withoutByteOrderMark(trim(text.substr(0, 4096)));
  return start.starts_with('{') || start.starts_with('[');
}

/// Several documents, one to a line: the first line closes by itself and another follows.
bool isLines(std::string_view text) {
  std::size_t end = text.find('\n');
  if (end == std::string_view::npos || trim(text.substr(end)).empty()) return false;
  std::string_view first = trim(text.substr(0, end));
  return first.starts_with('{') && first.ends_with('}') && trim(text.substr(end)).starts_with('{');
}

void readDocument(const JsonNode& root, Format format, Reading& reading) {
  if (format == Format::MlperfV5) return root.has("Submitter") ? void() : readMlperfV5(root, reading);
  if (format == Format::MlperfV6) return root.has("MlperfModel") ? void() : readMlperfV6(root, reading);
  if (format == Format::InferenceX) return readInferenceX(root, reading);
  if (format == Format::Infracost) return readInfracost(root, reading);
  auto read = format == Format::VllmBench ? readVllmBench : readAiperf;
  if (jsonFormat(root)) return read(root, reading);
  for (const JsonNode& element : root.children) read(element, reading);
}

void unknownFormat(Reading& reading) {
  std::string names;
  for (std::string_view name : formatNames) names += (names.empty() ? "" : ", ") + std::string(name);
  reading.fail(0, "", "is none of the known formats", "known are " + names + " (docs/cost-money.md)");
}

void readLines(std::string_view text, Reading& reading) {
  LineReader lines(text);
  for (std::string_view line; lines.next(line) && !reading.fault();) {
    if (trim(line).empty()) continue;
    auto root = parseJson(line, lines.number());
    if (!root) return reading.fail(lines.number(), "", root.error(), "write one JSON object per line");
    auto format = jsonFormat(*root);
    if (lines.number() == 1 && format == Format::AiperfRecords) return readAiperfRecords(text, reading);
    if (!format || format == Format::AiperfRecords) return unknownFormat(reading);
    readDocument(*root, *format, reading);
  }
}

void readAny(std::string_view text, Reading& reading) {
  if (isLog(text)) return readMlperfLog(text, reading);
  if (looksLikeJson(text)) {
    if (isLines(text)) return readLines(text, reading);
    auto root = parseJson(text);
    if (!root) return reading.fail(0, "", root.error(), "write the file anew; it is cut short or edited by hand");
    auto format = documentFormat(*root);
    if (format == Format::AiperfRecords) return readAiperfRecords(text, reading);
    return format ? readDocument(*root, *format, reading) : unknownFormat(reading);
  }
  auto table = CsvTable::parse(text);
  if (!table) return reading.fail(0, "", table.error(), "correct the table");
  auto format = csvFormat(text);
  if (!format) return unknownFormat(reading);
  if (*format == Format::Focus) return readFocus(*table, reading);
  return *format == Format::Gpuhunt ? readGpuhunt(*table, reading) : readPlainCsv(*table, reading);
}

std::string readIfThere(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  auto bytes = FileBytes::open(path.string());
  return bytes ? std::string(bytes->view()) : std::string();
}

Result<Ingested> ingestFile(const std::string& path, const GpuNames& gpus) {
  auto bytes = FileBytes::open(path);
  if (!bytes) return Error{bytes.error()};
  Document document{path, bytes->view(), path + ".toml", {}};
  std::string sidecar = readIfThere(document.sidecarFile);
  if (sidecar.empty()) {
    document.sidecarFile = (fs::path(path).parent_path() / "run.toml").string();
    sidecar = readIfThere(document.sidecarFile);
  }
  document.sidecar = sidecar;
  return ingestText(document, gpus);
}

}  // namespace

namespace {

/// What a run that ended early leaves behind: a result by its name, empty or cut short. Empty for any other file.
std::string whyBroken(const std::string& file, std::string_view text) {
  bool isResult = file.ends_with(".json") || file.ends_with(".jsonl") || file.ends_with(".csv");
  if (isResult && trim(text).empty()) return "empty";
  if (file.ends_with(".csv")) {
    auto table = CsvTable::parse(text);
    return table ? std::string() : table.error();
  }
  if (!looksLikeJson(text) || isLines(text)) return {};
  auto root = parseJson(text);
  return root ? std::string() : "cut short or edited by hand: " + root.error();
}

}  // namespace

void append(Ingested& all, Ingested&& part) {
  auto move = [](auto& to, auto& from) { std::move(from.begin(), from.end(), std::back_inserter(to)); };
  move(all.measurements, part.measurements);
  move(all.prices, part.prices);
  move(all.charges, part.charges);
  move(all.notes, part.notes);
  move(all.broken, part.broken);
}

std::optional<Format> recognise(std::string_view text) {
  if (isLog(text)) return Format::MlperfLog;
  if (!looksLikeJson(text)) return csvFormat(text);
  auto root = parseJson(isLines(text) ? text.substr(0, text.find('\n')) : text);
  return root ? documentFormat(*root) : std::nullopt;
}

Result<Ingested> ingestText(const Document& document, const GpuNames& gpus) {
  Ingested out;
  Reading reading(document.file, gpus, out);
  readAny(document.text, reading);
  if (!reading.fault() && !document.sidecar.empty()) applySidecar(document.sidecarFile, document.sidecar, reading);
  if (reading.fault()) return toError(*reading.fault());
  return out;
}

Result<Ingested> ingest(const std::string& path, const GpuNames& gpus) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return ingestFile(path, gpus);
  std::vector<std::string> files;
  for (auto it = fs::recursive_directory_iterator(path, error); !error && it != fs::recursive_directory_iterator();
       it.increment(error))
    if (it->is_regular_file(error) && !it->is_symlink(error) && it->path().extension() != ".toml")
      files.push_back(it->path().string());
  if (error) return Error{path + ": cannot be listed: " + error.message()};
  std::sort(files.begin(), files.end());
  Ingested all;
  for (const std::string& file : files) {
    auto bytes = FileBytes::open(file);
    if (bytes && !recognise(bytes->view())) {
      std::string why = whyBroken(file, bytes->view());
      all.notes.push_back(file + ": not read: " + (why.empty() ? "none of the known formats" : why));
      if (!why.empty()) all.broken.push_back(file + ": " + why);
      continue;
    }
    auto part = ingestFile(file, gpus);
    if (!part) return Error{part.error()};
    append(all, std::move(*part));
  }
  return all;
}

}  // namespace unwarp::cost::money
