// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A literal in an argument list is judged with the function that is called; what that function means is known by its
// name (dlsym, getenv, system and their kin). A whole file name of one of CUDA's libraries is a binding in lists and
// initialisers as well, since loaders try several names in turn; not where it is printed.
// Kernel sources are recognised by what they hold, because the literal and the compiler's call are rarely together;
// adjacent literals are one source, and each of its lines knows the line of the file that it came from.
#include "scan/source_strings.h"

#include <algorithm>

#include "base/text.h"
#include "scan/readers.h"

namespace unwarp::scan {

namespace {

using knowledge::Context;
using knowledge::Ecosystem;
using knowledge::Knowledge;

/// What stands between the quotes, and whether escapes mean anything there.
struct Quoted {
  std::string_view body;
  bool raw = false;
};

Quoted opened(std::string_view literal) {
  const std::size_t quote = literal.find('"');
  if (quote == std::string_view::npos) return {};
  const bool raw = quote > 0 && literal[quote - 1] == 'R';
  literal.remove_prefix(quote + 1);
  if (!raw) {
    if (literal.ends_with('"')) literal.remove_suffix(1);
    return {literal, false};
  }
  const std::size_t open = literal.find('(');
  if (open == std::string_view::npos) return {literal, true};
  const std::size_t tail = open + 2;  // `)name"`
  literal.remove_prefix(open + 1);
  literal.remove_suffix(literal.ends_with('"') ? std::min(tail, literal.size()) : 0);
  return {literal, true};
}

bool isEnvironmentName(std::string_view text) {
  return text.size() > 4 && text.find('_') != std::string_view::npos &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

bool isLibraryFile(std::string_view text) {
  constexpr std::size_t longest = 200;
  if (text.size() < 6 || text.size() > longest) return false;
  const bool named = text.find(".so") != std::string_view::npos || text.ends_with(".dll") || text.ends_with(".DLL") ||
                     text.ends_with(".dylib");
  return named && std::all_of(text.begin(), text.end(), [](char c) {
           return isIdentifierPart(c) || c == '.' || c == '/' || c == '-' || c == '\\' || c == ':' || c == '+';
         });
}

/// A qualifier of device code: one piece of CUDA C++, or a message, which has no body.
bool holdsQualifier(std::string_view body) {
  return body.size() >= 10 &&
         (body.find("__global__") != std::string_view::npos || body.find("__device__") != std::string_view::npos);
}

bool startsAsCommand(std::string_view body) {
  return (body.starts_with("nvidia-smi -") || body.starts_with("nvcc -")) || body == "nvidia-smi";
}

/// An option of the run-time compiler.
bool isArchitectureFlag(std::string_view body) {
  return body.starts_with("--gpu-architecture=") || body.starts_with("-arch=compute_") || body.starts_with("-arch=sm_");
}

bool containsAny(std::string_view text, std::initializer_list<std::string_view> parts) {
  const std::string lower = toLower(text);
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

bool runsCommand(std::string_view function) {
  return isAny(function, {"system", "popen", "_popen", "_wpopen", "_wsystem", "execlp", "execvp", "execl", "WinExec",
                          "posix_spawnp"});
}
bool looksUpFunction(std::string_view function) {
  return containsAny(function, {"sym", "procaddress", "loadfunction", "entrypoint", "getfunction", "resolve"});
}
bool asksEnvironment(std::string_view function) {
  return containsAny(function, {"env"});
}
bool speaks(std::string_view function) {
  return containsAny(function, {"print", "log", "error", "warn", "throw", "assert", "expect", "fail", "message", "info",
                                "debug", "fatal", "what", "abort", "description", "doc", "help", "exception"});
}

class StringReader {
 public:
  StringReader(const ReadContext& context, const SourceFacts& facts, EmbeddedKernels kernels, FileFacts& out)
      : context_(context), facts_(facts), kernels_(kernels), out_(out) {}

  void run() {
    for (TokenIndex t = 0; t < facts_.tokens.size(); ++t) {
      if (facts_.tokens[t].kind != TokenKind::String || facts_.branch[t] == Branch::Dead) continue;
      TokenIndex end = t + 1;  // behind the literals that stand side by side
      while (end < facts_.tokens.size() && facts_.tokens[end].kind == TokenKind::String) ++end;
      const std::size_t uses = out_.dependencies.size(), mentions = out_.mentions.size();
      read({t, end});
      for (std::size_t i = uses; i < out_.dependencies.size(); ++i) out_.dependencies[i].guarded |= guarded(t);
      for (std::size_t i = mentions; i < out_.mentions.size(); ++i) out_.mentions[i].guarded |= guarded(t);
      t = end - 1;
    }
  }

 private:
  bool guarded(TokenIndex t) const {
    return facts_.branch[t] == Branch::HipOnly || facts_.branch[t] == Branch::CudaOnly;
  }

  void read(TokenRange literals) {
    for (TokenIndex t = literals.begin; t < literals.end; ++t) {
      if (!holdsQualifier(opened(facts_.at(t)).body)) continue;
      if (kernels_ == EmbeddedKernels::Read && literals.end - literals.begin <= mostPieces) embed(literals);
      return;
    }
    const std::string_view before = facts_.at(literals.begin - 1);
    if (literals.begin == 0 || !isAny(before, {"(", ",", "{", "=", "?", ":", "return", "+="})) return;
    const std::string_view body = opened(facts_.at(literals.begin)).body;
    if (body.empty()) return;
    const auto [function, position] = callOf(literals.begin);
    if (runsCommand(function) && position == 0) return command(literals, function);
    if (literals.end != literals.begin + 1) return;
    if (position <= 1 && looksUpFunction(function)) return lookUp(literals.begin, body);
    if (position == 0 && asksEnvironment(function)) return environment(literals, body);
    if (isLibraryFile(body) && !speaks(function)) {
      addLibraryFile(context_, body, facts_.line(literals.begin), facts_.column(literals.begin), out_);
    } else if (isArchitectureFlag(body) && !speaks(function)) {
      addCompilerFlag(context_, body, facts_.line(literals.begin), out_);
    } else if (startsAsCommand(body) && !speaks(function)) {
      command(literals, {});
    }
  }

  /// The function in whose arguments `t` stands, and the number of its argument; empty outside of calls.
  std::pair<std::string_view, std::size_t> callOf(TokenIndex t) const {
    constexpr TokenIndex farthest = 64;
    std::size_t position = 0;
    for (TokenIndex i = t; i > 0 && t - i < farthest;) {
      --i;
      const std::string_view word = facts_.at(i);
      if (word == ";" || word == "{" || word == "}" || word == "=") return {};
      if (word == "(") return {facts_.isIdentifier(i - 1) ? facts_.at(i - 1) : std::string_view(), position};
      if ((word == ")" || word == "]") && facts_.match[i] != noToken && facts_.match[i] < i) i = facts_.match[i];
      if (word == ",") ++position;
    }
    return {};
  }

  void lookUp(TokenIndex t, std::string_view name) {
    const std::uint32_t record = context_.knowledge.findApi(name);
    if (record == Knowledge::none || context_.knowledge.apis()[record].kind != "function" ||
        context_.knowledge.apis()[record].context != Context::Any)
      return;
    out_.apis.push_back({record, facts_.line(t), facts_.column(t), guarded(t)});
  }

  /// `getenv("NAME")`, `setenv("NAME", "value", 1)`, `putenv("NAME=value")`.
  void environment(TokenRange literals, std::string_view body) {
    const std::size_t equals = body.find('=');
    const std::string_view name = body.substr(0, equals);
    std::string_view value = equals == std::string_view::npos ? std::string_view() : body.substr(equals + 1);
    if (!isEnvironmentName(name)) return;
    const TokenIndex next = literals.end + 1;
    if (value.empty() && facts_.is(literals.end, ",") && next < facts_.tokens.size() &&
        facts_.tokens[next].kind == TokenKind::String)
      value = opened(facts_.at(next)).body;
    addEnvironment(context_, name, value, facts_.line(literals.begin), out_);
  }

  void command(TokenRange literals, std::string_view function) {
    std::string text;
    if (function.starts_with("exec") || function.starts_with("posix_spawn")) {
      for (TokenIndex t = literals.begin; t < facts_.tokens.size() && !facts_.is(t, ")"); ++t)
        if (facts_.tokens[t].kind == TokenKind::String && t != literals.begin + 2)  // the name comes twice
          text += std::string(text.empty() ? "" : " ") + std::string(opened(facts_.at(t)).body);
    } else {
      for (TokenIndex t = literals.begin; t < literals.end; ++t) text += opened(facts_.at(t)).body;
    }
    readShellText(context_, text, facts_.line(literals.begin), out_);
  }

  void embed(TokenRange literals) {
    std::string text;
    std::vector<std::uint32_t> lines{facts_.line(literals.begin)};
    for (TokenIndex t = literals.begin; t < literals.end; ++t) {
      const Quoted literal = opened(facts_.at(t));
      std::uint32_t line = facts_.line(t);
      if (text.empty() || text.back() == '\n') {
        lines.back() = line;
      } else if (line > lines.back()) {  // a splice ends the line and nothing else
        text += "\\\n";
        lines.push_back(line);
      }
      for (std::size_t i = 0; i < literal.body.size(); ++i) {
        char c = literal.body[i];
        if (c == '\n') ++line;
        if (c == '\\' && !literal.raw && i + 1 < literal.body.size()) {
          c = literal.body[++i];
          if (c == '\r' && i + 1 < literal.body.size()) c = literal.body[++i];
          if (c == '\n') {  // a splice: the text goes on
            ++line;
            continue;
          }
          c = c == 'n' ? '\n' : c == 't' || c == 'r' ? ' ' : c;
        }
        text += c;
        if (c == '\n') lines.push_back(line);
      }
    }
    if (text.find('{') == std::string::npos || text.find('(') == std::string::npos) return;  // a message, a word
    FileFacts inner;
    readEmbeddedSource(context_, text, 1, inner);
    const auto lineOf = [&](std::uint32_t line) { return lines[std::min<std::size_t>(line, lines.size()) - 1]; };
    for (ApiUse& use : inner.apis) use.guarded |= guarded(literals.begin);
    appendMoved(std::move(inner), lineOf, out_);
  }

  static constexpr TokenIndex mostPieces = 20000;  ///< literals of one source
  const ReadContext& context_;
  const SourceFacts& facts_;
  EmbeddedKernels kernels_;
  FileFacts& out_;
};

}  // namespace

bool mayHoldBindings(const LexedFile& lexed, std::string_view text, const Knowledge& knowledge) {
  return std::any_of(lexed.strings.begin(), lexed.strings.end(), [&](std::uint32_t index) {
    const Token& token = lexed.tokens[index];
    const std::string_view body = opened(text.substr(token.offset, token.length)).body;
    if (body.empty()) return false;
    if (isLibraryFile(body) || holdsQualifier(body) || startsAsCommand(body) || isArchitectureFlag(body)) return true;
    if (isEnvironmentName(body.substr(0, body.find('='))))
      return knowledge.findDependency(Ecosystem::Env, body.substr(0, body.find('='))) != Knowledge::none;
    if (isIdentifierStart(body[0]) && knowledge.findApi(body) != Knowledge::none) return true;
    if (index < 2 || body.size() < 4) return false;
    const Token& open = lexed.tokens[index - 1];
    const Token& function = lexed.tokens[index - 2];
    return text[open.offset] == '(' && function.kind == TokenKind::Identifier &&
           runsCommand(text.substr(function.offset, function.length));
  });
}

void findStringBindings(const ReadContext& context, const SourceFacts& facts, EmbeddedKernels kernels, FileFacts& out) {
  StringReader(context, facts, kernels, out).run();
}

}  // namespace unwarp::scan
