// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C#, F#, Java, Kotlin and Scala: which packages a file opens (`using ManagedCuda`, `import jcuda.driver.JCudaDriver`)
// and what it declares of CUDA's own libraries. Packages are found by the names they have in code, which the table
// writes with the language in front.
#include "scan/languages/code_bindings.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using namespace languages;  // NOLINT: this file reads two of them

/// `import static a.b.C.*;`, `using X = A.B;`, `using static A.B;`, `open A.B`.
void readImports(const ReadContext& context, const CodeTokens& tokens, std::string_view language, FileFacts& out) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool opens = tokens[i].isWord("import") || tokens[i].isWord("using") || tokens[i].isWord("open");
    if (!opens || (i > 0 && tokens[i - 1].is("."))) continue;
    std::size_t first = i + 1;
    if (tokens[first].isWord("static")) ++first;
    if (first + 2 < tokens.size() && tokens[first + 1].is("=")) first += 2;
    if (first >= tokens.size() || tokens[first].kind != CodeTokenKind::Word) continue;
    std::size_t next = first;
    const std::string path = dottedPath(tokens, first, next);
    addLanguageName(context, language, path, tokens[first].line, out);
    i = next - 1;
  }
}

}  // namespace

void readManagedCode(const ReadContext& context, const Input& input, FileFacts& out) {
  const bool dotnet = input.path.ends_with(".cs") || input.path.ends_with(".fs");
  const CodeTokens tokens = readCodeTokens(input.bytes, dotnet ? CodeDialect::CSharp : CodeDialect::Java);
  readImports(context, tokens, dotnet ? "dotnet" : "java", out);
  addCodeBindings(context, tokens, out);
}

}  // namespace unwarp::scan
