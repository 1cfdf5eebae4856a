// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A back-test as JSON (docs/schema/backtest.schema.json) and as two tables.
#include <cmath>

#include "base/json_writer.h"
#include "base/output_text.h"
#include "cost/backtest/backtest.h"
#include "cost/quantity.h"

namespace unwarp::cost {

namespace {

/// The scores that the published JSON has under `scores` and `baselines`; the median width stands beside them.
constexpr std::size_t publishedScores = 5;

void writeNumber(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
  json.key(name);
  if (value)
    json.value(*value);
  else
    json.null();
}

void writeScores(JsonWriter& json, std::string_view name, const Scores& scores) {
  json.key(name);
  json.beginObject();
  auto values = valuesOf(scores);
  for (std::size_t k = 0; k < publishedScores; ++k) writeNumber(json, scoreNames[k], values[k]);
  json.endObject();
}

void writeIntervals(JsonWriter& json, std::string_view name, const ScoreIntervals& intervals) {
  json.key(name);
  json.beginObject();
  for (std::size_t k = 0; k < scoreNames.size(); ++k) {
    json.key(scoreNames[k]);
    if (!intervals.low[k]) {
      json.null();
      continue;
    }
    json.beginArray();
    json.value(*intervals.low[k]);
    json.value(*intervals.high[k]);
    json.endArray();
  }
  json.endObject();
}

std::string padded(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 1, ' ');
  return text;
}

/// With a blank in front at least, so that wide values never touch their neighbours.
std::string padLeft(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
}

std::string twoDecimals(double value) {
  return significant(value, std::abs(value) < 1 ? 2 : 3);
}

std::string scoreCell(const Backtest& backtest, std::size_t predictor, std::size_t score) {
  auto value = valuesOf(backtest.scores[predictor])[score];
  if (!value) return "-";
  std::string text = twoDecimals(*value);
  const ScoreIntervals& intervals = backtest.intervals[predictor];
  if (!intervals.low[score]) return text;
  return text + " (" + twoDecimals(*intervals.low[score]) + " to " + twoDecimals(*intervals.high[score]) + ")";
}

}  // namespace

std::string backtestJson(const Backtest& backtest) {
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.key("cases");
  json.beginArray();
  for (const BacktestCase& one : backtest.cases) {
    const PortPrediction& ours = one.predictions[0];
    json.beginObject();
    json.member("project", one.port.project);
    json.member("route_class", one.routeClass);
    json.member("predicted_pw", ours.personWeeks);
    json.member("low80", ours.low);
    json.member("high80", ours.high);
    writeNumber(json, "actual_pw", one.port.personWeeks);
    json.member("censored", one.port.censored);
    json.endObject();
  }
  json.endArray();
  writeScores(json, "scores", backtest.scores[0]);
  json.key("baselines");
  json.beginObject();
  for (std::size_t k = 1; k < predictorNames.size(); ++k) writeScores(json, predictorNames[k], backtest.scores[k]);
  json.endObject();
  json.key("bootstrap_90");
  json.beginObject();
  for (std::size_t k = 0; k < predictorNames.size(); ++k)
    writeIntervals(json, predictorNames[k], backtest.intervals[k]);
  json.endObject();
  writeNumber(json, "median_width", backtest.scores[0].medianWidth);
  json.member("scheme", backtest.scheme);
  json.member("trained_on", backtest.trainedOn);
  json.member("lower_bounds", backtest.bounds);
  json.key("notes");
  json.beginArray();
  for (const std::string& note : backtest.notes) json.value(note);
  json.endArray();
  json.endObject();
  return out;
}

std::string backtestText(const Backtest& backtest) {
  std::string text = "Back-test of the effort model: " + backtest.scheme + " (" + std::to_string(backtest.trainedOn) +
                     " rows with a known effort" +
                     (backtest.bounds > 0 ? ", " + std::to_string(backtest.bounds) + " with a lower bound" : "") +
                     "). Person-weeks.\n";
  for (const std::string& note : backtest.notes) text += "note: " + printable(note) + "\n";
  text += "\n";
  text += padded("project", 42) + padded("route class", 19) + padLeft("predicted", 10) + padLeft("80 % interval", 18) +
          padLeft("actual", 9) + padLeft("ratio", 7) + "\n";
  for (const BacktestCase& one : backtest.cases) {
    const PortPrediction& ours = one.predictions[0];
    std::string actual = one.port.personWeeks ? (one.port.censored ? ">" : "") + significant(*one.port.personWeeks, 3)
                                              : std::string("-");
    text += padded(clipped(printable(one.port.project), 40, "~"), 42) + padded(one.routeClass, 19) +
            padLeft(significant(ours.personWeeks, 3), 10) +
            padLeft(significant(ours.low, 2) + " to " + significant(ours.high, 2), 18) + padLeft(actual, 9) +
            padLeft(one.port.personWeeks ? significant(ours.personWeeks / *one.port.personWeeks, 2) : "-", 7) + "\n";
  }
  text += "\n" + padded("score (90 % bootstrap interval)", 34);
  for (std::string_view name : {"ours", "COCOMO organic", "route-class mean"}) text += padded(std::string(name), 24);
  text += "\n";
  constexpr std::array<std::string_view, 6> titles{"MdMRE",
                                                   "within a factor of 2",
                                                   "sd of ln(predicted/actual)",
                                                   "standardised accuracy",
                                                   "80 % interval holds",
                                                   "median width, high/low"};
  for (std::size_t score = 0; score < titles.size(); ++score) {
    text += padded(std::string(titles[score]), 34);
    for (std::size_t k = 0; k < predictorNames.size(); ++k) text += padded(scoreCell(backtest, k, score), 24);
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  return text + "\nLower bounds (>) calibrate only while the model stays below them, and are not scored.\n";
}

}  // namespace unwarp::cost
