// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/sidecar.h"

#include <cmath>

#include "base/text.h"
#include "base/toml.h"

namespace unwarp::cost::money {

namespace {

constexpr std::array<std::string_view, 12> keys{"gpu",    "gpus",           "model",         "precision",
                                                "engine", "engine_version", "workload",      "isl",
                                                "osl",    "accuracy",       "accuracy_gate", "date"};

/// The text members of a measurement by key.
std::string* textMember(Measurement& m, std::string_view key) {
  if (key == "gpu") return &m.gpu;
  if (key == "model") return &m.model;
  if (key == "precision") return &m.precision;
  if (key == "engine") return &m.engine;
  if (key == "engine_version") return &m.engineVersion;
  if (key == "workload") return &m.workload;
  if (key == "accuracy") return &m.accuracy;
  if (key == "accuracy_gate") return &m.accuracyGate;
  return key == "date" ? &m.date : nullptr;
}

struct Sidecar {
  const std::string& file;
  Reading& reading;

  void fail(const TomlEntry& entry, std::string what, std::string fix) {
    reading.fail(0, file + ":" + std::to_string(entry.line) + " " + entry.key, std::move(what), std::move(fix));
  }
  void setText(const TomlEntry& entry, std::string& member, const std::string& value) {
    if (member.empty())
      member = value;
    else if (!equalsIgnoreCase(member, value))
      fail(entry, "says '" + value + "' but the benchmark says '" + member + "'", "correct the one that is wrong");
  }
  void setNumber(const TomlEntry& entry, Measurement& m, double value) {
    if (entry.key == "gpus") {
      if (m.gpus && *m.gpus != static_cast<int>(value))
        return fail(entry, "says " + entry.values[0].text + " but the benchmark says " + std::to_string(*m.gpus),
                    "correct the one that is wrong");
      m.gpus = static_cast<int>(value);
      return;
    }
    std::optional<double>& member = entry.key == "isl" ? m.inputTokens : m.outputTokens;
    if (!member) member = value;
  }
  void apply(const TomlEntry& entry) {
    const std::string& value = entry.values[0].text;
    if (entry.key == "gpus" || entry.key == "isl" || entry.key == "osl") {
      auto number = parseNumber(value);
      if (!number || *number < 1 || *number > 1e9 || *number != std::floor(*number))
        return fail(entry, "'" + value + "' is no count", "write a whole number of at least 1");
      for (Measurement& m : reading.out().measurements) setNumber(entry, m, *number);
      return;
    }
    std::string text = value;
    if (entry.key == "gpu") {
      text = reading.gpus().find(value);
      if (text.empty()) return fail(entry, reading.gpus().unknown(value), "name one GPU");
    }
    if (entry.key == "date" && !parseDate(value))
      return fail(entry, "'" + value + "' is no date of the calendar", "write it as YYYY-MM-DD");
    for (Measurement& m : reading.out().measurements) setText(entry, *textMember(m, entry.key), text);
  }
};

}  // namespace

void applySidecar(const std::string& file, std::string_view text, Reading& reading) {
  std::vector<TomlEntry> entries;
  Sidecar sidecar{file, reading};
  if (auto fault = readTomlEntries(text, entries))
    return reading.fail(0, file + ":" + std::to_string(fault->line), fault->what, "write key = value");
  for (const TomlEntry& entry : entries) {
    if (entry.isList || std::find(keys.begin(), keys.end(), entry.key) == keys.end()) {
      std::string_view near = nearest(entry.key, {keys.begin(), keys.end()});
      return sidecar.fail(entry, "is no key of a sidecar",
                          near.empty() ? "see docs/cost-money.md" : "did you mean " + std::string(near) + "?");
    }
    sidecar.apply(entry);
  }
}

}  // namespace unwarp::cost::money
