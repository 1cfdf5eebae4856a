// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of types as one file shows them: built-in types, CUDA's vectors, aliases, and structs and unions whose fields
// are all known, templates among them where the arguments are given. Everything else (types of other files, base
// classes, virtual functions, bit fields) has no size here, never a guess. Layout rules are those of 64-bit Linux,
// which CUDA's device side shares; vector types are aligned as the CUDA C++ Programming Guide, "Built-in Vector Types",
// gives them.
#include <algorithm>

#include "scan/source_facts.h"
#include "scan/source_types.h"

namespace unwarp::scan {

namespace {

using Size = std::optional<Layout>;

constexpr int deepest = 40;                              ///< types and expressions inside each other
constexpr int mostSteps = 500;                           ///< types that one type may ask for
constexpr TokenIndex longest = 512, longestBody = 2048;  ///< tokens of a type and of a struct
constexpr Layout pointer{8, 8};

/// Scalars spelled with one word.
std::int64_t scalarBytes(std::string_view word) {
  static const std::unordered_map<std::string_view, std::int64_t> sizes{
      {"char", 1},          {"bool", 1},    {"int8_t", 1},    {"uint8_t", 1},   {"uchar", 1},
      {"byte", 1},          {"char8_t", 1}, {"short", 2},     {"int16_t", 2},   {"uint16_t", 2},
      {"ushort", 2},        {"half", 2},    {"__half", 2},    {"half_t", 2},    {"__nv_bfloat16", 2},
      {"nv_bfloat16", 2},   {"int", 4},     {"unsigned", 4},  {"uint", 4},      {"signed", 4},
      {"float", 4},         {"int32_t", 4}, {"uint32_t", 4},  {"double", 8},    {"int64_t", 8},
      {"uint64_t", 8},      {"size_t", 8},  {"ptrdiff_t", 8}, {"uintptr_t", 8}, {"intptr_t", 8},
      {"long", 8},          {"ulong", 8},   {"longlong", 8},  {"ulonglong", 8}, {"__nv_fp8_e4m3", 1},
      {"__nv_fp8_e5m2", 1}, {"__int64", 8}, {"char16_t", 2},  {"char32_t", 4}};
  auto found = sizes.find(word);
  return found == sizes.end() ? 0 : found->second;
}

/// A built-in type or a vector of CUDA (`float4`, `__half2`, `__nv_bfloat162`, `cuDoubleComplex`).
Size builtin(std::string_view word) {
  if (const std::int64_t bytes = scalarBytes(word); bytes != 0) return Layout{bytes, bytes};
  if (isAny(word, {"cuComplex", "cuFloatComplex", "cufftComplex"})) return Layout{8, 8};
  if (isAny(word, {"cuDoubleComplex", "cufftDoubleComplex"})) return Layout{16, 16};
  if (word == "dim3") return Layout{12, 4};
  if (word.size() < 4 || word.back() < '1' || word.back() > '4') return std::nullopt;
  const std::string_view base = word.substr(0, word.size() - 1);
  const std::int64_t bytes = scalarBytes(base), lanes = word.back() - '0';
  if (bytes == 0 || base.ends_with("_t") || isAny(base, {"bool", "byte", "unsigned", "signed", "size_t"}))
    return std::nullopt;
  const std::int64_t whole = bytes * lanes;
  return Layout{whole, lanes == 3 ? bytes : std::min<std::int64_t>(whole, 16)};
}

bool isNoise(std::string_view word) {
  return isAny(
      word, {"const",  "volatile", "static", "extern",       "__shared__",   "constexpr",    "typename",    "register",
             "struct", "class",    "union",  "enum",         "__restrict__", "__restrict",   "mutable",     "inline",
             "std",    "cuda",     "::",     "thread_local", "__device__",   "__constant__", "__volatile__"});
}

std::int64_t padded(std::int64_t bytes, std::int64_t align) {
  return (bytes + align - 1) / align * align;
}

class TypeReader {
 public:
  TypeReader(const SourceFacts& facts, EvaluationScope scope) : facts_(facts), scope_(scope) {}

