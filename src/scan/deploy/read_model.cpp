// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Model servers, schedulers' resource files and compiled models. A Triton configuration binds by its platform or
// accelerator names; `KIND_GPU` alone does not, the server's AMD port has GPU instances too. A compiled engine is told
// by its first bytes; a file that only has the name of one is noted, not counted.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/deploy/block_text.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

/// `platform: "tensorrt_plan"`, `name: "tensorrt"` under an accelerator list.
void readTritonConfig(const ReadContext& context, std::string_view text, FileFacts& out) {
  const std::vector<BlockToken> tokens = readBlockTokens(text, BlockDialect::ProtocolText);
  std::string key;
  bool inAccelerators = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const BlockToken& token = tokens[i];
    const std::string_view next = i + 1 < tokens.size() ? std::string_view(tokens[i + 1].text) : std::string_view();
    if (token.kind == BlockTokenKind::Word && (next == ":" || next == "{" || next == "[")) {
      key = token.text;
      if (key == "gpu_execution_accelerator") inAccelerators = true;
      if (key == "cpu_execution_accelerator" || key == "instance_group" || key == "input") inAccelerators = false;
      continue;
    }
    if (token.kind == BlockTokenKind::Punctuation) continue;
    const std::string_view name =
        inAccelerators && key == "name" ? std::string_view("gpu_execution_accelerator") : std::string_view(key);
    addSetting(context, name, token.text, token.line, out);
  }
}

/// `NodeName=x Gres=gpu:a100:8`, `Name=gpu Type=a100`, `AutoDetect=nvml`.
void readSlurmResources(const ReadContext& context, std::string_view text, FileFacts& out) {
  LineReader reader(text);
  std::string_view line;
  while (reader.next(line)) {
    const std::string_view content = trim(line.substr(0, line.find('#')));
    bool isGpu = false;
    for (const std::string_view word : words(content)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      const std::string key = toLower(word.substr(0, equals));
      const std::string_view value = word.substr(equals + 1);
      if (key == "autodetect") addSetting(context, "AutoDetect", toLower(value), reader.number(), out);
      if (key == "gres" && !addSetting(context, "Gres", toLower(value), reader.number(), out))
        addGenericResource(context, value, reader.number(), out);
      if (key == "accountingstoragetres") addGenericResource(context, value, reader.number(), out);
      if (key == "name") isGpu = equalsIgnoreCase(value, "gpu");
      if (key == "type" && isGpu && !addSetting(context, "Name", "gpu Type=" + toLower(value), reader.number(), out))
        addGenericResource(context, "gpu:" + std::string(value), reader.number(), out);
      if (key == "file") addSetting(context, "File", value, reader.number(), out);
    }
  }
}

bool startsLikeEngine(std::string_view bytes) {
  return bytes.starts_with("ftrt") || bytes.starts_with("ptrt");
}

/// Some exporters put a length and a JSON description in front of the engine.
bool hasDescribedEngine(std::string_view bytes) {
  if (bytes.size() < 8 || bytes[4] != '{') return false;
  std::size_t length = 0;
  for (int i = 3; i >= 0; --i) length = length * 256 + static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return length < bytes.size() - 4 && startsLikeEngine(bytes.substr(4 + length));
}

}  // namespace

void readModelConfig(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::string_view name = baseName(input.path);
  if (out.kind == FileKind::GresConf || name.ends_with(".conf"))
    readSlurmResources(context, input.bytes, out);
  else
    readTritonConfig(context, input.bytes, out);
}

void readModelEngine(const ReadContext& context, const Input& input, FileFacts& out) {
  out.how = "bytes";
  if (startsLikeEngine(input.bytes) || hasDescribedEngine(input.bytes)) {
    if (!addSite(context, knowledge::Ecosystem::File, {baseName(input.path)}, 1, {}, out))
      addSiteById(context, "file-tensorrt-engine", 1, out);
    return;
  }
  if (input.bytes.starts_with("version https://git-lfs"))
    out.notes.push_back("named like a compiled model, but only a Git LFS pointer is here");
  else
    out.notes.push_back("named like a compiled model, but does not begin like one");
}

}  // namespace unwarp::scan
