// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer constants of one file: `#define N 32`, `constexpr int N = 4 * M;`, `const int N{32};`, and enumerators. A
// name with two different values in the file (branches, shadowing) has no value; where a macro's HIP branch says
// something else than the other one, that is what counts, known or not. A constant of a block is known in that block
// only, where it hides others of its name, those with a value that is not known included. Expressions are evaluated
// with a small precedence parser; anything else has no value.
#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "scan/source_facts.h"
#include "scan/source_types.h"

namespace unwarp::scan {

namespace {

using Value = std::optional<std::int64_t>;
constexpr int deepest = 200;     ///< expressions inside expressions, bound parameters among them
constexpr int mostSteps = 2000;  ///< bound parameters and sizes that one expression may ask for

class Evaluator {
 public:
  Evaluator(const SourceFacts& facts, TokenRange range, EvaluationScope scope)
      : facts_(facts), at_(range.begin), end_(range.end), scope_(scope), depth_(scope.depth) {}
  Value run() {
    Value value = binary(0);
    return at_ == end_ ? value : std::nullopt;
  }

 private:
  static int precedence(std::string_view op) {
    if (op == "|") return 1;
    if (op == "^") return 2;
    if (op == "&") return 3;
    if (op == "<<" || op == ">>") return 4;
    if (op == "+" || op == "-") return 5;
    if (op == "*" || op == "/" || op == "%") return 6;
    return 0;
  }
  static Value apply(std::string_view op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "&") return a & b;
    if (op == "<<") return b < 0 || b > 62 || a < 0 || a > (INT64_MAX >> b) ? std::nullopt : Value(a << b);
    if (op == ">>") return b < 0 || b > 63 ? std::nullopt : Value(a >> b);
    if (op == "+") return __builtin_add_overflow(a, b, &result) ? std::nullopt : Value(result);
    if (op == "-") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : Value(result);
    if (op == "*") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : Value(result);
    if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
    return op == "/" ? a / b : a % b;
  }
  Value binary(int minimum) {
    if (++depth_ > deepest) return std::nullopt;
    Value left = unary();
    while (left && at_ < end_) {
      std::string_view op = facts_.at(at_);
      int own = precedence(op);
      if (own == 0 || own <= minimum) break;
      ++at_;
      Value right = binary(own);
      if (!right) return std::nullopt;
      left = apply(op, *left, *right);
    }
    --depth_;
    return left;
  }
  Value unary() {
    if (at_ >= end_ || ++depth_ > deepest) return std::nullopt;
    Value value = primary();
    --depth_;
    return value;
  }
  Value primary() {
    std::string_view word = facts_.at(at_);
    if (word == "-" || word == "~" || word == "+") {
      ++at_;
      Value value = unary();
      if (!value || (word == "-" && *value == INT64_MIN)) return std::nullopt;
      return word == "-" ? -*value : word == "~" ? ~*value : *value;
    }
    if (word == "sizeof") return sizeOf();
    if (word == "(") return parenthesised();
    const Token& token = facts_.tokens[at_];
    ++at_;
    if (token.kind == TokenKind::Number) return parseCInteger(word);
    if (token.kind != TokenKind::Identifier) return std::nullopt;
    if ((word == "static_cast" || word == "unsigned" || word == "int" || word == "size_t") && at_ < end_ &&
        (facts_.is(at_, "(") || facts_.is(at_, "<"))) {
      if (facts_.is(at_, "<")) {
        while (at_ < end_ && !facts_.is(at_, ">")) ++at_;
        ++at_;
      }
      return at_ < end_ && facts_.is(at_, "(") ? parenthesised() : std::nullopt;
    }
    while (at_ + 1 < end_ && facts_.is(at_, "::") && isDeclaredScope(at_ - 1)) at_ += 2;  // `warp::lanes`
    if (scope_.bindings == nullptr) return facts_.constantAt(at_ - 1);
    return boundAt(at_ - 1);
  }
  /// A template's parameter, or a constant of its function that is made of some.
  Value boundAt(TokenIndex t) const {
    const EvaluationScope inner{scope_.bindings, depth_ + 1, scope_.steps};
    auto bound = scope_.bindings->byName.find(facts_.at(t));
    if (bound != scope_.bindings->byName.end())
      return facts_.evaluate(bound->second.tokens, {bound->second.outer, depth_ + 1, scope_.steps});
    if (const Value known = facts_.constantAt(t)) return known;
    return facts_.evaluate(facts_.localInitialiser(t), inner);
  }
  /// The file declares a namespace, class or enumeration of that name: a template's parameter is none.
  bool isDeclaredScope(TokenIndex scope) const {
    constexpr std::size_t maxMentions = 64;
    auto mentions = facts_.named(facts_.at(scope));
    mentions = mentions.first(std::min(mentions.size(), maxMentions));
    return std::any_of(mentions.begin(), mentions.end(), [&](TokenIndex t) {
      bool parameter = t > 1 && isAny(facts_.at(t - 2), {"<", ","});  // `template <class Traits>`
      return t > 0 && isAny(facts_.at(t - 1), {"namespace", "struct", "class", "enum"}) && !parameter;
    });
  }
  Value parenthesised() {
    TokenIndex close = facts_.match.size() > at_ && facts_.match[at_] != noToken ? facts_.match[at_] : closing();
    if (close == noToken || close >= end_) return std::nullopt;
    if (close == at_ + 2 && isScalarType(facts_.at(at_ + 1))) {  // a cast
      at_ = close + 1;
      return unary();
    }
    TokenIndex outer = end_;
    end_ = close;
    ++at_;
    Value value = binary(0);
    bool whole = at_ == close;
    end_ = outer;
    at_ = close + 1;
    return whole ? value : std::nullopt;
  }
  /// Directive tokens have no bracket partners: count.
  TokenIndex closing() const {
    int depth = 0;
    for (TokenIndex t = at_; t < end_; ++t) {
      if (facts_.is(t, "(")) ++depth;
      if (facts_.is(t, ")") && --depth == 0) return t;
    }
    return noToken;
  }
  Value sizeOf() {
    ++at_;
    const TokenIndex close = facts_.is(at_, "(") ? closing() : noToken;
    if (close == noToken) return std::nullopt;
    const auto layout = facts_.layoutOf({at_ + 1, close}, {scope_.bindings, depth_ + 1, scope_.steps});
    at_ = close + 1;
    return layout ? Value(layout->bytes) : std::nullopt;
  }

