// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C, C++, CUDA and HIP sources. A first pass over the tokens decides whether the file shows any GPU; only then is
// structure built. Files above `wholeBytes` are read in pieces cut at line breaks, so that memory stays bounded: names
// are found, rules are not applied, and a note says so.
#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "scan/readers.h"
#include "scan/source_apis.h"
#include "scan/source_facts.h"
#include "scan/source_own_names.h"
#include "scan/source_strings.h"

namespace unwarp::scan {

namespace {

constexpr std::size_t wholeBytes = 8u << 20;   ///< larger files are read in pieces
constexpr std::size_t windowBytes = 2u << 20;  ///< one piece: its tokens take some 24 bytes each

enum class Evidence : std::uint8_t {
  None,
  Namespace,  ///< a word like `thrust`, which may be a namespace of the project's own
  Gpu,        ///< a name or header that only GPU code has
};

Evidence evidenceOf(const ReadContext& context, const LexedFile& lexed, std::string_view text) {
  Evidence evidence = Evidence::None;
  for (const Token& token : lexed.tokens) {
    if (token.kind == TokenKind::HeaderName) {
      std::string_view path = text.substr(token.offset, token.length);
      if (token.api != knowledge::Knowledge::none || path.starts_with("hip/") || path.starts_with("rocm"))
        return Evidence::Gpu;
      if (context.knowledge.findDependency(knowledge::Ecosystem::Header, path) != knowledge::Knowledge::none)
        return Evidence::Gpu;
    } else if (token.api != knowledge::Knowledge::none) {
      const knowledge::Api& api = context.knowledge.apis()[token.api];
      if (api.context == knowledge::Context::Any) return Evidence::Gpu;
      if (api.kind != "namespace") continue;
      if (text.substr(token.offset + token.length).starts_with("::")) return Evidence::Gpu;
      evidence = Evidence::Namespace;
    }
  }
  return evidence;
}

void readIncludes(const LexedFile& lexed, std::string_view text, TreeClues& clues) {
  constexpr std::size_t mostIncludes = 512;
  for (const Directive& directive : lexed.directives) {
    if (directive.last < directive.first + 3 || clues.includes.size() >= mostIncludes) continue;
    const Token& header = lexed.tokens[directive.first + 2];
    if (header.kind != TokenKind::HeaderName) continue;
    std::string_view path = text.substr(header.offset, header.length);
    clues.includes.push_back(stableHash(path.substr(path.rfind('/') + 1)));
  }
}

/// Where a piece starts in its file, less one.
struct Place {
  std::uint32_t line = 0, column = 0;
};

/// Reads one piece; lines, and columns of its first line, are moved by `start`. Gives what would end the comment or raw
/// string that the piece stops in, as LexedFile::openUntil.
std::string readPiece(const ReadContext& context, std::string_view path, std::string_view text, Place start,
                      bool keepFacts, FileFacts& out) {
  LexedFile own;
  LexedFile& lexed = context.scratch != nullptr ? *context.scratch : own;
  lex(text, context.knowledge, lexed);
  std::shared_ptr<const std::string> whole;
  if (lexed.splitsNames) {
    whole = std::make_shared<const std::string>(withWholeNames(text));
    text = *whole;
    lex(text, context.knowledge, lexed);
  }
  std::string openUntil = lexed.openUntil;
  readIncludes(lexed, text, out.clues);
  const Evidence evidence = isDevicePath(path) ? Evidence::Gpu : evidenceOf(context, lexed, text);
  const bool strings = mayHoldBindings(lexed, text, context.knowledge);
  const bool ownSpaces = evidence == Evidence::Namespace && opensKnownNamespace(lexed, text, context.knowledge);
  if (evidence != Evidence::Gpu && !strings && !ownSpaces) return openUntil;
  LexedFile taken = std::move(lexed);
  auto facts = std::make_shared<SourceFacts>(path, text, std::move(taken), context.knowledge);
  facts->isGpu = evidence == Evidence::Gpu;
  std::size_t apis = out.apis.size(), dependencies = out.dependencies.size(), mentions = out.mentions.size();
  if (facts->isGpu) {
    findApiUses(context, *facts, out);
  } else if (ownSpaces) {
    const OwnNames names = findOwnNames(*facts, context.knowledge);
    out.clues.ownNamespaces.assign(names.namespaces.begin(), names.namespaces.end());
  }
  if (strings) findStringBindings(context, *facts, keepFacts ? EmbeddedKernels::Read : EmbeddedKernels::LeaveOut, out);
  auto move = [&](auto& uses, std::size_t first) {
    for (std::size_t i = first; i < uses.size(); ++i) {
      if (uses[i].line == 1) uses[i].column += start.column;
      uses[i].line += start.line;
    }
  };
  move(out.apis, apis);
  move(out.dependencies, dependencies);
  move(out.mentions, mentions);
  if (keepFacts && facts->isGpu) {
    out.source = std::move(facts);
    out.sourceText = std::move(whole);
  }
  return openUntil;
}

void noteUnterminated(FileFacts& out) {
  out.notes.emplace_back("a comment or raw string does not end; what follows it was taken as part of it");
}

/// Keeps the first uses of each name in a giant file and counts the others, so that memory does not grow with it.
class UseFolder {
 public:
  explicit UseFolder(std::vector<ApiUse>& uses) : uses_(uses) {}
  void fold() {
    std::size_t kept = done_;
    for (std::size_t i = done_; i < uses_.size(); ++i) {
      auto& [seen, last] = names_[uses_[i].record * 2 + (uses_[i].guarded ? 1 : 0)];
      if (++seen > keptPerName) {
        ++uses_[last].count;
      } else {
        last = kept;
        uses_[kept++] = uses_[i];
      }
    }
    uses_.resize(kept);
    done_ = kept;
  }

