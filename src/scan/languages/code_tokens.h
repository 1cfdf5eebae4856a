// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens of languages that call CUDA through bindings: Go, Rust, C#, Java, Kotlin, Scala. One pass for all of them,
// since what differs is how strings are quoted and whether comments nest. Words, the inside of strings as written
// (escapes are not undone: names of libraries and flags have none) and punctuation; comments and characters vanish.
// Never fails: what does not end, ends with its line or with the file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace unwarp::scan::languages {

enum class CodeTokenKind : std::uint8_t { Word, String, Punctuation };

struct CodeToken {
  CodeTokenKind kind;
  std::string_view text;       ///< of a string what stands between its quotes
  std::uint32_t line, column;  ///< of its first character, from 1

  bool isWord(std::string_view word) const { return kind == CodeTokenKind::Word && text == word; }
  bool is(std::string_view mark) const { return kind == CodeTokenKind::Punctuation && text == mark; }
  bool isString() const { return kind == CodeTokenKind::String; }
};

enum class CodeDialect : std::uint8_t { Go, Rust, CSharp, Java };  ///< Kotlin and Scala are read as Java

/// Linear in the size of `text`; views point into it.
std::vector<CodeToken> readCodeTokens(std::string_view text, CodeDialect dialect);

}  // namespace unwarp::scan::languages
