// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/compare.h"

#include <array>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "cost/quantity.h"

namespace unwarp::cost::money {

namespace {

/// Lengths and loads that lie within this share of each other count as equal.
constexpr double tolerance = 0.1;

class Judge {
 public:
  Judge(const Measurement& a, const Measurement& b) : a_(a), b_(b) {}

  enum class When : std::uint8_t { Refuse, Mark };

  void texts(std::string_view what, std::string_view a, std::string_view b, When differ) {
    if (a.empty() && b.empty()) return;
    if (a.empty() || b.empty()) return missing(what, a.empty() ? a_ : b_);
    if (equalsIgnoreCase(a, b)) return;
    tell(std::string(what) + " differs: " + std::string(a) + " and " + std::string(b), differ);
  }
  void numbers(std::string_view what, std::optional<double> a, std::optional<double> b) {
    if (!a && !b) return;
    if (!a || !b) return missing(what, a ? b_ : a_);
    if (std::abs(*a - *b) <= tolerance * std::max(*a, *b)) return;
    tell(std::string(what) + " differs: " + significant(*a, 4) + " and " + significant(*b, 4), When::Refuse);
  }
  void tell(std::string text, When when) {
    (when == When::Refuse ? result.refusals : result.marks).push_back(std::move(text));
  }

  Comparability result;

 private:
  void missing(std::string_view what, const Measurement& where) {
    tell(std::string(what) + " is not stated by " + where.source, When::Mark);
  }
  const Measurement &a_, &b_;
};

}  // namespace

std::string titleOf(const Measurement& run) {
  std::string title = run.model.empty() ? run.source : run.model;
  for (const std::string& part : {run.workload, run.precision, run.round})
    if (!part.empty()) title += ", " + part;
  if (run.inputTokens && run.outputTokens)
    title += ", " + significant(*run.inputTokens, 4) + " in " + significant(*run.outputTokens, 4) + " out";
  if (run.concurrency) title += ", concurrency " + significant(*run.concurrency, 4);
  return title;
}

std::string modelKey(std::string_view model) {
  std::string key = toLower(model.substr(model.rfind('/') + 1));
  constexpr std::array<std::string_view, 12> endings{"-mxfp4", "-nvfp4", "-fp4",  "-fp8",  "-int4",   "-int8",
                                                     "-awq",   "-gptq",  "-bf16", "-fp16", "-fp8-kv", "-dynamic"};
  for (bool cut = true; cut;) {
    cut = false;
    for (std::string_view ending : endings)
      if (key.ends_with(ending)) {
        key.resize(key.size() - ending.size());
        cut = true;
      }
  }
  return key;
}

int precisionBits(std::string_view precision) {
  std::string lower = toLower(precision);
  if (lower == "tf32") return 32;
  for (auto [digits, bits] : {std::pair<std::string_view, int>{"64", 64}, {"32", 32}, {"16", 16}, {"8", 8}, {"4", 4}})
    if (lower.find(digits) != std::string::npos) return bits;
  return 0;
}

Comparability compare(const Measurement& a, const Measurement& b) {
  using When = Judge::When;
  Judge judge(a, b);
  for (const Measurement* m : {&a, &b}) {
    if (!m->unfit.empty()) judge.tell(m->source + ": " + m->unfit, When::Refuse);
    for (const std::string& mark : m->marks) judge.tell(m->source + ": " + mark, When::Mark);
  }
  judge.texts("workload", a.workload, b.workload, When::Refuse);
  judge.texts("model", modelKey(a.model), modelKey(b.model), When::Refuse);
  if (modelKey(a.model) == modelKey(b.model)) judge.texts("checkpoint", a.model, b.model, When::Mark);
  int bitsA = precisionBits(a.precision), bitsB = precisionBits(b.precision);
  bool sameWidth = bitsA == bitsB && bitsA != 0;
  judge.texts("precision", a.precision, b.precision, sameWidth ? When::Mark : When::Refuse);
  judge.numbers("input length", a.inputTokens, b.inputTokens);
  judge.numbers("output length", a.outputTokens, b.outputTokens);
  judge.numbers("concurrency", a.concurrency, b.concurrency);
  judge.numbers("request rate", a.requestRatePerS, b.requestRatePerS);
  judge.texts("accuracy gate", a.accuracyGate, b.accuracyGate, When::Refuse);
  judge.texts("round", a.round, b.round, When::Refuse);
  judge.texts("engine", a.engine, b.engine, When::Mark);
  if (a.engine == b.engine) judge.texts("engine version", a.engineVersion, b.engineVersion, When::Mark);
  bool noAccuracy = a.accuracyGate.empty() && b.accuracyGate.empty() && (a.accuracy.empty() || b.accuracy.empty());
  if (noAccuracy) judge.tell("no accuracy stands beside the figures: faster may be wrong", When::Mark);
  return judge.result;
}

}  // namespace unwarp::cost::money