  const SourceFacts& facts_;
  TokenIndex at_, end_;
  EvaluationScope scope_;
  int depth_;
};

}  // namespace

std::optional<std::int64_t> SourceFacts::evaluate(TokenRange range, EvaluationScope scope) const {
  if (range.empty() || range.end > tokens.size() || range.end - range.begin > 256) return std::nullopt;
  int steps = mostSteps;
  if (scope.steps == nullptr) scope.steps = &steps;
  if (scope.depth > 0 && --*scope.steps < 0) return std::nullopt;
  return Evaluator(*this, range, scope).run();
}

const SourceFacts::LocalConstant* SourceFacts::localConstantAt(TokenIndex t) const {
  constexpr int maxDeclarations = 64;
  auto local = localConstants_.find(at(t));
  if (local == localConstants_.end()) return nullptr;
  auto after = std::upper_bound(local->second.begin(), local->second.end(), t,
                                [](TokenIndex token, const LocalConstant& c) { return token < c.scope.begin; });
  for (int steps = 0; after != local->second.begin() && steps < maxDeclarations; ++steps) {
    --after;
    if (after->scope.contains(t)) return &*after;
  }
  return nullptr;
}

Value SourceFacts::constantAt(TokenIndex t) const {
  if (const LocalConstant* local = localConstantAt(t)) return local->value;
  auto file = fileConstants_.find(at(t));
  return file == fileConstants_.end() ? std::nullopt : Value(file->second);
}

namespace {

/// Values by name; a name that gets a second, different value has none any more.
class Definitions {
 public:
  explicit Definitions(std::unordered_map<std::string_view, std::int64_t>& values) : values_(values) {}
  void add(std::string_view name, std::int64_t value) {
    if (ambiguous_.contains(name)) return;
    auto [old, fresh] = values_.emplace(name, value);
    if (fresh || old->second == value) return;
    values_.erase(old);
    ambiguous_.insert(name);
  }
  void set(std::string_view name, Value value) {
    values_.erase(name);
    if (value) values_.emplace(name, *value);
  }

