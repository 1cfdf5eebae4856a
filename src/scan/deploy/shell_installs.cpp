// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Package managers on command lines. Words that name files, folders or variables are no packages; index addresses go to
// the requirement reader, which knows what a `cu121` index means.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/deploy/spack_spec.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 5> indexOptions{"--index-url", "--extra-index-url", "--find-links", "-i", "-f"};

/// Options of pip, uv, poetry and pdm whose next word is their value.
constexpr std::array<std::string_view, 36> pipValueOptions{"-r",
                                                           "-c",
                                                           "-e",
                                                           "-t",
                                                           "-b",
                                                           "-d",
                                                           "-w",
                                                           "-p",
                                                           "--requirement",
                                                           "--constraint",
                                                           "--editable",
                                                           "--target",
                                                           "--prefix",
                                                           "--root",
                                                           "--cache-dir",
                                                           "--no-binary",
                                                           "--only-binary",
                                                           "--platform",
                                                           "--python-version",
                                                           "--abi",
                                                           "--implementation",
                                                           "--config-settings",
                                                           "--timeout",
                                                           "--retries",
                                                           "--trusted-host",
                                                           "--proxy",
                                                           "--log",
                                                           "--src",
                                                           "--progress-bar",
                                                           "--global-option",
                                                           "--python",
                                                           "--index",
                                                           "--index-strategy",
                                                           "--extra",
                                                           "--group",
                                                           "--source"};

bool isPath(std::string_view word) {
  return word.starts_with(".") || word.starts_with("/") || word.starts_with("~") || word.starts_with("$") ||
         word.ends_with("/") || word.ends_with(".txt") || word.ends_with(".toml");
}

/// `https://host/torch-2.4.0%2Bcu121-cp310-...whl` as `torch==2.4.0+cu121`.
std::string requirementOfWheel(std::string_view word) {
  const std::string_view file = baseName(word.substr(0, word.find_first_of("?#")));
  const std::size_t nameEnd = file.find('-');
  if (!file.ends_with(".whl") || nameEnd == std::string_view::npos) return {};
  std::string version(file.substr(nameEnd + 1, file.find('-', nameEnd + 1) - nameEnd - 1));
  if (const std::size_t escaped = version.find("%2B"); escaped != std::string::npos) version.replace(escaped, 3, "+");
  return std::string(file.substr(0, nameEnd)) + "==" + version;
}

void addPipWord(const ReadContext& context, const ShellWord& word, FileFacts& out) {
  if (const std::string wheel = requirementOfWheel(word.text); !wheel.empty())
    return addRequirement(context, wheel, word.line, out);
  if (word.text.empty() || isPath(word.text) || word.text.find_first_of("{*") == 0) return;
  addRequirement(context, word.text, word.line, out);
}

}  // namespace

void readPipCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  constexpr std::array<std::string_view, 5> verbs{"install", "add", "download", "wheel", "inject"};
  std::size_t verb = 1;
  while (verb < words.size() && verb < 8 && !isOneOf(words[verb].text, verbs)) ++verb;
  if (verb >= words.size() || verb >= 8) return;
  for (std::size_t i = verb + 1; i < words.size(); ++i) {
    const ShellWord& word = words[i];
    if (!word.text.starts_with("-")) {
      addPipWord(context, word, out);
      continue;
    }
    const ShellOption option = optionAt(words, i);
    const bool isIndex = isOneOf(option.name, indexOptions);
    if (isIndex && !option.value.empty())
      addRequirement(context, std::string(option.name) + " " + std::string(option.value), word.line, out);
    if (option.valueInNextWord && (isIndex || isOneOf(option.name, pipValueOptions))) ++i;
  }
}

void readCondaCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  constexpr std::array<std::string_view, 14> valueOptions{
      "-c",     "--channel",     "-n",       "--name",     "-p",       "--prefix", "-f",
      "--file", "--repodata-fn", "--solver", "--platform", "--subdir", "--clone",  "--experimental-solver"};
  std::size_t verb = 1;
  while (verb < words.size() && words[verb].text != "install" && words[verb].text != "create" &&
         words[verb].text != "add") {
    if (!words[verb].text.starts_with("-")) {
      // `conda env create -f file`, `conda run -n env pip install ...`
      if (words[verb].text != "env" && words[verb].text != "global") return;
    }
    ++verb;
  }
  for (std::size_t i = verb + 1; i < words.size(); ++i) {
    const ShellWord& word = words[i];
    if (word.text.starts_with("-")) {
      const ShellOption option = optionAt(words, i);
      if (option.name == "-c" || option.name == "--channel")
        addSetting(context, "channels", option.value, word.line, out);
      if (option.valueInNextWord && isOneOf(option.name, valueOptions)) ++i;
    } else if (!word.text.empty() && !isPath(word.text)) {
      addCondaSpec(context, word.text, word.line, out);
    }
  }
}

void addSystemPackage(const ReadContext& context, std::string_view package, std::uint32_t line, FileFacts& out) {
  package = trim(package);
  std::string_view version;
  if (package.ends_with(".deb") || package.ends_with(".rpm")) {
    package = baseName(package);
    package = package.substr(0, package.find('_'));
  }
  if (const std::size_t equals = package.find('='); equals != std::string_view::npos) {
    version = package.substr(equals + 1);
    package = package.substr(0, equals);
  }
  for (const std::string_view architecture : {":amd64", ":arm64", ":i386", ".x86_64", ".aarch64"})
    if (package.ends_with(architecture)) package.remove_suffix(architecture.size());
  if (package.empty() || package.find_first_of("/ \t") != std::string_view::npos) return;
  addSite(context, Ecosystem::Apt, {package}, line, version, out);
}

void readSystemPackages(const ReadContext& context, ShellWords words, FileFacts& out) {
  constexpr std::array<std::string_view, 9> verbs{"install", "add",       "localinstall", "-i",  "-S",
                                                  "-Sy",     "reinstall", "in",           "-ivh"};
  constexpr std::array<std::string_view, 8> valueOptions{"-t",       "-o",        "-c",           "--target-release",
                                                         "--option", "--virtual", "--repository", "--installroot"};
  std::size_t verb = 1;
  while (verb < words.size() && !isOneOf(words[verb].text, verbs)) ++verb;
  for (std::size_t i = verb + 1; i < words.size(); ++i) {
    if (!words[i].text.starts_with("-")) {
      addSystemPackage(context, words[i].text, words[i].line, out);
      continue;
    }
    const ShellOption option = optionAt(words, i);
    if (option.valueInNextWord && isOneOf(option.name, valueOptions)) ++i;
  }
}

/// `spack install hdf5+cuda`, `vcpkg install opencv4[cuda]:x64-linux`, `nix-shell -p cudaPackages.cudatoolkit`.
void readNativeInstall(const ReadContext& context, ShellWords words, FileFacts& out) {
  const std::string_view manager = baseName(words[0].text);
  if (manager == "spack" && words.size() > 1 && (words[1].text == "load" || words[1].text == "unload")) return;
  for (const ShellWord& word : words.subspan(1)) {
    if (word.text.empty() || word.text.starts_with("-")) continue;
    if (manager == "spack") {
      addSpackSpec(context, word.text, word.line, out);
    } else if (manager == "vcpkg") {
      const std::string name = "vcpkg:" + word.text.substr(0, word.text.find(':'));
      addSite(context, Ecosystem::OtherPkg, {name}, word.line, {}, out);
    } else if (const std::size_t at = word.text.find("cudaPackages"); at != std::string::npos) {
      addNamedSite(context, Ecosystem::Config, std::string_view(word.text).substr(at), word.line, out);
    }
  }
}

}  // namespace unwarp::scan
