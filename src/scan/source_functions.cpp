// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions by shape: `name ( ... )` and, after qualifiers or a constructor's initialisers, a `{`, outside any other
// function. A function is a kernel when `__global__` stands before its name and a device function when `__device__` (or
// a project macro that is named for it) does. Lambdas marked `__device__` inside host functions are device functions of
// their own. Nothing here understands macros that hide braces.
#include <algorithm>

#include "scan/source_facts.h"

namespace unwarp::scan {

namespace {

/// CUTLASS_DEVICE, C10_HOST_DEVICE, KOKKOS_FUNCTION, __hostdev__: macros that stand for __device__.
bool isDeviceMacro(std::string_view word) {
  if (word == "__device__" || word == "__global__" || word == "KOKKOS_FUNCTION" || word == "KOKKOS_INLINE_FUNCTION" ||
      word == "__hostdev__")
    return true;
  bool upper = std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return upper && word.size() > 6 &&
         (word.ends_with("_DEVICE") || word.find("DEVICE_INLINE") != std::string_view::npos ||
          word.find("HOST_DEVICE") != std::string_view::npos || word.ends_with("_HOSTDEV") ||
          word.starts_with("DEVICE_") || word.ends_with("GPU_FUNC"));
}

bool isControl(std::string_view word) {
  static constexpr std::string_view words[] = {"if",
                                               "for",
                                               "while",
                                               "switch",
                                               "catch",
                                               "return",
                                               "sizeof",
                                               "alignof",
                                               "decltype",
                                               "noexcept",
                                               "defined",
                                               "static_assert",
                                               "__launch_bounds__",
                                               "__attribute__",
                                               "__align__",
                                               "alignas",
                                               "throw",
                                               "new",
                                               "asm",
                                               "__asm__",
                                               "requires",
                                               "__declspec",
                                               "operator"};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class Finder {
 public:
  explicit Finder(SourceFacts& facts) : facts_(facts) {}

  void run() {
    TokenIndex t = 0;
    TokenIndex count = static_cast<TokenIndex>(facts_.tokens.size());
    while (t < count) {
      if (!facts_.tokens[t].directive && facts_.is(t, "(") && t > 0 && facts_.match[t] != noToken) {
        TokenIndex name = t - 1;
        if (facts_.isIdentifier(name) && !facts_.tokens[name].directive && !isControl(facts_.at(name))) {
          TokenIndex after = tryFunction(name, t);
          if (after != noToken) {
            t = after;
            continue;
          }
        }
      }
      ++t;
    }
  }

 private:
  /// Token after the parameters' qualifiers: `{` for a definition, `;` for a declaration, else noToken.
  TokenIndex skipTail(TokenIndex t) const {
    for (int steps = 0; steps < 64 && t < facts_.tokens.size(); ++steps) {
      if (facts_.tokens[t].directive) {
        ++t;
      } else if (facts_.is(t, "{") || facts_.is(t, ";")) {
        return t;
      } else if (facts_.is(t, ":")) {
        return skipInitialisers(t + 1);
      } else if (facts_.is(t, "(") || facts_.is(t, "[")) {
        if (facts_.match[t] == noToken) return noToken;
        t = facts_.match[t] + 1;
      } else if (facts_.isIdentifier(t) || facts_.is(t, "->") || facts_.is(t, "::") || facts_.is(t, "&") ||
                 facts_.is(t, "*") || facts_.is(t, "&&") || facts_.is(t, "<") || facts_.is(t, ">")) {
        ++t;
      } else {
        return noToken;
      }
    }
    return noToken;
  }

  TokenIndex skipInitialisers(TokenIndex t) const {
    for (int steps = 0; steps < 1024 && t < facts_.tokens.size(); ++steps) {
      bool bracket = facts_.is(t, "(") || (facts_.is(t, "{") && t > 0 && facts_.isIdentifier(t - 1));
      if (bracket) {
        if (facts_.match[t] == noToken) return noToken;
        t = facts_.match[t] + 1;
        if (facts_.is(t, "{")) return t;
        continue;
      }
      if (facts_.is(t, "{")) return t;
      if (facts_.is(t, ";") || facts_.is(t, "}")) return noToken;
      ++t;
    }
    return noToken;
  }

  TokenIndex tryFunction(TokenIndex name, TokenIndex open) {
    TokenIndex close = facts_.match[open];
    TokenIndex tail = skipTail(close + 1);
    if (tail == noToken) return noToken;
    TokenIndex begin = name;
    while (begin > 0 && !facts_.tokens[begin - 1].directive && !facts_.is(begin - 1, ";") &&
           !facts_.is(begin - 1, "}") && !facts_.is(begin - 1, "{") && name - begin < 96) {
      --begin;
    }
    // Cut access specifiers ("public:") but not "::".
    for (TokenIndex t = begin; t < name; ++t)
      if (facts_.is(t, ":")) begin = t + 1;
    bool definition = facts_.is(tail, "{");
    Function function{facts_.at(name), name,  {begin, name}, {open + 1, close}, {},
                      false,           false, false,         std::nullopt,      false};
    qualify(function, {begin, name});
    qualify(function, {close + 1, tail});
    // A declaration counts only with a GPU qualifier: `f(x);` is a call or anything.
    if (!definition && !function.isDevice) return noToken;
    if (!definition) {
      facts_.functions.push_back(function);
      return tail;
    }
    TokenIndex end = facts_.match[tail] == noToken ? static_cast<TokenIndex>(facts_.tokens.size()) : facts_.match[tail];
    function.body = {tail + 1, end};
    std::uint32_t index = static_cast<std::uint32_t>(facts_.functions.size());
    facts_.functions.push_back(function);
    for (TokenIndex t = open; t < end; ++t) facts_.functionOf[t] = index;
    if (!function.isDevice) findLambdas(function.body);
    return end;
  }

  void qualify(Function& function, TokenRange range) {
    bool host = false;
    for (TokenIndex t = range.begin; t < range.end; ++t) {
      if (!facts_.isIdentifier(t)) continue;
      std::string_view word = facts_.at(t);
      function.isKernel |= word == "__global__";
      function.isDevice |= isDeviceMacro(word);
      host |= word == "__host__" || word.find("HOST") != std::string_view::npos;
      if (word == "__launch_bounds__") launchBounds(function, t);
    }
    function.isHost |= host;
    function.isHost = function.isHost || !function.isDevice;
    if (function.isDevice && !host) function.isHost = false;
  }

  void launchBounds(Function& function, TokenIndex t) {
    auto call = facts_.callAt(t);
    if (!call || call->arguments.empty()) return;
    function.launchBoundsThreads = facts_.evaluate(call->arguments[0]);
    function.launchBoundsHasSecond = call->arguments.size() > 1;
  }

  /// The other arms of the `#if` that opens `brace` in one arm and closes it below: what they hold stands beside the
  /// body, not in it. Empty when the body has no such gap.
  TokenRange otherArms(TokenIndex brace, TokenIndex close) const {
    auto directive = std::lower_bound(facts_.directives.begin(), facts_.directives.end(), brace,
                                      [](const Directive& d, TokenIndex token) { return d.first < token; });
    TokenRange gap;
    int depth = 0;
    for (; directive != facts_.directives.end() && directive->first < close; ++directive) {
      bool opens = directive->name == "if" || directive->name == "ifdef" || directive->name == "ifndef";
      bool other = directive->name == "else" || directive->name.starts_with("elif");
      if (opens) ++depth;
      if (other && depth == 0 && gap.begin == 0) gap.begin = directive->first;
      if (directive->name == "endif" && depth-- == 0) {
        gap.end = directive->first;
        break;
      }
    }
    return gap.begin != 0 ? gap : TokenRange{};
  }

  /// `[...] __device__ (...) { ... }` inside a host function.
  void findLambdas(TokenRange body) {
    for (TokenIndex t = body.begin; t < body.end; ++t) {
      if (!facts_.isIdentifier(t) || facts_.tokens[t].directive || !isDeviceMacro(facts_.at(t))) continue;
      TokenIndex open = t + 1;
      while (open < body.end && open - t < 8 && facts_.isIdentifier(open)) ++open;
      if (!facts_.is(open, "(") || facts_.match[open] == noToken) continue;
      TokenIndex brace = skipTail(facts_.match[open] + 1);
      if (brace == noToken || !facts_.is(brace, "{") || facts_.match[brace] == noToken) continue;
      Function lambda{"lambda",
                      t,
                      {t, open},
                      {open + 1, facts_.match[open]},
                      {brace + 1, facts_.match[brace]},
                      false,
                      true,
                      false,
                      std::nullopt,
                      false};
      std::uint32_t index = static_cast<std::uint32_t>(facts_.functions.size());
      facts_.functions.push_back(lambda);
      TokenRange gap = otherArms(brace, facts_.match[brace]);
      for (TokenIndex inner = open; inner < facts_.match[brace]; ++inner)
        if (!gap.contains(inner)) facts_.functionOf[inner] = index;
      t = gap.empty() ? facts_.match[brace] : gap.begin;
    }
  }

  SourceFacts& facts_;
};

}  // namespace

void SourceFacts::findFunctions() {
  functionOf.assign(tokens.size(), noToken);
  Finder(*this).run();
}

void SourceFacts::findLaunches() {
  for (TokenIndex t = 1; t < tokens.size(); ++t) {
    if (tokens[t].length != 3 || tokens[t].directive || !is(t, "<<<") || match[t] == noToken) continue;
    TokenIndex kernel = t - 1;
    if (is(kernel, ">") || is(kernel, ">>")) {  // kernel<T, 4><<<...>>>
      int depth = 0;
      for (int steps = 0; steps < 128 && kernel > 0; ++steps, --kernel) {
        if (is(kernel, ")") && match[kernel] != noToken && match[kernel] > 0) kernel = match[kernel] - 1;  // (3 > 2)
        depth += is(kernel, ">>") ? 2 : is(kernel, ">") ? 1 : is(kernel, "<") ? -1 : 0;
        if (depth <= 0) break;
      }
      if (kernel > 0) --kernel;
    }
    Launch launch{kernel, t, splitArguments({t + 1, match[t]}), {}};
    TokenIndex open = match[t] + 1;
    if (is(open, "(") && match[open] != noToken) launch.arguments = splitArguments({open + 1, match[open]});
    launches.push_back(std::move(launch));
  }
}

void SourceFacts::findSharedVariables() {
  const auto count = static_cast<TokenIndex>(tokens.size());
  for (TokenIndex t = 0; t < count; ++t) {
    if (tokens[t].kind != TokenKind::Identifier || tokens[t].directive || !is(t, "__shared__")) continue;
    // Specifiers stand close by; a declaration without end is not searched again for each variable.
    const TokenIndex near = std::max(statement(t).begin, t < 16 ? 0 : t - 16);
    const bool isExtern = mentions({near, std::min<TokenIndex>(count, t + 4)}, {"extern"});
    const TokenIndex end = std::min<TokenIndex>(count, t + 512);
    TokenRange type{t + 1, t + 1};
    int angles = 0;
    for (TokenIndex name = t + 1; name < end && !tokens[name].directive; ++name) {
      if (is(name, "=") || is(name, ";") || is(name, "__shared__")) break;
      if (is(name, "{") || is(name, "(")) {  // a struct's body, `__align__(16)`, `decltype(x)`; else no declaration
        const bool body = is(name, "{") && type.end == type.begin;
        const TokenIndex close = match[name];
        if (close == noToken || !(body || (close + 1 < end && isIdentifier(close + 1)))) break;
        name = close;
        continue;
      }
      angles += is(name, "<") ? 1 : is(name, ">") ? -1 : is(name, ">>") ? -2 : 0;
      if (!isIdentifier(name) || angles > 0 || name == t + 1 || !isAny(at(name + 1), {"[", ";", ",", "="})) continue;
      if (type.end == type.begin) type.end = name;
      SharedVariable variable{name, type, {}, isExtern};
      TokenIndex open = name + 1;
      while (open < end && is(open, "[") && match[open] != noToken) {
        variable.extents.push_back({open + 1, match[open]});
        open = match[open] + 1;
      }
      sharedVariables.push_back(std::move(variable));
      name = open - 1;
    }
  }
}

}  // namespace unwarp::scan