 private:
  std::unordered_map<std::string_view, std::int64_t>& values_;
  std::unordered_set<std::string_view> ambiguous_;
};

/// What `=` at `t` initialises: an enumerator or a constant.
struct Initialised {
  bool constant = false, inEnum = false;
};
Initialised initialisedAt(const SourceFacts& facts, TokenIndex t) {
  Initialised result;
  TokenIndex begin = t - 1;
  for (int back = 0; back < 12 && begin > 0; ++back) {
    --begin;
    if (facts.is(begin, ";") || facts.is(begin, "}") || facts.is(begin, "(")) break;
    result.constant |= facts.is(begin, "const") || facts.is(begin, "constexpr");
    result.inEnum |= facts.is(begin, "enum");
    if (facts.is(begin, "{") && !result.inEnum)
      result.inEnum = begin > 0 && (facts.is(begin - 1, "enum") || (begin > 1 && facts.is(begin - 2, "enum")));
  }
  return result;
}

/// `{` of a function, a statement or a bare block; not of a namespace, a class or an enumeration.
bool opensCode(const SourceFacts& facts, TokenIndex brace) {
  if (brace == noToken || brace == 0) return false;
  return isAny(facts.at(brace - 1), {")", "else", "do", "try", "const", "noexcept", "override", ";", "{", "}"});
}

}  // namespace

void SourceFacts::findConstants() {
  Definitions anywhere(constants), ofFile(fileConstants_);
  std::unordered_map<std::string_view, Value> forHip;  // the arm that AMD compiles
  auto readMacros = [&](bool withConstants) {
    for (const Directive& directive : directives) {
      TokenIndex name = directive.first + 2;
      if (directive.name != "define" || name + 1 >= directive.last || branch[name] == Branch::Dead) continue;
      bool functionLike = is(name + 1, "(") && tokens[name + 1].offset == tokens[name].offset + tokens[name].length;
      if (functionLike) continue;
      Value value = evaluate({name + 1, directive.last});
      if (branch[name] == Branch::HipOnly) {
        if (withConstants) continue;
        auto [known, fresh] = forHip.emplace(at(name), value);
        if (!fresh && known->second != value) known->second.reset();
      } else if (value) {
        anywhere.add(at(name), *value);
        ofFile.add(at(name), *value);
      }
    }
  };
  readMacros(false);
  for (TokenIndex t = 1; t + 1 < tokens.size(); ++t) {
    bool braces = is(t, "{");
    if ((!braces && !is(t, "=")) || tokens[t].directive || !isIdentifier(t - 1) || branch[t] == Branch::HipOnly ||
        branch[t] == Branch::Dead)
      continue;
    Initialised what = initialisedAt(*this, t);
    if (!what.constant && !what.inEnum) continue;
    TokenIndex end = braces ? match[t] : t + 1;
    while (!braces && end < tokens.size() && !is(end, ";") && !is(end, ",") && !is(end, "}") && end - t < 64) {
      end = match[end] != noToken && match[end] > end ? match[end] + 1 : end + 1;
    }
    if (end >= tokens.size()) continue;
    Value value = evaluate({t + 1, end});
    if (braces && !value) continue;  // a body of some kind
    bool local = !what.inEnum && opensCode(*this, block[t]) && match[block[t]] != noToken;
    if (value) anywhere.add(at(t - 1), *value);
    if (value && !local) ofFile.add(at(t - 1), *value);
    if (!local) continue;
    std::vector<LocalConstant>& others = localConstants_[at(t - 1)];
    LocalConstant constant{{t - 1, match[block[t]]}, value, {t + 1, end}};
    // The other arm of an `#if` in the same block.
    if (!others.empty() && others.back().scope.end == constant.scope.end && others.back().value != value) {
      constant.value.reset();
      constant.initialiser = {};
    }
    others.push_back(constant);
  }
  readMacros(true);  // `#define MASK (W - 1)` above or below `const int W = 32;`
  for (const auto& [name, value] : forHip) {
    auto other = constants.find(name);
    if (other == constants.end() || value == other->second) continue;
    anywhere.set(name, value);
    ofFile.set(name, value);
  }
}

}  // namespace unwarp::scan
