// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A known spelling is a site only where it means the API: not as a member of something else, not qualified by another
// namespace, not as the word a project defines itself, and generic words (`max`, `float4`) only where the file or
// function is device code. In a HIP source the names that HIP shares with CUDA are HIP's own and bind nothing.
#include "scan/source_apis.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "scan/source_own_names.h"
#include "scan/source_pasting.h"

namespace unwarp::scan {

namespace {

using knowledge::Api;
using knowledge::Context;
using knowledge::Knowledge;

class ApiFinder {
 public:
  ApiFinder(const ReadContext& context, const SourceFacts& facts, FileFacts& out)
      : knowledge_(context.knowledge),
        context_(context),
        facts_(facts),
        out_(out),
        ownNames_(findOwnNames(facts, context.knowledge)) {}

  void run() {
    readNamespaces();
    hipSource_ = !facts_.includesCuda && (facts_.includesHip || isHipPath(facts_.path));
    readOwnNames();
    for (const Directive& directive : facts_.directives) readDirective(directive);
    for (TokenIndex t = 0; t < facts_.tokens.size(); ++t) {
      if (facts_.branch[t] == Branch::Dead) continue;
      const Token& token = facts_.tokens[t];
      if (token.kind == TokenKind::Identifier) {
        if (facts_.is(t + 1, "::") && !hasScope(t))
          readQualified(t);
        else if (token.api != Knowledge::none)
          readName(t, token.api);
        else if ((!used_.empty() || !imported_.empty()) && !token.directive)
          readUnqualified(t);
      } else if (token.length == 3 && facts_.is(t, "<<<") && closes(t)) {
        add(t, knowledge_.findApi("<<<>>>"));
      }
    }
    readAsm();
    for (const PastedName& name : findPastedNames(facts_, knowledge_, out_))
      out_.apis.push_back(
          {name.record, facts_.line(name.use), facts_.column(name.use), guarded(name.use) || guarded(name.definition)});
    out_.clues.showsVendor = ownNames_.showsVendor;
    out_.clues.ownNamespaces.assign(ownNames_.namespaces.begin(), ownNames_.namespaces.end());
  }

 private:
  /// Brackets of directives have no partners: the end of a launch inside a macro is looked for to the end of the macro.
  bool closes(TokenIndex launch) const {
    if (!facts_.tokens[launch].directive) return facts_.match[launch] != noToken;
    TokenIndex end = std::min<TokenIndex>(launch + 256, static_cast<TokenIndex>(facts_.tokens.size()));
    for (TokenIndex t = launch + 1; t < end && facts_.tokens[t].directive && !facts_.is(t, "<<<"); ++t)
      if (facts_.is(t, ">>>")) return true;
    return false;
  }

  /// Whether `scope::` stands before `t`; `return ::cudaFree(p)` has none.
  bool hasScope(TokenIndex t) const {
    if (t < 2 || !facts_.is(t - 1, "::")) return false;
    if (facts_.is(t - 2, ">")) return true;  // Own<T>::name
    static constexpr std::string_view keywords[] = {"return", "else", "do",   "case",   "throw", "co_return",
                                                    "const",  "new",  "auto", "static", "inline"};
    return facts_.isIdentifier(t - 2) &&
           std::find(std::begin(keywords), std::end(keywords), facts_.at(t - 2)) == std::end(keywords);
  }

  /// A file that its project keeps for AMD: `x.hip`, `x.hip.h`, `x_hip.cpp`, a folder `hip`.
  static bool isHipPath(std::string_view path) {
    std::string lower = toLower(path);
    std::size_t slash = lower.rfind('/');
    std::string_view base = std::string_view(lower).substr(slash == std::string::npos ? 0 : slash + 1);
    std::string_view stem = base.substr(0, base.find('.'));
    return base.ends_with(".hip") || base.find(".hip.") != std::string_view::npos || stem.ends_with("_hip") ||
           lower.starts_with("hip/") || lower.find("/hip/") != std::string::npos;
  }

  /// Words that this file uses for something of its own: `struct half`, `int half = 1;`, `template <int warpSize>`.
  void readOwnNames() {
    static constexpr std::string_view builtin[] = {"int",  "unsigned", "float",    "double",  "auto",     "bool",
                                                   "char", "short",    "uint64_t", "int64_t", "uint32_t", "int32_t",
                                                   "long", "size_t",   "class",    "struct"};
    for (TokenIndex t = 1; t + 1 < facts_.tokens.size(); ++t) {
      const Token& token = facts_.tokens[t];
      if (token.kind != TokenKind::Identifier || token.api == Knowledge::none ||
          knowledge_.apis()[token.api].context != Context::Gpu)
        continue;
      if (std::find(std::begin(builtin), std::end(builtin), facts_.at(t - 1)) == std::end(builtin)) continue;
      bool type = facts_.is(t - 1, "struct") || facts_.is(t - 1, "class");
      std::string_view after = facts_.at(t + 1);
      bool defines = type
                         ? after == "{" || after == ";" || after == ":"
                         : after == "=" || after == ";" || after == "," || after == ")" || after == "[" || after == ">";
      if (defines) own_.insert(facts_.at(t));
    }
    for (const Function& function : facts_.functions) definitions_.insert(function.nameToken);
    variables_ = findOwnFunctions(facts_, knowledge_);
  }

