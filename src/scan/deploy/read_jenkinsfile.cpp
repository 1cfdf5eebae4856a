// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jenkins pipelines, declarative and scripted: agent labels, container images, shell steps, environment blocks. Groovy
// itself is not evaluated; interpolated values stay as written.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/deploy/block_text.h"
#include "scan/deploy/config_reader.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

class PipelineReader {
 public:
  PipelineReader(const ReadContext& context, const std::vector<BlockToken>& tokens, FileFacts& out)
      : context_(context), tokens_(tokens), out_(out) {}

  void read() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const BlockToken& token = tokens_[i];
      if (token.kind == BlockTokenKind::String || token.kind == BlockTokenKind::Text) text(i);
    }
  }

 private:
  /// The word that says what the string at `index` is: `sh '...'`, `sh(script: '...')`, `image '...'`, `NAME = '...'`.
  std::string_view keyOf(std::size_t index) const {
    for (std::size_t back = 1; back <= 3 && back <= index; ++back) {
      const BlockToken& token = tokens_[index - back];
      if (token.kind == BlockTokenKind::Word) return token.text;
      if (token.kind != BlockTokenKind::Punctuation) return {};
      if (token.text != "(" && token.text != ":" && token.text != "=" && token.text != "[") return {};
    }
    return {};
  }

  void text(std::size_t index) {
    const BlockToken& token = tokens_[index];
    const bool isKey = index + 1 < tokens_.size() && tokens_[index + 1].text == ":";
    if (isKey) addKubernetes(context_, "", token.text, token.line, out_);  // `'nvidia.com/gpu': 1`
    const std::string_view key = keyOf(index);
    if (key == "sh" || key == "bat" || key == "powershell" || key == "pwsh" || key == "script" || key == "shell" ||
        key.ends_with(".sh")) {
      shell(token);
    } else if (key == "label" || key == "node" || key == "agent") {
      for (const std::string_view label : words(token.text))
        addSite(context_, knowledge::Ecosystem::Ci, {label}, token.line, {}, out_);
    } else if (key == "image" || key == "docker" || key == "container" || key.ends_with(".image") ||
               key.ends_with(".inside")) {
      image(key, token);
    } else if (key == "args" || key == "containerOptions") {
      arguments(token);
    } else if (key == "clusterOptions" || key == "slurm_extra") {
      shell({token.kind, "sbatch " + token.text, token.line});
    } else if (key == "type" || key == "gpuType" || key == "gpu_type" || isMachineKey(key)) {
      addCloud(context_, key, token.text, token.line, out_);
    } else if (key == "yaml") {
      readConfigTree(context_, parseYaml(token.text, token.line), 1, out_);
    } else if (key.find('.') == std::string_view::npos || key.starts_with("env.")) {
      addEnvironment(context_, key.starts_with("env.") ? key.substr(4) : key, token.text, token.line, out_);
    }
  }

  /// A step in one quoted line: its escapes make more lines than the file has.
  void shell(const BlockToken& token) {
    const std::size_t first = out_.dependencies.size();
    const std::size_t firstMention = out_.mentions.size();
    readShellText(context_, token.text, token.line, out_);
    if (token.kind == BlockTokenKind::Text) return;
    for (std::size_t i = first; i < out_.dependencies.size(); ++i) out_.dependencies[i].line = token.line;
    for (std::size_t i = firstMention; i < out_.mentions.size(); ++i) out_.mentions[i].line = token.line;
  }

  void image(std::string_view key, const BlockToken& token) {
    if (key.ends_with(".inside"))
      arguments(token);
    else
      addImage(context_, token.text, token.line, out_);
  }

  /// Arguments for the container engine: `--gpus all`.
  void arguments(const BlockToken& token) {
    std::vector<ShellWord> command{{"docker", token.line, false}, {"run", token.line, false}};
    for (const std::string_view word : words(token.text)) command.push_back({std::string(word), token.line, false});
    readCommandList(context_, command, out_);
  }

  const ReadContext& context_;
  const std::vector<BlockToken>& tokens_;
  FileFacts& out_;
};

}  // namespace

void readJenkinsfile(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::vector<BlockToken> tokens = readBlockTokens(input.bytes, BlockDialect::Groovy);
  PipelineReader(context, tokens, out).read();
}

void readWorkflow(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::vector<BlockToken> tokens = readBlockTokens(input.bytes, BlockDialect::Workflow);
  PipelineReader(context, tokens, out).read();
  // WDL writes its commands between marks of its own.
  constexpr std::string_view open = "<<<", close = ">>>";
  std::uint32_t line = 1;
  std::size_t counted = 0;
  for (std::size_t at = input.bytes.find(open); at != std::string_view::npos; at = input.bytes.find(open, at)) {
    const std::string_view before = trim(input.bytes.substr(counted, at - counted));
    line += static_cast<std::uint32_t>(std::count(input.bytes.begin() + static_cast<std::ptrdiff_t>(counted),
                                                  input.bytes.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    at += open.size();
    const std::size_t end = std::min(input.bytes.find(close, at), input.bytes.size());
    if (before.ends_with("command")) readShellText(context, input.bytes.substr(at, end - at), line, out);
    at = end;
  }
}

}  // namespace unwarp::scan
