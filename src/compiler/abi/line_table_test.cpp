// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table comes back as it was, is small, and no bytes make reading it fail otherwise than by saying so.
#include "compiler/abi/line_table.h"

#include <gtest/gtest.h>

namespace unwarp::abi {
namespace {

LineTable sample() {
  LineTable table;
  table.files = {"a.cu", "include/b.h"};
  table.code = {{0, 0, 10}, {7, 1, 200'000}, {300, 0, 9}, {70'000, 0, 4'294'967'295u}};
  table.sites = {{1, 0, 12}, {4, 1, 3}, {kSharedSites + 1, 0, 5}};
  return table;
}

TEST(LineTable, ComesBackAsItWas) {
  EXPECT_EQ(decodeLines(encode(sample())), sample());
  EXPECT_EQ(encode(LineTable{}), "");
  EXPECT_EQ(decodeLines(""), LineTable{});
}

TEST(LineTable, ARowTakesAFewBytes) {
  LineTable table;
  table.files = {"a.cu"};
  for (uint32_t i = 0; i < 1000; ++i) table.code.push_back({i * 9, 0, 10 + i % 30});
  EXPECT_LT(encode(table).size(), 3200u);
}

TEST(LineTable, AnAddressBelongsToTheRowBefore) {
  const LineTable table = sample();
  EXPECT_EQ(lineOfCode(table, 0)->line, 10u);
  EXPECT_EQ(lineOfCode(table, 6)->line, 10u);
  EXPECT_EQ(lineOfCode(table, 7)->line, 200'000u);
  EXPECT_EQ(lineOfCode(table, uint64_t{1} << 40)->line, 4'294'967'295u);
  EXPECT_EQ(lineOfCode(LineTable{}, 5), nullptr);
}

TEST(LineTable, ASiteIsItselfOnly) {
  EXPECT_EQ(lineOfSite(sample(), 4)->line, 3u);
  EXPECT_EQ(lineOfSite(sample(), kSharedSites + 1)->line, 5u);
  for (uint32_t site : {0u, 2u, 5u, kSharedSites}) EXPECT_EQ(lineOfSite(sample(), site), nullptr) << site;
}

TEST(LineTable, BrokenBytesAreNone) {
  const std::string good = encode(sample());
  for (size_t size = 1; size < good.size(); ++size) EXPECT_FALSE(decodeLines(good.substr(0, size))) << size;
  LineTable wrong = sample();
  wrong.code[1].file = 2;
  EXPECT_FALSE(decodeLines(encode(wrong)));
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(0xff);
    decodeLines(bytes);
  }
}

}  // namespace
}  // namespace unwarp::abi
