// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of a suppression, what is none, and what is complained about.
#include "audit/suppression.h"

#include <gtest/gtest.h>

#include <chrono>

namespace unwarp::audit {

namespace {

std::string reason(Suppressions& marks, std::uint32_t line, std::string_view rule = "W01") {
  const std::string* found = marks.find(rule, "lane-index", "W", line);
  return found == nullptr ? "" : *found;
}
std::string reason(std::string_view text, std::uint32_t line) {
  Suppressions marks(text);
  return reason(marks, line);
}
std::vector<std::string> complaints(std::string_view text, bool ran = true) {
  const auto whyUnknown = [](std::string_view rule) { return std::string(rule == "w01" ? "unknown rule" : ""); };
  return Suppressions(text).complaints([&](std::string_view rule) { return ran && rule != "w01"; }, whyUnknown);
}

}  // namespace

TEST(Suppressions, OnTheLineItself) {
  EXPECT_EQ(reason("x;  // unwarp: ignore[W01] host only", 1), "host only");
  EXPECT_EQ(reason("x;  // unwarp: ignore[W01] host only\ny;", 2), "");
  EXPECT_EQ(reason("x; /* unwarp: ignore[W01] host only */", 1), "host only");
  EXPECT_EQ(reason("x = 1  # unwarp:ignore [M02, W01]  why", 1), "why");
}

TEST(Suppressions, AloneAboveTheLine) {
  EXPECT_EQ(reason("// unwarp: ignore[W01] why\nx;", 2), "why");
  EXPECT_EQ(reason("// unwarp: ignore[W01] why\nx;", 1), "");
  EXPECT_EQ(reason("<!-- unwarp: ignore[W01] why -->\nx;", 2), "why");
  EXPECT_EQ(reason("/*\n * unwarp: ignore[W01] why */\nx;", 3), "why");
}

TEST(Suppressions, SeveralMayStandAboveOneLine) {
  std::string_view text = "// unwarp: ignore[W01] a\n// unwarp: ignore[M01] b\nx;";
  Suppressions marks(text);
  EXPECT_EQ(reason(marks, 3), "a");
  EXPECT_EQ(reason(marks, 3, "M01"), "b");
}

TEST(Suppressions, ByIdNameOrGroup) {
  EXPECT_EQ(reason("x; // unwarp: ignore[lane-index] why", 1), "why");
  EXPECT_EQ(reason("x; // unwarp: ignore[W] why", 1), "why");
  EXPECT_EQ(reason("x; // unwarp: ignore[W0] why", 1), "");
}

TEST(Suppressions, AMarkThatMissesItsFindingIsToldWhereItIs) {
  const auto told = [](std::string_view text, std::vector<std::uint32_t> lines) {
    Suppressions marks(text);
    for (std::uint32_t line : lines) marks.find("W01", "lane-index", "W", line);
    return marks.complaints([](std::string_view) { return true; }, [](std::string_view) { return std::string(); });
  };
  using Notes = std::vector<std::string>;
  constexpr std::string_view distant = "// unwarp: ignore[W01] why\n\nx;";
  EXPECT_EQ(told(distant, {3, 9}), Notes{"line 1: suppression silences nothing: it means line 2, the nearest W01 is on "
                                         "line 3; put it there or on the line above, or remove it"});
  EXPECT_EQ(told(distant, {}), Notes{"line 1: suppression silences nothing: remove it"});
  EXPECT_EQ(
      told("y;\n// unwarp: ignore[W] why\n\n", {1, 2}).at(0).find("nearest W01 is on line 2") == std::string::npos,
      false);
  EXPECT_EQ(told("// unwarp: ignore[M01] why\n\nx;", {3}), Notes{"line 1: suppression silences nothing: remove it"});
  EXPECT_EQ(told("// unwarp: begin-ignore[W01] why\n// unwarp: end-ignore\nx;", {3}),
            Notes{"line 1: suppression silences nothing: it means the lines it encloses, the nearest W01 is on line 3; "
                  "put it there or on the line above, or remove it"});
  EXPECT_TRUE(told("x; // unwarp: ignore[W01] why", {1}).empty());
}

TEST(Suppressions, AllNamesEveryRule) {
  EXPECT_EQ(reason("x; // unwarp: ignore[all] why", 1), "why");
  EXPECT_EQ(reason("x; // unwarp: ignore[M02, all] why", 1), "why");
  EXPECT_EQ(reason("y;\nx; // unwarp: ignore-file[all] why", 1), "why");
  EXPECT_EQ(complaints("x; // unwarp: ignore[all] why"),
            std::vector<std::string>{"line 1: suppression silences nothing: remove it"});
  EXPECT_EQ(complaints("x; // unwarp: ignore[all]").size(), 1u);
}

TEST(Suppressions, AReasonHasWords) {
  for (std::string_view none : {"\\", "-", "*/", "\\ */", "...", "  \\\r", "#}"}) {
    const std::string text = "x; /* unwarp: ignore[W01] " + std::string(none) + "\ny;";
    EXPECT_EQ(reason(text, 1), "") << none;
    EXPECT_EQ(complaints(text).size(), 1u) << none;
  }
  EXPECT_EQ(reason("x; // unwarp: ignore[W01] host only \\\ny;", 1), "host only");
  EXPECT_EQ(reason("x; // unwarp: ignore[W01] \xc3\xa9", 1), "\xc3\xa9");
  EXPECT_EQ(reason("x; // unwarp: ignore[W01] #12", 1), "#12");
}

TEST(Suppressions, FilesAndBlocks) {
  EXPECT_EQ(reason("x;\ny; // unwarp: ignore-file[W01] why", 1), "why");
  std::string_view text = "// unwarp: begin-ignore[W01] why\nx;\n// unwarp: end-ignore\ny;";
  EXPECT_EQ(reason(text, 2), "why");
  EXPECT_EQ(reason(text, 4), "");
}

TEST(Suppressions, InsideQuotesIsNoComment) {
  EXPECT_EQ(reason("puts(\"// unwarp: ignore[W01] why\");", 1), "");
  EXPECT_EQ(reason("echo '# unwarp: ignore[W01] why'", 1), "");
  EXPECT_EQ(reason("echo \"\\\" # unwarp: ignore[W01] why\"", 1), "");
  EXPECT_EQ(reason("unwarp: ignore[W01] why", 1), "");
  EXPECT_EQ(reason("it's # unwarp: ignore[W01] why", 1), "why");
}

TEST(Suppressions, KnownCommentsDecide) {
  std::string_view text = "R\"(\n// unwarp: ignore[W01] no\n)\"; x;\ny; // unwarp: ignore[W01] yes";
  std::uint32_t at = static_cast<std::uint32_t>(text.rfind("//"));
  std::pair<std::uint32_t, std::uint32_t> comment{at, static_cast<std::uint32_t>(text.size() - at)};
  Suppressions marks(text, {&comment, 1});
  EXPECT_EQ(reason(marks, 3), "");
  EXPECT_EQ(reason(marks, 4), "yes");
}

TEST(Suppressions, CellsOfNotebooksSayWhichLineIsNext) {
  const std::vector<scan::MarkedLine> lines{{"# unwarp: ignore[W01] above", 4, 7},
                                            {"x()  # unwarp: ignore[W01] beside", 9, 10},
                                            {"s = '# unwarp: ignore[W01] quoted'", 12, 13},
                                            {"// unwarp: ignore[W01] one line", 20, 20}};
  Suppressions marks{std::span<const scan::MarkedLine>(lines)};
  EXPECT_EQ(reason(marks, 7), "above");
  EXPECT_EQ(reason(marks, 9), "beside");
  EXPECT_EQ(reason(marks, 12), "");
  EXPECT_EQ(reason(marks, 20), "one line");
}

TEST(Suppressions, ComplainsAboutWhatHasNoEffect) {
  EXPECT_EQ(complaints("x; // unwarp: ignore[W01]").size(), 1u);
  EXPECT_EQ(complaints("x; // unwarp: ignore W01 why").size(), 1u);
  EXPECT_EQ(complaints("x; // unwarp: ignore[] why").size(), 1u);
  EXPECT_EQ(complaints("x; // unwarp: ingore[W01] why").size(), 1u);
  EXPECT_EQ(complaints("x; // unwarp: ignore[W01] unused").size(), 1u);
  EXPECT_EQ(complaints("// unwarp: end-ignore").size(), 1u);
  EXPECT_EQ(complaints("// unwarp: begin-ignore[W01] why").size(), 2u);
  EXPECT_EQ(complaints("// unwarp: a tool to leave CUDA").size(), 0u);
}

TEST(Suppressions, AMisspeltRuleIsNoWaste) {
  EXPECT_EQ(complaints("x; // unwarp: ignore[w01] why"),
            std::vector<std::string>{"line 1: suppression names an unknown rule"});
  EXPECT_EQ(complaints("x; // unwarp: ignore[w01, M02] why").size(), 2u) << "M02 silences nothing";
}

TEST(Suppressions, AMarkOfARuleThatDidNotRunIsNoWaste) {
  EXPECT_EQ(complaints("x; // unwarp: ignore[W01] unused", false).size(), 0u);
}

TEST(Suppressions, ManyMarksStayFast) {
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += i % 2 == 0 ? "// unwarp: ignore[W01] a\n" : "// unwarp: begin-ignore[M01] b\n";
  auto start = std::chrono::steady_clock::now();
  Suppressions marks(text);
  for (std::uint32_t line = 1; line < 100'000; ++line) reason(marks, line);
  EXPECT_FALSE(
      marks.complaints([](std::string_view) { return true; }, [](std::string_view) { return std::string(); }).empty());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace unwarp::audit
