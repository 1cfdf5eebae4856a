// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lexer for C, C++, CUDA and HIP that never fails: unterminated things end at the end of the file. Line splices are
// removed by treating them as blanks between tokens; comments vanish; strings and character literals are one token
// each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"

namespace unwarp::scan {

enum class TokenKind : std::uint8_t { Identifier, Number, String, Character, Punctuation, HeaderName };

struct Token {
  std::uint32_t offset;
  std::uint32_t length;
  std::uint32_t line;  ///< from 1
  std::uint32_t
      api;  ///< index into knowledge.apis() when an identifier or header is a known name, else Knowledge::none
  TokenKind kind;
  bool directive;  ///< inside a preprocessor directive
  std::uint16_t reserved = 0;
};

/// One preprocessor directive: tokens [first, last) of its line, `#` included.
struct Directive {
  std::string_view name;  ///< "if", "define", "include", ...
  std::uint32_t first, last;
  std::uint32_t line;
};

struct LexedFile {
  std::vector<Token> tokens;
  std::vector<Directive> directives;
  std::vector<std::uint32_t> strings;  ///< indexes of the string literals
  /// Comments that contain "unwarp:" (suppressions), as offset and length.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> markedComments;
  /// What would end the comment or raw string that the text stops in: `*/`, `)name"`, a line break; empty when the text
  /// stops outside. Whoever lexes a file in pieces goes on behind it.
  std::string openUntil;
  bool splitsNames = false;  ///< a line splice stands inside an identifier: see withWholeNames
  /// A comment of one line ends with the text as well.
  bool unterminated() const { return !openUntil.empty() && openUntil != "\n"; }
  void clear() {
    tokens.clear();
    directives.clear();
    strings.clear();
    markedComments.clear();
    openUntil.clear();
    splitsNames = false;
  }
};

/// Lexes `text` into `out` (cleared first, capacity kept). Linear time, no recursion.
void lex(std::string_view text, const knowledge::Knowledge& knowledge, LexedFile& out);

/// The text with line splices moved from inside identifiers to behind them. Its size, its lines and where each
/// identifier starts stay as they are, so that places in it are places in the file.
std::string withWholeNames(std::string_view text);

}  // namespace unwarp::scan