 private:
  static constexpr std::size_t keptPerName = 1000;
  std::vector<ApiUse>& uses_;
  std::size_t done_ = 0;
  std::unordered_map<std::uint32_t, std::pair<std::size_t, std::size_t>> names_;  ///< uses seen, place of the last kept
};

/// A cut at a line break, else at a blank near the end of the window, else anywhere: never inside a name when that can
/// be helped.
std::size_t pieceSize(std::string_view rest) {
  constexpr std::size_t longestName = 4096;
  if (rest.size() <= windowBytes) return rest.size();
  std::string_view window = rest.substr(0, windowBytes);
  std::size_t cut = window.rfind('\n');
  if (cut != std::string_view::npos) return cut + 1;
  cut = window.substr(windowBytes - longestName).find_last_of(" ;,(){}\t");
  return cut == std::string_view::npos ? windowBytes : windowBytes - longestName + cut + 1;
}

/// Reads a file of any size in memory that does not grow with it, and gives the number of pieces.
std::size_t readInPieces(const ReadContext& context, const Input& input, FileFacts& out) {
  std::string_view rest = input.bytes;
  UseFolder folder(out.apis);
  Place start;
  auto advance = [&](std::size_t size) {
    std::string_view piece = rest.substr(0, size);
    start.line += static_cast<std::uint32_t>(std::count(piece.begin(), piece.end(), '\n'));
    std::size_t lineBreak = piece.rfind('\n');
    start.column = static_cast<std::uint32_t>(lineBreak == std::string_view::npos ? start.column + piece.size()
                                                                                  : piece.size() - lineBreak - 1);
    rest.remove_prefix(size);
  };
  std::size_t pieces = 0;
  for (; !rest.empty(); ++pieces) {
    std::size_t size = pieceSize(rest);
    std::string openUntil = readPiece(context, input.path, rest.substr(0, size), start, false, out);
    folder.fold();
    if (openUntil.empty()) {
      advance(size);
      continue;
    }
    // The piece stops in a comment or raw string, whose rest is no code. Its end may lie across the cut.
    std::size_t found = rest.find(openUntil, size - std::min(size, openUntil.size() - 1));
    if (found == std::string_view::npos && openUntil != "\n") noteUnterminated(out);
    advance(found == std::string_view::npos ? rest.size() : found + openUntil.size());
  }
  return pieces;
}

}  // namespace

void readSource(const ReadContext& context, const Input& input, FileFacts& out) {
  out.how = "tokens";
  if (input.bytes.size() <= wholeBytes) {
    std::string openUntil = readPiece(context, input.path, input.bytes, {}, true, out);
    if (!openUntil.empty() && openUntil != "\n") noteUnterminated(out);
    return;
  }
  std::size_t pieces = readInPieces(context, input, out);
  out.notes.push_back("larger than " + std::to_string(wholeBytes >> 20) + " MiB: read in " + std::to_string(pieces) +
                      " pieces for names only; rules were not applied");
}

void readEmbeddedSource(const ReadContext& context, std::string_view text, std::uint32_t firstLine, FileFacts& out) {
  if (text.size() > windowBytes) {
    out.notes.push_back("line " + std::to_string(firstLine) + ": embedded kernel source is too large, not read");
    return;
  }
  FileFacts inner;
  ReadContext fresh{context.knowledge, nullptr};
  auto kept = std::make_shared<const std::string>(text);
  std::uint32_t offset = firstLine == 0 ? 0 : firstLine - 1;
  readPiece(fresh, "embedded.cu", *kept, {offset, 0}, true, inner);
  if (inner.source != nullptr)
    out.embedded.push_back({inner.sourceText ? inner.sourceText : kept, inner.source, offset});
  for (ApiUse& use : inner.apis) out.apis.push_back(use);
  for (DependencyUse& use : inner.dependencies) out.dependencies.push_back(use);
}

void appendMoved(FileFacts&& inner, const std::function<std::uint32_t(std::uint32_t)>& lineOf, FileFacts& out) {
  const auto append = [&lineOf](auto& from, auto& to) {
    for (auto& one : from) {
      one.line = lineOf(one.line);
      to.push_back(std::move(one));
    }
  };
  append(inner.apis, out.apis);
  append(inner.dependencies, out.dependencies);
  append(inner.mentions, out.mentions);
  for (EmbeddedSource& source : inner.embedded) {
    const auto count = static_cast<std::uint32_t>(std::count(source.text->begin(), source.text->end(), '\n') + 1);
    std::vector<std::uint32_t> lines(count);
    for (std::uint32_t line = 1; line <= count; ++line) lines[line - 1] = lineOf(source.fileLine(line));
    source.lines = std::move(lines);
    out.embedded.push_back(std::move(source));
  }
  for (std::string& note : inner.notes) out.notes.push_back(std::move(note));
}

bool addDependency(const ReadContext& context, FileFacts& out, knowledge::Ecosystem ecosystem, std::string_view name,
                   std::uint32_t line, std::string_view version, bool guarded, std::uint32_t column) {
  std::uint32_t record = context.knowledge.findDependency(ecosystem, name);
  if (record == knowledge::Knowledge::none || context.knowledge.dependencies()[record].falsePositive) return false;
  out.dependencies.push_back({record, line, column, std::string(version), guarded, std::string(name)});
  return true;
}

}  // namespace unwarp::scan
