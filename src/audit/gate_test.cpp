// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate's grammar and figures.
#include "audit/gate.h"

#include <gtest/gtest.h>

namespace unwarp::audit {

namespace {

result::AuditResult sample() {
  result::AuditResult out;
  for (std::size_t i = 0; i < layerNames.size(); ++i) out.layers.push_back({static_cast<Layer>(i), i, {}});
  out.totals.sites = 12;
  out.totals.byStatus[static_cast<std::size_t>(Status::None)] = 4;
  out.largestSharedBytes = 64 * 1024;
  for (auto [rule, severity, count] : {std::tuple{"W01", Severity::Silent, 2u}, std::tuple{"M02", Severity::Silent, 3u},
                                       std::tuple{"S01", Severity::Hang, 1u}, std::tuple{"N01", Severity::Info, 1u}}) {
    result::Finding finding;
    finding.rule = rule;
    finding.severity = severity;
    finding.site.count = count;
    out.findings.push_back(finding);
    out.rules.push_back({rule, rule, rule, "", "", severity});
  }
  return out;
}

/// "holds", "broken" or the error.
std::string check(std::string_view expression) {
  auto outcomes = checkGate(sample(), expression);
  if (!outcomes) return outcomes.error();
  for (const GateOutcome& outcome : *outcomes)
    if (!outcome.holds) return "broken";
  return "holds";
}

}  // namespace

TEST(Gate, ComparesEveryFigure) {
  for (std::string_view expression : {"silent==5", "hang!=0", "findings<8", "findings<=7", "sites>11", "sites>=12",
                                      "none==4", "dnn==1", "W01==2", "mask_sites==3", "width_sites==3", "lds<=64k",
                                      "lds<1m", "lds==65536", " silent == 5 , sites == 12 ", "silent==5,"})
    EXPECT_EQ(check(expression), "holds") << expression;
  for (std::string_view expression : {"silent==0", "silent==5,none==0", "lds<64k"})
    EXPECT_EQ(check(expression), "broken") << expression;
}

TEST(Gate, AConditionThatNoCountCanChangeIsRefused) {
  for (std::string_view expression : {"silent==-1", "silent<0", "sites<-1", "lds<=-1k", "dnn<0"})
    EXPECT_NE(check(expression).find("would never hold"), std::string::npos) << check(expression);
  for (std::string_view expression : {"silent>=0", "sites>-1", "W01!=-3", "hang>=-2"})
    EXPECT_NE(check(expression).find("would always hold"), std::string::npos) << check(expression);
  for (std::string_view expression : {"silent<=99999999999999999999", "sites>-99999999999999999999"})
    EXPECT_NE(check(expression).find("too large"), std::string::npos) << check(expression);
}

TEST(Gate, UnknownSharedMemoryIsNotNone) {
  result::AuditResult result = sample();
  result.unknownShared = 3;
  auto some = checkGate(result, "lds<=64k, sites==12");
  ASSERT_TRUE(some);
  EXPECT_TRUE(some->at(0).holds);
  EXPECT_EQ(some->at(0).remark, "3 kernels have shared variables of unknown size");
  EXPECT_EQ(some->at(1).remark, "");
  result.largestSharedBytes = 0;
  EXPECT_FALSE(checkGate(result, "lds<=64k")->at(0).holds) << "nothing known would hold whatever the code does";
}

TEST(Gate, BadExpressionsAreExplained) {
  EXPECT_NE(check("silent").find("needs a comparison"), std::string::npos);
  EXPECT_NE(check("silent=0").find("use =="), std::string::npos);
  EXPECT_NE(check("!silent").find("use =="), std::string::npos);
  EXPECT_NE(check("slient==0").find("did you mean silent?"), std::string::npos);
  EXPECT_NE(check("zzzzzz==0").find("unknown name"), std::string::npos);
  EXPECT_NE(check("W99==0").find("unknown name"), std::string::npos);
  for (std::string_view expression :
       {"silent==", "silent==x", "silent==1.5", "silent==k", "silent==1kk", "silent==0x10"})
    EXPECT_NE(check(expression).find("no whole number"), std::string::npos) << expression;
  EXPECT_NE(check("lds<9000000000000000000k").find("too large"), std::string::npos);
  for (std::string_view expression : {"", ",", " , "}) EXPECT_EQ(check(expression), "gate is empty");
}

TEST(Gate, WhatNoRuleWasAskedIsNoCondition) {
  auto check = [](std::vector<result::RuleOff> off, std::string_view expression) {
    result::AuditResult result = sample();
    result.rulesOff = std::move(off);
    auto outcomes = checkGate(result, expression);
    return outcomes ? std::string("fine") : outcomes.error();
  };
  using enum OffReason;
  for (OffReason reason : {Depth, Ignored, NotSelected, Preview}) {
    EXPECT_NE(check({{"M02", reason}}, "M02==0").find("'M02' are off"), std::string::npos);
    EXPECT_NE(check({{"M02", reason}}, "mask_sites==0").find("'mask_sites' are off"), std::string::npos);
    EXPECT_EQ(check({{"W01", reason}}, "width_sites==0, silent==0, M02==0, info==0, sites==0, lds<1"), "fine");
    EXPECT_NE(check({{"W01", reason}, {"S01", Ignored}}, "width_sites==0").find("are off"), std::string::npos);
    EXPECT_NE(check({{"S01", reason}}, "hang==0").find("'hang' are off"), std::string::npos);
  }
  EXPECT_EQ(check({{"M02", Target}}, "M02==0"), "fine") << "no hazard on these targets is an answer";
  result::AuditResult silent = sample();
  silent.rulesOff = {{"M02", Target}};
  auto outcomes = checkGate(silent, "M02==0, W01==0");
  ASSERT_TRUE(outcomes);
  EXPECT_EQ(outcomes->at(0).remark, "no rule behind 'M02' concerns the chosen targets");
  EXPECT_EQ(outcomes->at(1).remark, "");
  result::AuditResult result = sample();
  result.rulesOff = {{"M02", Ignored}, {"W01", NotSelected}};
  EXPECT_FALSE(checkSeverity(result, "silent"));
  EXPECT_FALSE(checkSeverity(result, "crash"));
  EXPECT_TRUE(checkSeverity(result, "hang"));
}

TEST(Gate, SeveritiesCountWhatIsWorse) {
  auto holds = [](std::string_view word) {
    result::AuditResult clean = sample();
    std::erase_if(clean.findings, [](const auto& f) { return f.severity == Severity::Silent; });
    auto outcome = checkSeverity(clean, word);
    return outcome && outcome->holds;
  };
  EXPECT_TRUE(holds("silent"));
  EXPECT_TRUE(holds("crash"));
  EXPECT_FALSE(holds("hang"));
  EXPECT_FALSE(holds("info"));
  EXPECT_FALSE(checkSeverity(sample(), "loud"));
}

}  // namespace unwarp::audit
