// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/source_own_names.h"

#include <algorithm>

namespace unwarp::scan {

namespace {

using knowledge::Api;
using knowledge::Context;
using knowledge::Knowledge;

class Finder {
 public:
  Finder(const SourceFacts& facts, const Knowledge& knowledge) : facts_(facts), knowledge_(knowledge) {}

  OwnNames run() {
    own_.showsVendor = showsGpuVendor();
    if (own_.showsVendor) return std::move(own_);
    for (TokenIndex t : facts_.named("namespace")) readNamespace(t);
    for (const Function& function : facts_.functions)
      if (isIntrinsic(function.nameToken)) own_.functions.insert(function.name);
    for (TokenIndex t = 1; t < facts_.tokens.size(); ++t)
      if (isIntrinsic(t) && isDeclared(t)) own_.functions.insert(facts_.at(t));
    return std::move(own_);
  }

 private:
  const Api* apiOf(TokenIndex t) const {
    std::uint32_t record = facts_.tokens[t].api;
    return record == Knowledge::none ? nullptr : &knowledge_.apis()[record];
  }
  /// A function of device code without a library's prefix: what a project may want to name the same.
  bool isIntrinsic(TokenIndex t) const {
    const Api* api = apiOf(t);
    return api != nullptr && (api->kind == "intrinsic" || (api->kind == "function" && api->context == Context::Gpu));
  }

  bool showsGpuVendor() const {
    if (facts_.includesCuda || facts_.includesHip || isDevicePath(facts_.path) || !facts_.launches.empty()) return true;
    if (std::any_of(facts_.functions.begin(), facts_.functions.end(), [](const Function& f) { return f.isDevice; }))
      return true;
    for (TokenIndex t = 0; t < facts_.tokens.size(); ++t) {
      const Api* api = apiOf(t);
      bool known = api != nullptr && (facts_.tokens[t].kind == TokenKind::HeaderName || api->context == Context::Any);
      if (known && !isIntrinsic(t)) return true;
      // Headers of CUB and Thrust that no table lists one by one.
      if (facts_.tokens[t].kind == TokenKind::HeaderName && isLibraryFolder(facts_.at(t))) return true;
    }
    return false;
  }
  bool isLibraryFolder(std::string_view header) const {
    std::uint32_t record = knowledge_.findApi(header.substr(0, header.find('/')));
    return record != Knowledge::none && knowledge_.apis()[record].kind == "namespace";
  }

  /// `namespace a::thrust {` and `namespace thrust::a {` with definitions in it.
  void readNamespace(TokenIndex keyword) {
    if (facts_.is(keyword - 1, "using")) return;
    TokenIndex open = keyword + 1;
    while (facts_.isIdentifier(open) || facts_.is(open, "::")) ++open;
    if (!facts_.is(open, "{") || facts_.match[open] == noToken || !facts_.isIdentifier(open - 1)) return;
    for (TokenIndex name = keyword + 1; name < open; ++name) {
      const Api* api = apiOf(name);
      if (api == nullptr || api->kind != "namespace") continue;
      if (definesSomething({open + 1, facts_.match[open]})) own_.namespaces.insert(facts_.at(name));
      return;
    }
  }

  /// A type, an alias or a function body that is no specialisation: those have `<` behind the name or `template <>`.
  bool definesSomething(TokenRange range) const {
    for (TokenIndex t = range.begin; t < range.end; ++t) {
      std::string_view word = facts_.at(t);
      bool type = isAny(word, {"struct", "class", "union", "enum"}) && facts_.isIdentifier(t + 1);
      if (type && isAny(facts_.at(t + 2), {"{", ":", "final"})) return true;
      if (word == "using" && facts_.is(t + 2, "=")) return true;
    }
    return std::any_of(facts_.functions.begin(), facts_.functions.end(), [&](const Function& function) {
      if (!range.contains(function.nameToken) || function.body.empty()) return false;
      TokenRange head = function.qualifiers;
      bool special = facts_.is(head.begin, "template") && facts_.is(head.begin + 2, ">");
      return !special;
    });
  }

  /// `int atomicAdd(int* p, int v);` outside all functions.
  bool isDeclared(TokenIndex t) const {
    if (facts_.tokens[t].directive || facts_.functionOf[t] != noToken || !facts_.is(t + 1, "(")) return false;
    bool typed = isAny(facts_.at(t - 1), {"*", "&", ">"}) ||
                 (facts_.isIdentifier(t - 1) && !isAny(facts_.at(t - 1), {"return", "else", "new", "throw"}));
    TokenIndex close = facts_.match[t + 1];
    return typed && close != noToken && isAny(facts_.at(close + 1), {";", "const", "noexcept"});
  }

