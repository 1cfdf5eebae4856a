// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What spreadsheets and billing exports write, and the faults that must carry a line.
#include "base/csv.h"

#include <gtest/gtest.h>

namespace unwarp {
namespace {

TEST(Csv, quotesSeparatorsAndLineBreaksAreRead) {
  auto table = CsvTable::parse("\xEF\xBB\xBFName, Cost\r\n\"a, \"\"b\"\"\",1\r\n\n\"two\nlines\",2\n");
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows(), 2u);
  EXPECT_EQ(table->cell(0, "name"), "a, \"b\"");
  EXPECT_EQ(table->cell(0, "COST"), "1");
  EXPECT_EQ(table->cell(1, 0), "two\nlines");
  EXPECT_EQ(table->line(1), 4u);
  EXPECT_EQ(table->cell(1, "missing"), "");
}

TEST(Csv, theSeparatorIsTheHeadersMostFrequent) {
  auto table = CsvTable::parse("a;b,x;c\n1,5;2;3\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->cell(0, "a"), "1,5");
}

TEST(Csv, faultsCarryTheirLine) {
  auto wide = CsvTable::parse("a,b\n1,2\n1,2,3\n");
  ASSERT_FALSE(wide);
  EXPECT_NE(wide.error().find("line 3"), std::string::npos);
  auto open = CsvTable::parse("a\n\"x\n");
  ASSERT_FALSE(open);
  EXPECT_NE(open.error().find("line 2"), std::string::npos);
  EXPECT_FALSE(CsvTable::parse("\n \n"));
}

TEST(Csv, shortRowsAreFilledUp) {
  auto table = CsvTable::parse("a,b,c\n1\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->cell(0, "c"), "");
}

}  // namespace
}  // namespace unwarp
