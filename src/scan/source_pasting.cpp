// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/source_pasting.h"

#include <algorithm>

namespace unwarp::scan {

namespace {

using knowledge::Context;
using knowledge::Knowledge;

/// One `a ## b ## c` of a macro: literal words, and parameters by number.
struct Piece {
  std::string_view word;
  std::size_t parameter = 0;
  bool isParameter = false;
};
struct Pasting {
  std::string_view macro;
  TokenIndex definition;
  std::vector<Piece> pieces;
};

constexpr std::size_t mostUses = 4096, mostPieces = 8;

/// Words that names of CUDA start with; what else is pasted makes names of the project.
bool startsLikeCuda(std::string_view word) {
  for (std::string_view prefix : {"cu", "CU", "nccl", "nvml", "nvrtc", "nvtx", "__"})
    if (word.starts_with(prefix)) return true;
  return false;
}

class PasteFinder {
 public:
  PasteFinder(const SourceFacts& facts, const Knowledge& knowledge, FileFacts& out)
      : facts_(facts), knowledge_(knowledge), out_(out) {}

  std::vector<PastedName> run() {
    for (const Directive& directive : facts_.directives)
      if (directive.name == "define" && facts_.branch[directive.first] != Branch::Dead) readMacro(directive);
    return std::move(names_);
  }

 private:
  void readMacro(const Directive& directive) {
    const TokenIndex name = directive.first + 2;
    if (name + 2 >= directive.last || !facts_.is(name + 1, "(")) return;
    const Token &word = facts_.tokens[name], &open = facts_.tokens[name + 1];
    if (open.offset != word.offset + word.length) return;
    std::vector<std::string_view> parameters;
    TokenIndex t = name + 2;
    for (; t < directive.last && !facts_.is(t, ")"); ++t)
      if (!facts_.is(t, ",")) parameters.push_back(facts_.at(t));
    for (++t; t < directive.last; ++t) {
      if (!facts_.is(t + 1, "##") || t + 2 >= directive.last) continue;
      Pasting pasting{facts_.at(name), name, {}};
      bool pastes = false;
      for (;; t += 2) {
        const auto parameter = std::find(parameters.begin(), parameters.end(), facts_.at(t));
        const bool isParameter = parameter != parameters.end();
        pasting.pieces.push_back({facts_.at(t), static_cast<std::size_t>(parameter - parameters.begin()), isParameter});
        pastes |= isParameter;
        if (!facts_.is(t + 1, "##") || t + 2 >= directive.last || pasting.pieces.size() >= mostPieces) break;
      }
      const Piece& first = pasting.pieces.front();
      if (pastes && (first.isParameter || startsLikeCuda(first.word))) readUses(pasting);
    }
  }

  void readUses(const Pasting& pasting) {
    bool known = false;
    auto uses = facts_.named(pasting.macro);
    for (TokenIndex t : uses.first(std::min(uses.size(), mostUses))) {
      if (facts_.tokens[t].directive || !facts_.is(t + 1, "(") || facts_.branch[t] == Branch::Dead) continue;
      const auto call = facts_.callAt(t);
      if (!call) continue;
      std::string name;
      for (const Piece& piece : pasting.pieces) {
        if (!piece.isParameter)
          name += piece.word;
        else if (piece.parameter < call->arguments.size() && !call->arguments[piece.parameter].empty())
          name += facts_.at(call->arguments[piece.parameter].begin);
      }
      const std::uint32_t record = knowledge_.findApi(name);
      if (record == Knowledge::none || knowledge_.apis()[record].context != Context::Any) continue;
      names_.push_back({t, pasting.definition, record});
      known = true;
    }
    const std::string_view first = pasting.pieces.front().word;
    const bool ofCuda =
        !pasting.pieces.front().isParameter && (first.starts_with("cuda") || first.starts_with("nccl") ||
                                                knowledge_.findApi(std::string(first) + "Init") != Knowledge::none);
    if (known || !ofCuda) return;
    out_.notes.push_back("line " + std::to_string(facts_.line(pasting.definition)) + ": macro " +
                         std::string(pasting.macro) + " makes names that begin with '" + std::string(first) +
                         "'; which ones this file does not show");
  }

  const SourceFacts& facts_;
  const Knowledge& knowledge_;
  FileFacts& out_;
  std::vector<PastedName> names_;
};

}  // namespace

std::vector<PastedName> findPastedNames(const SourceFacts& facts, const Knowledge& knowledge, FileFacts& out) {
  return PasteFinder(facts, knowledge, out).run();
}

}  // namespace unwarp::scan