  Size read(TokenRange type) {
    if (scope_.depth > deepest || --*scope_.steps < 0 || type.empty() || type.end - type.begin > longest)
      return std::nullopt;
    std::int64_t align = 1;
    std::vector<TokenIndex> words;
    TokenRange body;
    for (TokenIndex t = type.begin; t < type.end; ++t) {
      const std::string_view word = facts_.at(t);
      if (word == "*" || word == "&") return pointer;
      if (isAny(word, {"__align__", "alignas", "__attribute__"})) {
        if (!facts_.is(t + 1, "(") || closing(t + 1) == noToken) return std::nullopt;
        const auto value = alignment({t + 2, closing(t + 1)});
        if (!value) return std::nullopt;
        align = std::max(align, *value);
        t = closing(t + 1);
      } else if (facts_.isIdentifier(t) && facts_.is(t + 1, "(")) {  // a macro for an attribute, `decltype(x)`
        if (isAny(word, {"decltype", "typeof", "__typeof__"}) || closing(t + 1) == noToken) return std::nullopt;
        t = closing(t + 1);
      } else if (word == "<") {
        if (words.empty()) return std::nullopt;
        Size size = instance(words.back());
        if (size) size->align = std::max(size->align, align);  // that of the variable: its elements stay as they are
        return size;
      } else if (word == "{") {
        body = {t + 1, facts_.match[t]};
        break;
      } else if (facts_.isIdentifier(t) && !isNoise(word)) {
        words.push_back(t);
      }
    }
    Size size = !body.empty() ? aggregate(body, isUnion(body.begin - 1)) : named(words);
    if (size) size->align = std::max(size->align, align);
    return size;
  }

 private:
  static Layout aligned(Layout layout, std::int64_t align) {
    layout.align = std::max(layout.align, align);
    return {padded(layout.bytes, layout.align), layout.align};
  }
  TokenIndex closing(TokenIndex open) const { return facts_.match[open]; }
  /// `16`, `sizeof(T)`, `alignof(T)` and the inside of `__attribute__((aligned(16)))`; other attributes leave 1.
  std::optional<std::int64_t> alignment(TokenRange range) const {
    for (TokenIndex t = range.begin; t < range.end; ++t) {
      if (facts_.is(t, "packed") || facts_.is(t, "__packed__")) return std::nullopt;
      const bool argument = isAny(facts_.at(t), {"aligned", "__aligned__", "alignof"}) && facts_.is(t + 1, "(");
      if (argument && closing(t + 1) != noToken) range = {t + 2, closing(t + 1)};
    }
    const auto value = facts_.evaluate(range, inside());
    if (value && *value > 0 && *value <= 4096) return value;
    const Size type = TypeReader(facts_, inside()).read(range);
    return type                          ? std::optional(type->align)
           : facts_.is(range.begin, "(") ? std::optional<std::int64_t>(1)
                                         : std::nullopt;
  }

  /// `unsigned long long`, or one name that is built in, bound, an alias or defined here.
  Size named(const std::vector<TokenIndex>& words) {
    if (words.empty()) return std::nullopt;
    if (words.size() > 1) return fundamental(words);
    const std::string_view word = facts_.at(words[0]);
    if (scope_.bindings != nullptr) {
      if (auto bound = scope_.bindings->byName.find(word); bound != scope_.bindings->byName.end())
        return TypeReader(facts_, inside(bound->second.outer)).read(bound->second.tokens);
    }
    Size own = defined(word, {});
    return own ? own : builtin(word);
  }
  Size fundamental(const std::vector<TokenIndex>& words) const {
    std::int64_t bytes = 4;
    bool isLong = false;
    for (TokenIndex t : words) {
      const std::string_view word = facts_.at(t);
      if (!isAny(word, {"unsigned", "signed", "int", "long", "short", "char", "double"})) return std::nullopt;
      if (word == "double" && isLong) return std::nullopt;  // 16 bytes on the host, 8 on the device
      isLong |= word == "long";
      if (isAny(word, {"long", "short", "char", "double"})) bytes = scalarBytes(word);
    }
    return Layout{bytes, bytes};
  }

  /// `Tile<float, 32>`: a template of this file with all that it needs.
  Size instance(TokenIndex name) {
    const std::vector<TokenRange> arguments = facts_.templateArguments(name);
    return arguments.empty() ? std::nullopt : defined(facts_.at(name), arguments);
  }

