// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF: what a code-scanning upload insists on, and the limits it sets.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "report/report.h"
#include "report/sample_result.h"

namespace unwarp::report {
namespace {

using Json = nlohmann::json;

Json runOf(const result::AuditResult& audit) {
  const Json log = Json::parse(sarif(audit), nullptr, false);
  EXPECT_FALSE(log.is_discarded());
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_TRUE(log["$schema"].is_string());
  EXPECT_EQ(log["runs"].size(), 1u);
  return log["runs"][0];
}

TEST(ReportSarif, DescribesTheToolAndEveryRule) {
  const Json driver = runOf(sample::small())["tool"]["driver"];
  EXPECT_EQ(driver["name"], "unwarp");
  EXPECT_EQ(driver["semanticVersion"], "0.1.0");
  ASSERT_EQ(driver["rules"].size(), 3u) << "two described, one known only from a suppression";
  for (const Json& rule : driver["rules"]) {
    for (const char* key : {"id", "name", "shortDescription", "fullDescription", "help", "properties"})
      EXPECT_TRUE(rule.contains(key)) << key;
    EXPECT_TRUE(rule["help"].contains("markdown"));
    EXPECT_FALSE(rule.contains("helpUri"));
    EXPECT_LE(rule["properties"]["tags"].size(), 10u);
  }
  EXPECT_EQ(driver["rules"][1]["properties"]["problem.severity"], "error");
}

TEST(ReportSarif, OrdersBySeverityAndMapsLevels) {
  const Json results = runOf(sample::small())["results"];
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0]["ruleId"], "W01");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[2]["level"], "warning");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "src/reduce.cu");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 10);
  EXPECT_EQ(results[0]["ruleIndex"], 1);
}

TEST(ReportSarif, TellsEqualFingerprintsApart) {
  const Json results = runOf(sample::small())["results"];
  EXPECT_EQ(results[0]["partialFingerprints"]["primaryLocationLineHash"], "0123456789abcdef:1");
  EXPECT_EQ(results[1]["partialFingerprints"]["primaryLocationLineHash"], "0123456789abcdef:2");
}

TEST(ReportSarif, CarriesSuppressionsWithTheirReason) {
  const Json last = runOf(sample::small())["results"].back();
  EXPECT_EQ(last["suppressions"][0]["justification"], "masks are 32 lanes by design");
  EXPECT_EQ(last["suppressions"][0]["kind"], "inSource");
}

TEST(ReportSarif, StartsBinariesAtLineOne) {
  result::AuditResult audit = sample::small();
  audit.findings[0].site = {0, 0, 0, 1, false};
  EXPECT_EQ(runOf(audit)["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
}

TEST(ReportSarif, EncodesEveryByteOfAPath) {
  const Json run = runOf(sample::hostile());
  const std::string uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  EXPECT_TRUE(uri.starts_with("%3Da%2C%22b%22%0D%0A")) << uri;
  EXPECT_NE(uri.find("%FF"), std::string::npos);
  for (const char c : uri) EXPECT_GT(c, ' ');
}

TEST(ReportSarif, FoldsRepeatedHitsOfAFileIntoRelatedLocations) {
  const Json run = runOf(sample::many(1, 1300));
  ASSERT_EQ(run["results"].size(), 101u);
  const Json& last = run["results"][99];
  EXPECT_EQ(last["relatedLocations"].size(), 999u);
  EXPECT_EQ(last["relatedLocations"][998]["id"], 999);
  EXPECT_NE(last["message"]["text"].get<std::string>().find("1,200 further places"), std::string::npos);
  EXPECT_EQ(run["properties"]["hitsAsRelatedLocations"], 999);
  EXPECT_EQ(run["properties"]["hitsCountedOnly"], 201);
}

TEST(ReportSarif, KeepsToTheLimitsAndSaysWhatItLeftOut) {
  const Json run = runOf(sample::many(600, 50));
  EXPECT_EQ(run["results"].size(), 25000u);
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"].back()["level"], "warning");
  EXPECT_EQ(run["properties"]["resultsLeftOut"], 5001) << "the suppressed one comes last";
  const std::string note = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
  EXPECT_NE(note.find("5,001 results"), std::string::npos);
  std::set<std::string> hashes;
  for (const Json& result : run["results"])
    EXPECT_TRUE(hashes.insert(result["partialFingerprints"]["primaryLocationLineHash"]).second);
}

TEST(ReportSarif, StopsBeforeTenMegabytesWhenNothingRepeats) {
  result::AuditResult audit = sample::many(200, 50);
  for (std::size_t i = 0; i < audit.findings.size(); ++i)
    audit.findings[i].message = std::string(2000, static_cast<char>('a' + i % 26));
  EXPECT_LT(sarif(audit).size(), 16'000'000u);
  EXPECT_GT(runOf(audit)["properties"]["resultsLeftOut"], 1000);
}

TEST(ReportSarif, NamesTheRulesThatWereOffByReason) {
  const Json invocation = runOf(sample::small())["invocations"][0];
  const Json& notes = invocation["toolConfigurationNotifications"];
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0]["message"]["text"], "1 rule was not applied (ignored): M01");
  EXPECT_EQ(notes[0]["level"], "warning") << "somebody chose that, so silence is no clean bill";
  EXPECT_EQ(notes[0]["descriptor"]["id"], "rules-off-ignored");
  EXPECT_EQ(notes[1]["message"]["text"], "1 rule was not applied (in preview): A05");
  EXPECT_EQ(notes[1]["level"], "note");
  EXPECT_FALSE(runOf(sample::empty())["invocations"][0].contains("toolConfigurationNotifications"));
}

TEST(ReportSarif, IsValidWithoutFindings) {
  EXPECT_TRUE(runOf(sample::empty())["results"].empty());
}

}  // namespace
}  // namespace unwarp::report
