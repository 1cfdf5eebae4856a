// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp built-ins and width names. Lists are closed: a project's own wrapper is judged by warp_model, not by its
// spelling here. Types and casts are recognised by the spelling of the usual integer names; a typedef of a project is
// unknown, so rules that need a 32-bit type stay silent on it.
#include "audit/rules/patterns.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace unwarp::audit::patterns {

namespace {

using scan::noToken;

struct BuiltIn {
  std::string_view name;
  CollectiveKind kind;
};
constexpr std::array<BuiltIn, 12> builtIns{{{"__shfl", CollectiveKind::ShuffleIndex},
                                            {"__shfl_up", CollectiveKind::ShuffleUp},
                                            {"__shfl_down", CollectiveKind::ShuffleDown},
                                            {"__shfl_xor", CollectiveKind::ShuffleXor},
                                            {"__ballot", CollectiveKind::Ballot},
                                            {"__any", CollectiveKind::Vote},
                                            {"__all", CollectiveKind::Vote},
                                            {"__uni", CollectiveKind::Vote},
                                            {"__match_any", CollectiveKind::Match},
                                            {"__match_all", CollectiveKind::Match},
                                            {"__activemask", CollectiveKind::ActiveMask},
                                            {"__syncwarp", CollectiveKind::Sync}}};
constexpr std::array<std::string_view, 10> withSync{
    "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",  "__ballot_sync",
    "__any_sync",  "__all_sync",     "__uni_sync",       "__match_any_sync", "__match_all_sync"};
constexpr std::array<std::string_view, 6> reductions{"__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync",
                                                     "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync"};

TokenRange argument(const Call& call, std::size_t index) {
  return index < call.arguments.size() ? call.arguments[index] : TokenRange{};
}

Collective describe(Call call, CollectiveKind kind, bool takesMask) {
  Collective result{std::move(call), kind, takesMask, {}, {}, {}, {}};
  std::size_t next = 0;
  if (takesMask || kind == CollectiveKind::Sync) result.mask = argument(result.call, next++);
  if (kind == CollectiveKind::ActiveMask || kind == CollectiveKind::Sync) return result;
  result.value = argument(result.call, next++);
  if (!result.isShuffle()) return result;
  result.lane = argument(result.call, next++);
  result.width = argument(result.call, next);
  return result;
}

void collect(const SourceFacts& facts, std::string_view name, CollectiveKind kind, bool takesMask,
             std::vector<Collective>& out) {
  for (TokenIndex t : facts.named(name)) {
    if (facts.tokens[t].directive || t >= facts.functionOf.size() || facts.functionOf[t] == noToken) continue;
    auto call = facts.callAt(t);
    if (call) out.push_back(describe(std::move(*call), kind, takesMask));
  }
}

bool isTypeWord(std::string_view word) {
  constexpr std::array<std::string_view, 30> typeWords{
      "int",     "unsigned", "signed", "long",     "short",     "char",     "bool",      "float",
      "double",  "auto",     "uint",   "uint32_t", "int32_t",   "uint64_t", "int64_t",   "size_t",
      "uint8_t", "uint16_t", "const",  "volatile", "register",  "static",   "constexpr", "std",
      "u32",     "u64",      "uint32", "uint64",   "ptrdiff_t", "half"};
  return std::find(typeWords.begin(), typeWords.end(), word) != typeWords.end();
}

}  // namespace

std::vector<Collective> collectives(const SourceFacts& facts) {
  std::vector<Collective> result;
  for (const BuiltIn& builtIn : builtIns) collect(facts, builtIn.name, builtIn.kind, false, result);
  for (std::size_t i = 0; i < withSync.size(); ++i) collect(facts, withSync[i], builtIns[i].kind, true, result);
  for (std::string_view name : reductions) collect(facts, name, CollectiveKind::Reduce, true, result);
  std::sort(result.begin(), result.end(),
            [](const Collective& a, const Collective& b) { return a.call.name < b.call.name; });
  return result;
}

bool isCollectiveName(std::string_view name) {
  auto same = [name](const BuiltIn& builtIn) { return builtIn.name == name; };
  return std::any_of(builtIns.begin(), builtIns.end(), same) ||
         std::find(withSync.begin(), withSync.end(), name) != withSync.end() ||
         std::find(reductions.begin(), reductions.end(), name) != reductions.end();
}

bool runsOnDevice(const SourceFacts& facts, TokenIndex t) {
  const Function* function = facts.enclosing(t);
  if (function == nullptr) return false;
  if (function->isDevice) return true;
  // Projects hide __device__ behind macros of their own; a built-in variable or collective in the body says the same.
  return usesName(facts, function->body, "threadIdx") || usesName(facts, function->body, "blockIdx");
}

