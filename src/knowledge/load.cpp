// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per table. A word outside its vocabulary, a missing date or an unknown layer word is an error with its
// place.
#include "knowledge/load.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "knowledge/table.h"

namespace unwarp::knowledge {

namespace {

using LayerMap = std::unordered_map<std::string_view, Layer>;

/// Reads words of closed vocabularies out of a table; remembers the first failure.
class Cells {
 public:
  explicit Cells(const Table& table) : table_(table) {}

  template <class Enum, std::size_t N>
  Enum word(const std::array<std::string_view, N>& names, std::size_t row, std::size_t column) {
    if (auto value = fromName<Enum>(names, table_.cell(row, column))) return *value;
    fail(row, column, "unknown word '" + std::string(table_.cell(row, column)) + "'");
    return Enum{};
  }
  Layer layer(const LayerMap& layers, std::size_t row, std::size_t column) {
    auto it = layers.find(table_.cell(row, column));
    if (it != layers.end()) return it->second;
    fail(row, column, "'" + std::string(table_.cell(row, column)) + "' is not in layers.tsv");
    return Layer::Runtime;
  }
  Provenance provenance(std::size_t row, std::size_t column) {
    if (!isDate(table_.cell(row, column + 1))) fail(row, column + 1, "must be YYYY, YYYY-MM or YYYY-MM-DD");
    return {table_.cell(row, column), table_.cell(row, column + 1)};
  }
  int number(std::size_t row, std::size_t column) {
    auto value = parseDecimal(table_.cell(row, column));
    bool fits = value && *value >= 0 && *value <= 1'000'000;
    if (!fits) fail(row, column, "must be a whole number from 0 to 1000000");
    return fits ? static_cast<int>(*value) : 0;
  }
  void fail(std::size_t row, std::size_t column, const std::string& message) {
    if (error_.empty()) error_ = table_.where(row, column) + message;
  }
  const std::string& error() const { return error_; }

 private:
  const Table& table_;
  std::string error_;
};

std::string loadLayers(const TextFile& file, Records& out, LayerMap& layers) {
  auto table = Table::parse(file.name, file.text, {{"word", true}, {"layer", true}, {"source", true}, {"as_of", true}});
  if (!table) return table.error();
  Cells cells(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    if (!layers.emplace(table->cell(row, 0), cells.word<Layer>(layerNames, row, 1)).second)
      cells.fail(row, 0, "'" + std::string(table->cell(row, 0)) + "' stands there twice");
    cells.provenance(row, 2);
    out.layerWords.emplace_back(table->cell(row, 0), table->cell(row, 1));
  }
  return cells.error();
}

std::string loadApis(const TextFile& file, Records& out, const LayerMap& layers) {
  auto table = Table::parse(file.name, file.text,
                            {{"name", true},
                             {"kind", true},
                             {"library", true},
                             {"hip", false},
                             {"roc", false},
                             {"status", true},
                             {"context", true},
                             {"cuda_since", false},
                             {"cuda_deprecated", false},
                             {"cuda_removed", false},
                             {"hip_since", false},
                             {"hip_removed", false},
                             {"note", false},
                             {"source", true},
                             {"as_of", true}});
  if (!table) return table.error();
  static constexpr std::array<std::string_view, 10> kinds{"function",  "type",  "enum",    "define",    "header",
                                                          "namespace", "class", "keyword", "intrinsic", "instruction"};
  Cells cells(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return table->cell(row, column); };
    cells.word<std::uint8_t>(kinds, row, 1);
    out.apis.push_back({cell(0), cell(1), cell(2), cell(3), cell(4), cells.layer(layers, row, 2),
                        cells.word<Status>(statusNames, row, 5), cells.word<Context>(contextNames, row, 6), cell(7),
                        cell(8), cell(9), cell(10), cell(11), cell(12), cells.provenance(row, 13)});
  }
  return cells.error();
}

std::vector<std::pair<std::string_view, Status>> parseByTarget(Cells& cells, const Records& out, std::string_view text,
                                                               std::size_t row) {
  std::vector<std::pair<std::string_view, Status>> result;
  if (text.empty()) return result;
  for (std::string_view piece : split(text, ';')) {
    std::size_t equals = piece.find('=');
    bool known = out.devices.empty() ||  // a folder of tests without devices
                 std::any_of(out.devices.begin(), out.devices.end(),
                             [&](const Device& device) { return device.target == piece.substr(0, equals); });
    if (!known) cells.fail(row, 6, "'" + std::string(piece.substr(0, equals)) + "' is not in devices.tsv");
    auto status =
        equals == std::string_view::npos ? std::nullopt : fromName<Status>(statusNames, piece.substr(equals + 1));
    if (!status) {
      cells.fail(row, 6, "must be TARGET=STATUS;...");
      return result;
    }
    result.emplace_back(piece.substr(0, equals), *status);
  }
  return result;
}

/// A pattern without a letter would match every name of its ecosystem.
void checkPatterns(Cells& cells, std::string_view match, std::size_t row) {
  while (true) {
    std::size_t bar = match.find(" | ");
    if (match.substr(0, bar).find_first_not_of("*? ") == std::string_view::npos)
      return cells.fail(row, 2, "holds a pattern of nothing but wildcards");
    if (bar == std::string_view::npos) return;
    match.remove_prefix(bar + 3);
  }
}

std::string loadDependencies(const TextFile& file, Records& out, const LayerMap& layers) {
  auto table = Table::parse(file.name, file.text,
                            {{"id", true},
                             {"ecosystem", true},
                             {"match", true},
                             {"word", true},
                             {"counterpart", false},
                             {"status", true},
                             {"by_target", false},
                             {"confirmed", true},
                             {"note", false},
                             {"source", true},
                             {"as_of", true}});
  if (!table) return table.error();
  static constexpr std::array<std::string_view, 2> yesNo{"no", "yes"};
  Cells cells(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return table->cell(row, column); };
    checkPatterns(cells, cell(2), row);
    out.dependencies.push_back({cell(0), cells.word<Ecosystem>(ecosystemNames, row, 1), cell(2), cell(3),
                                cells.layer(layers, row, 3), cell(4), cells.word<Status>(statusNames, row, 5),
                                parseByTarget(cells, out, cell(6), row), cells.word<std::uint8_t>(yesNo, row, 7) == 1,
                                cell(3) == "false-positive" || cell(4) == "already AMD", cell(8),
                                cells.provenance(row, 9)});
  }
  return cells.error();
}

