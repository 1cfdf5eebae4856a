// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small checker of JSON Schema for the keywords that docs/schema uses; a keyword it does not know is a fault, so the
// schemas cannot grow past it unnoticed. Beyond the schema, which allows additions, a written object may hold no member
// that the schema does not describe.
#pragma once

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace unwarp::schema {

using Json = nlohmann::ordered_json;

/// A file of docs/schema; a discarded value when there is none.
inline Json schemaFile(const std::string& name) {
  std::ifstream in(UNWARP_SOURCE_DIR "/docs/schema/" + name);
  return Json::parse(in, nullptr, false);
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
      if (value.is_number() && value < argument) fault(where, "too small");
    } else if (keyword == "maximum") {
      if (value.is_number() && value > argument) fault(where, "too large");
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

/// What of `text` does not fit the schema; empty when all does.
inline std::vector<std::string> faultsOf(const std::string& schema, const std::string& text) {
  Checker checker(schemaFile(schema));
  checker.check(Json::parse(text, nullptr, false));
  return checker.faults;
}

}  // namespace unwarp::schema