  /// `int cudaFree = 0;`, `bool cuInit[2]`, `auto cudaMemset = [](int x) {...}`: a variable called like a function of
  /// the runtime, from its declaration on. Pointers to the function itself have its own or a project's type.
  bool declaresVariable(TokenIndex t) const {
    static constexpr std::string_view types[] = {"int",      "unsigned", "float",    "double",  "bool",
                                                 "char",     "short",    "long",     "size_t",  "string",
                                                 "uint64_t", "int64_t",  "uint32_t", "int32_t", "uint8_t"};
    if (t == 0 || facts_.tokens[t].directive) return false;
    std::string_view after = facts_.at(t + 1);
    if (facts_.is(t - 1, "auto") && after == "=")
      return facts_.is(t + 2, "[") ||
             facts_.tokens[std::min<std::size_t>(t + 2, facts_.tokens.size() - 1)].kind == TokenKind::Number;
    return isAny(after, {"=", ";", ",", ")", "[", "{"}) &&
           std::find(std::begin(types), std::end(types), facts_.at(t - 1)) != std::end(types);
  }
  void readVariable(TokenIndex t) {
    const Function* function = facts_.enclosing(t);
    TokenIndex end = static_cast<TokenIndex>(facts_.tokens.size());
    TokenIndex block = facts_.block[t];
    if (function != nullptr && function->parameters.contains(t))
      end = function->body.end;
    else if (block != noToken && facts_.match[block] != noToken)
      end = facts_.match[block];
    variables_[facts_.at(t)].push_back({t, end});
  }
  bool isVariable(TokenIndex t) const {
    auto found = variables_.find(facts_.at(t));
    return found != variables_.end() &&
           std::any_of(found->second.begin(), found->second.end(), [t](TokenRange scope) { return scope.contains(t); });
  }
  bool isDefinedHere(TokenIndex t) const { return definitions_.contains(t); }

  /// `namespace cg = cooperative_groups;`, `using namespace cub;`, `using cub::BlockReduce;`
  void readNamespaces() {
    for (TokenIndex t : facts_.named("namespace")) {
      if (t > 0 && facts_.is(t - 1, "using")) {
        std::string name = chainAt(t + 1).first;
        if (knowsNamespace(name) && std::find(used_.begin(), used_.end(), name) == used_.end()) used_.push_back(name);
      } else if (facts_.is(t + 2, "=")) {
        aliases_[std::string(facts_.at(t + 1))] = chainAt(t + 3).first;
      }
    }
    // `using namespace nvcuda;` makes `wmma::` a known root.
    for (TokenIndex t : facts_.named("using")) {
      auto [name, end] = chainAt(t + 1);
      std::size_t cut = name.rfind("::");
      if (cut != std::string::npos && facts_.is(end, ";") && !isOwnScope(name) &&
          knowledge_.findApi(name) != Knowledge::none)
        imported_[name.substr(cut + 2)] = name;
    }
  }
  bool knowsNamespace(std::string_view name) const {
    if (isOwnScope(name)) return false;
    static constexpr std::string_view known[] = {"cooperative_groups", "cub",  "thrust",  "nvcuda",
                                                 "nvcuda::wmma",       "cute", "cutlass", "nvinfer1"};
    return std::find(std::begin(known), std::end(known), name) != std::end(known);
  }

  /// `name` begins with a namespace that this file defines for itself.
  bool isOwnScope(std::string_view name) const {
    return ownNames_.namespaces.contains(name.substr(0, name.find("::")));
  }

  /// The qualified name that starts at `t` and the token after it, aliases resolved.
  std::pair<std::string, TokenIndex> chainAt(TokenIndex t) const {
    std::string name(facts_.at(t));
    if (auto it = aliases_.find(name); it != aliases_.end()) name = it->second;
    TokenIndex end = t + 1;
    while (facts_.is(end, "::") && facts_.isIdentifier(end + 1) && name.size() < 200) {
      name += "::";
      name += facts_.at(end + 1);
      end += 2;
    }
    return {name, end};
  }

