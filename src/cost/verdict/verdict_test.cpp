// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One fixture per rule, the conflicts that the rules' page names, and the ablation: each piece of evidence taken away
// changes the answer as declared here.
#include "cost/verdict/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cost/random.h"

namespace unwarp::cost {
namespace {

const Limits limits;

/// Portable now: no kernels, libraries the same, everything read.
Evidence easy() {
  Evidence e;
  e.libraries = {{"torch", Status::DropIn, true}};
  return e;
}

Evidence withKernels(double portWeeks, double untranslatable = 0) {
  Evidence e = easy();
  e.kernels = 40;
  e.portWeeks = portWeeks;
  e.untranslatable = untranslatable;
  return e;
}

void expectDecision(const Evidence& evidence, Answer answer, int rule) {
  Decision decision = decide(evidence, limits);
  EXPECT_EQ(decision.answer, answer) << answerNames[static_cast<std::size_t>(decision.answer)];
  EXPECT_EQ(decision.rule, rule);
  EXPECT_FALSE(decision.evidence.empty());
}

TEST(Verdict, rule1NothingWrittenYet) {
  Evidence e = easy();
  e.greenfield = true;
  e.spread = Spread::MixedVendor;  // decides before rule 2
  expectDecision(e, Answer::WritePortable, 1);
}

TEST(Verdict, rule2CollectivesAcrossVendors) {
  Evidence e = easy();
  e.spread = Spread::MixedVendor;
  expectDecision(e, Answer::MostlyStuck, 2);
  EXPECT_EQ(verdictOf(e, limits).runnerUp, Answer::PortableNow);  // a pool of one vendor
}

TEST(Verdict, rule3ALibraryWithoutCounterpartOnTheHotPath) {
  Evidence e = easy();
  e.libraries.push_back({"tensorrt_llm", Status::None, true});
  expectDecision(e, Answer::StayOnCuda, 3);
  Verdict verdict = verdictOf(e, limits);
  EXPECT_EQ(verdict.runnerUp, Answer::PortableWithEffort);
  EXPECT_TRUE(verdict.gates.empty());
  e.acceptsOtherEngine = true;
  expectDecision(e, Answer::PortableWithEffort, 7);
  e.acceptsOtherEngine = false;
  e.libraries.back().hotPath = false;
  expectDecision(e, Answer::PortableWithEffort, 7);
}

TEST(Verdict, rule4OwnCollectivesOverSeveralNodes) {
  Evidence e = easy();
  e.spread = Spread::MultiNodeNccl;
  expectDecision(e, Answer::MostlyStuck, 4);
  EXPECT_EQ(verdictOf(e, limits).runnerUp, Answer::PortableWithEffort);
}

TEST(Verdict, rules3And4TogetherStay) {
  Evidence e = easy();
  e.libraries.push_back({"tensorrt_llm", Status::None, true});
  e.spread = Spread::MultiNodeNccl;
  expectDecision(e, Answer::StayOnCuda, 3);
  EXPECT_EQ(verdictOf(e, limits).runnerUp, Answer::MostlyStuck);
}

TEST(Verdict, rule5TooLittleIsKnown) {
  Evidence e = easy();
  e.coverage = 0.79;
  expectDecision(e, Answer::Undetermined, 5);
  e = easy();
  e.libraries.push_back({"deep_ep", Status::Unknown, true});
  expectDecision(e, Answer::Undetermined, 5);
  e.coverage = 0.1;
  e.libraries.push_back({"tensorrt_llm", Status::None, true});
  expectDecision(e, Answer::StayOnCuda, 3);  // a hard stop with evidence wins
}

TEST(Verdict, rule6ReinstallAndGo) {
  expectDecision(easy(), Answer::PortableNow, 6);
  Evidence e = easy();
  e.harness = false;
  Verdict verdict = verdictOf(e, limits);
  EXPECT_EQ(verdict.answer(), Answer::PortableNow);  // no harness costs, and keeps the verdict
  ASSERT_EQ(verdict.gates.size(), 3u);
  EXPECT_NE(verdict.gates[0].note.find("no harness"), std::string::npos);
}

TEST(Verdict, rule7LibrariesThatLagOrSeveralNodesThroughTheFramework) {
  Evidence e = easy();
  e.libraries.push_back({"flash-attn", Status::Partial, false});
  expectDecision(e, Answer::PortableWithEffort, 7);
  e = easy();
  e.spread = Spread::MultiNodeFramework;
  expectDecision(e, Answer::PortableWithEffort, 7);
  e = easy();
  e.frameworkSupported = false;
  expectDecision(e, Answer::PortableWithEffort, 7);
}

TEST(Verdict, rule8KernelsWithinTheLimit) {
  expectDecision(withKernels(8), Answer::PortableWithEffort, 8);
}

TEST(Verdict, rule9LargeBaseOrSitesWithoutCounterpart) {
  expectDecision(withKernels(8.1), Answer::LargeBase, 9);
  expectDecision(withKernels(1, 3), Answer::LargeBase, 9);
  Evidence e = withKernels(20);
  e.npvP50 = -1;
  expectDecision(e, Answer::StayOnCuda, 9);
}

TEST(Verdict, aFailedGateDemotes) {
  Evidence e = easy();
  e.npvP50 = -5;
  Verdict verdict = verdictOf(e, limits);
  EXPECT_EQ(verdict.decision.answer, Answer::PortableNow);
  EXPECT_EQ(verdict.answer(), Answer::StayOnCuda);
  EXPECT_EQ(verdict.gates[2].state, GateState::Failed);
  e.npvP50 = 5;
  EXPECT_EQ(verdictOf(e, limits).gates[2].state, GateState::Passed);
}

TEST(Verdict, wantOfMoneyIsForNowAndSaysSo) {
  for (Evidence e : {easy(), withKernels(4), withKernels(20), withKernels(1, 3)}) {
    e.npvP50 = -5;
    e.npvText = "USD -5 on price basis on-demand";
    Verdict verdict = verdictOf(e, limits);
    EXPECT_EQ(answerText(verdict), "stay on CUDA (for now)");
    EXPECT_EQ(verdict.reasons[0],
              "it does not pay: the net present value (P50) is negative, USD -5 on price basis on-demand");
    EXPECT_TRUE(isPositive(verdict.runnerUp));
    EXPECT_NE(verdict.runnerUpWhen.find("pays"), std::string::npos);
  }
  Evidence e = easy();
  e.libraries.push_back({"tensorrt_llm", Status::None, true});
  e.npvP50 = -5;
  Verdict verdict = verdictOf(e, limits);
  EXPECT_EQ(answerText(verdict), "stay on CUDA");  // no price helps here
  EXPECT_EQ(verdict.runnerUp, Answer::PortableWithEffort);
  EXPECT_NE(verdict.runnerUpWhen.find("another engine"), std::string::npos);
}

Evidence anyEvidence(Random& random) {
  Evidence e;
  e.greenfield = random.below(12) == 0;
  e.spread = static_cast<Spread>(random.below(spreadNames.size()));
  for (std::size_t i = random.below(4); i > 0; --i)
    e.libraries.push_back({"lib" + std::to_string(i), static_cast<Status>(random.below(5)), random.below(2) == 0});
  e.frameworkSupported = random.below(4) != 0;
  e.acceptsOtherEngine = random.below(2) == 0;
  e.kernels = static_cast<double>(random.below(3));
  e.untranslatable = e.kernels > 0 ? static_cast<double>(random.below(2)) : 0;
  e.coverage = random.below(4) == 0 ? 0.7 : 1;
  e.portWeeks = static_cast<double>(random.below(20));
  e.harness = random.below(2) == 0;
  if (std::size_t sign = random.below(3); sign > 0) e.npvP50 = sign == 1 ? -1 : 1;
  return e;
}

TEST(Verdict, reasonsRunnerUpAndFlipsNeverContradictTheAnswer) {
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    Evidence e = anyEvidence(random);
    Verdict verdict = verdictOf(e, limits);
    ASSERT_FALSE(verdict.reasons.empty());
    ASSERT_NE(verdict.runnerUp, verdict.answer()) << verdict.reasons[0];
    for (const Flip& flip : verdict.flips) ASSERT_NE(flip.answer, verdict.answer()) << flip.change;
    bool unpaid = verdict.reasons[0].find("does not pay") != std::string::npos;
    ASSERT_EQ(unpaid, verdict.forNow);
    ASSERT_EQ(verdict.forNow, verdict.answer() == Answer::StayOnCuda && verdict.decision.rule != 3);
    if (verdict.answer() == Answer::StayOnCuda && !verdict.forNow)
      ASSERT_NE(verdict.reasons[0].find("without a counterpart"), std::string::npos);
    if (isPositive(verdict.answer())) ASSERT_FALSE(e.npvP50 && *e.npvP50 < 0);
  }
}

TEST(Verdict, everyPieceOfEvidenceTurnsTheVerdictAsDeclared) {
  struct Case {
    Evidence evidence;
    std::string change;
    Answer answer;
  };
  Evidence hotNone = easy(), hotUnknown = easy(), nccl = easy(), mixed = easy(), unread = easy();
  hotNone.libraries.push_back({"tensorrt_llm", Status::None, true});
  hotUnknown.libraries.push_back({"deep_ep", Status::Unknown, true});
  nccl.spread = Spread::MultiNodeNccl;
  mixed.spread = Spread::MixedVendor;
  unread.coverage = 0.5;
  const Case cases[] = {
      {hotNone, "tensorrt_llm gets a counterpart on the target", Answer::PortableWithEffort},
      {hotNone, "another engine for the same model is accepted", Answer::PortableWithEffort},
      {hotUnknown, "deep_ep loses its counterpart on the target", Answer::StayOnCuda},
      {hotUnknown, "deep_ep gets a counterpart on the target", Answer::PortableWithEffort},
      {nccl, "distribution becomes one-node", Answer::PortableNow},
      {mixed, "distribution becomes multi-node-framework", Answer::PortableWithEffort},
      {unread, "all files can be read", Answer::PortableNow},
      {easy(), "less than 80 % of the files can be read", Answer::Undetermined},
      {easy(), "torch loses its counterpart on the target", Answer::StayOnCuda},
      {easy(), "everything is written anew", Answer::WritePortable},
      {withKernels(4), "the kernels go", Answer::PortableNow},
      {withKernels(4), "porting takes more than 8 person-weeks", Answer::LargeBase},
      {withKernels(9, 2), "porting takes at most 8 person-weeks and every site has a counterpart",
       Answer::PortableWithEffort},
      {withKernels(9), "the net present value turns negative", Answer::StayOnCuda},
  };
  for (const Case& one : cases) {
    Verdict verdict = verdictOf(one.evidence, limits);
    auto flip = std::find_if(verdict.flips.begin(), verdict.flips.end(),
                             [&](const Flip& candidate) { return candidate.change == one.change; });
    ASSERT_NE(flip, verdict.flips.end()) << one.change;
    EXPECT_EQ(flip->answer, one.answer) << one.change;
  }
}

/// Names of the routes that fit a project of so many kernels on a target.
std::vector<std::string> fitting(std::string target, double kernels, bool harness,
                                 std::vector<Library> libraries = {}) {
  auto knowledge = knowledge::Knowledge::load("");
  auto routes = loadRoutes(**knowledge);
  Project project;
  project.target = std::move(target);
  project.kernels = kernels;
  project.libraries = std::move(libraries);
  Manifest manifest;
  manifest.harness = harness;
  std::vector<std::string> names;
  for (const RouteFit& fit : routeFits(*routes, project, evidenceOf(project, Workload(), manifest), manifest)) {
    EXPECT_FALSE(fit.why.empty()) << fit.route.name;
    if (fit.fits) names.push_back(fit.route.name);
  }
  return names;
}

TEST(Routes, fitTheTargetsAndConditionsThatTheirPageNames) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(fitting("gfx942", 40, false), (Names{"hipify", "opencl", "stay", "sycl"}));
  EXPECT_EQ(fitting("gfx942", 40, true), (Names{"ai-assisted", "hipify", "opencl", "stay", "sycl"}));
  EXPECT_EQ(fitting("gfx90a", 40, false), (Names{"hipify", "opencl", "scale", "stay", "sycl"}));  // in SCALE's table
  EXPECT_EQ(fitting("gaudi3", 0, false), (Names{"gaudi", "stay"}));
  EXPECT_EQ(fitting("gaudi3", 3, false), Names{"stay"});
  EXPECT_EQ(fitting("gfx942", 0, false), (Names{"rocm-native", "stay"}));
  Library jax;
  jax.name = "jax";
  jax.status = Status::DropIn;
  EXPECT_EQ(fitting("tpu-v6e", 0, false, {jax}), (Names{"jax", "stay"}));
  EXPECT_EQ(fitting("tpu-v6e", 0, false), Names{"stay"});
}

