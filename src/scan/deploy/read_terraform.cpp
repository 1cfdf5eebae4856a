// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HCL of Terraform, Packer, Nomad and docker bake: machine and accelerator types, images, Kubernetes names in provider
// blocks, provisioning scripts. Strings are judged by the attribute they belong to; descriptions are prose. References
// and functions are not evaluated.
#include <array>

#include "base/text.h"
#include "scan/deploy/block_text.h"
#include "scan/deploy/config_reader.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

bool isAttributeScript(std::string_view key) {
  constexpr std::array<std::string_view, 9> keys{
      "user_data",      "user_data_base64", "startup_script", "metadata_startup_script", "inline", "custom_data",
      "startup-script", "inline_shebang",   "script"};
  for (const std::string_view known : keys)
    if (key == known) return true;
  return isScriptKey(key);
}

bool isPlaceOfMachine(std::string_view key) {
  constexpr std::array<std::string_view, 8> keys{"type", "values", "name",   "names",
                                                 "plan", "size",   "family", "default"};
  for (const std::string_view known : keys)
    if (key == known) return true;
  return isMachineKey(key);
}

/// A provisioning text: a script, or cloud-init YAML.
void readProvisioning(const ReadContext& context, const BlockToken& token, FileFacts& out) {
  const std::string_view body = trim(token.text);
  if (body.starts_with("#cloud-config") ||
      (!body.starts_with("#!") && body.find("apiVersion:") != std::string_view::npos))
    readConfigTree(context, parseYaml(token.text, token.line), 1, out);
  else
    readShellText(context, token.text, token.line, out);
}

class TerraformReader {
 public:
  TerraformReader(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  void read(const std::vector<BlockToken>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const BlockToken& token = tokens[i];
      const std::string_view next = i + 1 < tokens.size() ? std::string_view(tokens[i + 1].text) : std::string_view();
      const bool assigns = (next == "=" || next == ":") && tokens[i + 1].kind == BlockTokenKind::Punctuation;
      if (token.kind == BlockTokenKind::Word && (assigns || next == "{")) {
        key_ = token.text;
        const bool isOff = i + 2 < tokens.size() && next == "=" && isOffValue(tokens[i + 2].text);
        if (!isOff && !isImageKey(key_)) addSite(context_, knowledge::Ecosystem::Cloud, {key_}, token.line, {}, out_);
      } else if (token.kind == BlockTokenKind::String && assigns) {
        key_ = token.text;
        addKubernetes(context_, "", key_, token.line, out_);
      } else if (token.kind == BlockTokenKind::String) {
        const bool isLabel = i > 0 && tokens[i - 1].kind == BlockTokenKind::Word && next == "{";
        if (isLabel && addSetting(context_, tokens[i - 1].text, token.text, token.line, out_)) continue;
        value(token);
      } else if (token.kind == BlockTokenKind::Text) {
        text(token);
      }
    }
  }

 private:
  void text(const BlockToken& token) {
    if (isProseKey(key_) || key_ == "assume_role_policy" || key_ == "policy") return;
    readProvisioning(context_, token, out_);
  }

  void value(const BlockToken& token) {
    const std::string_view text = token.text;
    if (text.empty() || isProseKey(key_)) return;
    if (isAttributeScript(key_)) return readProvisioning(context_, token, out_);
    if (isImageKey(key_)) {
      const std::size_t before = out_.dependencies.size();
      addImage(context_, text, token.line, out_);
      if (out_.dependencies.size() != before) return;
    }
    if (isPlaceOfMachine(key_) && addCloud(context_, key_, text, token.line, out_)) return;
    if (key_ == "scripts" && addCloud(context_, key_, baseName(text), token.line, out_)) return;
    if (addSetting(context_, key_, text, token.line, out_)) return;
    if (addKubernetes(context_, key_, text, token.line, out_)) return;
    const std::size_t before = out_.dependencies.size();
    addEnvironment(context_, key_, text, token.line, out_);
    // Build arguments, named contexts (`docker-image://...`) and defaults of variables hold images under any name.
    if (out_.dependencies.size() == before) addTaggedImage(context_, text, token.line, out_);
  }

  const ReadContext& context_;
  FileFacts& out_;
  std::string key_;
};

}  // namespace

void readTerraform(const ReadContext& context, const Input& input, FileFacts& out) {
  TerraformReader(context, out).read(readBlockTokens(input.bytes, BlockDialect::Hcl));
}

}  // namespace unwarp::scan