  void readQualified(TokenIndex t) {
    if (facts_.is(t - 1, ".") || facts_.is(t - 1, "->")) return;
    auto [name, end] = chainAt(t);
    if (isOwnScope(name)) return;
    // The longest known prefix decides: cub::BlockReduce<...>::TempStorage is a use of cub::BlockReduce.
    for (std::string prefix = name;;) {
      std::uint32_t found = knowledge_.findApi(prefix);
      for (std::size_t i = 0; found == Knowledge::none && i < used_.size(); ++i)
        found = knowledge_.findApi(used_[i] + "::" + prefix);
      if (found != Knowledge::none && prefix.find("::") != std::string::npos) return add(t, found);
      if (found != Knowledge::none && knowledge_.apis()[found].kind == "namespace") return add(t, found);
      std::size_t cut = prefix.rfind("::");
      if (cut == std::string::npos) break;
      prefix.resize(cut);
    }
    // Unknown scope: `cudaError_t::cudaSuccess` still names an enumerator; `wrapper::cudaMalloc` is the project's own.
    std::uint32_t first = facts_.tokens[t].api;
    if (first != Knowledge::none) readName(t, first);
  }

  void readUnqualified(TokenIndex t) {
    if (facts_.is(t - 1, ".") || facts_.is(t - 1, "->") || facts_.is(t - 1, "::")) return;
    // Words like `copy` are functions only where they are called, and no uses where the file declares or defines them.
    bool called = facts_.is(t + 1, "(") || facts_.is(t + 1, "<");
    bool declared =
        isDefinedHere(t) || (facts_.isIdentifier(t - 1) && (facts_.is(t + 1, "=") || facts_.is(t + 1, ";")));
    auto isUse = [&](std::uint32_t record) {
      return record != Knowledge::none && !declared && (called || knowledge_.apis()[record].kind != "function");
    };
    if (auto it = imported_.find(std::string(facts_.at(t))); it != imported_.end()) {
      std::uint32_t found = knowledge_.findApi(it->second);
      return isUse(found) ? add(t, found) : void();
    }
    for (const std::string& space : used_) {
      std::uint32_t found = knowledge_.findApi(space + "::" + std::string(facts_.at(t)));
      if (isUse(found)) return add(t, found);
    }
  }

  void readName(TokenIndex t, std::uint32_t record) {
    const Api& api = knowledge_.apis()[record];
    if (facts_.is(t - 1, ".") || facts_.is(t - 1, "->")) return;  // a member of the project's own
    if (ownNames_.functions.contains(facts_.at(t))) return;
    if (hasScope(t)) {
      std::uint32_t scope = facts_.tokens[t - 2].api;
      bool enumerator = scope != Knowledge::none && knowledge_.apis()[scope].context == Context::Any;
      if (!enumerator) return;
    }
    bool device = facts_.inDevice(t);
    switch (api.context) {
      case Context::Any:
        if (api.kind == "function" && declaresVariable(t)) readVariable(t);
        if (!variables_.empty() && isVariable(t)) return;
        break;
      case Context::Gpu:
        // A HIP source that defines `__vsub4` stands in for CUDA's: a compatibility header.
        if (!facts_.isGpu || own_.contains(facts_.at(t))) return;
        if (isDefinedHere(t) && !(hipSource_ && facts_.at(t).starts_with("__"))) return;
        break;
      case Context::Device:
        if (!device || isDefinedHere(t) || facts_.is(t - 1, "::") || !facts_.is(t + 1, "(")) return;
        break;
      case Context::Qualified:
        if (api.kind != "namespace" || !facts_.is(t + 1, "::")) return;
        break;
      default:
        return;
    }
    if (facts_.tokens[t].directive && isOwnDefinition(t)) return;
    add(t, record);
  }

  /// `#define cudaFoo ...` gives the word another meaning; only a definition in terms of HIP names (a compatibility
  /// header) is a site.
  bool isOwnDefinition(TokenIndex t) const {
    return t >= 2 && facts_.is(t - 1, "define") && facts_.is(t - 2, "#") && !definesHip(t);
  }
  bool definesHip(TokenIndex t) const {
    for (TokenIndex i = t + 1; i < facts_.tokens.size() && facts_.tokens[i].directive &&
                               facts_.tokens[i].line <= facts_.tokens[t].line + 8 && i < t + 24;
         ++i) {
      if (facts_.is(i, "#")) break;
      std::string_view word = facts_.at(i);
      for (std::string_view prefix : {"hip", "HIP", "roc", "ROC", "miopen", "rccl", "__hip", "amd"})
        if (facts_.isIdentifier(i) && word.starts_with(prefix)) return true;
      if (word == facts_.at(t) || isAmdSpelling(word)) return true;
    }
    return facts_.includesHip;
  }
  static bool isAmdSpelling(std::string_view word) {
    return word.starts_with("__builtin_amdgcn") || word.starts_with("__shfl") || word.starts_with("__ballot");
  }

