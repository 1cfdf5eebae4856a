// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit JSON against its contract: names, order, defaults, and that every byte sequence a tree may hold still gives
// valid JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/report.h"
#include "report/sample_assessment.h"

namespace unwarp::report {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  EXPECT_FALSE(json.is_discarded());
  return json;
}

std::vector<std::string> keysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(ReportJson, WritesTheMembersInTheOrderOfTheContract) {
  const Json audit = parsed(json(sample::small()));
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keysOf(audit),
            (Keys{"schema_version", "tool_version", "facts_date", "root", "targets", "settings", "rules_off",
                  "findings", "apis", "dependencies", "deciders", "layers", "totals", "coverage", "suppressed"}));
  EXPECT_EQ(keysOf(audit["findings"][0]), (Keys{"rule", "severity", "status", "path", "line", "column", "count",
                                                "layer", "targets", "evidence", "message", "fingerprint"}));
  EXPECT_EQ(keysOf(audit["apis"][0]), (Keys{"name", "kind", "layer", "hip", "status", "guarded", "sites"}));
  EXPECT_EQ(keysOf(audit["coverage"]), (Keys{"files", "skipped"}));
  EXPECT_EQ(keysOf(audit["coverage"]["files"][0]), (Keys{"path", "kind", "how", "notes"}));
  EXPECT_EQ(keysOf(audit["totals"]),
            (Keys{"files", "bytes", "sites", "guarded", "suppressed", "by_status", "portable_share"}));
}

TEST(ReportJson, WritesTheExactBytesOfAFindingAndAnApi) {
  const std::string text = json(sample::small());
  EXPECT_NE(
      text.find(R"({"rule":"B03","severity":"compile","status":"partial","path":"src/reduce.cu","line":30,"column":1,)"
                R"("count":4,"layer":"math","targets":["gfx90a","gfx1100"],"evidence":"lexical",)"
                R"("message":"algorithm id has no HIP value","fingerprint":"fedcba9876543210"})"),
      std::string::npos);
  EXPECT_NE(
      text.find(
          R"({"name":"cudaMalloc","kind":"function","layer":"runtime","hip":"hipMalloc","status":"port","guarded":2,)"
          R"("sites":[{"path":"src/reduce.cu","line":5,"column":3},)"
          R"({"path":"src/reduce.cu","line":6,"column":3,"count":2,"guarded":true}]})"),
      std::string::npos);
  EXPECT_NE(text.find(R"("hip":null,"status":"none","guarded":0,"sites":[{"path":"app.bin","line":0}]})"),
            std::string::npos);
  EXPECT_NE(text.find(R"("version":null)"), std::string::npos);
}

TEST(ReportJson, SaysWhatWasChosenAndWhichRulesWereOff) {
  const std::string text = json(sample::small());
  EXPECT_NE(text.find(R"("settings":[{"key":"ignore","values":["M","W03"],"origin":"project-file"}])"),
            std::string::npos);
  EXPECT_NE(text.find(R"("rules_off":[{"rule":"A05","reason":"preview"},{"rule":"M01","reason":"ignored"}])"),
            std::string::npos);
}

TEST(ReportJson, WritesTheSameBytesTwice) {
  EXPECT_EQ(json(sample::small()), json(sample::small()));
}

TEST(ReportJson, StaysValidWhateverNamesHold) {
  const std::string text = json(sample::hostile());
  const Json audit = parsed(text);
  EXPECT_EQ(audit["coverage"]["files"][0]["path"].get<std::string>(), toValidUtf8(sample::hostilePath));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(ReportJson, WritesAnEmptyResultWithAllMembers) {
  const Json audit = parsed(json(sample::empty()));
  EXPECT_TRUE(audit["findings"].empty());
  EXPECT_EQ(audit["layers"].size(), 10u);
  EXPECT_EQ(audit["totals"]["portable_share"]["gfx90a"], 1);
}

TEST(ReportJsonLines, HasOneObjectALineWithItsTypeFirst) {
  for (const result::AuditResult& audit : {sample::small(), sample::hostile(), sample::empty()}) {
    const std::string text = jsonLines(audit);
    ASSERT_TRUE(text.ends_with('\n'));
    for (const std::string_view line : split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
      const Json object = parsed(std::string(line));
      ASSERT_TRUE(object.is_object());
      EXPECT_EQ(object.begin().key(), "type");
    }
  }
}

TEST(ReportJsonLines, CarriesTheSameObjectsAsTheDocument) {
  const Json audit = parsed(json(sample::small()));
  std::size_t findings = 0, files = 0, totals = 0;
  const std::string text = jsonLines(sample::small());
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    Json object = parsed(std::string(line));
    const std::string type = object["type"];
    object.erase("type");
    if (type == "finding") {
      EXPECT_EQ(object, audit["findings"][findings++]);
    } else if (type == "file") {
      EXPECT_EQ(object, audit["coverage"]["files"][files++]);
    } else if (type == "totals") {
      EXPECT_EQ(object, audit["totals"]);
      ++totals;
    }
  }
  EXPECT_EQ(findings, 3u);
  EXPECT_EQ(files, 3u);
  EXPECT_EQ(totals, 1u);
}

TEST(ReportAssessJson, HoldsTheStagesAndTheWholeAudit) {
  const Json result = parsed(assessJson(sample::assessment()));
  EXPECT_EQ(keysOf(result), (std::vector<std::string>{"schema_version", "stages", "run", "audit"}));
  EXPECT_EQ(result["stages"][3]["state"], "not-built");
  EXPECT_EQ(result["audit"], parsed(json(sample::small())));
}

}  // namespace
}  // namespace unwarp::report