std::string loadDevices(const TextFile& file, Records& out) {
  static const std::vector<Column> columns{{"target", true},
                                           {"name", true},
                                           {"vendor", true},
                                           {"arch", true},
                                           {"width", true},
                                           {"lds_kb", true},
                                           {"fp8", true},
                                           {"fp4", true},
                                           {"tf32", true},
                                           {"memory_gb", false},
                                           {"bandwidth_tbs", false},
                                           {"fp64_tflops", false},
                                           {"fp32_tflops", false},
                                           {"fp16_tflops", false},
                                           {"fp8_tflops", false},
                                           {"fp4_tflops", false},
                                           {"tdp_w", false},
                                           {"evidence", true},
                                           {"disputed", false},
                                           {"source", true},
                                           {"as_of", true}};
  auto table = Table::parse(file.name, file.text, columns);
  if (!table) return table.error();
  static constexpr std::array<std::string_view, 4> dialects{"fnuz", "ocp", "none", "unknown"};
  static constexpr std::array<std::string_view, 3> answers{"yes", "no", "unknown"};
  static constexpr std::array<std::string_view, 3> evidences{"read", "recalled", "mixed"};
  Cells cells(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return table->cell(row, column); };
    if (cell(4) != "32" && cell(4) != "64" && cell(4) != "0") cells.fail(row, 4, "must be 32, 64 or 0");
    cells.word<std::uint8_t>(dialects, row, 6);
    cells.word<std::uint8_t>(answers, row, 7);
    cells.word<std::uint8_t>(answers, row, 8);
    cells.word<std::uint8_t>(evidences, row, 17);
    Device device{
        cell(0), cell(1),  cell(2),  cell(3), cells.number(row, 4),     cells.number(row, 5), cell(6), cell(7),
        cell(8), cell(17), cell(18), {},      cells.provenance(row, 19)};
    for (std::size_t column = 9; column <= 16; ++column)
      device.figures.emplace_back(columns[column].name, cell(column));
    out.devices.push_back(std::move(device));
  }
  return cells.error();
}

std::string loadPlatforms(const TextFile& file, Records& out) {
  auto table = Table::parse(file.name, file.text,
                            {{"name", true},
                             {"released", false},
                             {"line", true},
                             {"status", true},
                             {"hip", false},
                             {"note", false},
                             {"source", true},
                             {"as_of", true}});
  if (!table) return table.error();
  Cells cells(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return table->cell(row, column); };
    out.platforms.push_back({cell(0), cell(1), cell(2), cell(3), cell(4), cell(5), cells.provenance(row, 6)});
  }
  return cells.error();
}

