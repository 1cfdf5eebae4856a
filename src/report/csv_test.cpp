// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CSV read back by a small RFC 4180 reader: every row has the header's columns, and cells survive.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/output_text.h"
#include "report/report.h"
#include "report/sample_result.h"

namespace unwarp::report {
namespace {

std::vector<std::vector<std::string>> parseCsv(std::string_view text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
      rows.back().back() += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      rows.back().emplace_back();
    else if (!quoted && c == '\r' && i + 1 < text.size() && text[i + 1] == '\n')
      rows.push_back({""}), ++i;
    else
      rows.back().back() += c;
  }
  rows.pop_back();
  return rows;
}

TEST(ReportCsv, HasOneRowPerSite) {
  const auto rows = parseCsv(csv(sample::small()));
  ASSERT_EQ(rows.size(), 1u + 3u + 4u + 2u);
  using Row = std::vector<std::string>;
  EXPECT_EQ(rows[0], (Row{"type", "name", "version", "layer", "status", "severity", "path", "line", "column", "count",
                          "guarded", "message"}));
  EXPECT_EQ(rows[3], (Row{"finding", "B03", "", "math", "partial", "compile", "src/reduce.cu", "30", "1", "4", "no",
                          "algorithm id has no HIP value"}));
  EXPECT_EQ(rows[6],
            (Row{"api", "cudaMalloc", "", "runtime", "port", "", "src/reduce.cu", "6", "3", "2", "yes", "hipMalloc"}));
}

TEST(ReportCsv, KeepsHostileCellsWhole) {
  EXPECT_EQ(csv(sample::hostile()).find('\x1b'), std::string::npos) << "no escape sequence reaches a terminal";
  const auto rows = parseCsv(csv(sample::hostile()));
  ASSERT_EQ(rows.size(), 10u);
  for (const auto& row : rows) ASSERT_EQ(row.size(), 12u);
  EXPECT_EQ(rows[1][6], "./" + printable(sample::hostilePath)) << "a path is no formula";
  EXPECT_EQ(rows.back()[2], " " + printable(sample::hostilePath)) << "a version is no formula";
  EXPECT_EQ(rows[1][11], printable(sample::hostilePath));
}

TEST(ReportCsv, GivesTheVersionOfADependency) {
  const auto rows = parseCsv(csv(sample::small()));
  EXPECT_EQ(rows[8][2], "") << "tensorrt declares none";
  EXPECT_EQ(rows[9][1], "torch");
  EXPECT_EQ(rows[9][2], "2.9.0");
}

TEST(ReportCsv, HasAHeaderEvenWithoutSites) {
  EXPECT_EQ(parseCsv(csv(sample::empty())).size(), 1u);
}

}  // namespace
}  // namespace unwarp::report
