// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to do with one workload on one target, by nine rules of which the first that holds decides. Feasibility comes
// first (what binds), price last (what it is worth): a rule never weighs. Each verdict carries the evidence it rests
// on, what it would be otherwise, and which single changes turn it; those are found by changing each piece of evidence
// and deciding again, so that they cannot disagree with the rules.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "cost/effort/estimate.h"
#include "cost/manifest/manifest.h"

namespace unwarp::cost {

enum class Answer : std::uint8_t {
  PortableNow,
  PortableWithEffort,
  LargeBase,
  StayOnCuda,
  MostlyStuck,
  WritePortable,
  Undetermined
};
inline constexpr std::array<std::string_view, 7> answerNames{
    "portable now",   "portable with effort", "portable with effort (large base)", "stay on CUDA", "mostly stuck",
    "write portable", "undetermined"};
/// Whether work follows: gates apply, effort is spent.
constexpr bool isPositive(Answer answer) {
  return answer == Answer::PortableNow || answer == Answer::PortableWithEffort || answer == Answer::LargeBase;
}

struct LibraryEvidence {
  std::string name;
  Status status = Status::Unknown;
  bool hotPath = false;
};

/// All that the rules look at.
struct Evidence {
  bool greenfield = false;
  std::string factlessTarget;  ///< a target that no table knows libraries and hazards of; empty: facts are there
  Spread spread = Spread::SingleGpu;
  std::vector<LibraryEvidence> libraries;
  bool frameworkSupported = true;
  bool acceptsOtherEngine = false;  ///< another engine for the same model, benchmarked again
  double kernels = 0;
  double untranslatable = 0;  ///< sites in kernels without a counterpart on the target
  double hazards = 0;         ///< sites that compile and give wrong results or hang
  double coverage = 1;        ///< share of files that could be read
  double portWeeks = 0;       ///< P50 of porting alone
  bool harness = false;
  std::optional<double> npvP50;        ///< in any currency; none: no prices or no benchmark
  std::string npvText;                 ///< for readers: amount, horizon, price basis
  std::optional<bool> dependsOnBasis;  ///< the sign of the saving turns with the price basis
};

struct Limits {
  double portWeeks = 8, coverage = 0.8;
};

struct Decision {
  Answer answer = Answer::Undetermined;
  int rule = 0;
  std::vector<std::string> evidence;
};
Decision decide(const Evidence& evidence, const Limits& limits);

/// A single change of the evidence that changes the answer.
struct Flip {
  std::string change;
  Answer answer;
};

enum class GateState : std::uint8_t { Open, Passed, Failed };
inline constexpr std::array<std::string_view, 3> gateStateNames{"open", "passed", "failed"};
struct VerdictGate {
  std::string name, note;
  GateState state = GateState::Open;
};

struct Verdict {
  Decision decision;                 ///< by the rules alone; what the rules said before a gate failed
  std::vector<std::string> reasons;  ///< for answer(): the decision's evidence, or the gate that failed and then it
  Answer runnerUp = Answer::Undetermined;
  std::string runnerUpWhen;
  std::vector<Flip> flips;
  std::vector<VerdictGate> gates;  ///< empty unless the answer is positive
  std::string confidence;          ///< high, medium, low
  bool demoted = false;            ///< a failed gate turned a positive answer
  bool forNow = false;             ///< it stays for want of money, not of a way: a price can turn it
  Answer answer() const { return demoted ? Answer::StayOnCuda : decision.answer; }
};
/// "stay on CUDA (for now)"
std::string answerText(const Verdict& verdict);
Verdict verdictOf(const Evidence& evidence, const Limits& limits);

/// Whether a route fits, and why (not).
struct RouteFit {
  Route route;
  bool fits = false;
  std::string why;
};
std::vector<RouteFit> routeFits(const std::vector<Route>& routes, const Project& project, const Evidence& evidence,
                                const Manifest& manifest);

Evidence evidenceOf(const Project& project, const Workload& workload, const Manifest& manifest);

}  // namespace unwarp::cost
