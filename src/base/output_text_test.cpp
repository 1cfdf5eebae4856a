// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hostile text in cells; what printable text is, the reports' tests show.
#include "base/output_text.h"

#include <gtest/gtest.h>

namespace unwarp {
namespace {

TEST(OutputText, cellsHoldWhatWouldEndThem) {
  EXPECT_EQ(markdownCell("a|b\n\x1b[31m"), "a\\|b\\x0a\\x1b[31m");
  EXPECT_EQ(csvCell("plain"), "plain");
  EXPECT_EQ(csvCell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
}

TEST(OutputText, whatASpreadsheetWouldComputeIsText) {
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1"}) EXPECT_EQ(csvCellOf(text)[0], ' ') << text;
  EXPECT_EQ(csvCellOf("=HYPERLINK(\"x\",\"y\")"), "\" =HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
  EXPECT_EQ(csvCellOf("a=1"), "a=1");
}

}  // namespace
}  // namespace unwarp
