// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer against an independent parser: what went in comes out, and the bytes are the expected ones.
#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace unwarp {
namespace {

std::string jsonOf(std::string_view text) {
  std::string out;
  JsonWriter(out).value(text);
  return out;
}

TEST(JsonWriter, PlacesCommasByItself) {
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.member("a", 1);
  json.key("b");
  json.beginArray();
  json.value("x");
  json.beginObject();
  json.endObject();
  json.beginArray();
  json.endArray();
  json.null();
  json.value(true);
  json.endArray();
  json.memberOrNull("c", "");
  json.memberOrNull("d", "e");
  json.endObject();
  EXPECT_EQ(out, R"({"a":1,"b":["x",{},[],null,true],"c":null,"d":"e"})");
}

TEST(JsonWriter, StartsAFreshDocumentOnTheNextLine) {
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.endObject();
  json.nextLine();
  json.beginObject();
  json.endObject();
  EXPECT_EQ(out, "{}\n{}");
}

TEST(JsonWriter, WritesNumbersExactly) {
  std::string out;
  JsonWriter json(out);
  json.beginArray();
  json.value(std::numeric_limits<std::uint64_t>::max());
  json.value(std::numeric_limits<std::int64_t>::min());
  json.value(0.1);
  json.value(1.0);
  json.value(2.0 / 3.0);
  json.value(std::numeric_limits<double>::infinity());
  json.value(std::numeric_limits<double>::quiet_NaN());
  json.endArray();
  EXPECT_EQ(out, "[18446744073709551615,-9223372036854775808,0.1,1,0.6666666666666666,null,null]");
}

TEST(JsonWriter, EscapesEveryByteAtEveryOffset) {
  for (int byte = 0; byte < 0x80; ++byte)
    for (std::size_t before = 0; before < 18; ++before) {
      const std::string text = std::string(before, 'p') + static_cast<char>(byte) + std::string(9, 's');
      const auto parsed = nlohmann::json::parse(jsonOf(text), nullptr, false);
      ASSERT_TRUE(parsed.is_string()) << byte << " at " << before;
      ASSERT_EQ(parsed.get<std::string>(), text) << byte << " at " << before;
    }
}

TEST(JsonWriter, KeepsValidUtf8AndReplacesTheRest) {
  EXPECT_EQ(jsonOf("na\xc3\xafve \xf0\x9f\x98\x80"), "\"na\xc3\xafve \xf0\x9f\x98\x80\"");
  for (const std::string_view broken : {"\xff", "a\xc3", "\xed\xa0\x80", "abcdefghijk\xc3(", "\xf4\x90\x80\x80"}) {
    const auto parsed = nlohmann::json::parse(jsonOf(broken), nullptr, false);
    ASSERT_TRUE(parsed.is_string()) << broken;
    EXPECT_NE(parsed.get<std::string>().find("\xef\xbf\xbd"), std::string::npos);
  }
}

}  // namespace
}  // namespace unwarp
