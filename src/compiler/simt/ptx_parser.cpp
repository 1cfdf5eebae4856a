// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "compiler/simt/ptx_parser.h"

namespace unwarp::simt::ptx {
namespace {

bool isNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == kOperandMark;
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::string withoutComments(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
      out += ' ';
    } else {
      out += text[i++];
    }
  }
  return out;
}

// Parts between commas that stand outside all brackets.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (std::strchr("{[(", text[i])) ++depth;
    if (std::strchr("}])", text[i])) --depth;
    if (text[i] != ',' || depth != 0) continue;
    parts.push_back(trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  std::string_view last = trim(text.substr(begin));
  if (!last.empty() || !parts.empty()) parts.push_back(last);
  return parts;
}

bool parseInteger(std::string_view text, uint64_t& value) {
  while (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.remove_suffix(1);
  if (text.empty() || !isDigit(text[0])) return false;
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::string digits(text);
  char* end = nullptr;
  value = std::strtoull(digits.c_str(), &end, base);
  return *end == '\0' && end != digits.c_str();
}

// Constant expressions of PTX, in 64-bit integers with C's precedences.
class ConstantExpression {
 public:
  explicit ConstantExpression(std::string_view text) : rest_(trim(text)) {}

  bool evaluate(uint64_t& value) { return binary(0, value) && rest_.empty(); }

 private:
  struct Operator {
    std::string_view word;
    int rank;
  };
  static const Operator* operatorAt(std::string_view text) {
    static const Operator known[] = {{"<<", 4}, {">>", 4}, {"|", 1}, {"^", 2}, {"&", 3},
                                     {"+", 5},  {"-", 5},  {"*", 6}, {"/", 6}, {"%", 6}};
    for (const Operator& one : known) {
      if (text.substr(0, one.word.size()) == one.word) return &one;
    }
    return nullptr;
  }

  bool binary(int least, uint64_t& value) {
    if (!unary(value)) return false;
    while (const Operator* found = operatorAt(rest_)) {
      if (found->rank < least) break;
      rest_ = trim(rest_.substr(found->word.size()));
      uint64_t right = 0;
      if (!binary(found->rank + 1, right) || !apply(found->word, value, right)) return false;
    }
    return true;
  }

  static bool apply(std::string_view word, uint64_t& left, uint64_t right) {
    if ((word == "/" || word == "%") && right == 0) return false;
    switch (word[0]) {
      case '<':
        left = right < 64 ? left << right : 0;
        break;
      case '>':
        left = right < 64 ? left >> right : 0;
        break;
      case '|':
        left |= right;
        break;
      case '^':
        left ^= right;
        break;
      case '&':
        left &= right;
        break;
      case '+':
        left += right;
        break;
      case '-':
        left -= right;
        break;
      case '*':
        left *= right;
        break;
      case '/':
        left /= right;
        break;
      default:
        left %= right;
    }
    return true;
  }

  bool unary(uint64_t& value) {
    constexpr int kDeepest = 64;
    if (rest_.empty() || ++depth_ > kDeepest) return false;
    char sign = rest_[0];
    bool good = false;
    if (sign == '-' || sign == '~' || sign == '+') {
      rest_ = trim(rest_.substr(1));
      good = unary(value);
      value = sign == '-' ? ~value + 1 : sign == '~' ? ~value : value;
    } else if (sign == '(') {
      rest_ = trim(rest_.substr(1));
      good = binary(0, value) && !rest_.empty() && rest_[0] == ')';
      if (good) rest_ = trim(rest_.substr(1));
    } else {
      size_t length = 0;
      while (length < rest_.size() && std::isalnum(static_cast<unsigned char>(rest_[length]))) ++length;
      good = parseInteger(rest_.substr(0, length), value);
      rest_ = trim(rest_.substr(length));
    }
    --depth_;
    return good;
  }

  std::string_view rest_;
  int depth_ = 0;
};

bool parseConstant(std::string_view text, uint64_t& value) {
  return ConstantExpression(text).evaluate(value);
}

// 0f and 0d with the bits in hexadecimal, or a decimal with a point or an exponent.
bool parseFloat(std::string_view text, Operand& operand) {
  bool negative = text[0] == '-';
  if (negative) text = trim(text.substr(1));
  if (text.size() > 2 && text[0] == '0' && std::strchr("fFdD", text[1])) {
    operand.floatBits = (text[1] == 'f' || text[1] == 'F') ? 32 : 64;
    std::string digits(text.substr(2));
    char* end = nullptr;
    operand.value = std::strtoull(digits.c_str(), &end, 16);
    if (negative) operand.value ^= uint64_t{1} << (operand.floatBits - 1);
    return *end == '\0' && digits.size() == operand.floatBits / 4;
  }
  bool hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  if (hexadecimal || text.find_first_of(".eE") == std::string_view::npos) return false;
  std::string digits(text);
  char* end = nullptr;
  double value = std::strtod(digits.c_str(), &end);
  if (negative) value = -value;
  operand.floatBits = 64;
  std::memcpy(&operand.value, &value, sizeof value);
  return *end == '\0';
}

bool parseOperand(std::string_view text, Operand& operand, int depth);

bool parseElements(std::string_view text, char separator, Operand& operand, int depth) {
  std::vector<std::string_view> parts;
  if (separator == ',') {
    parts = split(text);
  } else {
    size_t bar = text.find(separator);
    parts = {trim(text.substr(0, bar)), trim(text.substr(bar + 1))};
  }
  for (std::string_view part : parts) {
    Operand element;
    if (!parseOperand(part, element, depth + 1)) return false;
    operand.elements.push_back(std::move(element));
  }
  return !operand.elements.empty();
}

bool parseAddress(std::string_view text, Operand& operand) {
  operand.kind = Operand::Kind::address;
  if (parseConstant(text, operand.value)) return true;
  size_t sign = text.find_first_of("+-", 1);
  std::string_view base = trim(text.substr(0, sign));
  if (sign != std::string_view::npos && !parseConstant("0" + std::string(text.substr(sign)), operand.value))
    return false;
  operand.name = std::string(base);
  return !base.empty() && std::all_of(base.begin(), base.end(), isNameChar);
}

bool parseOperand(std::string_view text, Operand& operand, int depth) {
  text = trim(text);
  if (text.empty() || depth > 2) return false;
  if (text.front() == '{' && text.back() == '}') {
    operand.kind = Operand::Kind::vector;
    return parseElements(text.substr(1, text.size() - 2), ',', operand, depth);
  }
  if (text.front() == '[' && text.back() == ']') return parseAddress(trim(text.substr(1, text.size() - 2)), operand);
  bool isConstant = isDigit(text.front()) || text.front() == '-' || text.front() == '~' || text.front() == '(';
  if (!isConstant && text.find('|') != std::string_view::npos) {
    operand.kind = Operand::Kind::pair;
    return parseElements(text, '|', operand, depth);
  }
  if (text.front() == '!') {
    operand.negated = true;
    text = trim(text.substr(1));
    if (text.empty()) return false;
  }
  if (text == "_") return true;
  if (isConstant) {
    operand.kind = Operand::Kind::floating;
    if (parseFloat(text, operand)) return true;
    operand.kind = Operand::Kind::integer;
    return parseConstant(text, operand.value);
  }
  operand.kind = Operand::Kind::name;
  operand.name = std::string(text);
  return std::all_of(text.begin(), text.end(), [](char c) { return isNameChar(c) || c == '.'; });
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(withoutComments(text)), rest_(text_) {}

  Parsed run() {
    while (skipSpace(), !rest_.empty() && parsed_.error.empty()) statement();
    return std::move(parsed_);
  }

 private:
  void fail(std::string_view what, std::string_view where) {
    parsed_.error = std::string(what) + " '" + shown(trim(where)) + "'";
  }
  void skipSpace() {
    while (!rest_.empty() && (std::isspace(static_cast<unsigned char>(rest_[0])) || rest_[0] == ';')) {
      rest_.remove_prefix(1);
    }
  }
  std::string_view untilSemicolon() {
    size_t end = std::min(rest_.find(';'), rest_.size());
    std::string_view found = trim(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return found;
  }
  template <class Accept>
  std::string word(Accept accept) {
    size_t length = 0;
    while (length < rest_.size() && accept(rest_[length])) ++length;
    std::string found(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return found;
  }
  Statement& add(Statement::Kind kind) {
    parsed_.statements.emplace_back();
    parsed_.statements.back().kind = kind;
    return parsed_.statements.back();
  }

  void statement() {
    if (rest_[0] == '{' || rest_[0] == '}') {
      add(rest_[0] == '{' ? Statement::Kind::open : Statement::Kind::close);
      rest_.remove_prefix(1);
      return;
    }
    if (rest_[0] == '.') return directive();
    Instruction instruction;
    if (rest_[0] == '@') {
      rest_ = trim(rest_.substr(1));
      if (!rest_.empty() && rest_[0] == '!') {
        instruction.guardNegated = true;
        rest_ = trim(rest_.substr(1));
      }
      instruction.guard = word(isNameChar);
      rest_ = trim(rest_);
    }
    std::string name = word(isNameChar);
    if (name.empty()) return fail("what is this PTX:", rest_.substr(0, 40));
    std::string_view after = trim(rest_);
    if (instruction.guard.empty() && !after.empty() && after[0] == ':' && after.substr(0, 2) != "::") {
      rest_ = after.substr(1);
      add(Statement::Kind::label).label = name;
      return;
    }
    instruction.text = name + word([](char c) { return isNameChar(c) || c == '.' || c == ':'; });
    operands(std::move(instruction));
  }

  void operands(Instruction instruction) {
    splitOpcode(instruction);
    std::string_view list = untilSemicolon();
    for (std::string_view part : split(list)) {
      Operand operand;
      bool understood = parseOperand(part, operand, 0);
      if (!understood && instruction.problem.empty()) {
        instruction.problem = "operand not understood: '" + shown(part) + "'";
      }
      instruction.operands.push_back(std::move(operand));
    }
    add(Statement::Kind::instruction).instruction = std::move(instruction);
  }

  static void splitOpcode(Instruction& instruction) {
    std::string_view rest = instruction.text;
    size_t dot = rest.find('.');
    instruction.base = std::string(rest.substr(0, dot));
    while (dot != std::string_view::npos) {
      rest.remove_prefix(dot + 1);
      dot = rest.find('.');
      std::string_view modifier = rest.substr(0, dot);
      Type type;
      if (typeNamed(modifier, type)) instruction.types.push_back(type);
      instruction.modifiers.emplace_back(modifier);
    }
  }

  void directive() {
    rest_.remove_prefix(1);
    std::string name = word(isNameChar);
    std::string_view rest = untilSemicolon();
    if (name == "pragma" || name == "loc") return;
    if (name != "reg" || rest.empty()) return fail("PTX directive not supported:", "." + name);
    size_t end = 1;
    while (end < rest.size() && isNameChar(rest[end])) ++end;
    Type type;
    if (rest[0] != '.' || !typeNamed(rest.substr(1, end - 1), type)) return fail("register type not known:", rest);
    Statement& made = add(Statement::Kind::declare);
    for (std::string_view one : split(rest.substr(end))) declare(made, one, type.registerBits());
  }

  // `name` or `name<count>`, which stands for name0, name1 and so on.
  void declare(Statement& statement, std::string_view name, unsigned bits) {
    size_t angle = name.find('<');
    if (angle == std::string_view::npos) {
      statement.registers.push_back({std::string(name), bits});
      return;
    }
    uint64_t count = 0;
    constexpr uint64_t kLimit = 4096;
    if (name.back() != '>' || !parseInteger(name.substr(angle + 1, name.size() - angle - 2), count) || count > kLimit) {
      return fail("register list not understood:", name);
    }
    for (uint64_t i = 0; i < count; ++i) {
      statement.registers.push_back({std::string(trim(name.substr(0, angle))) + std::to_string(i), bits});
    }
  }

  std::string text_;
  std::string_view rest_;
  Parsed parsed_;
};

}  // namespace

bool typeNamed(std::string_view name, Type& type) {
  using Kind = Type::Kind;
  struct Known {
    std::string_view name;
    Type type;
  };
  static const Known known[] = {
      {"b8", {Kind::bits, 8}},
      {"b16", {Kind::bits, 16}},
      {"b32", {Kind::bits, 32}},
      {"b64", {Kind::bits, 64}},
      {"b128", {Kind::bits, 128}},
      {"u8", {Kind::unsignedInteger, 8}},
      {"u16", {Kind::unsignedInteger, 16}},
      {"u32", {Kind::unsignedInteger, 32}},
      {"u64", {Kind::unsignedInteger, 64}},
      {"s8", {Kind::signedInteger, 8}},
      {"s16", {Kind::signedInteger, 16}},
      {"s32", {Kind::signedInteger, 32}},
      {"s64", {Kind::signedInteger, 64}},
      {"f16", {Kind::floating, 16}},
      {"f32", {Kind::floating, 32}},
      {"f64", {Kind::floating, 64}},
      {"bf16", {Kind::brain, 16}},
      {"f16x2", {Kind::floating, 16, 2}},
      {"bf16x2", {Kind::brain, 16, 2}},
      {"f32x2", {Kind::floating, 32, 2}},
      {"u16x2", {Kind::unsignedInteger, 16, 2}},
      {"s16x2", {Kind::signedInteger, 16, 2}},
      {"pred", {Kind::predicate, 1}},
  };
  for (const Known& one : known) {
    if (one.name != name) continue;
    type = one.type;
    return true;
  }
  return false;
}

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

Parsed parse(std::string_view text) {
  return Parser(text).run();
}

std::string shown(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), kOperandMark, '%');
  return text;
}

}  // namespace unwarp::simt::ptx
