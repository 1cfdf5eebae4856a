// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What single commands say, by family. Each function reads the words of one command (the command word first, as
// written) and returns the words of the command it runs in turn (`srun ... app`, `docker run ... image app`), or
// nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scan/deploy/shell_parser.h"
#include "scan/facts.h"

namespace unwarp::scan {

using ShellWords = std::span<const ShellWord>;

/// An option at `index`: its name and value, in one word (`--gpus=all`) or two (`--gpus all`).
struct ShellOption {
  std::string_view name, value;
  bool valueInNextWord = false;
};
/// The option at `words[index]`. The value of the next word is offered whenever that word is no option; the caller
/// knows whether it belongs.
ShellOption optionAt(ShellWords words, std::size_t index);

/// shell_text.cpp: one command with everything it runs; `depth` bounds strings that hold commands (`bash -c`).
void readCommandWords(const ReadContext&, ShellWords words, int depth, FileFacts& out);
/// shell_text.cpp: `["sh", "-c", "..."]` and other commands given as lists of words.
void readCommandList(const ReadContext&, ShellWords words, FileFacts& out);
/// shell_text.cpp: the words joined by single blanks, the command without its folder.
std::string commandLine(std::string_view name, ShellWords words);

// shell_installs.cpp: package managers
void readPipCommand(const ReadContext&, ShellWords words, FileFacts& out);      // pip, uv, poetry, pdm, pipx
void readCondaCommand(const ReadContext&, ShellWords words, FileFacts& out);    // conda, mamba, micromamba
void readSystemPackages(const ReadContext&, ShellWords words, FileFacts& out);  // apt, dnf, yum, zypper, apk, dpkg, rpm
void readNativeInstall(const ReadContext&, ShellWords words, FileFacts& out);   // spack, vcpkg, nix
/// One system package as given to a package manager or listed in a manifest: `libcudnn8=8.9.7.29-1+cuda12.2`.
void addSystemPackage(const ReadContext&, std::string_view package, std::uint32_t line, FileFacts& out);

// shell_containers.cpp: container engines and clusters
ShellWords readContainerCommand(const ReadContext&, ShellWords words, FileFacts& out);  // docker, podman, nerdctl
/// Options for `docker create` alone, as pipelines give them to the container of a job.
void readContainerOptions(const ReadContext&, ShellWords words, FileFacts& out);
ShellWords readApptainerCommand(const ReadContext&, ShellWords words, FileFacts& out);  // singularity, apptainer
void readClusterCommand(const ReadContext&, ShellWords words, FileFacts& out);          // kubectl, helm
void readCloudCommand(const ReadContext&, ShellWords words, FileFacts& out);            // aws, gcloud, az

// shell_schedulers.cpp: batch systems, launchers and modules
ShellWords readSchedulerCommand(const ReadContext&, ShellWords words,
                                FileFacts& out);  // srun, sbatch, salloc, qsub, bsub
ShellWords readLauncherCommand(const ReadContext&, ShellWords words, FileFacts& out);  // mpirun, mpiexec, jsrun
void readModuleCommand(const ReadContext&, ShellWords words, FileFacts& out);          // module load, ml
void readSchedulerDirective(const ReadContext&, const SchedulerDirective&, FileFacts& out);

// shell_builds.cpp: compilers and build systems
void readCompilerCommand(const ReadContext&, ShellWords words, FileFacts& out);
/// Flags held in one value: `-gencode arch=compute_80,code=sm_80 -lineinfo`.
void readFlagText(const ReadContext&, std::string_view flags, std::uint32_t line, FileFacts& out);
void readCmakeCommand(const ReadContext&, ShellWords words, FileFacts& out);
void readMakeCommand(const ReadContext&, ShellWords words, FileFacts& out);
bool isCompiler(std::string_view name);

}  // namespace unwarp::scan
