// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published schemas and what is written stay in step. The files under docs/schema are read and applied by a small
// checker for the keywords they use; a keyword it does not know fails the test, so the schemas cannot grow past it
// unnoticed. Beyond the schema, which allows additions, the written objects may hold no member that the schema does not
// describe.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/embedded.h"
#include "report/report.h"
#include "report/sample_assessment.h"

namespace unwarp::report {
namespace {

using Json = nlohmann::ordered_json;

Json schemaFile(std::string_view name) {
  for (const auto& [path, bytes] : embedded::schemaFiles())
    if (path.ends_with(name)) return Json::parse(bytes, nullptr, false);
  ADD_FAILURE() << "no schema " << name;
  return Json::object();
}

class Checker {
 public:
  explicit Checker(Json root) : root_(std::move(root)) {}
  void check(const Json& value) { check(root_, value, "$"); }
  std::vector<std::string> faults;

 private:
  void fault(const std::string& where, const std::string& what) { faults.push_back(where + ": " + what); }
  static bool isOfType(const std::string& type, const Json& value) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_boolean();
    return type == "null" && value.is_null();
  }
  void checkType(const Json& types, const Json& value, const std::string& where) {
    bool ok = false;
    for (const Json& type : types.is_array() ? types : Json::array({types})) ok = ok || isOfType(type, value);
    if (!ok) fault(where, "not of type " + types.dump());
  }
  void checkObject(const Json& schema, const Json& value, const std::string& where) {
    for (const Json& key : schema.value("required", Json::array()))
      if (!value.contains(key.get<std::string>())) fault(where, "lacks " + key.dump());
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, member] : value.items()) {
      if (properties.contains(key))
        check(properties[key], member, where + "." + key);
      else if (schema.contains("additionalProperties"))
        check(schema["additionalProperties"], member, where + "." + key);
      else
        fault(where, "member not in the schema: " + key);
    }
  }
  void check(const Json& schema, const Json& value, const std::string& where) {
    if (schema.contains("$ref")) {
      const std::string ref = schema["$ref"];
      if (ref.starts_with("#")) return check(root_.at(Json::json_pointer(ref.substr(1))), value, where);
      Checker other(schemaFile("audit.schema.json"));
      other.check(value);
      faults.insert(faults.end(), other.faults.begin(), other.faults.end());
      return;
    }
    for (const auto& [keyword, argument] : schema.items()) checkKeyword(keyword, argument, value, where);
    if (value.is_object()) checkObject(schema, value, where);
  }
  void checkKeyword(const std::string& keyword, const Json& argument, const Json& value, const std::string& where) {
    static const std::set<std::string> silent{"$schema",    "$id",      "$comment",
                                              "$defs",      "title",    "description",
                                              "properties", "required", "additionalProperties"};
    if (silent.contains(keyword)) return;
    if (keyword == "type") {
      checkType(argument, value, where);
    } else if (keyword == "enum") {
      if (std::find(argument.begin(), argument.end(), value) == argument.end())
        fault(where, "not in " + argument.dump());
    } else if (keyword == "const") {
      if (value != argument) fault(where, "not " + argument.dump());
    } else if (keyword == "pattern") {
      if (!std::regex_search(value.get<std::string>(), std::regex(argument.get<std::string>())))
        fault(where, "pattern");
    } else if (keyword == "minimum") {
      if (value < argument) fault(where, "too small");
    } else if (keyword == "maximum") {
      if (value > argument) fault(where, "too large");
    } else if (keyword == "maxItems") {
      if (value.size() > argument) fault(where, "too long");
    } else if (keyword == "items") {
      for (const Json& item : value) check(argument, item, where + "[]");
    } else {
      fault(where, "keyword the checker does not know: " + keyword);
    }
  }
  Json root_;
};

std::vector<std::string> faultsOf(const std::string& schema, const std::string& text) {
  Checker checker(schemaFile(schema));
  checker.check(Json::parse(text, nullptr, false));
  return checker.faults;
}

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
