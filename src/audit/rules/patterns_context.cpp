// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a token stands: inside which conditions and loops, on which side of an assignment, declared with which type.
// Searches walk backwards inside one statement, over matched brackets in one step, and go from statement to block by
// the table of blocks. They give up after a fixed number of steps: on machine-made files with huge statements a rule
// then sees less and stays silent, but time stays linear.
#include <algorithm>

#include "audit/rules/patterns.h"

namespace unwarp::audit::patterns {

namespace {

using scan::noToken;
constexpr int maxSteps = 4000;
constexpr std::size_t maxControls = 32;

bool isControlWord(std::string_view word) {
  return word == "if" || word == "for" || word == "while";
}

/// The control whose parentheses close at `close`, or noToken.
TokenIndex controlKeyword(const SourceFacts& facts, TokenIndex close) {
  TokenIndex open = facts.match[close];
  if (open == noToken || open == 0 || open > close) return noToken;
  TokenIndex keyword = open - 1;
  if (facts.is(keyword, "constexpr") && keyword > 0) --keyword;
  return isControlWord(facts.at(keyword)) ? keyword : noToken;
}

/// For the `{` or first token after an `else`: the keyword of its `if`.
TokenIndex ifOfElse(const SourceFacts& facts, TokenIndex elseToken) {
  if (elseToken == 0) return noToken;
  TokenIndex before = elseToken - 1;
  if (!facts.is(before, "}") || facts.match[before] == noToken || facts.match[before] == 0) return noToken;
  TokenIndex close = facts.match[before] - 1;
  return facts.is(close, ")") ? controlKeyword(facts, close) : noToken;
}

TokenIndex endOfStatement(const SourceFacts& facts, TokenIndex begin) {
  TokenIndex t = begin;
  for (int steps = 0; t < facts.tokens.size() && steps < maxSteps; ++t, ++steps) {
    if (facts.is(t, ";")) return t + 1;
    if (facts.is(t, "}")) return t;
    if (facts.is(t, "{") && facts.match[t] != noToken) {
      if (facts.is(t - 1, ")") || facts.is(t - 1, "else") || facts.is(t - 1, "do")) return facts.match[t] + 1;
      t = facts.match[t];
    } else if (facts.is(t, "(") && facts.match[t] != noToken) {
      t = facts.match[t];
    }
  }
  return t;
}

}  // namespace

std::optional<Control> controlAt(const SourceFacts& facts, TokenIndex t) {
  if (!isControlWord(facts.at(t))) return std::nullopt;
  TokenIndex open = t + 1;
  if (facts.is(open, "constexpr")) ++open;
  if (!facts.is(open, "(") || facts.match[open] == noToken) return std::nullopt;
  TokenIndex close = facts.match[open];
  Control control{t, {open + 1, close}, {}};
  TokenIndex body = close + 1;
  if (facts.is(body, "{") && facts.match[body] != noToken) {
    control.body = {body + 1, facts.match[body]};
  } else {
    control.body = {body, endOfStatement(facts, body)};
  }
  return control;
}

std::vector<Control> controlsAround(const SourceFacts& facts, TokenIndex t) {
  std::vector<Control> result;
  const Function* function = facts.enclosing(t);
  TokenIndex stop = function == nullptr ? 0 : function->body.begin;
  auto add = [&](TokenIndex keyword) {
    if (keyword == noToken) return;
    if (auto control = controlAt(facts, keyword)) result.push_back(*control);
  };
  for (int steps = 0; t > stop && steps < maxSteps && result.size() < maxControls; ++steps) {
    --t;
    std::string_view word = facts.at(t);
    bool statementBegins = word == ";" || word == "}" || word == "else";
    if (word == ")" || word == "]") {
      if (word == ")") add(controlKeyword(facts, t));
      if (facts.match[t] != noToken && facts.match[t] < t) t = facts.match[t];
    } else if (statementBegins) {
      if (word == "else") add(ifOfElse(facts, t));
      t = facts.block[t];  // what stands before in this block holds nothing of this statement
      if (t == noToken) break;
    }
  }
  return result;
}

TokenRange declaredType(const SourceFacts& facts, const Function& function, std::string_view name, TokenIndex at) {
  auto tokens = facts.named(name);
  auto last = std::upper_bound(tokens.begin(), tokens.end(), at);
  for (int steps = 0; last != tokens.begin() && steps < 64; ++steps) {
    TokenIndex t = *--last;
    bool parameter = function.parameters.contains(t);
    if (!parameter && !function.body.contains(t)) break;
    if (facts.is(t + 1, "(") || facts.is(t - 1, ".") || facts.is(t - 1, "->")) continue;
    TokenIndex begin = t;
    while (begin > 0 && t - begin < 64 && !facts.is(begin - 1, ";") && !facts.is(begin - 1, "{") &&
           !facts.is(begin - 1, "}") && !facts.is(begin - 1, "(") && !(parameter && facts.is(begin - 1, ",")) &&
           !facts.is(begin - 1, ")")) {
      --begin;
    }
    // Type words up to the first declarator: identifiers, `::`, `*`, `&`; then either `name` itself or `first = ...,
    // name`.
    TokenIndex end = begin;
    while (end < t && (facts.isIdentifier(end) || facts.is(end, "::") || facts.is(end, "*") || facts.is(end, "&")))
      ++end;
    if (end == t && begin < t && !facts.is(begin, "return") && !facts.is(begin, "else")) return {begin, t};
    if (end > begin + 1 && facts.isIdentifier(end - 1) && (facts.is(end, "=") || facts.is(end, ",")) &&
        facts.is(t - 1, ",")) {
      return {begin, end - 1};
    }
  }
  return {};
}

std::optional<Assignment> assignmentAround(const SourceFacts& facts, TokenIndex t) {
  TokenIndex at = t;
  for (int steps = 0; at > 0 && steps < 512; ++steps) {
    --at;
    std::string_view word = facts.at(at);
    if (word == ";" || word == "{" || word == "}" || facts.tokens[at].directive != facts.tokens[t].directive)
      return std::nullopt;
    if ((word == ")" || word == "]") && facts.match[at] != noToken && facts.match[at] < at) {
      at = facts.match[at];
      continue;
    }
    if (word != "=" && word != "+=" && word != "|=" && word != "&=" && word != "^=" && word != "-=") continue;
    Assignment result;
    result.op = at;
    if (at == 0) return std::nullopt;
    TokenIndex begin = operandBegin(facts, at - 1);
    result.left = {begin, at};
    result.name = facts.isIdentifier(at - 1) ? at - 1 : noToken;
    result.declares =
        begin > 0 && (facts.isIdentifier(begin - 1) || facts.is(begin - 1, ">") ||
                      ((facts.is(begin - 1, "*") || facts.is(begin - 1, "&")) && facts.isIdentifier(begin - 2)));
    TokenIndex end = at + 1;
    for (int forward = 0; end < facts.tokens.size() && forward < maxSteps; ++end, ++forward) {
      std::string_view stop = facts.at(end);
      if (stop == ";" || stop == "," || stop == ")" || stop == "}" || stop == "]") break;
      if ((stop == "(" || stop == "[" || stop == "{") && facts.match[end] != noToken) end = facts.match[end];
    }
    result.right = {at + 1, end};
    return result;
  }
  return std::nullopt;
}

}  // namespace unwarp::audit::patterns
