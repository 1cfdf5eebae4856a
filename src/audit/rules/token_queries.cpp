// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implementation of the shared questions. Every search is bounded by one function, one statement or one bracket pair,
// so that the cost stays proportional to the tokens that made a detector ask.
#include "audit/rules/token_queries.h"

#include <algorithm>

#include "audit/rules/patterns.h"
#include "base/text.h"

namespace unwarp::audit {

using scan::Function;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenKind;
using scan::TokenRange;

namespace {

constexpr int maxResolveDepth = 4;
/// A declaration comes early among the uses of its name; the bound keeps hostile files linear.
constexpr int maxDeclarationCandidates = 64;
constexpr std::ptrdiff_t maxUsesLookedAt = 1024;

/// Number of assignments (plain or compound, ++, --) to `name` in `body` other than its own initialisation at
/// `declaration`.
bool isReassigned(const SourceFacts& facts, std::string_view name, TokenIndex declaration, TokenRange body) {
  auto uses = facts.named(name);
  auto first = std::lower_bound(uses.begin(), uses.end(), body.begin),
       last = std::lower_bound(first, uses.end(), body.end);
  if (last - first > maxUsesLookedAt) return true;  // too many to look at again and again: not known
  for (auto use = first; use != last; ++use) {
    TokenIndex t = *use;
    if (t == declaration) continue;
    std::string_view after = facts.at(t + 1);
    bool assigns = after == "=" || after == "++" || after == "--" ||
                   (after.size() > 1 && after.back() == '=' && !isComparison(after));
    std::string_view before = t > 0 ? facts.at(t - 1) : std::string_view();
    if (assigns || before == "++" || before == "--") return true;
    if (before == "&" && t > 1 && (facts.is(t - 2, "(") || facts.is(t - 2, ","))) return true;
  }
  return false;
}

/// `type name`, `type* name`, `type& name`, `vector<T> name` at `t`: the token in front belongs to a type.
bool declaresAt(const SourceFacts& facts, const Function& function, TokenIndex t) {
  if (t == 0 || !(function.body.contains(t) || function.parameters.contains(t))) return false;
  TokenIndex before = t - 1;
  bool pointer = false;
  while (before > 0 && (facts.is(before, "*") || facts.is(before, "&") || facts.is(before, "const") ||
                        facts.is(before, "__restrict__"))) {
    pointer = pointer || !facts.isIdentifier(before);
    --before;
  }
  bool type =
      (facts.isIdentifier(before) && !facts.is(before, "return") && !facts.is(before, "case")) || facts.is(before, ">");
  if (!type || !pointer || function.parameters.contains(t)) return type;
  // `a * b` inside an expression looks like `type* name`: a declaration starts its statement with the type.
  std::string_view previous = before > 0 ? facts.at(before - 1) : std::string_view(";");
  return previous == ";" || previous == "{" || previous == "}" || previous == ":" || previous == "const" ||
         previous == "unsigned";
}

/// The block in which `t` stands has not ended at `use`.
bool isOpenAt(const SourceFacts& facts, TokenIndex t, TokenIndex use) {
  TokenIndex block = facts.block[t];
  return block == noToken || facts.match[block] == noToken || facts.match[block] > use;
}

std::optional<std::int64_t> resolve(const SourceFacts& facts, TokenRange range, int depth) {
  if (range.empty()) return std::nullopt;
  if (auto value = facts.evaluate(range)) return value;
  if (depth >= maxResolveDepth || range.end - range.begin != 1 || !facts.isIdentifier(range.begin)) return std::nullopt;
  std::string_view name = facts.at(range.begin);
  const Function* function = facts.enclosing(range.begin);
  TokenIndex declaration = declarationOf(facts, name, range.begin);
  if (!function || declaration == noToken || !function->body.contains(declaration)) return std::nullopt;
  if (isReassigned(facts, name, declaration, function->body)) return std::nullopt;
  TokenRange initialiser = initialiserOf(facts, declaration);
  if (initialiser.contains(range.begin)) return std::nullopt;
  return resolve(facts, initialiser, depth + 1);
}

/// The dimensions of `dim3(a, b)`, `dim3{a, b}`, `{a, b}` as ranges; empty when `range` has another shape.
std::vector<TokenRange> dimensionsOf(const SourceFacts& facts, TokenRange range) {
  TokenIndex open = range.begin;
  if (facts.is(open, "dim3")) ++open;
  if (open == range.begin && !facts.is(open, "{")) return {};
  if (open >= range.end || !(facts.is(open, "(") || facts.is(open, "{"))) return {};
  TokenIndex close = facts.match[open];
  if (close == noToken || close + 1 != range.end) return {};
  return facts.splitArguments({open + 1, close});
}

std::optional<BlockShape> shapeOf(const SourceFacts& facts, const std::vector<TokenRange>& dimensions) {
  BlockShape shape;
  if (dimensions.empty() || dimensions.size() > 3) return std::nullopt;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    auto value = constantOf(facts, dimensions[i]);
    if (!value || *value <= 0 || *value > 65536) return std::nullopt;
    if (i == 0) shape.x = *value;
    shape.total *= *value;
  }
  return shape;
}

/// Appends what the literal at `t` holds to `code`; a line-end escape becomes a line end so that instructions stay
/// apart.
void appendLiteral(const SourceFacts& facts, TokenIndex t, std::string& code) {
  std::string_view text = literalText(facts, t);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      code += text[i];
      continue;
    }
    ++i;
    code += text[i] == 'n' ? '\n' : ' ';
  }
}

