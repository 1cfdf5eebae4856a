// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page: self-contained, well formed enough for a strict tag walk, escaped, and under its size whatever the audit
// found.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "report/report.h"
#include "report/sample_assessment.h"

namespace unwarp::report {
namespace {

/// Walks the tags between <body> and <script>; empty when every element closes in order, else what is wrong.
std::string nestingFault(std::string_view page) {
  static const std::set<std::string_view> voids{"br", "meta", "input", "rect"};
  std::vector<std::string_view> open;
  std::size_t at = page.find("<body>");
  const std::size_t end = page.rfind("<script>");
  while ((at = page.find('<', at)) < end) {
    const std::size_t close = page.find('>', at);
    std::string_view tag = page.substr(at + 1, close - at - 1);
    at = close;
    const bool closes = tag.starts_with('/');
    if (closes) tag.remove_prefix(1);
    const std::string_view element = tag.substr(0, tag.find_first_of(" /"));
    if (closes) {
      if (open.empty() || open.back() != element) return "unexpected </" + std::string(element) + ">";
      open.pop_back();
    } else if (!voids.contains(element)) {
      open.push_back(element);
    }
  }
  return open == std::vector<std::string_view>{"body"} ? "" : "unclosed element";
}

TEST(ReportHtml, HoldsTheVerdictTheLayersAndTheTables) {
  const std::string page = assessHtml(sample::assessment());
  for (const std::string_view wanted :
       {"<h1>Bound to CUDA in part</h1>", "facts of 2026-11-28", "id=\"dependencies\"", "id=\"findings\"",
        "id=\"apis\"", "id=\"coverage\"", "id=\"stages\"", "<span class=\"flag\">unconfirmed</span>",
        "<title>port 3</title>", "not built yet", "data/big.bin", "id=\"rule-W01\"", "lines 10, 14",
        "unwarp explain W01"})
    EXPECT_NE(page.find(wanted), std::string::npos) << wanted;
  EXPECT_EQ(nestingFault(page), "");
}

TEST(ReportHtml, ShowsWhatPassesAt32AndNotAt64) {
  const std::string page = assessHtml(sample::assessment());
  for (const std::string_view wanted : {"id=\"run\"", "href=\"#run\"", "sum &lt;8192&gt;|", "CMakeLists.txt:7: no MPI",
                                        "passes at 32 lanes, fails at 64", "4 checks: 1 fail only at 64"})
    EXPECT_NE(page.find(wanted), std::string::npos) << wanted;
  EXPECT_EQ(nestingFault(page), "");
}

TEST(ReportHtml, NeedsNoNetwork) {
  const std::string page = assessHtml(sample::assessment());
  for (const std::string_view banned : {"http:", "https:", "src=", "@import", "<link", "url(//"})
    EXPECT_EQ(page.find(banned), std::string::npos) << banned;
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(ReportHtml, EscapesWhateverNamesHold) {
  const std::string page = assessHtml(sample::assessment(sample::hostile()));
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("</title><script>"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(toValidUtf8(page), page);
  EXPECT_EQ(nestingFault(page), "");
}

TEST(ReportHtml, StaysUnderTwoMegabytes) {
  result::AuditResult audit = sample::many(2000, 50);
  for (std::size_t i = 0; i < 100'000; i += 2) audit.findings[i].message += std::string(400, '<');
  for (std::size_t i = 0; i < 20'000; ++i) {
    audit.apis.push_back(audit.apis[0]);
    audit.apis.back().name = "cudaName" + std::to_string(i);
    audit.dependencies.push_back(audit.dependencies[0]);
    audit.skipped.push_back({std::string(4000, '&'), "unreadable"});
  }
  const std::string page = assessHtml(sample::assessment(audit));
  EXPECT_LT(page.size(), 2'000'000u);
  EXPECT_NE(page.find("complete in the JSON"), std::string::npos);
  EXPECT_EQ(nestingFault(page), "");
}

TEST(ReportHtml, SaysPlainlyWhenThereIsNoCuda) {
  const std::string page = html(sample::empty());
  EXPECT_NE(page.find("<h1>No CUDA found</h1>"), std::string::npos);
  EXPECT_EQ(page.find("class=\"bars\""), std::string::npos);
  EXPECT_EQ(nestingFault(page), "");
}

TEST(ReportHtml, WritesTheSameBytesTwice) {
  EXPECT_EQ(assessHtml(sample::assessment()), assessHtml(sample::assessment()));
}

}  // namespace
}  // namespace unwarp::report