std::string loadChanges(const TextFile& file, Records& out) {
  auto table = Table::parse(file.name, file.text,
                            {{"kind", true},
                             {"name", true},
                             {"change", true},
                             {"since", true},
                             {"replacement", false},
                             {"source", true},
                             {"as_of", true}});
  if (!table) return table.error();
  Cells cells(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return table->cell(row, column); };
    out.changes.push_back({cell(0), cell(1), cell(2), cell(3), cell(4), cells.provenance(row, 5)});
  }
  return cells.error();
}

std::string loadFamilies(const TextFile& file, Records& out, const LayerMap& layers) {
  auto table =
      Table::parse(file.name, file.text,
                   {{"word", true}, {"label", true}, {"counterpart", true}, {"source", true}, {"as_of", true}});
  if (!table) return table.error();
  Cells cells(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return table->cell(row, column); };
    cells.layer(layers, row, 0);
    out.families.push_back({cell(0), cell(1), cell(2), cells.provenance(row, 3)});
  }
  return cells.error();
}

std::string loadSemantics(const TextFile& file, Records& out) {
  auto table = Table::parse(
      file.name, file.text,
      {{"api", true}, {"topic", true}, {"difference", true}, {"rule", true}, {"source", true}, {"as_of", true}});
  if (!table) return table.error();
  Cells cells(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return table->cell(row, column); };
    out.semantics.push_back({cell(0), cell(1), cell(2), cell(3), cells.provenance(row, 4)});
  }
  return cells.error();
}

std::string loadFile(const TextFile& file, Records& out, const LayerMap& layers) {
  std::string_view name = file.name;
  constexpr std::string_view folder = "knowledge/";
  if (name.starts_with(folder)) name.remove_prefix(folder.size());
  if (name.starts_with("apis/")) return loadApis(file, out, layers);
  if (name == "dependencies.tsv") return loadDependencies(file, out, layers);
  if (name == "platforms.tsv") return loadPlatforms(file, out);
  if (name == "changes.tsv") return loadChanges(file, out);
  if (name == "families.tsv") return loadFamilies(file, out, layers);
  if (name == "semantics.tsv") return loadSemantics(file, out);
  if (name.starts_with("cost/")) {
    out.costTables.push_back(file);
    return {};
  }
  if (name.starts_with("rules/")) {
    Result<Rule> rule = loadRule(file);
    if (!rule) return rule.error();
    out.rules.push_back(std::move(*rule));
    return {};
  }
  return std::string(file.name) + ": not a file of knowledge/ (see knowledge/README.md)";
}

}  // namespace

bool isDate(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool dash = i == 4 || i == 7;
    if (dash != (text[i] == '-') || (!dash && (text[i] < '0' || text[i] > '9'))) return false;
  }
  auto within = [&](std::size_t at, std::int64_t most) {
    auto number = parseDecimal(text.substr(at, 2));
    return number && *number >= 1 && *number <= most;
  };
  return (text.size() < 7 || within(5, 12)) && (text.size() < 10 || within(8, 31));
}

bool isKnowledgeFile(std::string_view name) {
  return name.ends_with(".tsv") || name.ends_with("/FACTS_DATE") ||
         (name.starts_with("knowledge/rules/") && name.ends_with(".md") && !name.ends_with("/README.md"));
}

Result<Records> loadRecords(const std::vector<TextFile>& files) {
  Records records;
  LayerMap layers;
  for (const TextFile& file : files) {
    if (file.name == "knowledge/FACTS_DATE") records.factsDate = trim(file.text);
    if (file.name == "knowledge/layers.tsv") {
      std::string error = loadLayers(file, records, layers);
      if (!error.empty()) return Error{error};
    }
  }
  for (const TextFile& file : files) {
    if (file.name != "knowledge/devices.tsv") continue;
    std::string error = loadDevices(file, records);
    if (!error.empty()) return Error{error};
  }
  if (!isDate(records.factsDate)) return Error{"knowledge/FACTS_DATE: missing, or not a date"};
  for (const TextFile& file : files) {
    if (file.name == "knowledge/FACTS_DATE" || file.name == "knowledge/layers.tsv" ||
        file.name == "knowledge/devices.tsv")
      continue;
    std::string error = loadFile(file, records, layers);
    if (!error.empty()) return Error{error};
  }
  return records;
}

}  // namespace unwarp::knowledge
