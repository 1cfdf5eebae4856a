// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive descent over `||`, `&&`, comparisons, `!`, `defined` and parentheses. A value is a number, "some number
// that is not zero" (a HIP macro in a build for AMD) or unknown; arithmetic gives unknown. Two shortcuts follow what
// authors mean rather than what the standard says: comparing a HIP macro with 1 asks whether it is set, and
// `__AMDGCN__` stands for AMD as a whole, although the host pass of such a build does not have it.
#include "scan/conditions.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace unwarp::scan {

namespace {

struct Value {
  Truth truth = Truth::Unknown;
  std::optional<std::int64_t> number;  ///< set: exactly known
};

Value fromTruth(Truth truth) {
  if (truth == Truth::Unknown) return {};
  return {truth, truth == Truth::True ? 1 : 0};
}

/// HIP compiled for NVIDIA: set in neither build that we ask about, or by the user in the CUDA one.
bool isHipOnNvidia(std::string_view macro) {
  return macro.find("NVIDIA") != std::string_view::npos || macro.find("NVCC") != std::string_view::npos;
}

/// __gfx942__, __GFX9__: one architecture of AMD, so that absence says nothing.
bool isArchitectureMacro(std::string_view macro) {
  return macro.starts_with("__gfx") || macro.starts_with("__GFX");
}

class Evaluator {
 public:
  Evaluator(const SourceFacts& facts, TokenRange range, Build build)
      : facts_(facts), at_(range.begin), end_(range.end), build_(build) {}

  Truth run() {
    Value value = disjunction();
    return at_ == end_ && !failed_ ? value.truth : Truth::Unknown;
  }

 private:
  static constexpr int deepest = 200;

  bool take(std::string_view spelling) {
    if (at_ >= end_ || !facts_.is(at_, spelling)) return false;
    ++at_;
    return true;
  }
  Value fail() {
    failed_ = true;
    return {};
  }
  Value disjunction() {
    if (++depth_ > deepest) return fail();
    Value left = conjunction();
    while (!failed_ && take("||")) left = fromTruth(either(left.truth, conjunction().truth));
    --depth_;
    return left;
  }
  Value conjunction() {
    Value left = comparison();
    while (!failed_ && take("&&")) left = fromTruth(both(left.truth, comparison().truth));
    return left;
  }
  Value comparison() {
    Value left = arithmetic();
    static constexpr std::array<std::string_view, 6> operators{"==", "!=", "<", ">", "<=", ">="};
    while (!failed_ && at_ < end_) {
      std::string_view op = facts_.at(at_);
      if (std::find(operators.begin(), operators.end(), op) == operators.end()) break;
      ++at_;
      left = fromTruth(compare(left, op, arithmetic()));
    }
    return left;
  }
  static Truth compare(const Value& a, std::string_view op, const Value& b) {
    if (!a.number && b.number && a.truth == Truth::True) {  // a set macro against 0 or 1
      if (op == "==" && *b.number <= 1) return *b.number == 1 ? Truth::True : Truth::False;
      if (op == "!=" && *b.number <= 1) return *b.number == 1 ? Truth::False : Truth::True;
      if ((op == ">" && *b.number == 0) || (op == ">=" && *b.number == 1)) return Truth::True;
      return Truth::Unknown;
    }
    if (a.number && !b.number && b.truth == Truth::True && (op == "==" || op == "!=")) return compare(b, op, a);
    if (!a.number || !b.number) return Truth::Unknown;
    bool holds = op == "=="   ? *a.number == *b.number
                 : op == "!=" ? *a.number != *b.number
                 : op == "<"  ? *a.number < *b.number
                 : op == ">"  ? *a.number > *b.number
                 : op == "<=" ? *a.number <= *b.number
                              : *a.number >= *b.number;
    return holds ? Truth::True : Truth::False;
  }
  /// One operand; `a + b`, `a % b` and the like are read and are unknown.
  Value arithmetic() {
    static constexpr std::array<std::string_view, 10> operators{"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"};
    Value value = unary();
    while (!failed_ && at_ < end_ && std::find(operators.begin(), operators.end(), facts_.at(at_)) != operators.end()) {
      ++at_;
      unary();
      value = {};
    }
    return value;
  }
  Value unary() {
    bool negated = false, sign = false;
    while (at_ < end_ && (facts_.is(at_, "!") || facts_.is(at_, "-") || facts_.is(at_, "+") || facts_.is(at_, "~"))) {
      facts_.is(at_, "!") ? void(negated = !negated) : void(sign = true);
      ++at_;
    }
    Value value = primary();
    if (sign) return {};
    return negated ? fromTruth(negate(value.truth)) : value;
  }
  Value primary() {
    if (at_ >= end_ || failed_) return fail();
    if (take("(")) {
      Value value = disjunction();
      return take(")") ? value : fail();
    }
    TokenIndex t = at_++;
    std::string_view word = facts_.at(t);
    if (facts_.tokens[t].kind == TokenKind::Number) {
      auto number = parseCInteger(word);
      return number ? Value{*number != 0 ? Truth::True : Truth::False, number} : Value{};
    }
    if (facts_.tokens[t].kind != TokenKind::Identifier) return fail();
    if (word == "true" || word == "false") return fromTruth(word == "true" ? Truth::True : Truth::False);
    if (word == "defined") return definedOperator();
    if (at_ < end_ && facts_.is(at_, "(")) return call(word);
    Truth truth = macroDefined(word, build_);
    if (truth == Truth::True) return {truth, std::nullopt};
    return fromTruth(truth);
  }
  Value definedOperator() {
    bool bracket = take("(");
    if (at_ >= end_) return fail();
    Value value = fromTruth(macroDefined(facts_.at(at_++), build_));
    if (bracket && !take(")")) return fail();
    return value;
  }
  /// `__has_include(<hip/hip_runtime.h>)` asks for ROCm; any other call is unknown unless its macro exists for AMD
  /// only.
  Value call(std::string_view name) {
    bool asksForHip = false;
    int depth = 0;
    for (; at_ < end_; ++at_) {
      if (facts_.is(at_, "(")) ++depth;
      if (facts_.is(at_, ")") && --depth == 0) break;
      std::string_view word = facts_.at(at_);
      asksForHip |=
          word == "hip" || word.starts_with("rocm") || word.starts_with("\"hip/") || word.starts_with("\"rocm");
    }
    if (!take(")")) return fail();
    if (name == "__has_include" && asksForHip) return fromTruth(build_ == Build::Amd ? Truth::True : Truth::False);
    return macroDefined(name, build_) == Truth::False ? fromTruth(Truth::False) : Value{};
  }

