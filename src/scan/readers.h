// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All readers of file formats. Each is a pure function of bytes: linear time, bounded recursion (depth limit), no I/O,
// never fails. A reader appends to `out` and puts what it could not read into `out.notes`.
#pragma once

#include "scan/facts.h"

namespace unwarp::scan {

// read_source.cpp
void readSource(const ReadContext&, const Input&, FileFacts& out);

// python/*.cpp, packages/*.cpp, build/*.cpp
void readPython(const ReadContext&, const Input&, FileFacts& out);    // .py .pyi .pyx setup.py
void readNotebook(const ReadContext&, const Input&, FileFacts& out);  // .ipynb; lines are those of the .ipynb
void readRequirements(const ReadContext&, const Input&, FileFacts& out);
void readPyproject(const ReadContext&, const Input&, FileFacts& out);
void readSetupCfg(const ReadContext&, const Input&, FileFacts& out);
void readCondaEnv(const ReadContext&, const Input&, FileFacts& out);  // environment.yml, meta.yaml, pixi.toml
void readPipfile(const ReadContext&, const Input&, FileFacts& out);
void readLockFile(const ReadContext&, const Input&,
                  FileFacts& out);  // poetry.lock uv.lock pdm.lock Pipfile.lock pixi.lock conda-lock
void readOtherManifest(const ReadContext&, const Input&,
                       FileFacts& out);                                    // Cargo.toml package.json go.mod pom.xml
void readPackageFields(const ReadContext&, const Input&, FileFacts& out);  // debian/control, .spec
void readPackageLines(const ReadContext&, const Input&, FileFacts& out);   // Aptfile
void readEasyBuild(const ReadContext&, const Input&, FileFacts& out);
void readJulia(const ReadContext&, const Input&, FileFacts& out);    // .jl Project.toml Manifest.toml
void readMsBuild(const ReadContext&, const Input&, FileFacts& out);  // Visual Studio, .NET, NuGet
void readCMake(const ReadContext&, const Input&, FileFacts& out);    // CMakeLists.txt *.cmake
void readCMakePresets(const ReadContext&, const Input&, FileFacts& out);
void readMake(const ReadContext&, const Input&, FileFacts& out);  // Makefile *.mk, ninja, autoconf
void readBazel(const ReadContext&, const Input&, FileFacts& out);
void readMeson(const ReadContext&, const Input&, FileFacts& out);
void readJustfile(const ReadContext&, const Input&, FileFacts& out);
void readLuaBuild(const ReadContext&, const Input&, FileFacts& out);        // xmake, Premake
void readNativePackages(const ReadContext&, const Input&, FileFacts& out);  // vcpkg.json conanfile.txt

// languages/*.cpp
void readFortran(const ReadContext&, const Input&, FileFacts& out);
void readGo(const ReadContext&, const Input&, FileFacts& out);
void readRust(const ReadContext&, const Input&, FileFacts& out);         // and build.rs
void readManagedCode(const ReadContext&, const Input&, FileFacts& out);  // .cs .fs .java .kt .scala
void readMatlab(const ReadContext&, const Input&, FileFacts& out);
void readR(const ReadContext&, const Input&, FileFacts& out);  // .R DESCRIPTION

// deploy/*.cpp, monitoring/*.cpp
void readDockerfile(const ReadContext&, const Input&,
                    FileFacts& out);  // Dockerfile, Containerfile, Apptainer definition
void readYaml(const ReadContext&, const Input&,
              FileFacts& out);  // compose, GitHub, GitLab, Azure, k8s, Helm, Ansible, Prometheus: by content
void readJenkinsfile(const ReadContext&, const Input&, FileFacts& out);  // and Nextflow, Bicep, CUE, Jsonnet
void readWorkflow(const ReadContext&, const Input&, FileFacts& out);     // Snakemake, WDL
void readToml(const ReadContext&, const Input&, FileFacts& out);         // containerd, Telegraf, generic
void readCondorJob(const ReadContext&, const Input&, FileFacts& out);
void readProcessList(const ReadContext&, const Input&, FileFacts& out);  // supervisord
void readSubmodules(const ReadContext&, const Input&, FileFacts& out);   // .gitmodules
void readTerraform(const ReadContext&, const Input&, FileFacts& out);    // and Packer, Nomad, docker-bake.hcl
void readNix(const ReadContext&, const Input&, FileFacts& out);
void readModulefile(const ReadContext&, const Input&, FileFacts& out);  // Lua of Lmod, Tcl
void readShell(const ReadContext&, const Input&,
               FileFacts& out);  // sh, bash, Slurm/PBS/LSF scripts, .env, systemd units
void readJson(const ReadContext&, const Input&, FileFacts& out);         // Grafana dashboards, devcontainer, generic
void readModelConfig(const ReadContext&, const Input&, FileFacts& out);  // Triton config.pbtxt, gres.conf, slurm.conf
void readModelEngine(const ReadContext&, const Input&,
                     FileFacts& out);  // TensorRT plans and the like (by name and magic)

// binary/*.cpp
void readElf(const ReadContext&, const Input&, FileFacts& out);
/// read_bytes.cpp: files of no known format, searched for embedded GPU code
void readBytes(const ReadContext&, const Input&, FileFacts& out);
void readGpuCode(const ReadContext&, const Input&, FileFacts& out);  // .cubin .ptx .fatbin

// Shared pieces
// -----------------------------------------------------------------------------------------------------------

/// python/requirement.cpp: one PEP 508 requirement or pip argument ("torch==2.4.0+cu121", "flash_attn>=2", "-r x",
/// "--extra-index-url U").
void addRequirement(const ReadContext&, std::string_view requirement, std::uint32_t line, FileFacts& out,
                    bool guarded = false);
/// python/requirement.cpp: conda match spec ("cudatoolkit=11.8", "nvidia::cuda-nvcc").
void addCondaSpec(const ReadContext&, std::string_view spec, std::uint32_t line, FileFacts& out);
/// deploy/shell_text.cpp: a piece of shell (Docker RUN, CI step, Makefile recipe, notebook `!line`): commands,
/// pip/conda/apt installs, exports, flags of nvcc and friends, docker run --gpus, module load, srun --gres.
void readShellText(const ReadContext&, std::string_view text, std::uint32_t firstLine, FileFacts& out);
/// deploy/shell_text.cpp: one environment setting, wherever it stands (ENV, env:, export): a dependency and a Mention
/// of kind Env.
void addEnvironment(const ReadContext&, std::string_view name, std::string_view value, std::uint32_t line,
                    FileFacts& out);
/// library_file.cpp: a library by its file's name ("libcuda.so.1", "/usr/lib/libnccl.so", "cublas64_12.dll",
/// "nvcuda"). False when it is no binding.
bool addLibraryFile(const ReadContext&, std::string_view file, std::uint32_t line, std::uint32_t column,
                    FileFacts& out);
/// deploy/shell_text.cpp: one container image reference ("nvidia/cuda:12.4.1-devel-ubuntu22.04").
void addImage(const ReadContext&, std::string_view reference, std::uint32_t line, FileFacts& out);
/// build/flags.cpp: one compiler or linker flag of nvcc/clang/gcc ("-gencode=...", "-lcublas", "--use_fast_math"):
/// dependency and Mention of kind Flag.
void addCompilerFlag(const ReadContext&, std::string_view flag, std::uint32_t line, FileFacts& out,
                     bool guarded = false);
/// build/bazel.cpp: one option of Bazel ("--action_env=CUDA_HOME=/x"); `next` is the word behind it, which may
/// be its value.
void addBazelOption(const ReadContext&, std::string_view option, std::string_view next, std::uint32_t line,
                    FileFacts& out);
/// build/native_packages.cpp: what a Python file called package.py (Spack) or conanfile.py says as a recipe.
void readPackageRecipe(const ReadContext&, const Input&, FileFacts& out);
/// Reads CUDA C++ text held inside another language (RawKernel strings, load_inline): facts get `firstLine` added.
void readEmbeddedSource(const ReadContext&, std::string_view text, std::uint32_t firstLine, FileFacts& out);

}  // namespace unwarp::scan
