// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published schemas and what is written stay in step.
#include <gtest/gtest.h>

#include "report/report.h"
#include "report/sample_assessment.h"
#include "report/sample_result.h"
#include "schema_checker.h"

namespace unwarp::report {
namespace {

using schema::faultsOf;
using schema::Json;
using schema::schemaFile;

TEST(ReportSchema, DescribesEveryAuditThatIsWritten) {
  for (const result::AuditResult& audit : {sample::small(), sample::empty(), sample::hostile()})
    EXPECT_EQ(faultsOf("audit.schema.json", json(audit)), std::vector<std::string>{});
}

TEST(ReportSchema, DescribesTheResultOfAssess) {
  EXPECT_EQ(faultsOf("result.schema.json", assessJson(sample::assessment())), std::vector<std::string>{});
}

TEST(ReportSchema, NamesTheClosedVocabularies) {
  const Json defs = schemaFile("audit.schema.json")["$defs"];
  EXPECT_EQ(defs["status"]["enum"], Json(statusNames));
  EXPECT_EQ(defs["severity"]["enum"], Json(severityNames));
  EXPECT_EQ(defs["layer"]["enum"], Json(layerNames));
  EXPECT_EQ(defs["evidence"]["enum"], Json(evidenceNames));
  EXPECT_EQ(defs["ruleOff"]["properties"]["reason"]["enum"], Json(offReasonNames));
  EXPECT_EQ(defs["setting"]["properties"]["origin"]["enum"], Json(originNames));
}

TEST(ReportSchema, NoticesWhatDoesNotFit) {
  std::string text = json(sample::small());
  text.replace(text.find("\"silent\""), 8, "\"loud!!\"");
  EXPECT_EQ(faultsOf("audit.schema.json", text).size(), 1u);
}

}  // namespace
}  // namespace unwarp::report
