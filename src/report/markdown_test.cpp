// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Markdown: tables keep their shape, and no name opens markup.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "report/report.h"
#include "report/sample_assessment.h"

namespace unwarp::report {
namespace {

std::size_t cellsOf(std::string_view row) {
  std::size_t bars = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] == '\\')
      ++i;
    else if (row[i] == '|')
      ++bars;
  return bars;
}

void expectTablesInShape(const std::string& text) {
  LineReader lines(text);
  std::size_t wanted = 0;
  for (std::string_view line; lines.next(line);) {
    if (!line.starts_with('|')) {
      wanted = 0;
      continue;
    }
    if (wanted == 0) wanted = cellsOf(line);
    EXPECT_EQ(cellsOf(line), wanted) << line;
  }
}

TEST(ReportMarkdown, TellsTheStory) {
  const std::string text = markdown(sample::small());
  EXPECT_TRUE(
      text.starts_with("# CUDA audit\n\n**Bound to CUDA in part:** 7 CUDA sites in 3 files; 2 have no counterpart"));
  EXPECT_NE(text.find("| Runtime | 3 | – | 3 | – | – | – |"), std::string::npos);
  EXPECT_NE(text.find("| `torch` | 2.9.0 | pypi | Framework | drop-in, gfx1100 partial |"), std::string::npos);
  EXPECT_NE(text.find("none found (unconfirmed)"), std::string::npos);
  EXPECT_NE(text.find("`src/reduce.cu:10`, `src/reduce.cu:14`"), std::string::npos);
  expectTablesInShape(text);
}

TEST(ReportMarkdown, KeepsTablesInShapeWhateverNamesHold) {
  const std::string text = markdown(sample::hostile());
  expectTablesInShape(text);
  EXPECT_EQ(text.find("|<script>"), std::string::npos);
  for (std::size_t at = text.find("<script>"); at != std::string::npos; at = text.find("<script>", at + 1))
    EXPECT_EQ(text[at - 1], '\\');
  EXPECT_EQ(toValidUtf8(text), text);
}

TEST(ReportMarkdown, StaysSmallWithManyFindings) {
  EXPECT_LT(markdown(sample::many(500, 100)).size(), 100'000u);
}

TEST(ReportMarkdown, IsOneSentenceWithoutCuda) {
  const std::string text = markdown(sample::empty());
  EXPECT_EQ(std::count(text.begin(), text.end(), '|'), 0);
  EXPECT_NE(text.find("No CUDA found"), std::string::npos);
}

TEST(ReportMarkdown, ShowsWhatPassesAt32AndNotAt64) {
  const std::string text = assessMarkdown(sample::assessment());
  EXPECT_NE(text.find("| `checks/sum` | program | passes at 32 lanes, prints something else at 64 | 3 | "),
            std::string::npos);
  EXPECT_NE(text.find("| `configure` | cmake . | failed | CMakeLists.txt:7: no MPI |"), std::string::npos);
  EXPECT_LT(text.find("`make check`"), text.find("`checks/sum`")) << "failing comes before differing";
  expectTablesInShape(text);
}

TEST(ReportMarkdown, NamesTheStagesThatDoNotExistYet) {
  const std::string text = assessMarkdown(sample::assessment());
  EXPECT_NE(text.find("| cost | not built yet | the cost model does not exist yet |"), std::string::npos);
  expectTablesInShape(text);
}

}  // namespace
}  // namespace unwarp::report