bool isWidthName(std::string_view name) {
  if (name == "WS" || name == "warp" || name == "WARP" || name == "kWarp" || name == "kWave" || name == "WAVE")
    return true;
  if (name.size() < 6 || name.size() > 40) return false;
  std::string folded;
  for (char c : name) {
    if (c != '_') folded += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  auto has = [&folded](std::string_view piece) { return folded.find(piece) != std::string::npos; };
  if (has("log") || has("half") || has("mask") || has("shift") || has("block") || has("bits") || has("num") ||
      has("count") || has("max") || has("min")) {
    return false;
  }
  constexpr std::array<std::string_view, 14> pieces{
      "warpsize",     "wavesize",      "wavefrontsize", "warpwidth",   "wavewidth", "lanewidth",      "threadsperwarp",
      "lanesperwarp", "threadsinwarp", "warpthreads",   "threadswarp", "wrapsize",  "threadsperwave", "lanesperwave"};
  if (!std::any_of(pieces.begin(), pieces.end(), has)) return false;
  for (std::string_view piece : pieces) {  // what follows the words names something else: WARP_SIZE_M, WARP_SIZE_TILE
    std::size_t at = folded.find(piece);
    if (at != std::string::npos && folded.size() <= at + piece.size() + 1) return true;
  }
  return has("warpsizedevice") || has("warpsizehost");
}

std::optional<std::int64_t> valueOf(const SourceFacts& facts, TokenRange range) {
  range = stripped(facts, range);
  if (range.empty()) return std::nullopt;
  return facts.evaluate(range);
}

bool hasLongSuffix(std::string_view literal) {
  return literal.find_first_of("lL") != std::string_view::npos;
}

std::optional<std::int64_t> valueOf(const SourceFacts& facts, TokenIndex t) {
  return facts.evaluate({t, t + 1});
}

TokenRange stripped(const SourceFacts& facts, TokenRange range) {
  for (int steps = 0; steps < 16 && !range.empty(); ++steps) {
    TokenIndex open = range.begin;
    if (facts.is(open, "static_cast") || isTypeWord(facts.at(open))) {  // static_cast<T>(x), uint32_t(x)
      while (open < range.end && !facts.is(open, "(")) ++open;
      if (open >= range.end || facts.match[open] != range.end - 1) return range;
    }
    if (!facts.is(open, "(")) return range;
    TokenIndex close = facts.match[open];
    if (close == range.end - 1) {
      range = {open + 1, close};
      continue;
    }
    if (close == noToken || close >= range.end) return range;
    for (TokenIndex t = open + 1; t < close; ++t) {
      if (!isTypeWord(facts.at(t)) && !facts.is(t, "::")) return range;
    }
    if (close == open + 1) return range;
    range.begin = close + 1;
  }
  return range;
}

namespace {

/// `t` names something that is declared right here: a type word or `typename`-less template parameter stands before it.
bool declaresHere(const SourceFacts& facts, TokenIndex t) {
  if (t == 0 || facts.tokens[t].directive) return false;
  bool typed = isTypeWord(facts.at(t - 1)) || (facts.isIdentifier(t - 1) && facts.at(t - 1).ends_with("_t")) ||
               isAny(facts.at(t - 1), {"IndexType", "size_type", "Index"});
  return typed && isAny(facts.at(t + 1), {"=", "{", "(", ",", ">", ")", ";"});
}

/// Where the template parameter at `t` is known: to the end of the body that its template introduces.
bool reachesFromTemplate(const SourceFacts& facts, TokenIndex t, TokenIndex use) {
  constexpr int maxSteps = 400;
  for (int steps = 0; t < use && steps < maxSteps; ++steps, ++t) {
    if (facts.is(t, ";")) return false;
    if (facts.is(t, "(") && facts.match[t] != noToken) {
      if (facts.match[t] > use) return true;
      t = facts.match[t];
    } else if (facts.is(t, "{")) {
      return facts.match[t] != noToken && facts.match[t] > use;
    }
  }
  return t >= use;
}

}  // namespace

TokenIndex ownDeclaration(const SourceFacts& facts, TokenIndex t) {
  constexpr int maxMentions = 128;
  auto mentions = facts.named(facts.at(t));
  auto last = std::upper_bound(mentions.begin(), mentions.end(), t);
  for (int steps = 0; last != mentions.begin() && steps < maxMentions; ++steps) {
    TokenIndex d = *--last;
    if (!declaresHere(facts, d)) continue;
    const Function* user = facts.enclosing(t);
    bool inFunction = user != nullptr && (user->body.contains(d) || user->parameters.contains(d));
    if (inFunction || d == t) return d;
    if (facts.functionOf[d] == noToken && reachesFromTemplate(facts, d, t)) return d;
  }
  return noToken;
}

bool isBuiltinWidth(const SourceFacts& facts, TokenIndex t) {
  return facts.is(t, "warpSize") && facts.constants.find("warpSize") == facts.constants.end() &&
         !facts.is(t - 1, ".") && !facts.is(t - 1, "->") && ownDeclaration(facts, t) == noToken;
}

bool usesBuiltinWidth(const SourceFacts& facts, TokenRange range) {
  constexpr int maxMentions = 64;
  auto tokens = facts.named("warpSize");
  auto next = std::lower_bound(tokens.begin(), tokens.end(), range.begin);
  for (int steps = 0; next != tokens.end() && *next < range.end && steps < maxMentions; ++next, ++steps)
    if (isBuiltinWidth(facts, *next)) return true;
  return false;
}

bool isUnknownWidth(const SourceFacts& facts, TokenIndex t) {
  if (!facts.isIdentifier(t)) return false;
  std::string_view name = facts.at(t);
  if (name == "warp" || !isWidthName(name)) return false;
  if (facts.constants.find(name) != facts.constants.end()) return false;
  if (name == "warpSize" && (facts.is(t - 1, ".") || facts.is(t - 1, "->"))) return true;
  // `int warpSize = 32;` in the function: known, although no constant.
  TokenIndex declared = ownDeclaration(facts, t);
  return declared == noToken || !facts.is(declared + 1, "=") || !valueOf(facts, declared + 2).has_value();
}

bool mentionsUnknownWidth(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (isUnknownWidth(facts, t)) return true;
  }
  return false;
}

