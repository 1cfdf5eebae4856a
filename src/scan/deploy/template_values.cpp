// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One descent over pipelines (`a | b`), commands (`name argument ...`, `name(argument, ...)`) and arguments. Depth and
// length are limited; what is beyond gives no value.
#include "scan/deploy/template_values.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::scan {
namespace {

using Values = std::vector<std::string>;

constexpr int deepest = 16;
constexpr std::size_t longest = 2048;

/// One argument: its values where they are known, its text where they are not.
struct Argument {
  Values values;
  std::string_view text;
  bool grouped = false;  ///< in parentheses
  /// Never empty: an unknown argument stays as it is written.
  Values shown() const { return values.empty() ? Values{"{{ " + std::string(text) + " }}"} : values; }
};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Values united(Values first, const Values& second) {
  for (const std::string& value : second)
    if (first.size() < mostTemplateValues && std::find(first.begin(), first.end(), value) == first.end())
      first.push_back(value);
  return first;
}

/// `%s`, `%v`, `%-3d` replaced one after the other; `%%` is a percent sign.
Values formatted(std::string_view format, const std::vector<Argument>& arguments) {
  Values result{""};
  std::size_t next = 0;
  while (!format.empty()) {
    const std::size_t percent = std::min(format.find('%'), format.size());
    std::string plain(format.substr(0, percent));
    format.remove_prefix(percent);
    if (format.starts_with("%%")) {
      plain += '%';
      format.remove_prefix(2);
    } else if (!format.empty()) {
      result = joinedValues(result, {plain});
      plain.clear();
      const std::size_t verb = std::min(format.find_first_not_of("+-# 0123456789.", 1), format.size() - 1);
      format.remove_prefix(verb + 1);
      result = joinedValues(result, next < arguments.size() ? arguments[next].shown() : Values{"{{ }}"});
      ++next;
    }
    result = joinedValues(result, {plain});
  }
  return result;
}

class Reader {
 public:
  Reader(std::string_view text, const TemplateVariables& variables) : text_(text), variables_(variables) {}

  Values pipeline(int depth) {
    if (depth > deepest) {
      at_ = text_.size();
      return {};
    }
    Values value = command(depth, nullptr);
    while (peek() == '|') {
      ++at_;
      const Argument piped{std::move(value), {}};
      value = command(depth, &piped);
    }
    return value;
  }

 private:
  char peek() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  Values command(int depth, const Argument* piped) {
    std::vector<Argument> words;
    for (char c = peek(); c != '\0' && c != '|' && c != ')' && c != ','; c = peek()) {
      const std::size_t begin = at_;
      if (c == '(') {
        list(depth, words);
      } else if (const std::size_t quote = text_.find_first_not_of('\\', at_);
                 quote != std::string_view::npos && isOneOf(text_.substr(quote, 1), {"\"", "'", "`"})) {
        words.push_back({{literal(quote)}, text_.substr(begin, at_ - begin)});
      } else {
        at_ = std::min(text_.find_first_of(" \t\r\n()|,\"'`", at_ + 1), text_.size());
        const std::string_view word = text_.substr(begin, at_ - begin);
        auto variable = word.starts_with('$') ? variables_.find(std::string(word)) : variables_.end();
        words.push_back({variable == variables_.end() ? Values{} : variable->second, word});
        if (words.back().text == "if" && words.size() > 1) return chosen(depth, words, piped);
      }
    }
    if (piped != nullptr) words.push_back(*piped);
    return apply(words);
  }

  /// `a if condition else b` of Jinja, read up to its `if`.
  Values chosen(int depth, std::vector<Argument> words, const Argument* piped) {
    words.pop_back();
    if (piped != nullptr) words.push_back(*piped);
    const std::size_t otherwise = text_.find(" else ", at_);
    if (otherwise == std::string_view::npos) return apply(words);
    at_ = otherwise + 6;
    return united(apply(words), command(depth, nullptr));
  }

  /// `( pipeline, pipeline )`: arguments of their own.
  void list(int depth, std::vector<Argument>& words) {
    do {
      ++at_;
      const std::size_t begin = std::min(at_, text_.size());
      Values values = pipeline(depth + 1);
      words.push_back({std::move(values), trim(text_.substr(begin, at_ - begin)), true});
    } while (peek() == ',');
    if (peek() == ')') ++at_;
  }

  /// The literal whose quote is at `quote`; inside a quoted value of YAML the quotes are escaped.
  std::string literal(std::size_t quote) {
    const std::size_t close = std::min(text_.find(text_[quote], quote + 1), text_.size());
    std::string_view body = text_.substr(quote + 1, close - quote - 1);
    if (body.ends_with('\\')) body.remove_suffix(1);
    at_ = std::min(close + 1, text_.size());
    return std::string(body);
  }

  /// Functions that are not known hand on what their parentheses give: `tpl (.Values.a | default "x") .`.
  static Values apply(const std::vector<Argument>& words) {
    if (words.empty()) return {};
    if (words.size() == 1) return words[0].values;
    if (words.size() > 2 && isOneOf(words[1].text, {"~", "+"})) {
      Values result{""};
      for (std::size_t i = 0; i < words.size(); i += 2) result = joinedValues(result, words[i].shown());
      return result;
    }
    const std::string_view name = words[0].text;
    const std::vector<Argument> arguments(words.begin() + 1, words.end());
    if (name == "default") return arguments[0].values;
    if (name == "ternary" && arguments.size() > 1) return united(arguments[0].values, arguments[1].values);
    if (isOneOf(name, {"quote", "squote", "trim", "toString", "lower", "trimSuffix", "trimPrefix", "required"}))
      return arguments.back().values;
    Values result;
    if (name == "coalesce" || name == "or") {
      for (const Argument& argument : arguments) result = united(std::move(result), argument.values);
    } else if (name == "print") {
      result = {""};
      for (const Argument& argument : arguments) result = joinedValues(result, argument.shown());
    } else if (name == "printf") {
      for (const std::string& format : arguments[0].values)
        result = united(std::move(result), formatted(format, {arguments.begin() + 1, arguments.end()}));
    } else if (name == "format") {  // '%s:%s' | format(a, b)
      for (const std::string& format : arguments.back().values)
        result = united(std::move(result), formatted(format, {arguments.begin(), arguments.end() - 1}));
    } else {
      for (const Argument& argument : arguments)
        if (argument.grouped) result = united(std::move(result), argument.values);
    }
    return result;
  }

  std::string_view text_;
  const TemplateVariables& variables_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string> joinedValues(const Values& first, const Values& second) {
  Values result;
  for (const std::string& head : first)
    for (const std::string& tail : second)
      if (result.size() < mostTemplateValues && head.size() + tail.size() <= longest) result.push_back(head + tail);
  return result;
}

std::vector<std::string> templateValues(std::string_view expression, const TemplateVariables& variables) {
  if (expression.size() > longest) return {};
  if (expression.starts_with('-')) expression.remove_prefix(1);
  if (expression.ends_with('-')) expression.remove_suffix(1);
  return Reader(expression, variables).pipeline(0);
}

}  // namespace unwarp::scan
