// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch systems: Slurm, PBS, LSF, Grid Engine, Flux; MPI launchers; environment modules. Only requests that name an
// NVIDIA model are bindings: `--gres=gpu:4` runs on any vendor.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

constexpr std::size_t npos = std::string_view::npos;

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Long name of a Slurm option that may ask for GPUs, or empty.
std::string_view gpuOption(std::string_view name) {
  constexpr std::array<std::string_view, 9> options{
      "--gres",       "--gpus",          "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket",
      "--constraint", "--tres-per-node", "--tres-per-task", "--prefer"};
  if (name == "-G") return "--gpus";
  if (name == "-C") return "--constraint";
  return isOneOf(name, options) ? name : std::string_view();
}

void readSlurmOption(const ReadContext& context, const ShellOption& option, std::uint32_t line, FileFacts& out) {
  const std::string_view name = gpuOption(option.name);
  const std::string value = toLower(option.value);
  if (name == "--gres" || name.starts_with("--tres")) {
    addGenericResource(context, value, line, out);
  } else if (name == "--constraint" || name == "--prefer") {
    std::string names = value;
    std::replace_if(
        names.begin(), names.end(),
        [](char c) { return c == '&' || c == '|' || c == '[' || c == ']' || c == '(' || c == ')'; }, ' ');
    for (const std::string_view model : words(names)) addGpuModel(context, model, line, out);
  } else if (!name.empty() && value.find(':') != std::string::npos) {
    // --gpus-per-node=a100:4
    if (!addTypedResource(context, std::string(name) + "=" + value, line, out))
      addGenericResource(context, "gpu:" + value, line, out);
  } else if (option.name == "--container-image") {
    addImage(context, option.value, line, out);
  } else if (option.name == "--export") {
    for (const std::string_view setting : split(option.value, ','))
      if (!assignmentName(setting).empty())
        addEnvironment(context, assignmentName(setting), assignmentValue(setting), line, out);
  }
}

/// Options of srun, sbatch and salloc without a value.
bool isSchedulerFlag(std::string_view name) {
  constexpr std::array<std::string_view, 20> flags{
      "-l",        "--label",  "--exclusive",  "--pty",     "-u", "--unbuffered",     "-v", "-Q",     "--quiet",
      "-K",        "-O",       "--overcommit", "--overlap", "-s", "--wait-all-nodes", "-W", "--wait", "--parsable",
      "--requeue", "--verbose"};
  return isOneOf(name, flags) || name.starts_with("--kill-on-bad-exit") || name.starts_with("--no-");
}

/// `-l select=1:ngpus=4:gpu_type=a100`, `-gpu "num=1:gmodel=NVIDIAA100"`: resource lists of PBS, LSF and Grid Engine.
void readResourceList(const ReadContext& context, std::string_view option, std::string_view list, std::uint32_t line,
                      FileFacts& out) {
  constexpr std::array<std::string_view, 7> modelKeys{"gpu_type", "gpu_model", "gmodel",     "accelerator_model",
                                                      "gputype",  "gpu",       "accelerator"};
  const std::string whole = std::string(option) + " " + std::string(list);
  if (option == "-gpu" && addSite(context, Ecosystem::Config, {whole}, line, {}, out)) return;
  const bool namesModel = list.find("gpu_type=") != npos || list.find("gpu_model=") != npos;
  if (namesModel && addSite(context, Ecosystem::Cli, {whole}, line, {}, out)) return;
  std::string text(list);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::string_view(":,\"'[]").find(c) != std::string_view::npos; },
      ' ');
  for (const std::string_view piece : words(text)) {
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos || !isOneOf(piece.substr(0, equals), modelKeys)) continue;
    if (!addSetting(context, piece.substr(0, equals), piece.substr(equals + 1), line, out))
      addGpuModel(context, piece.substr(equals + 1), line, out);
  }
}

void readResourceLists(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view option = words[i].text;
    if (option == "-l" || option == "-gpu" || option == "-R")
      readResourceList(context, option, words[i + 1].text, words[i].line, out);
  }
}

