// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tolerant tokenizer for Python and its relatives (Cython, Starlark, Meson): names, numbers, strings, operators,
// logical lines and their indentation. It never fails; what is not closed ends with the file. Expressions inside
// f-strings become lines of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan::python {

enum class PyTokenKind : std::uint8_t { Name, Number, String, Operator };

struct PyToken {
  std::uint32_t offset;
  std::uint32_t length;
  std::uint32_t line;    ///< from 1
  std::uint32_t column;  ///< from 1
  PyTokenKind kind;
};

/// A logical line: tokens [first, last), joined over brackets and backslashes. The head of a compound statement is a
/// line of its own, also where its block stands behind the colon (`try: import x`).
struct PyLine {
  std::uint32_t first, last;
  std::uint32_t indent;      ///< columns before the first token; tabs count to the next multiple of eight
  bool guarded = false;      ///< in a branch chain whose condition mentions HIP or ROCm
  std::uint32_t parent = 0;  ///< the line itself, or the line whose f-string holds this expression
};

struct PyFile {
  std::string_view text;
  std::vector<PyToken> tokens;
  std::vector<std::uint32_t> match;  ///< per token: the closing bracket of an opening one, else 0
  std::vector<PyLine> lines;         ///< in source order, then the embedded ones

  std::string_view at(std::uint32_t token) const {
    return token < tokens.size() ? text.substr(tokens[token].offset, tokens[token].length) : std::string_view();
  }
  bool is(std::uint32_t token, std::string_view spelling) const { return at(token) == spelling; }
  bool isName(std::uint32_t token) const { return token < tokens.size() && tokens[token].kind == PyTokenKind::Name; }
  bool isString(std::uint32_t token) const {
    return token < tokens.size() && tokens[token].kind == PyTokenKind::String;
  }
};

/// Tokenizes and marks guarded lines. Linear time; nesting of f-strings is limited.
PyFile tokenizePython(std::string_view text);

/// A string literal without prefix and quotes.
struct PyString {
  std::string_view body;
  bool raw = false, formatted = false, triple = false;
  std::uint32_t bodyOffset = 0;  ///< of `body` inside the token
};
PyString openString(std::string_view token);
/// The value: escapes decoded unless raw; replacement fields of f-strings stay as written.
std::string stringValue(std::string_view token);

/// Index of the bracket that closes the one at `open`, or `last` when the line ends first.
std::uint32_t closingBracket(const PyFile& file, std::uint32_t open, std::uint32_t last);

/// The pieces of [first, last) between top-level commas, as half-open token ranges; no empty last piece.
std::vector<std::pair<std::uint32_t, std::uint32_t>> splitAtCommas(const PyFile& file, std::uint32_t first,
                                                                   std::uint32_t last);

/// The source text of a token range on one line: white space runs become one blank, at most `limit` bytes.
std::string textOf(const PyFile& file, std::uint32_t first, std::uint32_t last, std::size_t limit = 240);

}  // namespace unwarp::scan::python