std::vector<std::string> mnemonicsOf(std::string_view code) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  while (begin < code.size()) {
    std::size_t end = code.find_first_of(";\n{}", begin);
    if (end == std::string_view::npos) end = code.size();
    std::string_view instruction = trim(code.substr(begin, end - begin));
    begin = end + 1;
    for (std::string_view word : words(instruction)) {
      if (word.front() == '@' || word.back() == ':') continue;  // predicate or label
      if (isIdentifierStart(word.front())) result.emplace_back(word.substr(0, word.find_first_of("[(,")));
      break;
    }
  }
  return result;
}

/// Instruction roots of the PTX manual; other dotted assembly languages (RISC-V, Arm) share few of them.
constexpr std::array<std::string_view, 84> ptxRoots{"abs",          "activemask",
                                                    "add",          "addc",
                                                    "and",          "applypriority",
                                                    "atom",         "bar",
                                                    "barrier",      "bfe",
                                                    "bfi",          "bfind",
                                                    "bmsk",         "brev",
                                                    "bra",          "clz",
                                                    "cnot",         "copysign",
                                                    "cos",          "cp",
                                                    "createpolicy", "cvt",
                                                    "cvta",         "discard",
                                                    "div",          "dp2a",
                                                    "dp4a",         "elect",
                                                    "ex2",          "fence",
                                                    "fma",          "fns",
                                                    "getctarank",   "griddepcontrol",
                                                    "isspacep",     "ld",
                                                    "ldmatrix",     "ldu",
                                                    "lg2",          "lop3",
                                                    "mad",          "madc",
                                                    "mapa",         "match",
                                                    "max",          "mbarrier",
                                                    "membar",       "min",
                                                    "mma",          "mov",
                                                    "movmatrix",    "mul",
                                                    "multimem",     "nanosleep",
                                                    "neg",          "not",
                                                    "or",           "pmevent",
                                                    "popc",         "prefetch",
                                                    "prefetchu",    "prmt",
                                                    "rcp",          "red",
                                                    "redux",        "rem",
                                                    "rsqrt",        "sad",
                                                    "selp",         "setmaxnreg",
                                                    "setp",         "shf",
                                                    "shfl",         "shl",
                                                    "shr",          "sin",
                                                    "sqrt",         "st",
                                                    "stmatrix",     "sub",
                                                    "tanh",         "tcgen05",
                                                    "vote",         "wgmma"};

bool isTypePart(std::string_view part) {
  if (part.size() >= 2 && std::string_view("usbfe").find(part.front()) != std::string_view::npos) {
    bool digit = part[1] >= '0' && part[1] <= '9';
    if (digit) return true;
  }
  return part == "bf16" || part == "pred" || part == "sync" || part == "gl" || part == "cta" || part == "sys" ||
         part == "async" || part == "global" || part == "shared" || part == "aligned" || part.starts_with("f16") ||
         part.starts_with("bf16") || part == "wait" || part == "commit_group" || part == "wait_group" ||
         part == "launch_dependents" || part == "dec" || part == "inc";
}

