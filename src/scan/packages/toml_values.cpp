// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// toml++ parses; its tree is walked once and forgotten. Exceptions are switched off, so a fault is a value. The parser
// limits nesting itself (256 levels), which bounds the recursion of the walk. Template files (jinja in a pyproject) are
// no TOML: the line reader takes what it can from them.
#define TOML_EXCEPTIONS 0
#include "scan/packages/toml_values.h"

#include <toml++/toml.h>

#include "base/text.h"

namespace unwarp::scan::packages {
namespace {

class Walk {
 public:
  explicit Walk(const std::function<void(const JsonScalar&)>& visit) : visit_(visit) {}

  void node(const toml::node& value) {
    if (const toml::table* table = value.as_table()) {
      for (const auto& [key, child] : *table) member(std::string(key.str()), child);
    } else if (const toml::array* array = value.as_array()) {
      std::size_t index = 0;
      for (const toml::node& child : *array) member(std::to_string(index++), child);
    } else {
      scalar(value);
    }
  }

 private:
  void member(std::string key, const toml::node& child) {
    path_.push_back(std::move(key));
    node(child);
    path_.pop_back();
  }

  void scalar(const toml::node& value) {
    const std::uint32_t line = value.source().begin.line;
    if (const auto* text = value.as_string()) return visit_({path_, text->get(), true, line});
    std::string literal;
    if (const auto* flag = value.as_boolean())
      literal = flag->get() ? "true" : "false";
    else if (const auto* number = value.as_integer())
      literal = std::to_string(number->get());
    else if (const auto* real = value.as_floating_point())
      literal = std::to_string(real->get());
    visit_({path_, literal, false, line});
  }

  const std::function<void(const JsonScalar&)>& visit_;
  std::vector<std::string> path_;
};

/// toml++ 3.3 takes for granted that a table header starts with a key and runs into undefined behaviour when it does
/// not (`[=`). A line of a nested array that looks like such a header is refused with it; the line reader copes.
bool hasSafeHeaders(std::string_view text) {
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    line = trim(line);
    if (!line.starts_with("[")) continue;
    const std::size_t key = line.find_first_not_of("[ \t");
    if (key == std::string_view::npos) return false;
    const char c = line[key];
    const bool bare = isIdentifierPart(c) || c == '-';
    if (!bare && c != '"' && c != '\'' && c != ']') return false;
  }
  return true;
}

/// The text between the first pair of quotes, or empty.
std::string_view firstQuoted(std::string_view text) {
  const std::size_t open = text.find_first_of("\"'");
  if (open == std::string_view::npos) return {};
  const std::size_t close = text.find(text[open], open + 1);
  return close == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

std::vector<std::string> headerPath(std::string_view header) {
  while (header.starts_with("[")) header.remove_prefix(1);
  header = header.substr(0, header.find(']'));
  std::vector<std::string> path;
  for (std::string_view part : split(header, '.')) {
    part = trim(part);
    if (part.size() >= 2 && part.front() == '"') part = part.substr(1, part.size() - 2);
    path.emplace_back(part);
  }
  return path;
}

}  // namespace

bool visitToml(std::string_view text, const std::function<void(const JsonScalar&)>& visit) {
  if (!hasSafeHeaders(text)) return false;
  const toml::parse_result result = toml::parse(text);
  if (!result) return false;
  Walk(visit).node(result.table());
  return true;
}

void visitTomlLines(std::string_view text, const std::function<void(const JsonScalar&)>& visit) {
  LineReader lines(text);
  std::string_view line;
  std::vector<std::string> table;
  std::string arrayKey;
  while (lines.next(line)) {
    line = trim(line);
    if (line.empty() || line.starts_with("#")) continue;
    const bool inArray = !arrayKey.empty();
    if (!inArray && line.starts_with("[")) {
      table = headerPath(line);
      continue;
    }
    const std::size_t equals = line.find('=');
    const bool keyed = !inArray && equals != std::string_view::npos && line[0] != '"' && line[0] != '\'';
    std::vector<std::string> path = table;
    if (keyed) path.emplace_back(trim(line.substr(0, equals)));
    const std::string_view value = keyed ? trim(line.substr(equals + 1)) : line;
    if (inArray) path.push_back(arrayKey);
    if (keyed && value.starts_with("[") && value.find(']') == std::string_view::npos) arrayKey = path.back();
    if (inArray || value.starts_with("[")) path.emplace_back("0");
    if (const std::string_view quoted = firstQuoted(value); !quoted.empty() && !path.empty())
      visit({path, std::string(quoted), true, lines.number()});
    if (inArray && (line.starts_with("]") || line.ends_with("]"))) arrayKey.clear();
  }
}

void visitTomlOrLines(std::string_view text, std::vector<std::string>& notes,
                      const std::function<void(const JsonScalar&)>& visit) {
  if (visitToml(text, visit)) return;
  notes.push_back("not valid TOML: read line by line");
  visitTomlLines(text, visit);
}

}  // namespace unwarp::scan::packages
