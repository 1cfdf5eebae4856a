// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/options.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace unwarp::nvcc {
namespace {

bool matches(const Option& option, std::string_view word) {
  return word == option.name || (!option.letter.empty() && word == option.letter);
}

const Option* findWhole(std::string_view word) {
  for (const Option& option : options()) {
    if (matches(option, word)) return &option;
  }
  return nullptr;
}

// -DNAME, -Ipath, -lm, -O3, -t4: the value follows the letter at once. nvcc takes no other option so.
const Option* findGlued(std::string_view word, std::string_view& value) {
  if (word.size() < 2 || std::string_view("DUILlOt").find(word[0]) == std::string_view::npos) return nullptr;
  bool wantsNumber = word[0] == 'O' || word[0] == 't';
  if (wantsNumber && word.find_first_not_of("0123456789", 1) != std::string_view::npos) return nullptr;
  value = word.substr(1);
  return findWhole(word.substr(0, 1));
}

// A list is split at commas, but neither at one behind a backslash nor at one in quotes; the quotes stay.
std::vector<std::string> splitList(std::string_view value) {
  std::vector<std::string> elements;
  std::string element;
  bool quoted = false;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) {
      if (value[i + 1] != ',') element += value[i];
      element += value[++i];
    } else if (value[i] == ',' && !quoted) {
      if (!element.empty()) elements.push_back(std::move(element));
      element.clear();
    } else {
      quoted ^= value[i] == '"';
      element += value[i];
    }
  }
  if (!element.empty()) elements.push_back(std::move(element));
  return elements;
}

bool isOneWordOf(std::string_view list, std::string_view word) {
  std::vector<std::string_view> all = words(list);
  return std::find(all.begin(), all.end(), word) != all.end();
}

Error unknownOption(std::string_view argument) {
  std::vector<std::string_view> names;
  for (const Option& option : options()) names.push_back(option.name);
  std::string_view bare = argument.substr(std::min(argument.find_first_not_of('-'), argument.size()));
  std::string_view near = nearest(bare.substr(0, bare.find('=')), names);
  return Error{"Unknown option '" + std::string(argument) + "'" +
               (near.empty() ? "" : "; did you mean --" + std::string(near) + "?")};
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Result<CommandLine> run() {
    std::vector<std::string> unknown;
    for (at_ = 0; at_ < arguments_.size(); ++at_) {
      const std::string& argument = arguments_[at_];
      if (argument.size() < 2 || argument[0] != '-') {
        line_.inputs.push_back(argument);
      } else if (!one(argument)) {
        unknown.push_back(argument);
      }
      if (!error_.empty()) return Error{error_};
    }
    bool both = line_.has("forward-unknown-opts");
    bool compiler = both || line_.has("forward-unknown-to-host-compiler");
    bool linker = both || line_.has("forward-unknown-to-host-linker");
    if (!unknown.empty() && !compiler && !linker) return unknownOption(unknown[0]);
    if (compiler) line_.toCompiler = unknown;
    if (linker) line_.toLinker = unknown;
    return std::move(line_);
  }

 private:
  // False when the argument is no option of nvcc.
  bool one(std::string_view argument) {
    std::string_view word = argument.substr(argument.starts_with("--") ? 2 : 1);
    size_t equals = word.find('=');
    if (const Option* option = findWhole(word.substr(0, equals))) {
      bool glued = equals != std::string_view::npos;
      take(*option, argument, glued ? std::optional(word.substr(equals + 1)) : std::nullopt);
      return true;
    }
    std::string_view value;
    const Option* option = argument.starts_with("--") ? nullptr : findGlued(word, value);
    if (option) add(*option, value);
    return option != nullptr;
  }

  void take(const Option& option, std::string_view written, std::optional<std::string_view> value) {
    if (option.takes == Takes::nothing) {
      if (value) error_ = "no argument expected after '" + std::string(written.substr(0, written.find('='))) + "'";
      return add(option, "true");
    }
    if (value) return add(option, *value);
    // `-O` alone is optimisation at its first level, as with host compilers.
    bool more = at_ + 1 < arguments_.size();
    if (option.name == "optimize" && !(more && isNumber(arguments_[at_ + 1]))) return add(option, "1");
    if (!more) {
      error_ = "argument expected after '" + std::string(written) + "'";
      return;
    }
    add(option, arguments_[++at_]);
  }

  static bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  void add(const Option& option, std::string_view value) {
    if (option.takes == Takes::list) {
      for (std::string& element : splitList(value)) push(option, std::move(element));
      return;
    }
    if (option.takes == Takes::boolean && value != "true" && value != "false")
      error_ = "'" + std::string(value) + "': expected true or false";
    if (option.takes == Takes::value && line_.has(option.name) && line_.value(option.name) != value &&
        option.name != "optimize") {
      line_.warnings.push_back("incompatible redefinition for option '" + std::string(option.name) +
                               "', the last value of this option was used");
    }
    push(option, std::string(value));
  }

  void push(const Option& option, std::string value) {
    for (const Allowed& allowed : allowedValues()) {
      if (allowed.name == option.name && !isOneWordOf(allowed.values, value)) {
        error_ = "Value '" + value + "' is not defined for option '" + std::string(option.name) +
                 "'; use one of: " + std::string(allowed.values);
      }
    }
    line_.options.push_back({&option, std::move(value)});
  }

  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  CommandLine line_;
  std::string error_;
};

}  // namespace

bool CommandLine::has(std::string_view name) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const GivenOption& given) { return given.option->name == name; });
}

std::string_view CommandLine::value(std::string_view name, std::string_view fallback) const {
  for (auto given = options.rbegin(); given != options.rend(); ++given) {
    if (given->option->name == name) return given->value;
  }
  return fallback;
}

bool CommandLine::isTrue(std::string_view name, bool fallback) const {
  return value(name, fallback ? "true" : "false") != "false";
}

std::vector<std::string_view> CommandLine::values(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const GivenOption& given : options) {
    if (given.option->name == name) found.push_back(given.value);
  }
  return found;
}

Result<CommandLine> parse(const std::vector<std::string>& arguments) {
  return Parser(arguments).run();
}

std::vector<std::string> splitOptions(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote == '"' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) {
        word += text[++i];
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (open) words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(std::move(word));
  return words;
}

}  // namespace unwarp::nvcc