bool usesName(const SourceFacts& facts, TokenRange range, std::string_view name) {
  auto tokens = facts.named(name);
  auto first = std::lower_bound(tokens.begin(), tokens.end(), range.begin);
  return first != tokens.end() && *first < range.end;
}

TokenIndex operandBegin(const SourceFacts& facts, TokenIndex last) {
  TokenIndex t = last;
  for (int steps = 0; steps < 64; ++steps) {
    bool group = facts.is(t, ")") || facts.is(t, "]");
    if (group) {
      TokenIndex open = facts.match[t];
      if (open == noToken || open == 0 || open > t) return t;
      t = open;
      bool named =
          facts.isIdentifier(t - 1) && !isAny(facts.at(t - 1), {"return", "if", "while", "for", "else", "switch"});
      if (!named && !facts.is(t - 1, "]") && !facts.is(t - 1, ")")) return t;
      if (!named && facts.is(t - 1, ")") && facts.is(t, "(")) return t;  // `if (a) (b)` or a cast
      --t;
      continue;
    }
    if (t == 0 || !isAny(facts.at(t - 1), {".", "->", "::"}) || t < 2) return t;
    t -= 2;
  }
  return t;
}

ForHeader forHeader(const SourceFacts& facts, TokenRange inside) {
  std::array<TokenRange, 3> pieces{};
  std::size_t piece = 0;
  TokenIndex begin = inside.begin;
  for (TokenIndex t = inside.begin; t < inside.end; ++t) {
    if (facts.is(t, "(") || facts.is(t, "[") || facts.is(t, "{")) {
      if (facts.match[t] != noToken && facts.match[t] < inside.end) t = facts.match[t];
    } else if (facts.is(t, ";")) {
      if (piece == 2) return {};
      pieces[piece++] = {begin, t};
      begin = t + 1;
    }
  }
  if (piece != 2) return {};
  pieces[2] = {begin, inside.end};
  return {pieces[0], pieces[1], pieces[2]};
}

std::string shortText(const SourceFacts& facts, TokenRange range, std::size_t limit) {
  std::string folded;
  for (std::string_view word : words(facts.textOf(range).substr(0, limit * 3))) {
    if (!folded.empty()) folded += ' ';
    folded += word;
  }
  if (folded.size() > limit) folded = folded.substr(0, limit - 3) + "...";
  return toValidUtf8(folded);
}

bool isInt32Type(const SourceFacts& facts, TokenRange type) {
  bool found = false;
  for (TokenIndex t = type.begin; t < type.end; ++t) {
    if (isAny(facts.at(t), {"*", "long", "uint64_t", "int64_t", "size_t", "bool", "[", "<"})) return false;
    found |= isAny(facts.at(t), {"int", "unsigned", "uint", "uint32_t", "int32_t", "uint32", "int32", "u32", "signed"});
  }
  return found;
}

bool isInt64Type(const SourceFacts& facts, TokenRange type) {
  bool found = false;
  for (TokenIndex t = type.begin; t < type.end; ++t) {
    if (isAny(facts.at(t), {"*", "[", "<"})) return false;
    found |= isAny(facts.at(t), {"long", "uint64_t", "int64_t", "size_t", "uint64", "u64", "uint64_cu"});
  }
  return found;
}

const scan::Directive* directiveAround(const SourceFacts& facts, TokenIndex t) {
  if (t >= facts.tokens.size() || !facts.tokens[t].directive) return nullptr;
  auto after =
      std::upper_bound(facts.directives.begin(), facts.directives.end(), t,
                       [](TokenIndex token, const scan::Directive& directive) { return token < directive.first; });
  if (after == facts.directives.begin() || t >= (after - 1)->last) return nullptr;
  return &*(after - 1);
}

}  // namespace unwarp::audit::patterns
