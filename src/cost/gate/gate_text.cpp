// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gate's report for people, for programs, and as one line of a history. Nothing here knows the time of day: the date
// of a line is that of the newest candidate run, so the same files give the same bytes.
#include <cmath>

#include "base/json_writer.h"
#include "base/output_text.h"
#include "base/words.h"
#include "cost/gate/gate.h"
#include "cost/quantity.h"

namespace unwarp::cost::gate {

namespace {

/// A log ratio as a change in percent with its sign.
std::string percent(double logRatio) {
  double change = 100 * std::expm1(logRatio);
  return (change >= 0 ? "+" : "") + significant(std::abs(change) < 0.005 ? 0 : change, 3) + " %";
}

std::string padded(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 1, ' ');
  return text;
}

std::string metricLine(const Metric& metric, const Options& options) {
  std::string line =
      "  " + padded(metric.name, 12) + padded(std::string(nameOf(outcomeNames, metric.outcome)), 14) +
      padded(significant(metric.base, 4) + " -> " + significant(metric.candidate, 4) + " " + metric.unit, 44);
  if (metric.ratio)
    line += percent(metric.ratio->estimate) + " (" + percent(metric.ratio->low) + " to " + percent(metric.ratio->high) +
            ")";
  line += "; margin " + significant(100 * metric.margin, 2) + " %";
  if (metric.power)
    line += ", power " + significant(*metric.power, 2) + " for " + significant(100 * options.effect, 2) + " %";
  if (metric.furtherRuns) line += ", about " + std::to_string(*metric.furtherRuns) + " further runs a side";
  if (!metric.note.empty()) line += "; " + metric.note;
  return line + "\n";
}

void writeMetric(JsonWriter& json, const Metric& metric) {
  json.beginObject();
  json.member("name", metric.name);
  json.member("unit", metric.unit);
  json.member("outcome", nameOf(outcomeNames, metric.outcome));
  json.member("margin", metric.margin);
  json.member("base", metric.base);
  json.member("candidate", metric.candidate);
  for (auto [name, value] :
       {std::pair{"ratio", &LogRatio::estimate}, {"low", &LogRatio::low}, {"high", &LogRatio::high}}) {
    json.key(name);
    if (metric.ratio)
      json.value(std::exp(*metric.ratio.*value));
    else
      json.null();
  }
  json.key("power");
  if (metric.power)
    json.value(*metric.power);
  else
    json.null();
  json.key("further_runs");
  if (metric.furtherRuns)
    json.value(*metric.furtherRuns);
  else
    json.null();
  json.memberOrNull("note", metric.note);
  json.endObject();
}

void writeStrings(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name);
  json.beginArray();
  for (const std::string& text : texts) json.value(text);
  json.endArray();
}

void writePair(JsonWriter& json, const Pair& pair) {
  json.beginObject();
  json.member("title", pair.title);
  json.member("base_runs", pair.baseRuns);
  json.member("candidate_runs", pair.candidateRuns);
  json.key("metrics");
  json.beginArray();
  for (const Metric& metric : pair.metrics) writeMetric(json, metric);
  json.endArray();
  writeStrings(json, "marks", pair.marks);
  json.endObject();
}

}  // namespace

std::string terminalText(const Report& report) {
  std::string text(nameOf(outcomeNames, report.outcome));
  text += ": all intervals hold together at " + significant(100 * (1 - report.options.alpha), 3) + " %\n";
  for (const std::string& what : report.missing) text += "missing: " + printable(what) + "\n";
  for (const Pair& pair : report.pairs) {
    text += "\n" + printable(pair.title) + " (" + std::to_string(pair.baseRuns) + " base, " +
            std::to_string(pair.candidateRuns) + " candidate runs)\n";
    for (const Metric& metric : pair.metrics) text += metricLine(metric, report.options);
    for (const std::string& mark : pair.marks) text += "  note: " + printable(mark) + "\n";
  }
  for (const std::string& why : report.unmatched) text += "\nleft out: " + printable(why) + "\n";
  return text;
}

std::string jsonText(const Report& report) {
  std::string text;
  JsonWriter json(text);
  json.beginObject();
  json.member("schema_version", "1.0.0");
  json.member("outcome", nameOf(outcomeNames, report.outcome));
  json.memberOrNull("candidate_date", report.candidateDate);
  json.member("alpha", report.options.alpha);
  json.key("pairs");
  json.beginArray();
  for (const Pair& pair : report.pairs) writePair(json, pair);
  json.endArray();
  writeStrings(json, "missing", report.missing);
  writeStrings(json, "left_out", report.unmatched);
  json.endObject();
  return text;
}

}  // namespace unwarp::cost::gate
