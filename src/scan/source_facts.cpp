// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structure over tokens, built in one pass per question and only for files with GPU evidence. Nothing here needs the
// file to be valid: an unmatched bracket has no partner, an odd function head is no function, an expression that is no
// constant has no value. Siblings: source_branches.cpp (preprocessor), source_functions.cpp (functions, launches,
// shared arrays), source_constants.cpp (values).
#include "scan/source_facts.h"

#include <algorithm>
#include <array>

namespace unwarp::scan {

namespace {

bool isHipHeader(std::string_view header) {
  return header.starts_with("hip/") || header.starts_with("rocm") || header.find("/hip/") != std::string_view::npos;
}

}  // namespace

SourceFacts::SourceFacts(std::string_view sourcePath, std::string_view sourceText, LexedFile lexed,
                         const knowledge::Knowledge& knowledge)
    : path(sourcePath),
      text(sourceText),
      tokens(std::move(lexed.tokens)),
      directives(std::move(lexed.directives)),
      markedComments(std::move(lexed.markedComments)) {
  for (const Directive& directive : directives) {
    if (directive.last <= directive.first + 2 || tokens[directive.first + 2].kind != TokenKind::HeaderName) continue;
    bool hip = isHipHeader(at(directive.first + 2));
    std::uint32_t api = tokens[directive.first + 2].api;
    // A header that ROCm ships under the same name (<thrust/...>) shows nothing.
    bool cuda = api != knowledge::Knowledge::none && knowledge.apis()[api].status != Status::DropIn;
    includesHip |= hip;
    includesCuda |= !hip && cuda;
  }
  for (TokenIndex t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind == TokenKind::Number) numbers.push_back(t);
    if (tokens[t].kind == TokenKind::Punctuation && tokens[t].length == 1) {
      char c = text[tokens[t].offset];
      if (c == ';' || c == '{' || c == '}') statementStops_.push_back(t);
    }
  }
  for (std::size_t i = 0; i != std::string_view::npos; i = text.find('\n', i)) {
    if (!lineStarts_.empty()) ++i;
    lineStarts_.push_back(static_cast<std::uint32_t>(i));
  }
  judgeBranches();
  matchBrackets();
  findBlocks();
  findConstants();
  findFunctions();
  findLaunches();
  findSharedVariables();
}

std::uint32_t SourceFacts::column(TokenIndex t) const {
  std::size_t line = tokens[t].line;
  if (line == 0 || line > lineStarts_.size()) return 1;
  return tokens[t].offset - lineStarts_[line - 1] + 1;
}

std::string_view SourceFacts::textOf(TokenRange range) const {
  if (range.empty() || range.end > tokens.size()) return {};
  std::size_t from = tokens[range.begin].offset;
  const Token& last = tokens[range.end - 1];
  return text.substr(from, last.offset + last.length - from);
}

std::span<const TokenIndex> SourceFacts::named(std::string_view word) const {
  if (!indexed_) {
    for (TokenIndex t = 0; t < tokens.size(); ++t)
      if (tokens[t].kind == TokenKind::Identifier) index_[at(t)].push_back(t);
    indexed_ = true;
  }
  auto it = index_.find(word);
  if (it == index_.end()) return {};
  return it->second;
}

std::vector<TokenRange> SourceFacts::splitArguments(TokenRange inside) const {
  std::vector<TokenRange> pieces;
  if (inside.empty()) return pieces;
  TokenIndex begin = inside.begin;
  for (TokenIndex t = inside.begin; t < inside.end; ++t) {
    if (match[t] != noToken && match[t] > t && match[t] < inside.end) {
      t = match[t];
    } else if (is(t, "<") && t > inside.begin && isIdentifier(t - 1)) {
      // Template arguments hide their commas; a comparison does not reach a `>` before the range ends or a bracket
      // closes.
      TokenIndex close = t + 1;
      int depth = 1;
      for (; close < inside.end && depth > 0 && close - t < 64; ++close) {
        if (is(close, "<"))
          ++depth;
        else if (is(close, ">"))
          --depth;
        else if (is(close, ">>"))
          depth -= 2;
        else if (is(close, ";") || is(close, "&&") || is(close, "||"))
          break;
      }
      if (depth <= 0) t = close - 1;
    } else if (is(t, ",")) {
      pieces.push_back({begin, t});
      begin = t + 1;
    }
  }
  pieces.push_back({begin, inside.end});
  return pieces;
}

std::optional<Call> SourceFacts::callAt(TokenIndex t) const {
  if (!isIdentifier(t)) return std::nullopt;
  TokenIndex open = t + 1;
  if (is(open, "<")) {
    int depth = 0;
    TokenIndex limit = static_cast<TokenIndex>(std::min<std::size_t>(tokens.size(), open + 64));
    for (; open < limit; ++open) {
      if (is(open, "<"))
        ++depth;
      else if (is(open, ">"))
        --depth;
      else if (is(open, ">>"))
        depth -= 2;
      else if (is(open, ";") || is(open, "{"))
        return std::nullopt;
      if (depth <= 0) break;
    }
    ++open;
  }
  if (!is(open, "(") || match[open] == noToken) return std::nullopt;
  return Call{t, splitArguments({open + 1, match[open]}), match[open]};
}

std::vector<Call> SourceFacts::calls(std::initializer_list<std::string_view> names) const {
  std::vector<Call> result;
  for (std::string_view name : names) {
    for (TokenIndex t : named(name)) {
      if (tokens[t].directive) continue;
      if (auto call = callAt(t)) result.push_back(std::move(*call));
    }
  }
  std::sort(result.begin(), result.end(), [](const Call& a, const Call& b) { return a.name < b.name; });
  return result;
}

bool SourceFacts::mentions(TokenRange range, std::initializer_list<std::string_view> names) const {
  for (TokenIndex t = range.begin; t < range.end && t < tokens.size(); ++t) {
    if (tokens[t].kind == TokenKind::Identifier && std::find(names.begin(), names.end(), at(t)) != names.end())
      return true;
  }
  return false;
}

TokenRange SourceFacts::statement(TokenIndex t) const {
  auto next = std::lower_bound(statementStops_.begin(), statementStops_.end(), t);
  TokenIndex begin = next == statementStops_.begin() ? 0 : *(next - 1) + 1;
  TokenIndex end = next == statementStops_.end() ? static_cast<TokenIndex>(tokens.size()) : *next;
  return {begin, end};
}

}  // namespace unwarp::scan