  const SourceFacts& facts_;
  TokenIndex at_, end_;
  Build build_;
  int depth_ = 0;
  bool failed_ = false;
};

bool isPart(std::string_view part) {
  static constexpr std::array<std::string_view, 15> parts{"HIP",    "ROCM",   "HIPCC",  "HIPRTC", "HIPBLAS",
                                                          "USEHIP", "MIOPEN", "RCCL",   "AMDGCN", "AMDGPU",
                                                          "HIPCUB", "HCC",    "AMDHIP", "hip",    "rocm"};
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

}  // namespace

bool isHipMacro(std::string_view identifier) {
  if (isHipOnNvidia(identifier)) return false;
  if (identifier == "USE_AMD") return true;
  bool amd = false, gpu = false;
  while (!identifier.empty()) {
    std::size_t end = identifier.find('_');
    std::string_view part = identifier.substr(0, end);
    if (isPart(part)) return true;
    amd |= part == "AMD";
    gpu |= part == "GPU" || part == "PLATFORM";
    if (end == std::string_view::npos) break;
    identifier.remove_prefix(end + 1);
  }
  return amd && gpu;
}

Truth macroDefined(std::string_view macro, Build build) {
  if (isArchitectureMacro(macro)) return build == Build::Amd ? Truth::Unknown : Truth::False;
  if (isHipMacro(macro)) return build == Build::Amd ? Truth::True : Truth::False;
  bool nvidia = isHipOnNvidia(macro) && (macro.find("HIP") != std::string_view::npos);
  return nvidia && build == Build::Amd ? Truth::False : Truth::Unknown;
}

Truth evaluateCondition(const SourceFacts& facts, TokenRange condition, Build build) {
  return Evaluator(facts, condition, build).run();
}

}  // namespace unwarp::scan
