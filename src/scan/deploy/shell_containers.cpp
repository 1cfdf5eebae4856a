// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Container engines, Kubernetes and cloud command lines. `docker run` has many options with values and few without: the
// few are listed, everything else takes a value, so the image is the first word that is left.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Whether an option of `docker run` stands alone.
bool isContainerFlag(std::string_view option) {
  constexpr std::array<std::string_view, 17> flags{"--detach",
                                                   "--interactive",
                                                   "--tty",
                                                   "--rm",
                                                   "--init",
                                                   "--privileged",
                                                   "--read-only",
                                                   "--no-healthcheck",
                                                   "--replace",
                                                   "--oom-kill-disable",
                                                   "--publish-all",
                                                   "--sig-proxy",
                                                   "--disable-content-trust",
                                                   "--quiet",
                                                   "--no-hosts",
                                                   "--tls-verify",
                                                   "--no-cache"};
  if (option.starts_with("--")) return isOneOf(option, flags);
  return std::all_of(option.begin() + 1, option.end(),
                     [](char c) { return c == 'd' || c == 'i' || c == 't' || c == 'P' || c == 'q'; });
}

/// Facts in one option of `docker run`, `docker create` or `docker build`.
void readContainerOption(const ReadContext& context, const ShellOption& option, std::uint32_t line, FileFacts& out) {
  const std::string_view value = option.value;
  const bool isSetting = option.name == "-e" || option.name == "--env" || option.name == "--build-arg";
  const std::string asCommand = "docker run " + std::string(option.name) + "=" + std::string(value);
  if (!isSetting && addSite(context, Ecosystem::Cli, {asCommand}, line, {}, out)) return;
  if (isSetting) {
    // `-e NAME` hands the variable through.
    const std::string_view name = assignmentName(value).empty() ? value : assignmentName(value);
    if (!name.empty() && isIdentifierStart(name[0])) addEnvironment(context, name, assignmentValue(value), line, out);
    if (option.name == "--build-arg" && assignmentValue(value).find(':') != std::string_view::npos)
      addImage(context, assignmentValue(value), line, out);
  } else if (option.name == "--device") {
    addDeviceFile(context, value, line, out);
  } else if (option.name == "--runtime") {
    addSite(context, Ecosystem::Cli, {"--runtime=" + std::string(value)}, line, {}, out);
  } else if (option.name == "--gpus") {
    addSiteById(context, "cli-docker-gpus", line, out);
  }
}

}  // namespace

void readContainerOptions(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].text.starts_with("-") || isContainerFlag(words[i].text)) continue;
    readContainerOption(context, optionAt(words, i), words[i].line, out);
  }
}

ShellWords readContainerCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  std::size_t verb = 1;
  while (verb < words.size() &&
         (words[verb].text == "container" || words[verb].text == "image" || words[verb].text == "buildx"))
    ++verb;
  if (verb >= words.size()) return {};
  const std::string_view action = words[verb].text;
  const bool runs = action == "run" || action == "create";
  const bool fetches = action == "pull" || action == "push" || action == "inspect" || action == "save";
  const bool builds = action == "build";
  if (action == "login") addSite(context, Ecosystem::Cli, {commandLine("docker", words)}, words[0].line, {}, out);
  if (!runs && !fetches && !builds && action != "exec") return {};
  std::size_t i = verb + 1;
  for (; i < words.size() && (words[i].text.starts_with("-") || words[i].text.empty()); ++i) {
    if (words[i].text.empty()) continue;
    const ShellOption option = optionAt(words, i);
    const bool isFlag = !option.valueInNextWord || isContainerFlag(option.name);
    if (!isContainerFlag(option.name)) readContainerOption(context, option, words[i].line, out);
    if (!isFlag) ++i;
  }
  if (i >= words.size()) return {};
  if (runs || fetches) addImage(context, words[i].text, words[i].line, out);
  return runs || action == "exec" ? words.subspan(i + 1) : ShellWords();
}

ShellWords readApptainerCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  constexpr std::array<std::string_view, 18> valueOptions{
      "--bind",    "-B", "--env",     "--env-file", "--home", "-H",        "--workdir", "-W",    "--pwd",
      "--overlay", "-o", "--scratch", "-S",         "--app",  "--network", "--mount",   "--cwd", "--security"};
  std::size_t i = 1;
  while (i < words.size() && words[i].text.starts_with("-")) ++i;
  if (i >= words.size()) return {};
  const std::string_view action = words[i].text;
  for (++i; i < words.size() && words[i].text.starts_with("-"); ++i) {
    const ShellOption option = optionAt(words, i);
    if (option.name == "--nv" || option.name == "--nvccli" || option.name == "--rocm")
      addSite(context, Ecosystem::Cli,
              {"singularity exec " + std::string(option.name), "apptainer exec " + std::string(option.name)},
              words[i].line, {}, out);
    if (option.name == "--env")
      for (const std::string_view setting : split(option.value, ','))
        if (!assignmentName(setting).empty())
          addEnvironment(context, assignmentName(setting), assignmentValue(setting), words[i].line, out);
    if (option.valueInNextWord && isOneOf(option.name, valueOptions)) ++i;
  }
  const bool runs = action == "exec" || action == "run" || action == "shell" || action == "test";
  for (std::size_t image = i; image < words.size() && image < i + 2; ++image)
    if (words[image].text.find("://") != std::string::npos)
      addImage(context, words[image].text, words[image].line, out);
  return runs && i + 1 < words.size() ? words.subspan(i + 1) : ShellWords();
}

void readClusterCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (const ShellWord& word : words.subspan(1)) {
    std::string_view text = word.text;
    if (text.starts_with("-")) {
      // --set toolkit.enabled=true, --overrides=..., --image=...
      const std::size_t equals = text.find('=');
      if (equals == std::string_view::npos) continue;
      if (text.substr(0, equals) == "--image") addImage(context, text.substr(equals + 1), word.line, out);
      text = text.substr(equals + 1);
    }
    if (addKubernetes(context, "", text, word.line, out)) continue;
    std::string_view file = baseName(text);
    for (const std::string_view ending : {".yaml", ".yml", ".json", ".tgz"})
      if (file.ends_with(ending)) file.remove_suffix(ending.size());
    const std::size_t equals = text.find_first_of("=:");
    if (!addKubernetes(context, "", file, word.line, out) && equals != std::string_view::npos)
      addKubernetes(context, "", text.substr(0, equals), word.line, out);
  }
}

void readCloudCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].text.starts_with("--")) continue;
    const ShellOption option = optionAt(words, i);
    const std::string_view key = option.name.substr(2);
    const bool names = key.find("type") != std::string_view::npos ||
                       key.find("accelerator") != std::string_view::npos ||
                       key.find("size") != std::string_view::npos || key.find("image") != std::string_view::npos;
    if (!names) continue;
    for (const std::string_view piece : split(option.value, ',')) {
      const std::size_t equals = piece.find('=');
      addCloud(context, key, equals == std::string_view::npos ? piece : piece.substr(equals + 1), words[i].line, out);
    }
  }
}

}  // namespace unwarp::scan