  const SourceFacts& facts_;
  const Knowledge& knowledge_;
  OwnNames own_;
};

class FunctionFinder {
 public:
  FunctionFinder(const SourceFacts& facts, const Knowledge& knowledge) : facts_(facts), knowledge_(knowledge) {}

  OwnScopes run() {
    for (TokenIndex t = 1; t + 1 < facts_.tokens.size(); ++t) {
      const Token& token = facts_.tokens[t];
      if (token.api == Knowledge::none || token.directive || !facts_.is(t + 1, "(")) continue;
      const Api& api = knowledge_.apis()[token.api];
      if (api.kind != "function" || api.context != Context::Any || !isDeclarator(t)) continue;
      // What takes or gives CUDA's types stands for the function itself: a wrapper, a table of loaded functions.
      if (speaksOfVendor({facts_.statement(t).begin, t}) || speaksOfVendor({t + 2, facts_.match[t + 1]})) continue;
      const TokenRange scope = ownScope(t);
      if (!scope.empty()) scopes_[facts_.at(t)].push_back(scope);
    }
    return std::move(scopes_);
  }

 private:
  /// `void name(...)`, not inside a function: a declaration or definition.
  bool isDeclarator(TokenIndex t) const {
    if (facts_.functionOf[t] != noToken) return false;
    const bool typed = isAny(facts_.at(t - 1), {"*", "&", ">"}) ||
                       (facts_.isIdentifier(t - 1) && !isAny(facts_.at(t - 1), {"return", "else", "new", "throw"}));
    const TokenIndex close = facts_.match[t + 1];
    return typed && close != noToken &&
           isAny(facts_.at(close + 1), {";", "{", "const", "noexcept", "override", "final", "=", "->"});
  }

  TokenRange ownScope(TokenIndex t) const {
    for (TokenIndex brace = facts_.block[t]; brace != noToken; brace = facts_.block[brace]) {
      if (facts_.match[brace] == noToken) return {};
      const TokenRange head{facts_.statement(brace - 1).begin, brace};
      if (brace == 0 || facts_.mentions(head, {"extern"})) return {};  // C linkage: CUDA's own
      if (facts_.mentions(head, {"struct", "class", "union", "namespace"})) return {brace, facts_.match[brace]};
    }
    return isStaticOwn(t) ? TokenRange{0, static_cast<TokenIndex>(facts_.tokens.size())} : TokenRange{};
  }

  bool isStaticOwn(TokenIndex t) const {
    const auto function = std::find_if(facts_.functions.begin(), facts_.functions.end(),
                                       [t](const Function& f) { return f.nameToken == t; });
    if (function == facts_.functions.end() || !facts_.mentions(function->qualifiers, {"static"})) return false;
    return !speaksOfVendor(function->body);
  }
  bool speaksOfVendor(TokenRange range) const {
    for (TokenIndex t = range.begin; t < range.end; ++t) {
      const std::uint32_t record = facts_.tokens[t].api;
      if (record != Knowledge::none && knowledge_.apis()[record].context == Context::Any) return true;
      const std::string_view word = facts_.at(t);
      if (facts_.isIdentifier(t) && (word.starts_with("hip") || word.starts_with("roc") || word.starts_with("miopen")))
        return true;
    }
    return false;
  }

  const SourceFacts& facts_;
  const Knowledge& knowledge_;
  OwnScopes scopes_;
};

}  // namespace

OwnScopes findOwnFunctions(const SourceFacts& facts, const Knowledge& knowledge) {
  return FunctionFinder(facts, knowledge).run();
}

OwnNames findOwnNames(const SourceFacts& facts, const Knowledge& knowledge) {
  return Finder(facts, knowledge).run();
}

bool opensKnownNamespace(const LexedFile& lexed, std::string_view text, const Knowledge& knowledge) {
  const auto& tokens = lexed.tokens;
  const auto spelling = [&](std::size_t t) { return text.substr(tokens[t].offset, tokens[t].length); };
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
    const bool known = tokens[t].api != Knowledge::none && knowledge.apis()[tokens[t].api].kind == "namespace";
    if (!known || t == 0 || (spelling(t + 1) != "{" && spelling(t + 1) != "::")) continue;
    std::size_t first = t;
    while (first > 1 && spelling(first - 1) == "::") first -= 2;
    if (first > 0 && spelling(first - 1) == "namespace") return true;
  }
  return false;
}

bool isDevicePath(std::string_view path) {
  for (std::string_view suffix : {".cu", ".cuh", ".cu.h", ".cuda", ".cu.in", ".cuh.in", ".cu.inc", ".hip"})
    if (path.ends_with(suffix)) return true;
  return false;
}

}  // namespace unwarp::scan
