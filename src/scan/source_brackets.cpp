// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partners of brackets in text that the preprocessor has not seen. Two arms of an `#if` may both open what is closed
// once below them:
//
//   #ifdef USE_A
//     for (...) {
//   #else
//     for (...; ...) {
//   #endif
//     }
//
// At `#else` the stack goes back to its height at `#if`, and what the first arm opened shares the partner of what the
// last one opens. Arms that close what lies outside them are not repaired. A closer drops the unmatched opens it skips,
// but `)`, `]` and `>>>` never close over a `{`. Linear: places by kind of bracket find a partner without looking.
#include <array>

#include "scan/source_facts.h"

namespace unwarp::scan {

namespace {

class BracketMatcher {
 public:
  explicit BracketMatcher(SourceFacts& facts) : facts_(facts), twin_(facts.tokens.size(), noToken) {}

  void run() {
    std::size_t nextDirective = 0;
    for (TokenIndex t = 0; t < facts_.tokens.size(); ++t) {
      while (nextDirective < facts_.directives.size() && facts_.directives[nextDirective].first <= t)
        enterDirective(facts_.directives[nextDirective++].name);
      if (facts_.tokens[t].kind != TokenKind::Punctuation || facts_.tokens[t].directive) continue;
      char c = facts_.text[facts_.tokens[t].offset];
      std::size_t kind = openers.find(c);
      if (kind != std::string_view::npos) {
        if (facts_.tokens[t].length == lengthOf(kind)) push(kind, t);
        continue;
      }
      kind = closers.find(c);
      if (kind != std::string_view::npos && facts_.tokens[t].length == lengthOf(kind)) close(kind, t);
    }
  }

 private:
  static constexpr std::string_view openers = "([{<", closers = ")]}>";
  static constexpr std::size_t brace = 2, launch = 3;
  static std::uint32_t lengthOf(std::size_t kind) { return kind == launch ? 3 : 1; }

  struct Arms {
    std::size_t height;                ///< of the stack at #if
    std::vector<TokenIndex> firstArm;  ///< what the first arm left open
    bool restored = false;
  };

  std::size_t top(std::size_t kind) const { return ofKind_[kind].empty() ? 0 : ofKind_[kind].back() + 1; }

  void push(std::size_t kind, TokenIndex t) {
    ofKind_[kind].push_back(open_.size());
    open_.push_back(t);
  }
  void shrink(std::size_t height) {
    open_.resize(height);
    for (std::vector<std::size_t>& places : ofKind_)
      while (!places.empty() && places.back() >= height) places.pop_back();
  }
  void close(std::size_t kind, TokenIndex t) {
    std::size_t depth = top(kind);
    if (depth == 0 || (kind != brace && depth < top(brace))) return;
    TokenIndex partner = open_[depth - 1];
    facts_.match[t] = partner;
    for (; partner != noToken; partner = twin_[partner]) facts_.match[partner] = t;
    shrink(depth - 1);
  }

  void enterDirective(std::string_view name) {
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      arms_.push_back({open_.size(), {}, false});
    } else if (arms_.empty()) {
      return;
    } else if (name == "else" || name.starts_with("elif")) {
      Arms& arms = arms_.back();
      if (open_.size() <= arms.height) return;
      if (!arms.restored) arms.firstArm.assign(open_.begin() + static_cast<std::ptrdiff_t>(arms.height), open_.end());
      arms.restored = true;
      shrink(arms.height);
    } else if (name == "endif") {
      const Arms& arms = arms_.back();
      if (arms.restored && open_.size() == arms.height + arms.firstArm.size()) {
        for (std::size_t i = 0; i < arms.firstArm.size(); ++i) join(open_[arms.height + i], arms.firstArm[i]);
      }
      arms_.pop_back();
    }
  }
  /// Puts `other` into the list of tokens that share the partner of `token`.
  void join(TokenIndex token, TokenIndex other) {
    if (token == other || twin_[other] != noToken) return;
    twin_[other] = twin_[token];
    twin_[token] = other;
  }

  SourceFacts& facts_;
  std::vector<TokenIndex> open_;                    ///< all open brackets
  std::array<std::vector<std::size_t>, 4> ofKind_;  ///< places in open_ by kind
  std::vector<Arms> arms_;
  std::vector<TokenIndex> twin_;  ///< next token that shares a partner
};

}  // namespace

void SourceFacts::matchBrackets() {
  match.assign(tokens.size(), noToken);
  BracketMatcher(*this).run();
}

void SourceFacts::findBlocks() {
  block.assign(tokens.size(), noToken);
  std::vector<TokenIndex> open;
  for (TokenIndex t = 0; t < tokens.size(); ++t) {
    bool brace = tokens[t].kind == TokenKind::Punctuation && !tokens[t].directive;
    bool closes = brace && match[t] != noToken && is(t, "}");
    // Both arms of an `#if` may have opened what closes here; unmatched braces above them end with it.
    while (closes && !open.empty() && (open.back() >= match[t] || match[open.back()] == t)) open.pop_back();
    if (!open.empty()) block[t] = open.back();
    if (brace && is(t, "{")) open.push_back(t);
  }
}

}  // namespace unwarp::scan