  /// The size of a struct, union, enumeration, alias or macro of that name. Two that differ have none.
  Size defined(std::string_view name, const std::vector<TokenRange>& arguments) {
    Size result;
    constexpr std::size_t most = 64;
    auto mentions = facts_.named(name);
    for (TokenIndex t : mentions.first(std::min(mentions.size(), most))) {
      if (facts_.branch[t] == Branch::Dead) continue;
      const Size one = definedAt(t, arguments);
      if (one && result && (one->bytes != result->bytes)) return std::nullopt;
      if (one) result = one;
    }
    return result;
  }
  Size definedAt(TokenIndex t, const std::vector<TokenRange>& arguments) {
    if (t == 0) return std::nullopt;
    TypeReader inner(facts_, inside());
    if (facts_.tokens[t].directive) {  // `#define REAL float`
      const bool macro = facts_.is(t - 1, "define") && !facts_.is(t + 1, "(");
      TokenIndex end = t + 1;
      while (macro && end < facts_.tokens.size() && facts_.tokens[end].directive && !facts_.is(end, "#")) ++end;
      return macro ? inner.read({t + 1, end}) : std::nullopt;
    }
    if (facts_.is(t - 1, "using") && facts_.is(t + 1, "=")) return inner.read({t + 2, facts_.statement(t).end});
    if (facts_.is(t + 1, ";")) return typedefAt(t);
    TokenIndex keyword = t - 1;  // `struct __align__(16) Name`
    if (facts_.is(keyword, ")") && facts_.match[keyword] != noToken && facts_.match[keyword] > 1)
      keyword = facts_.match[keyword] - 2;
    if (!isAny(facts_.at(keyword), {"struct", "class", "union"}) ||
        !(facts_.is(t + 1, "{") || facts_.is(t + 1, "final")))
      return std::nullopt;  // `: base` has what the base has
    const TokenIndex brace = facts_.is(t + 1, "{") ? t + 1 : t + 2;
    if (!facts_.is(brace, "{") || facts_.match[brace] == noToken) return std::nullopt;
    Bindings bound;
    const TokenRange head{facts_.statement(keyword).begin, keyword};
    if (!facts_.bind(head, arguments, scope_.bindings, bound)) return std::nullopt;
    TypeReader fields(facts_, inside(&bound));
    const Size size = fields.aggregate({brace + 1, facts_.match[brace]}, facts_.is(keyword, "union"));
    if (!size || keyword + 1 == t) return size;
    const auto align = alignment({keyword + 3, t - 1});
    return align ? Size(aligned(*size, *align)) : std::nullopt;
  }
  /// `typedef unsigned char byte_t;`, `typedef struct { float x, y; } Point;`
  Size typedefAt(TokenIndex name) const {
    TypeReader inner(facts_, inside(nullptr));
    TokenIndex begin = facts_.statement(name).begin;
    if (facts_.is(begin, "typedef")) return inner.read({begin + 1, name});
    if (begin == 0 || begin != name || !facts_.is(begin - 1, "}")) return std::nullopt;
    const TokenIndex open = facts_.match[begin - 1];
    if (open == noToken) return std::nullopt;
    begin = facts_.statement(open - 1).begin;
    return facts_.is(begin, "typedef") ? inner.read({begin + 1, name}) : std::nullopt;
  }
  bool isUnion(TokenIndex brace) const {
    return facts_.is(brace - 1, "union") || (brace > 1 && facts_.is(brace - 2, "union"));
  }

