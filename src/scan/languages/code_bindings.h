// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What binds a Go, Rust, C# or Java source to CUDA whatever the language: names of the C APIs (declared or called,
// nothing else is called so), libraries opened by file name, kernels in strings, variables of the environment, programs
// that are started. A word in a comment or inside a longer text is none.
#pragma once

#include "scan/facts.h"
#include "scan/languages/code_tokens.h"

namespace unwarp::scan::languages {

using CodeTokens = std::vector<CodeToken>;

/// Reads all of them. True when anything was found.
bool addCodeBindings(const ReadContext& context, const CodeTokens& tokens, FileFacts& out);

/// A word of a language that the table knows under `LANGUAGE:WORD` ("rust:cudarc"); it is shown without the language,
/// and what comes out of a package as the package.
/// False when it is no binding.
bool addLanguageName(const ReadContext& context, std::string_view language, std::string_view word, std::uint32_t line,
                     FileFacts& out);

/// The word before the bracket that `string` stands behind as first argument: `Getenv` of `os.Getenv("X")`,
/// `DllImport` of `[DllImport("x")]`, `option_env` of `option_env!("X")`; else empty.
std::string_view calledWith(const CodeTokens& tokens, std::size_t string);

/// The path of words that starts at `first` (`a::b::c`, `a.b.c`), joined by dots; `next` is behind it.
std::string dottedPath(const CodeTokens& tokens, std::size_t first, std::size_t& next);

}  // namespace unwarp::scan::languages