void readSlurmOptions(const ReadContext& context, ShellWords words, std::size_t& index, FileFacts& out) {
  while (index < words.size() && words[index].text.starts_with("-")) {
    const ShellOption option = optionAt(words, index);
    readSlurmOption(context, option, words[index].line, out);
    index += option.valueInNextWord && !isSchedulerFlag(option.name) ? 2 : 1;
  }
}

}  // namespace

ShellWords readSchedulerCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  const std::string_view name = baseName(words[0].text);
  std::size_t index = 1;
  if (name == "qsub" || name == "bsub") {
    readResourceLists(context, words, out);
    return {};
  }
  readSlurmOptions(context, words, index, out);
  return name == "sbatch" ? ShellWords() : words.subspan(std::min(index, words.size()));
}

ShellWords readLauncherCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  constexpr std::array<std::string_view, 7> flags{"--allow-run-as-root", "--oversubscribe", "--report-bindings",
                                                  "-tag-output",         "--tag-output",    "-v",
                                                  "--display-map"};
  std::size_t i = 1;
  while (i < words.size() && words[i].text.starts_with("-")) {
    const ShellOption option = optionAt(words, i);
    const bool sets = option.name == "-x" || option.name == "-genv" || option.name == "-env" || option.name == "-E";
    std::string_view setting = option.value;
    if (sets && setting.find('=') != std::string_view::npos) {
      addEnvironment(context, assignmentName(setting), assignmentValue(setting), words[i].line, out);
    } else if (sets && !setting.empty()) {
      // -genv NAME VALUE (Intel, MPICH) and -x NAME (Open MPI)
      const bool hasValue = option.name != "-x" && i + 2 < words.size();
      addEnvironment(context, setting, hasValue ? std::string_view(words[i + 2].text) : std::string_view(),
                     words[i].line, out);
      if (hasValue) ++i;
    }
    // Open MPI: `--mca NAME VALUE`.
    if ((option.name == "-mca" || option.name == "--mca") && i + 2 < words.size()) {
      const std::string parameter = words[i + 1].text + " " + words[i + 2].text;
      addSite(context, Ecosystem::Cli, {"mpirun --mca " + parameter}, words[i].line, {}, out);
      ++i;
    }
    i += option.valueInNextWord && !isOneOf(option.name, flags) ? 2 : 1;
  }
  return words.subspan(std::min(i, words.size()));
}

void readModuleCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  constexpr std::array<std::string_view, 7> loads{"load", "add", "try-load", "try-add", "swap", "switch", "load-any"};
  constexpr std::array<std::string_view, 21> others{
      "av",  "avail", "spider", "purge",   "list", "unload",  "rm",       "del",   "show",    "help",  "whatis",
      "use", "unuse", "key",    "keyword", "save", "restore", "overview", "reset", "refresh", "update"};
  const bool isShort = baseName(words[0].text) == "ml";
  std::size_t i = 1;
  while (i < words.size() && words[i].text.starts_with("-") && !isShort) ++i;
  if (i >= words.size()) return;
  const std::string_view action = words[i].text;
  const bool isLoad = isOneOf(action, loads);
  if (!isLoad && (!isShort || isOneOf(action, others))) return;
  if (isLoad) ++i;
  // `module swap a b` unloads the first.
  if ((action == "swap" || action == "switch") && words.size() - i > 1) ++i;
  for (; i < words.size(); ++i) {
    const std::string_view module = words[i].text;
    if (!module.empty() && !module.starts_with("-")) addModule(context, module, words[i].line, out);
  }
}

void readSchedulerDirective(const ReadContext& context, const SchedulerDirective& directive, FileFacts& out) {
  const ShellScript parsed = parseShell(directive.text, directive.line);
  for (const ShellCommand& command : parsed.commands) {
    std::size_t index = 0;
    const ShellWords words(command.words);
    if (directive.scheduler == "SBATCH") {
      readSlurmOptions(context, words, index, out);
      continue;
    }
    readResourceLists(context, words, out);
  }
}

}  // namespace unwarp::scan
