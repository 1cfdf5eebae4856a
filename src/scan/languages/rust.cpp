// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rust: crates that bind to CUDA by the paths that use them, `#[link(name = "cudart")]`, and build scripts: what they
// print for cargo, and how they call nvcc.
#include <algorithm>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/deploy/sites.h"
#include "scan/languages/code_bindings.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using namespace languages;  // NOLINT: this file is one of them
using knowledge::Ecosystem;

class RustReader {
 public:
  RustReader(const ReadContext& context, const CodeTokens& tokens, FileFacts& out)
      : context_(context), tokens_(tokens), out_(out) {}

  void run() {
    runsNvcc_ = std::any_of(tokens_.begin(), tokens_.end(),
                            [](const CodeToken& token) { return token.isString() && baseName(token.text) == "nvcc"; });
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].isString())
        string(i);
      else if (tokens_[i].kind == CodeTokenKind::Word)
        word(i);
    }
  }

 private:
  bool is(std::size_t index, std::string_view mark) const { return index < tokens_.size() && tokens_[index].is(mark); }
  bool isWord(std::size_t index, std::string_view word) const {
    return index < tokens_.size() && tokens_[index].isWord(word);
  }
  bool site(std::string_view name, std::uint32_t line) { return addLanguageName(context_, "rust", name, line, out_); }

  /// `cudarc::driver`, `extern crate cust`, `Device::new_cuda`; `.cuda(true)` of a builder of C code.
  void word(std::size_t i) {
    const CodeToken& token = tokens_[i];
    const bool inPath = i > 0 && is(i - 1, "::"), inField = i > 0 && is(i - 1, ".");
    if (inField && token.text == "cuda" && is(i + 1, "(") && isWord(i + 2, "true") && is(i + 3, ")")) {
      runsNvcc_ |= site(".cuda(true)", token.line);
    } else if (is(i + 1, "::") && !inField) {
      if (!inPath && site(token.text, token.line)) return;
      if (i + 2 < tokens_.size()) site(std::string(token.text) + "::" + std::string(tokens_[i + 2].text), token.line);
    } else if (i > 0 && (isWord(i - 1, "crate") || isWord(i - 1, "use"))) {
      site(token.text, token.line);
    }
  }

  void string(std::size_t i) {
    const CodeToken& token = tokens_[i];
    if (token.text.starts_with("cargo:"))
      cargo(token.text.substr(token.text.starts_with("cargo::") ? 7 : 6), token.line);
    else if (i >= 4 && is(i - 1, "=") && isWord(i - 2, "name") && isInLink(i))
      build::addLinkLibrary(context_, token.text, token.line, out_);
    else if (runsNvcc_ && (token.text.starts_with("-") || token.text.starts_with("arch=")))
      addCompilerFlag(context_, token.text, token.line, out_);
    else if (token.text.starts_with("/usr/local/cuda") || token.text.starts_with("/opt/cuda"))
      build::addToolkitPath(context_, token.text, token.line, out_);
  }

  /// Whether the string at `i` stands in the brackets of `link(...)`.
  bool isInLink(std::size_t i) const {
    constexpr std::size_t longest = 16;
    for (std::size_t back = 1; back < longest && back < i; ++back)
      if (tokens_[i - back].is("(")) return isWord(i - back - 1, "link");
    return false;
  }

  /// What a build script prints behind `cargo:`.
  void cargo(std::string_view text, std::uint32_t line) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return;
    const std::string_view key = text.substr(0, equals);
    std::string_view value = text.substr(equals + 1);
    if (key == "rustc-link-lib") {
      value = value.substr(value.rfind('=') + 1);  // `static:+whole-archive=cudart_static`
      build::addLinkLibrary(context_, value.substr(0, value.find(':')), line, out_);
    } else if (key == "rustc-link-search") {
      build::addToolkitPath(context_, value, line, out_);
    } else if (key == "rerun-if-env-changed") {
      addSite(context_, Ecosystem::Env, {value}, line, {}, out_);
    } else if (key.starts_with("rustc-link-arg")) {
      build::addFlagWords(context_, value, line, out_);
    }
  }

  const ReadContext& context_;
  const CodeTokens& tokens_;
  FileFacts& out_;
  bool runsNvcc_ = false;  ///< so that words with a dash in front are its flags
};

}  // namespace

void readRust(const ReadContext& context, const Input& input, FileFacts& out) {
  const CodeTokens tokens = readCodeTokens(input.bytes, CodeDialect::Rust);
  RustReader(context, tokens, out).run();
  addCodeBindings(context, tokens, out);
}

}  // namespace unwarp::scan