TEST(Verdict, aTargetWithoutFactsIsUndetermined) {
  Project project;
  project.target = "gaudi3";
  Evidence e = evidenceOf(project, Workload(), Manifest());
  expectDecision(e, Answer::Undetermined, 5);
  EXPECT_NE(decide(e, limits).evidence[0].find("gaudi3"), std::string::npos);
  Workload mixed;
  mixed.spread = Spread::MixedVendor;
  expectDecision(evidenceOf(project, mixed, Manifest()), Answer::MostlyStuck, 2);  // needs no facts about the target
}

TEST(Verdict, hazardsOfTheWidthCountOnTheTargetsTheyBindOnly) {
  auto knowledge = knowledge::Knowledge::load("");
  ASSERT_TRUE(knowledge);
  result::AuditResult audit;
  audit.files.push_back({"a.cu", "cuda-source", "tokens", {}, 3400});
  auto hazard = [&](const char* rule, std::vector<std::string> targets) {
    result::Finding finding;
    finding.rule = rule;
    finding.severity = Severity::Silent;
    finding.targets = std::move(targets);
    audit.findings.push_back(finding);
  };
  hazard("W01", {"gfx942"});   // 32 lanes taken for granted: right on gfx1250
  hazard("W10", {"gfx1250"});  // 64 lanes taken for granted: right on gfx942
  audit.apis.push_back({"__global__", "keyword", "", "", Layer::Kernels, Status::DropIn, {{0, 1, 1, 1, false}}});
  for (const char* target : {"gfx942", "gfx1250"}) {
    Project project = projectOf(audit, **knowledge, target, 34);
    Evidence evidence = evidenceOf(project, Workload(), Manifest());
    ASSERT_EQ(project.rules.size(), 1u);
    EXPECT_EQ(project.rules[0].rule, std::string(target) == "gfx942" ? "W01" : "W10");
    EXPECT_EQ(evidence.hazards, 1);
    evidence.portWeeks = 2;
    expectDecision(evidence, Answer::PortableWithEffort, 8);
  }
}

}  // namespace
}  // namespace unwarp::cost