/// `root.parts` with a PTX root and at least one part that is a PTX type, space or scope.
bool isPtxMnemonic(std::string_view mnemonic, std::size_t dot) {
  std::string_view root = mnemonic.substr(0, dot);
  if (std::find(ptxRoots.begin(), ptxRoots.end(), root) == ptxRoots.end()) {
    return startsWithAny(root, {"vadd", "vsub", "vmax", "vmin", "vabsdiff", "vset", "vshr", "vshl", "vmad", "wmma",
                                "clusterlaunchcontrol", "tensormap"}) &&
           (mnemonic.find("32") != std::string_view::npos || mnemonic.find(".sync") != std::string_view::npos);
  }
  for (std::string_view part : split(mnemonic.substr(dot + 1), '.')) {
    if (isTypePart(part)) return true;
  }
  return false;
}

}  // namespace

bool isLive(const SourceFacts& facts, TokenIndex token) {
  if (facts.path.find(".nvidia.") != std::string_view::npos) return false;
  return token >= facts.branch.size() || facts.branch[token] == scan::Branch::Plain;
}

bool isComparison(std::string_view op) {
  return op == "==" || op == "!=" || op == "<" || op == ">" || op == "<=" || op == ">=";
}

std::optional<std::int64_t> constantOf(const SourceFacts& facts, TokenRange range) {
  return resolve(facts, range, 0);
}

TokenIndex declarationOf(const SourceFacts& facts, std::string_view name, TokenIndex use) {
  const Function* function = facts.enclosing(use);
  if (!function) return noToken;
  auto uses = facts.named(name);
  auto first = std::lower_bound(uses.begin(), uses.end(), std::min(function->parameters.begin, function->body.begin));
  auto last = std::upper_bound(first, uses.end(), use);
  auto declares = [&](TokenIndex t) { return declaresAt(facts, *function, t) && isOpenAt(facts, t, use); };
  int candidates = 0;
  for (auto it = last; it != first && candidates < maxDeclarationCandidates; ++candidates)
    if (declares(*--it)) return *it;
  candidates = 0;
  for (auto it = first; it != last && candidates < maxDeclarationCandidates; ++it, ++candidates)
    if (declares(*it)) return *it;
  return noToken;
}

TokenRange typeBefore(const SourceFacts& facts, TokenIndex name) {
  TokenIndex begin = name;
  int angles = 0;
  while (begin > 0) {
    std::string_view text = facts.at(begin - 1);
    if (text == ">" || text == ">>") angles += static_cast<int>(text.size());
    if (text == "<") --angles;
    if (text == ";" || text == "{" || text == "}" || text == "(" || (text == "," && angles == 0) || name - begin > 24)
      break;
    --begin;
  }
  return {begin, name};
}

TokenRange initialiserOf(const SourceFacts& facts, TokenIndex name) {
  TokenIndex next = name + 1;
  if (next >= facts.tokens.size()) return {};
  if ((facts.is(next, "(") || facts.is(next, "{")) && facts.match[next] != noToken)
    return {next + 1, facts.match[next]};
  if (!facts.is(next, "=")) return {};
  TokenIndex begin = next + 1, end = begin;
  while (end < facts.tokens.size() && !facts.is(end, ";") && !facts.is(end, ",") && !facts.is(end, ")") &&
         !facts.is(end, "}")) {
    bool opens = facts.is(end, "(") || facts.is(end, "{") || facts.is(end, "[");
    end = opens && facts.match[end] != noToken ? facts.match[end] + 1 : end + 1;
  }
  return {begin, end};
}

std::optional<BlockShape> blockShape(const SourceFacts& facts, TokenRange block) {
  if (block.empty()) return std::nullopt;
  if (auto total = constantOf(facts, block)) {
    if (*total <= 0 || *total > (std::int64_t{1} << 32)) return std::nullopt;
    return BlockShape{*total, *total};
  }
  std::vector<TokenRange> dimensions = dimensionsOf(facts, block);
  if (!dimensions.empty()) return shapeOf(facts, dimensions);
  if (block.end - block.begin != 1) return std::nullopt;
  // A local `dim3 block(32, 4);` or `dim3 block = dim3(32, 4);` that is not changed afterwards.
  std::string_view name = facts.at(block.begin);
  const Function* function = facts.enclosing(block.begin);
  TokenIndex declaration = declarationOf(facts, name, block.begin);
  if (!function || declaration == noToken || !facts.mentions(typeBefore(facts, declaration), {"dim3", "auto"}))
    return std::nullopt;
  if (isReassigned(facts, name, declaration, function->body)) return std::nullopt;
  auto uses = facts.named(name);
  for (auto use = std::upper_bound(uses.begin(), uses.end(), declaration);
       use != uses.end() && *use < function->body.end; ++use) {
    if (facts.is(*use + 1, ".") && facts.is(*use + 3, "=")) return std::nullopt;  // `block.x = 32;`
  }
  TokenRange initialiser = initialiserOf(facts, declaration);
  if (initialiser.empty()) return std::nullopt;
  if (facts.is(declaration + 1, "=")) {
    std::vector<TokenRange> inner = dimensionsOf(facts, initialiser);
    return shapeOf(facts, inner.empty() ? std::vector<TokenRange>{initialiser} : inner);
  }
  return shapeOf(facts, facts.splitArguments(initialiser));
}

