// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table behind shell_families.h. Words a shell reserves (`for`, `case`) are here as printing: what follows them is
// text.
#include "scan/deploy/shell_families.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace unwarp::scan {
namespace {

using FamilyNames = std::pair<ShellFamily, std::vector<std::string_view>>;

std::unordered_map<std::string_view, ShellFamily> makeTable() {
  const std::vector<FamilyNames> groups{
      {ShellFamily::Prints, {":",     "[",      "[[",     "assert", "awk",  "case", "cat",  "cut",  "die",   "echo",
                             "error", "exit",   "fatal",  "find",   "for",  "grep", "head", "info", "log",   "msg",
                             "ninja", "printf", "return", "sed",    "sort", "tail", "test", "tr",   "unset", "warn"}},
      {ShellFamily::Setting, {"declare", "export", "local", "readonly", "set", "typeset"}},
      {ShellFamily::Setenv, {"setenv", "setx"}},
      {ShellFamily::Wrapper, {"call",    "cross",   "doas",    "env",          "exec",        "ionice", "nice",
                              "nohup",   "numactl", "retry",   "shell",        "stdbuf",      "strace", "sudo",
                              "taskset", "time",    "timeout", "travis_retry", "travis_wait", "watch",  "xargs"}},
      {ShellFamily::Locates, {"command", "hash", "type", "where", "which"}},
      {ShellFamily::ShellString, {"bash", "dash", "eval", "ksh", "sh", "ssh", "zsh"}},
      {ShellFamily::Python, {"python", "python2", "python3"}},
      {ShellFamily::Pip, {"pdm", "pip", "pip2", "pip3", "pipenv", "pipx", "poetry", "uv"}},
      {ShellFamily::Conda, {"conda", "mamba", "micromamba", "pixi"}},
      {ShellFamily::SystemPackages,
       {"apk", "apt", "apt-fast", "apt-get", "aptitude", "dnf", "dpkg", "microdnf", "rpm", "tdnf", "yum", "zypper"}},
      {ShellFamily::Container, {"docker", "nerdctl", "podman"}},
      {ShellFamily::Apptainer, {"apptainer", "singularity"}},
      {ShellFamily::Cluster, {"helm", "kubectl", "oc"}},
      {ShellFamily::Cloud, {"aws", "az", "gcloud"}},
      {ShellFamily::Scheduler, {"bsub", "flux", "jsrun", "qsub", "salloc", "sbatch", "srun"}},
      {ShellFamily::Launcher, {"mpiexec", "mpirun", "orterun"}},
      {ShellFamily::Module, {"ml", "module"}},
      {ShellFamily::Cmake, {"cmake", "cmake3"}},
      {ShellFamily::Make, {"gmake", "make"}},
      {ShellFamily::Links, {"auditwheel", "cp", "ln", "patchelf"}},
  };
  std::unordered_map<std::string_view, ShellFamily> table;
  for (const auto& [family, names] : groups)
    for (const std::string_view name : names) table.emplace(name, family);
  return table;
}

}  // namespace

ShellFamily shellFamilyOf(std::string_view name) {
  static const std::unordered_map<std::string_view, ShellFamily> table = makeTable();
  const auto found = table.find(name);
  if (found != table.end()) return found->second;
  if (name.starts_with("python3.")) return ShellFamily::Python;
  if (name.starts_with("pip3.")) return ShellFamily::Pip;
  return ShellFamily::Program;
}

}  // namespace unwarp::scan
