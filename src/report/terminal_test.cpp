// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first screen, whole: what it says, that it fits, and that nothing from the tree can drive the terminal.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "report/report.h"
#include "report/sample_assessment.h"
#include "report/wording.h"

namespace unwarp::report {
namespace {

TEST(ReportTerminal, TellsTheStory) {
  EXPECT_EQ(terminal(sample::small(), {.ascii = true}),
            R"(Bound to CUDA in part: 7 CUDA sites in 3 files; 2 have no counterpart (facts of
2026-11-28).

Layer               sites   drop-in      port   partial      none   unknown
runtime                 3         -         3         -         -         -
math                    1         -         1         -         -         -
framework               1         1         -         -         -         -
specialised             1         -         -         -         1         -
tooling                 1         -         -         -         1         -
all                     7         1         4         -         2         -
nothing in     dnn, algorithms, communication, kernels, deployment

Portable now   gfx90a 42%, gfx1100 28% (2 sites guarded for HIP)
Hazards        silent 2   compile 4
Decides        tensorrt            none    1 site    -> MIGraphX or vLLM
Not read       1 path: 1 larger than 64 MB; 1 file with notes
Rules off      1 ignored
Suppressed     1 finding, each with its reason
Next           unwarp explain W01   worst hazard, 2 sites
               unwarp audit demo --all   every finding
               unwarp audit demo --format html=audit.html   to hand on
)");
}

TEST(ReportTerminal, CountsFilesWithNotesAlsoWhenNoneWasSkipped) {
  result::AuditResult audit = sample::small();
  audit.skipped.clear();
  EXPECT_NE(terminal(audit, {}).find("Not read       nothing; 1 file with notes\n"), std::string::npos);
}

TEST(ReportTerminal, OffersNoPageThatIsThereAlready) {
  const std::string text = terminal(sample::small(), {.reportWritten = true});
  EXPECT_EQ(text.find("html"), std::string::npos);
  EXPECT_NE(text.find("--all"), std::string::npos);
}

TEST(ReportTerminal, SaysSoInOneLineWhenThereIsNoCuda) {
  EXPECT_EQ(terminal(sample::empty(), {}),
            "No CUDA found: nothing in 1 file read binds this tree to CUDA (facts of\n2026-11-28).\n");
}

TEST(ReportTerminal, FitsThirtyLinesOfEightyColumns) {
  result::AuditResult audit = sample::hostile();
  for (std::size_t i = 0; i < 10; ++i)
    audit.layers[i] = sample::layer(static_cast<Layer>(i), 1234567, 1234567, 1234567, 1234567, 1234567);
  while (audit.deciders.size() < 5) audit.deciders.push_back(audit.deciders[0]);
  for (const char* reason : {"a", "b", "c"}) audit.skipped.push_back({"x", reason});
  audit.root = "some/project";
  audit.rulesOff = {{"A01", OffReason::Ignored}, {"A02", OffReason::NotSelected}};
  const std::string screen = terminal(audit, {});
  EXPECT_LE(std::count(screen.begin(), screen.end(), '\n'), 30);
  LineReader lines(screen);
  for (std::string_view line; lines.next(line);) EXPECT_LE(columnsOf(line), 80u) << line;
}

TEST(ReportTerminal, KeepsBlanksBetweenLargeNumbers) {
  for (const std::uint64_t number : {999'949u, 9'999'999u, 10'000'000u, 123'456'789u, 4'000'000'000u}) {
    result::AuditResult audit = sample::small();
    for (result::LayerEntry& layer : audit.layers)
      layer = sample::layer(layer.layer, number, number, number, number, number);
    audit.deciders[0].sites = number;
    const std::string screen = terminal(audit, {.ascii = true});
    LineReader lines(screen);
    for (std::string_view line; lines.next(line);) {
      EXPECT_LE(columnsOf(line), 80u) << line;
      if (line.starts_with("runtime ")) {
        EXPECT_EQ(words(line).size(), 7u) << line;
      }
      if (line.starts_with("Decides ")) {
        EXPECT_NE(line.find(" sites "), std::string_view::npos) << line;
      }
    }
  }
}

TEST(ReportTerminal, RoundsNumbersTooLongForTheirColumn) {
  result::AuditResult audit = sample::small();
  audit.layers[0] = sample::layer(Layer::Runtime, 9'999'999, 12'345'678, 0, 0, 0);
  EXPECT_NE(terminal(audit, {}).find("     22.3M 9,999,999     12.3M         -"), std::string::npos);
}

TEST(ReportTerminal, ListsFindingsInTheFormEditorsJumpTo) {
  const std::string text = terminal(sample::small(), {.allFindings = true});
  EXPECT_NE(text.find("src/reduce.cu:10:7: silent W01 literal 32 used as the warp size [gfx90a]\n"), std::string::npos);
  EXPECT_NE(text.find("src/reduce.cu:30:1: compile B03 algorithm id has no HIP value (4 sites) [gfx90a gfx1100]\n"),
            std::string::npos);
  EXPECT_EQ(text.find("--all"), std::string::npos);
}

TEST(ReportTerminal, ColoursOnlyWhenAsked) {
  EXPECT_EQ(terminal(sample::small(), {}).find('\x1b'), std::string::npos);
  const std::string coloured = terminal(sample::small(), {.color = true});
  EXPECT_NE(coloured.find("\x1b[31mnone\x1b[0m"), std::string::npos);
}

TEST(ReportTerminal, LetsNoNameDriveTheTerminal) {
  for (const bool ascii : {false, true}) {
    const std::string text = terminal(sample::hostile(), {.ascii = ascii, .allFindings = true});
    for (const char c : text) ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
    EXPECT_EQ(toValidUtf8(text), text);
    if (ascii) {
      for (const char c : text) ASSERT_LT(static_cast<unsigned char>(c), 0x7f);
    }
  }
}

TEST(ReportTerminal, ShowsWhatPassesAt32AndNotAt64) {
  const std::string text = assessTerminal(sample::assessment(), {.ascii = true});
  const std::string wanted = R"(
Build and run  1 of 2 builds complete, 1 failed; 4 checks: 1 fail only at 64, 1
               print something else at 64, 1 not judged, 1 the same at both
               widths.
  wrong at 64  make check: exit status 1: FAIL sum
               checks/sum: prints something else at 64; stdout line 2: "sum
               4096" at 32, "sum <8192>|" at 64
  not built    cmake .: CMakeLists.txt:7: no MPI
Stages         audit done, run done, check skipped (not asked for); not built
               yet: port, cost
)";
  EXPECT_TRUE(text.ends_with(wanted)) << text;
}

}  // namespace
}  // namespace unwarp::report