  /// Fields one behind the other, or over each other.
  Size aggregate(TokenRange body, bool overlaid) {
    if (body.end - body.begin > longestBody) return std::nullopt;
    Layout whole{0, 1};
    for (TokenIndex begin = body.begin; begin < body.end;) {
      TokenIndex end = begin;  // of the declaration
      bool isFunction = false, stop = false;
      while (end < body.end && !facts_.is(end, ";") && !stop) {
        const bool opens = facts_.match[end] != noToken && facts_.match[end] > end;
        const bool attribute = end > begin && isAny(facts_.at(end - 1), {"__align__", "alignas", "__attribute__"});
        isFunction |= facts_.is(end, "(") && !attribute;
        stop = facts_.is(end, ":") && isAny(facts_.at(begin), {"public", "private", "protected"});
        if (facts_.is(end, "{") && isFunction) stop = true;  // its body ends the declaration
        end = opens ? facts_.match[end] + 1 : end + 1;
      }
      const TokenRange declaration{begin, std::min(end, body.end)};
      begin = end + (stop || end >= body.end || !facts_.is(end, ";") ? 0 : 1);
      if (facts_.tokens[declaration.begin].directive || facts_.is(declaration.begin, "virtual")) return std::nullopt;
      if (isFunction || stop || declaration.empty() || isNoField(declaration)) continue;
      if (!addFields(declaration, overlaid, whole)) return std::nullopt;
    }
    const std::int64_t bytes = std::max<std::int64_t>(whole.bytes, 1);
    return Layout{padded(bytes, whole.align), whole.align};
  }
  /// Aliases, static members, and types declared inside without an object of theirs.
  bool isNoField(TokenRange declaration) const {
    const std::string_view first = facts_.at(declaration.begin);
    const bool nested = isAny(first, {"struct", "union", "class", "enum"});
    const bool nameless = facts_.is(declaration.begin + 1, "{");  // `union { int i; float f; };` has fields
    return isAny(first, {"using", "typedef", "static", "friend", "template", "enum", "static_assert"}) ||
           (nested && !nameless && (facts_.is(declaration.end - 1, "}") || declaration.end - declaration.begin == 2));
  }
  bool addFields(TokenRange declaration, bool overlaid, Layout& whole) {
    std::vector<TokenRange> declarators = facts_.splitArguments(declaration);
    TokenRange type;
    for (TokenRange one : declarators) {
      TokenIndex name = one.begin;  // the last identifier in front of an extent or an initialiser
      while (name < one.end && !facts_.is(name, "[") && !facts_.is(name, "=") && !facts_.is(name, ":"))
        name = facts_.match[name] != noToken && facts_.match[name] > name ? facts_.match[name] + 1 : name + 1;
      if (facts_.is(name, ":") && name < one.end) return false;  // a bit field
      if (name < one.begin + 1) return false;
      TokenIndex suffix = name--;
      const bool nameless = facts_.is(name, "}");
      if (type.empty()) type = {one.begin, nameless ? name + 1 : name};
      Size size = TypeReader(facts_, inside()).read(type);
      if (name > one.begin && one.begin != type.begin && facts_.is(name - 1, "*")) size = pointer;
      for (; size && suffix < one.end && facts_.is(suffix, "["); suffix = facts_.match[suffix] + 1) {
        if (facts_.match[suffix] == noToken) return false;
        const auto count = facts_.evaluate({suffix + 1, facts_.match[suffix]}, inside());
        if (!count || *count < 0 || __builtin_mul_overflow(size->bytes, *count, &size->bytes)) return false;
      }
      if (!size || size->bytes > (std::int64_t{1} << 40)) return false;
      const std::int64_t at = overlaid ? 0 : padded(whole.bytes, size->align);
      whole.bytes = std::max(whole.bytes, at + size->bytes);
      whole.align = std::max(whole.align, size->align);
    }
    return true;
  }

  EvaluationScope inside() const { return inside(scope_.bindings); }
  EvaluationScope inside(const Bindings* bindings) const { return {bindings, scope_.depth + 1, scope_.steps}; }

  const SourceFacts& facts_;
  EvaluationScope scope_;
};

}  // namespace

bool isScalarType(std::string_view word) {
  return scalarBytes(word) != 0;
}

std::optional<Layout> SourceFacts::layoutOf(TokenRange type, EvaluationScope scope) const {
  int steps = mostSteps;
  if (scope.steps == nullptr) scope.steps = &steps;
  return TypeReader(*this, scope).read(type);
}

std::vector<TokenRange> SourceFacts::templateArguments(TokenIndex t) const {
  std::vector<TokenRange> result;
  if (!is(t + 1, "<")) return result;
  int depth = 0;
  TokenIndex begin = t + 2;
  for (TokenIndex i = t + 1; i < tokens.size() && i < t + 200; ++i) {
    const std::string_view word = at(i);
    if (word == "(" && match[i] != noToken) {
      i = match[i];
    } else if (word == "<") {
      ++depth;
    } else if (word == ">" || word == ">>") {
      depth -= word == ">" ? 1 : 2;
      if (depth > 0) continue;
      result.push_back({begin, i});
      return result;
    } else if (word == "," && depth == 1) {
      result.push_back({begin, i});
      begin = i + 1;
    } else if (word == ";" || word == "{") {
      break;
    }
  }
  return {};
}

bool SourceFacts::bind(TokenRange head, std::span<const TokenRange> arguments, const Bindings* outer,
                       Bindings& out) const {
  TokenIndex keyword = head.begin;
  while (keyword < head.end && !(is(keyword, "template") && is(keyword + 1, "<") && !is(keyword + 2, ">"))) ++keyword;
  if (keyword >= head.end) return arguments.empty();
  const std::vector<TokenRange> parameters = templateArguments(keyword);
  if (arguments.size() > parameters.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    TokenIndex equals = parameters[i].begin;
    while (equals < parameters[i].end && !is(equals, "=")) ++equals;
    if (equals == parameters[i].begin || !isIdentifier(equals - 1)) continue;
    const bool given = i < arguments.size(), hasDefault = equals < parameters[i].end;
    const TokenRange value = given        ? arguments[i]
                             : hasDefault ? TokenRange{equals + 1, parameters[i].end}
                                          : TokenRange{};
    out.byName[at(equals - 1)] = {value, given ? outer : &out};
  }
  return true;
}

}  // namespace unwarp::scan