  void readDirective(const Directive& directive) {
    TokenIndex header = directive.first + 2;
    if (header >= directive.last || facts_.tokens[header].kind != TokenKind::HeaderName ||
        facts_.branch[header] == Branch::Dead)
      return;
    std::uint32_t record = facts_.tokens[header].api;
    if (record != Knowledge::none) return add(header, record);
    addDependency(context_, out_, knowledge::Ecosystem::Header, facts_.at(header), facts_.line(header), {},
                  guarded(header), facts_.column(header));
  }

  bool guarded(TokenIndex t) const {
    if (hipSource_ || facts_.branch[t] == Branch::HipOnly || facts_.branch[t] == Branch::CudaOnly) return true;
    return facts_.tokens[t].directive && t >= 2 && facts_.is(t - 1, "define") && definesHip(t);
  }

  void add(TokenIndex t, std::uint32_t record) {
    if (record == Knowledge::none) return;
    const Api& api = knowledge_.apis()[record];
    // What HIP calls by the same name is HIP's own in a HIP source or in an AMD branch.
    bool shared = api.status == Status::DropIn || api.hip == api.name;
    if (shared && (hipSource_ || facts_.branch[t] == Branch::HipOnly)) return;
    out_.apis.push_back({record, facts_.line(t), facts_.column(t), guarded(t)});
  }

  /// Instructions inside `asm("...")` of device code.
  void readAsm() {
    if (!facts_.isGpu) return;
    for (std::string_view word : {"asm", "__asm__", "__asm"}) {
      for (TokenIndex t : facts_.named(word)) {
        if (facts_.branch[t] == Branch::Dead) continue;
        TokenIndex open = t + 1;
        while (facts_.is(open, "volatile") || facts_.is(open, "__volatile__")) ++open;
        if (!facts_.is(open, "(") || facts_.branch[t] == Branch::HipOnly) continue;
        // Strings may be glued by macros: asm(PREFIX "mov.u32 %0, %1;" ::);
        for (TokenIndex s = open + 1; s < facts_.tokens.size(); ++s) {
          if (facts_.tokens[s].kind == TokenKind::String)
            readInstructions(s);
          else if (facts_.tokens[s].kind != TokenKind::Identifier)
            break;
        }
      }
    }
  }
  void readInstructions(TokenIndex s) {
    std::string_view body = facts_.at(s);
    std::size_t i = 0;
    bool start = true;
    while (i < body.size()) {
      char c = body[i];
      if (c == ';' || c == '{' || c == '}' || c == '"' || c == '\n') {
        start = true;
        ++i;
      } else if (c == '\\') {
        start = true;
        i += 2;
      } else if (start && c == '@') {
        while (i < body.size() && body[i] != ' ') ++i;
      } else if (start && ((c >= 'a' && c <= 'z') || c == '.')) {
        std::size_t from = i;
        while (i < body.size() && (isIdentifierPart(body[i]) || body[i] == '.' || body[i] == ':')) ++i;
        std::string_view mnemonic = body.substr(from, i - from);
        start = false;
        bool dotted = mnemonic.find('.') != std::string_view::npos;
        if (c == '.' || mnemonic.ends_with(":") || (!dotted && !facts_.inDevice(s))) continue;
        std::uint32_t record = knowledge_.findInstruction(mnemonic);
        if (record != Knowledge::none) out_.apis.push_back({record, facts_.line(s), facts_.column(s), guarded(s)});
      } else if (c == '%' && i + 2 < body.size() && isIdentifierStart(body[i + 1 + (body[i + 1] == '%' ? 1u : 0u)])) {
        std::size_t from = i + (body[i + 1] == '%' ? 1u : 0u);
        i = from + 1;
        while (i < body.size() && (isIdentifierPart(body[i]) || body[i] == '.')) ++i;
        std::uint32_t record = knowledge_.findInstruction(body.substr(from, i - from));
        if (record != Knowledge::none) out_.apis.push_back({record, facts_.line(s), facts_.column(s), guarded(s)});
      } else {
        if (c != ' ' && c != '\t') start = false;
        ++i;
      }
    }
  }

  const Knowledge& knowledge_;
  const ReadContext& context_;
  const SourceFacts& facts_;
  FileFacts& out_;
  bool hipSource_ = false;
  const OwnNames ownNames_;                   ///< in a file that shows no CUDA
  std::unordered_set<std::string_view> own_;  ///< types, variables and template parameters
  std::unordered_set<TokenIndex> definitions_;
  OwnScopes variables_;  ///< and functions of the project's own
  std::vector<std::string> used_;
  std::unordered_map<std::string, std::string> aliases_, imported_;
};

}  // namespace

void findApiUses(const ReadContext& context, const SourceFacts& facts, FileFacts& out) {
  ApiFinder(context, facts, out).run();
}

}  // namespace unwarp::scan
