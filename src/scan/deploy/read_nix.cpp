// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nix expressions: packages of the CUDA set (`cudaPackages.cudnn`, `with cudaPackages; [ ... ]`), switches
// (`cudaSupport = true`), driver settings of NixOS modules, CMake options and the shell of phases and hooks. The
// language is not evaluated: a package that is handed on under another name counts where it is taken from the set.
#include "base/text.h"
#include "scan/deploy/block_text.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

/// Whether the text set under `key` is a script of the builder or of a shell.
bool isScript(std::string_view key) {
  for (const std::string_view prefix : {"pre", "post"})
    if (key.starts_with(prefix) && key.size() > prefix.size() && key[prefix.size()] >= 'A' && key[prefix.size()] <= 'Z')
      return true;
  return key.ends_with("Phase") || key.ends_with("Hook") || key == "script" || key == "buildCommand";
}

/// `pkgs.cudaPackages.cudnn` and `config.nixpkgs.cudaSupport` from the part on that the tables know.
std::string_view knownPart(std::string_view path) {
  for (const std::string_view root : {"cudaPackages", "cudaSupport", "cudaCapabilities", "hardware.nvidia"})
    if (const std::size_t at = path.find(root); at != std::string_view::npos && (at == 0 || path[at - 1] == '.'))
      return path.substr(at);
  return path;
}

void readString(const ReadContext& context, std::string_view key, const BlockToken& token, FileFacts& out) {
  const std::string_view text = token.text;
  if (text.starts_with("-D")) return addCmakeEntry(context, text.substr(2), token.line, out);
  if (isScript(key)) return readShellText(context, text, token.line, out);
  // `videoDrivers = [ "nvidia" ]`, and variables of the derivation.
  if (!addSetting(context, key, text, token.line, out)) addEnvironment(context, key, text, token.line, out);
}

/// `NAME = value`: a switch or setting the tables know, or a variable of the derivation.
void readAssignment(const ReadContext& context, std::string_view path, const BlockToken& value, FileFacts& out) {
  const std::string_view name = knownPart(path);
  if (value.kind != BlockTokenKind::String && isOffValue(value.text)) return;
  const bool isText = value.kind == BlockTokenKind::String || value.kind == BlockTokenKind::Text;
  if (value.text != "{" && addSetting(context, name, value.text, value.line, out)) return;
  if (addSite(context, Ecosystem::Config, {name}, value.line, {}, out) || isText) return;
  addEnvironment(context, path.substr(path.rfind('.') + 1), value.text, value.line, out);
}

/// A package: from the CUDA set, or by a name of its own (`cudatoolkit`, `linuxPackages.nvidia_x11`).
void readPackage(const ReadContext& context, std::string_view path, std::uint32_t line, FileFacts& out) {
  const std::string_view name = knownPart(path);
  if (name.starts_with("cudaPackages")) {
    addNamedSite(context, Ecosystem::Config, name, line, out);  // a list may name several on one line
  } else {
    const std::string_view last = path.substr(path.rfind('.') + 1);
    addSite(context, Ecosystem::OtherPkg, {"nix:" + std::string(last)}, line, {}, out);
  }
}

/// Names that only packages of CUDA have: other words of a list behind `with cudaPackages;` may come from elsewhere.
bool isCudaPackageName(std::string_view word) {
  for (const std::string_view prefix : {"cuda", "cudnn", "cutensor", "nccl", "libcu", "libnp", "libnv", "nsight"})
    if (word.starts_with(prefix)) return true;
  return false;
}

}  // namespace

void readNix(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::vector<BlockToken> tokens = readBlockTokens(input.bytes, BlockDialect::Nix);
  const auto is = [&](std::size_t i, std::string_view text) { return i < tokens.size() && tokens[i].text == text; };
  std::string key, set;  // `set` as in `with cudaPackages; [ cudnn nccl ]`, to the end of the list
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const BlockToken& token = tokens[i];
    if (token.kind == BlockTokenKind::Punctuation) {
      if (token.text == ";") key.clear();
      if (token.text == "]") set.clear();
    } else if (token.kind != BlockTokenKind::Word) {
      readString(context, key, token, out);
    } else if (is(i + 1, "=") && !is(i + 2, "=") && i + 3 < tokens.size()) {
      key = token.text.substr(token.text.rfind('.') + 1);
      readAssignment(context, token.text, tokens[is(i + 2, "[") ? i + 3 : i + 2], out);
    } else if (!set.empty() && isCudaPackageName(token.text) && token.text.find('.') == std::string::npos) {
      addNamedSite(context, Ecosystem::Config, set + "." + token.text, token.line, out);
    } else {
      const bool opens = i > 0 && is(i - 1, "with") && is(i + 1, ";") && is(i + 2, "[");
      if (opens && knownPart(token.text).starts_with("cudaPackages")) set = knownPart(token.text);
      readPackage(context, token.text, token.line, out);
    }
  }
}

}  // namespace unwarp::scan