const Function* definitionOf(const SourceFacts& facts, std::string_view name) {
  const Function* found = nullptr;
  for (TokenIndex t : facts.named(name)) {
    auto function = std::lower_bound(facts.functions.begin(), facts.functions.end(), t,
                                     [](const Function& f, TokenIndex token) { return f.nameToken < token; });
    if (function == facts.functions.end() || function->nameToken != t || function->body.empty()) continue;
    if (!found || (function->isKernel && !found->isKernel)) found = &*function;
  }
  return found;
}

bool isDefinition(const SourceFacts& facts, const scan::Call& call) {
  if (call.end != noToken && facts.is(call.end + 1, "{")) return true;
  TokenIndex first = call.name;
  while (first > 1 && facts.is(first - 1, "::") && facts.isIdentifier(first - 2)) first -= 2;
  if (first == 0 || !facts.isIdentifier(first - 1)) return false;
  std::string_view before = facts.at(first - 1);
  return before != "return" && before != "else" && before != "do";
}

void Regions::close() {
  std::sort(ranges_.begin(), ranges_.end(), [](TokenRange a, TokenRange b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < ranges_.size(); ++i) ranges_[i].end = std::max(ranges_[i].end, ranges_[i - 1].end);
}

bool Regions::contain(TokenIndex token) const {
  auto after = std::upper_bound(ranges_.begin(), ranges_.end(), token,
                                [](TokenIndex t, TokenRange range) { return t < range.begin; });
  return after != ranges_.begin() && token < std::prev(after)->end;
}

std::vector<AsmStatement> asmStatements(const SourceFacts& facts) {
  std::vector<AsmStatement> result;
  for (std::string_view word : {"asm", "__asm__", "__asm"}) {
    for (TokenIndex keyword : facts.named(word)) {
      TokenIndex open = keyword + 1;
      while (facts.is(open, "volatile") || facts.is(open, "__volatile__") || facts.is(open, "inline") ||
             facts.is(open, "goto"))
        ++open;
      if (!facts.is(open, "(")) continue;
      AsmStatement statement{keyword, open, facts.inDevice(keyword), false, {}, {}};
      TokenIndex close = std::min<TokenIndex>(facts.match[open], static_cast<TokenIndex>(facts.tokens.size()));
      for (TokenIndex t = open + 1; t < close && !facts.is(t, ":") && !facts.is(t, "::"); ++t) {
        if (facts.tokens[t].kind == TokenKind::String) appendLiteral(facts, t, statement.code);
        statement.usesMacro = statement.usesMacro || facts.isIdentifier(t);
      }
      statement.mnemonics = mnemonicsOf(statement.code);
      result.push_back(std::move(statement));
    }
  }
  std::sort(result.begin(), result.end(),
            [](const AsmStatement& a, const AsmStatement& b) { return a.keyword < b.keyword; });
  return result;
}

bool isPtx(const AsmStatement& statement) {
  if (statement.code.find(".reg ") != std::string::npos) return true;
  for (const std::string& mnemonic : statement.mnemonics) {
    std::size_t dot = mnemonic.find('.');
    if (dot != std::string::npos && isPtxMnemonic(mnemonic, dot)) return true;
  }
  if (!statement.inDevice) return false;
  if (statement.usesMacro || statement.code.find("%%") != std::string::npos) return true;
  // Undotted instructions exist; only device code tells them from host assembly.
  static constexpr std::array<std::string_view, 5> plain{"trap", "exit", "brkpt", "ret", "membar"};
  return !statement.mnemonics.empty() &&
         std::find(plain.begin(), plain.end(), statement.mnemonics.front()) != plain.end();
}

std::vector<Condition> conditionsIn(const SourceFacts& facts, TokenRange body) {
  std::vector<Condition> result;
  for (std::string_view word : {"if", "while", "for"}) {
    auto uses = facts.named(word);
    for (auto it = std::lower_bound(uses.begin(), uses.end(), body.begin); it != uses.end() && *it < body.end; ++it) {
      TokenIndex keyword = *it;
      if (facts.tokens[keyword].directive) continue;
      TokenIndex open = keyword + 1;
      if (facts.is(open, "constexpr")) ++open;
      if (!facts.is(open, "(") || facts.match[open] == noToken) continue;
      result.push_back({keyword, {open + 1, facts.match[open]}, word != "if"});
    }
  }
  std::sort(result.begin(), result.end(), [](const Condition& a, const Condition& b) { return a.keyword < b.keyword; });
  return result;
}

std::vector<Guard> guardsOf(const SourceFacts& facts) {
  std::vector<Guard> done, open;
  for (std::uint32_t i = 0; i < facts.directives.size(); ++i) {
    std::string_view name = facts.directives[i].name;
    if (name == "if" || name == "ifdef" || name == "ifndef")
      open.push_back({i, {i}});
    else if (open.empty())
      continue;
    else if (name == "elif" || name == "else" || name == "elifdef" || name == "elifndef")
      open.back().branches.push_back(i);
    else if (name == "endif") {
      open.back().last = i;
      done.push_back(std::move(open.back()));
      open.pop_back();
    }
  }
  return done;
}

std::vector<TokenRange> captureRanges(const SourceFacts& facts) {
  std::vector<TokenRange> result;
  auto begins = facts.named("cudaStreamBeginCapture"), ends = facts.named("cudaStreamEndCapture");
  for (TokenIndex begin : begins) {
    std::uint32_t function = facts.functionOf[begin];
    auto end = std::upper_bound(ends.begin(), ends.end(), begin);
    auto next = std::upper_bound(begins.begin(), begins.end(), begin);
    if (function == noToken || end == ends.end() || facts.functionOf[*end] != function) continue;
    if (next == begins.end() || *next > *end) result.push_back({begin + 1, *end});
  }
  return result;
}

std::string_view assignedName(const SourceFacts& facts, TokenIndex token) {
  TokenRange statement = facts.statement(token);
  for (TokenIndex t = statement.begin; t < token; ++t) {
    if (facts.is(t, "=") && t > statement.begin && facts.isIdentifier(t - 1)) return facts.at(t - 1);
  }
  return {};
}

std::string_view namedVariable(const SourceFacts& facts, TokenRange range) {
  TokenIndex t = range.begin;
  for (;;) {
    if (t >= range.end) return {};
    bool cast = facts.is(t, "(") && facts.match[t] != noToken && facts.match[t] + 1 < range.end;
    if (cast)
      t = facts.match[t] + 1;
    else if (facts.is(t, "&") || facts.is(t, "*"))
      ++t;
    else
      break;
  }
  if (facts.is(t, "reinterpret_cast") || facts.is(t, "static_cast") || facts.is(t, "const_cast")) {
    while (t < range.end && !facts.is(t, "(")) ++t;
    if (t >= range.end || facts.match[t] == noToken) return {};
    TokenRange inside{t + 1, facts.match[t]};
    t = inside.begin;
    range.end = std::min(range.end, inside.end);
    while (t < range.end && (facts.is(t, "&") || facts.is(t, "*"))) ++t;
  }
  if (t >= range.end || !facts.isIdentifier(t)) return {};
  while (t + 2 < range.end && (facts.is(t + 1, ".") || facts.is(t + 1, "->")) && facts.isIdentifier(t + 2)) t += 2;
  return facts.at(t);
}

bool occursIn(const SourceFacts& facts, TokenRange range, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return patterns::usesName(facts, range, word); });
}

std::string_view literalText(const SourceFacts& facts, TokenIndex token) {
  if (token >= facts.tokens.size() || facts.tokens[token].kind != TokenKind::String) return {};
  std::string_view text = facts.at(token);
  std::size_t begin = text.find('"'), end = text.rfind('"');
  if (begin == std::string_view::npos || end <= begin) return {};
  text = text.substr(begin + 1, end - begin - 1);
  if (begin > 0 && facts.at(token)[begin - 1] == 'R') {
    std::size_t open = text.find('('), close = text.rfind(')');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open)
      text = text.substr(open + 1, close - open - 1);
  }
  return text;
}

bool containsIgnoreCase(std::string_view text, std::string_view part) {
  if (part.size() > text.size()) return false;
  for (std::size_t i = 0; i + part.size() <= text.size(); ++i) {
    if (equalsIgnoreCase(text.substr(i, part.size()), part)) return true;
  }
  return false;
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

}  // namespace unwarp::audit
