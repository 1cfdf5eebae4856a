// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/dialect_repairs.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/file.h"
#include "base/text.h"

namespace unwarp::nvcc {
namespace {

struct Message {
  std::string file, text;
  size_t line = 0, column = 0;
};

std::string withoutColours(std::string_view printed) {
  std::string plain;
  for (size_t i = 0; i < printed.size(); ++i) {
    if (printed[i] == '\x1b') {
      i = std::min(printed.find('m', i), printed.size() - 1);
    } else {
      plain += printed[i];
    }
  }
  return plain;
}

size_t endOfName(std::string_view text, size_t at) {
  while (at < text.size() && isIdentifierPart(text[at])) ++at;
  return at;
}

// Behind the `>` that closes the `<` at `open`; npos when the statement ends before.
size_t behindArguments(std::string_view text, size_t open) {
  size_t depth = 0;
  for (size_t at = open; at < text.size() && text[at] != ';' && text[at] != '{'; ++at) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

// The name whose template arguments end the expression at `at`: `f` of `f<3>(x)` and of `type<a, b>::f<3>(x)`.
size_t templateNameAt(std::string_view text, size_t at) {
  while (true) {
    size_t end = endOfName(text, at);
    if (end == at || end == text.size()) return std::string_view::npos;
    bool isTemplate = text[end] == '<';
    size_t behind = isTemplate ? behindArguments(text, end) : end;
    if (behind == std::string_view::npos || text.substr(behind, 2) != "::") {
      return isTemplate ? at : std::string_view::npos;
    }
    at = behind + 2;
  }
}

// "FILE:LINE:COLUMN: error: TEXT"
std::optional<Message> parseMessage(std::string_view line) {
  size_t kind = std::min(line.find(": error: "), line.find(": note: "));
  if (kind == std::string_view::npos) return std::nullopt;
  std::string_view place = line.substr(0, kind);
  size_t second = place.rfind(':');
  size_t first = second == std::string_view::npos || second == 0 ? second : place.rfind(':', second - 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  auto number = [&](size_t from) {
    size_t value = 0;
    std::from_chars(place.data() + from, place.data() + place.size(), value);
    return value;
  };
  Message message{std::string(place.substr(0, first)), std::string(line.substr(kind + 2)), number(first + 1),
                  number(second + 1)};
  return message.line && message.column ? std::optional(message) : std::nullopt;
}

// The words of a declaration before its name: back to the end of the one before.
std::string_view specifiersBefore(std::string_view text, size_t name) {
  size_t from = text.find_last_of(";{}#", name == 0 ? 0 : name - 1);
  from = from == std::string_view::npos || from >= name ? 0 : from + 1;
  return text.substr(from, name - from);
}

std::string_view nameAt(std::string_view text, size_t at) {
  size_t end = endOfName(text, at);
  if (text.substr(at, end - at) == "operator") end = std::min(text.find('(', end + 1), text.size());
  std::string_view name = text.substr(at, end - at);
  if (name.starts_with("operator")) return trim(name.ends_with("<>") ? name.substr(0, name.size() - 2) : name);
  return trim(name.substr(0, name.find('<')));
}

// `name` stands here as a word and a parameter list follows, perhaps after template arguments.
bool isFunctionName(std::string_view text, size_t at, std::string_view name) {
  if (at > 0 && (isIdentifierPart(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '>')) return false;
  size_t next = text.find_first_not_of(" \t\n", at + name.size());
  return next != std::string_view::npos && (text[next] == '(' || text[next] == '<');
}

bool isOurs(const std::string& file) {
  return !file.starts_with("/usr/") && file.find("/toolkit/include/") == std::string::npos;
}

}  // namespace

const std::string& DialectRepairs::textOf(const std::string& file) {
  auto found = texts_.find(file);
  if (found != texts_.end()) return found->second;
  Result<FileBytes> bytes = FileBytes::open(file);
  return texts_[file] = bytes && isOurs(file) ? std::string(bytes->view()) : std::string();
}

bool DialectRepairs::insert(const std::string& file, size_t at, std::string_view words) {
  return insertions_[file].emplace(at, words).second;
}

// Gives `__host__` to declarations of the name that have only `__device__`; true when there is one with `__device__`.
bool DialectRepairs::define(const std::string& file, std::string_view name) {
  const std::string& text = textOf(file);
  bool found = false;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if (!isFunctionName(text, at, name)) continue;
    std::string_view specifiers = specifiersBefore(text, at);
    size_t device = specifiers.find("__device__");
    if (device == std::string_view::npos) continue;
    found = true;
    if (specifiers.find("__host__") == std::string_view::npos)
      insert(file, at - specifiers.size() + device, "__host__ ");
  }
  return found;
}

bool DialectRepairs::declareAt(const std::string& file, size_t at) {
  const std::string& text = textOf(file);
  std::string name(nameAt(text, at));
  bool qualified = at > 0 && text[at - 1] == ':';
  if (name.empty() || qualified || specifiersBefore(text, at).find("__device__") != std::string_view::npos)
    return false;
  bool defined = define(file, name);
  if (input_ != file) defined |= define(input_, name);
  if (!defined || !insert(file, at, "__host__ __device__ ")) return false;
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  return true;
}

size_t DialectRepairs::offsetOf(const Place& place) {
  const std::string& text = textOf(place.file);
  size_t start = 0;
  for (size_t line = 1; line < place.line && start < text.size(); ++line) {
    start = text.find('\n', start);
    start = start == std::string::npos ? text.size() : start + 1;
  }
  // clang counts columns in the copy, where words of earlier rounds may stand before the place.
  size_t at = start, left = place.column - 1;
  for (const auto& [offset, words] : applied_[place.file]) {
    if (offset < start) continue;
    if (offset - at > left) break;
    left -= offset - at;
    at = offset;
    left -= std::min(left, words.size());
  }
  return std::min(at + left, text.size());
}

bool DialectRepairs::declare(const Place& place) {
  size_t at = offsetOf(place);
  return at < textOf(place.file).size() && declareAt(place.file, at);
}

bool DialectRepairs::insertTemplate(const Place& place) {
  size_t at = templateNameAt(textOf(place.file), offsetOf(place));
  return at != std::string_view::npos && insert(place.file, at, "template ");
}

// clang points behind the first `%` of an assembly string that is no operand; those after it in the literal are taken
// along.
bool DialectRepairs::escapeRegisters(const Place& place) {
  const std::string& text = textOf(place.file);
  size_t at = text.find_last_of("%\"\n", offsetOf(place));
  if (at == std::string::npos || text[at] != '%' || (at > 0 && text[at - 1] == '%')) return false;
  bool any = false;
  for (; at + 1 < text.size() && text[at] != '"' && text[at] != '\n'; ++at) {
    bool skipsNext = text[at] == '\\' || (text[at] == '%' && text[at + 1] == '%');
    bool names = text[at] == '%' && isIdentifierPart(text[at + 1]) && (text[at + 1] < '0' || text[at + 1] > '9');
    if (names) any |= insert(place.file, at, "%");
    if (skipsNext) ++at;
  }
  return any;
}

// A private member was refused: the friend that should have had the right is not named, so all that fit are taken.
bool DialectRepairs::declareFriends(const std::string& file) {
  const std::string& text = textOf(file);
  bool any = false;
  for (size_t at = text.find("friend "); at != std::string::npos; at = text.find("friend ", at + 1)) {
    size_t end = text.find(';', at);
    size_t list = text.find('(', at);
    if (list == std::string::npos || end == std::string::npos || list > end) continue;
    size_t shape = text.find("operator", at);
    size_t name = shape < list ? shape : list;
    if (name == list) {
      if (text[list - 1] == '>') name = text.rfind('<', list);
      while (name > at && isIdentifierPart(text[name - 1])) --name;
    }
    any |= declareAt(file, name);
  }
  return any;
}

DialectRepairs::Cause DialectRepairs::causeOf(std::string_view error) {
  auto says = [error](std::string_view words) { return error.find(words) != std::string_view::npos; };
  if (says("cannot overload __host__ function")) return Cause::overload;
  if (says("is a private member of") || says("is a protected member of")) return Cause::access;
  // The last two are what clang makes of `object.f<3>(x)` and `type::f<3>(x)` when it takes the brackets for
  // comparisons.
  if (says("missing 'template' keyword prior to") || says("use 'template' keyword to treat") ||
      says("reference to non-static member function must be called") ||
      says("reference to overloaded function could not be resolved"))
    return Cause::missingTemplate;
  if (says("invalid % escape in inline assembly") || says("invalid operand number in inline asm"))
    return Cause::assemblyName;
  return Cause::other;
}

bool DialectRepairs::learnError(const Place& place, Cause cause) {
  switch (cause) {
    case Cause::access: {
      bool any = declareFriends(input_);
      if (place.file != input_) any |= declareFriends(place.file);
      return any;
    }
    case Cause::missingTemplate:
      return insertTemplate(place);
    case Cause::assemblyName:
      return escapeRegisters(place);
    default:
      return false;
  }
}

bool DialectRepairs::learn(std::string_view printed) {
  applied_ = insertions_;
  std::string plain = withoutColours(printed);
  LineReader lines(plain);
  std::string_view line;
  bool any = false;
  Cause cause = Cause::other;
  while (lines.next(line)) {
    std::optional<Message> message = parseMessage(line);
    if (!message) continue;
    std::string_view text = message->text;
    Place place{message->file, message->line, message->column};
    if (text.starts_with("error: ")) {
      cause = causeOf(text);
      any |= learnError(place, cause);
      continue;
    }
    bool declared = cause == Cause::overload && text == "note: previous declaration is here";
    bool candidate = text.find("call to __host__ function from __") != std::string_view::npos;
    if (declared || candidate) any |= declare(place);
    if (text.starts_with("note: expanded from macro")) any |= learnError(place, cause);
  }
  return any;
}

Result<std::string> DialectRepairs::write(const std::string& prefix) const {
  std::string roots;
  int number = 0;
  auto quote = [](const std::string& path) {
    std::string quoted = "\"";
    for (char c : path) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return quoted + "\"";
  };
  for (const auto& [file, insertions] : insertions_) {
    std::string copy, name = std::filesystem::absolute(prefix + std::to_string(++number) + ".source").string();
    size_t done = 0;
    const std::string& text = texts_.at(file);
    for (const auto& [at, words] : insertions) {
      copy += text.substr(done, at - done) + words;
      done = at;
    }
    Result<Done> written = writeFileAtomic(name, copy + text.substr(done));
    if (!written) return Error{written.error()};
    roots += std::string(roots.empty() ? "" : ", ") +
             "{\"type\": \"file\", \"name\": " + quote(std::filesystem::absolute(file).lexically_normal().string()) +
             ", \"external-contents\": " + quote(name) + "}";
  }
  std::string list = prefix + "overlay.yaml";
  Result<Done> written =
      writeFileAtomic(list, "{\"version\": 0, \"use-external-names\": false, \"roots\": [" + roots + "]}\n");
  if (!written) return Error{written.error()};
  return list;
}

}  // namespace unwarp::nvcc
