// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of readers: a small knowledge base of known content, and the facts of one text as short lines
// ("torch-cuda@3"), so that an expectation shows at a glance what was found and where. `!` marks a guarded site, `=` a
// version.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scan/readers.h"

namespace unwarp::scan::testing {

/// Rows of the test's dependency table: id, ecosystem, patterns, word.
inline constexpr std::array<std::string_view, 4> dependencyRows[] = {
    {"autoconf-cuda", "cli", "--with-cuda", "build"},
    {"bazel-repository", "cmake", "@local_config_cuda//* | @cuda_* | @nccl_archive* | rules_cuda | cuda_library",
     "build"},
    {"bazel-option", "cli", "--config=cuda | --define=using_cuda=true | --action_env=CUDA_*", "build"},
    {"clang-cuda", "cli", "-x cuda | -x cu", "build"},
    {"cloud-aws", "cloud", "p4d.* | ml.p4d.*", "framework"},
    {"cmake-architectures", "cmake", "CMAKE_CUDA_ARCHITECTURES | CUDA_ARCHITECTURES", "build"},
    {"cmake-cublas", "cmake", "CUDA::cublas", "build"},
    {"cmake-cuda-add", "cmake", "cuda_add_library", "build"},
    {"cmake-cudart", "cmake", "CUDA::cudart", "build"},
    {"cmake-find-cuda", "cmake", "find_package(CUDAToolkit)", "build"},
    {"cmake-flags", "cmake", "CMAKE_CUDA_FLAGS", "build"},
    {"cmake-genex", "cmake", "COMPILE_LANGUAGE:CUDA", "build"},
    {"cmake-ggml", "cmake", "GGML_CUDA", "build"},
    {"cmake-language", "cmake", "enable_language(CUDA)", "build"},
    {"cmake-project", "cmake", "project(* CUDA)", "build"},
    {"conda-cudatoolkit", "conda", "cudatoolkit", "toolchain"},
    {"conda-nvcc", "conda", "cuda-nvcc | cuda-version", "toolchain"},
    {"config-channel", "config", "channels=nvidia", "toolchain"},
    {"config-conda-build", "config", "*=*=*cuda*", "toolchain"},
    {"config-index", "config", "*download.pytorch.org/whl/cu*", "framework"},
    {"config-local", "config", "+cu*", "framework"},
    {"config-nccl", "config", "backend=nccl", "framework"},
    {"config-ort", "config", "CUDAExecutionProvider", "framework"},
    {"config-path", "config", "toolkit-path=*", "toolchain"},
    {"config-spack", "config", "+cuda | cuda_arch=* | ^cuda | CudaPackage", "build"},
    {"config-warps", "config", "num_warps=*", "framework"},
    {"easybuild", "config", "versionsuffix=-CUDA* | CUDA/1* | cuda_compute_capabilities=*", "build"},
    {"env-cuda-home", "env", "CUDA_HOME", "toolchain"},
    {"env-visible", "env", "CUDA_VISIBLE_DEVICES", "toolchain"},
    {"flag-gencode", "cli", "-gencode | -gencode=* | --generate-code=* | arch=compute_*", "build"},
    {"flag-fast-math", "cli", "--use_fast_math | -use_fast_math", "build"},
    {"flag-host", "cli", "-Xcompiler | -Xcompiler=*", "build"},
    {"flash-attn-1", "pypi", "flash-attn==0.*", "framework"},
    {"flash-attn-2", "pypi", "flash-attn", "framework"},
    {"flash-attn-3", "pypi", "flash-attn-3", "framework"},
    {"flash-attn-4", "pypi", "flash-attn-4", "framework"},
    {"dotnet-cuda", "other-pkg", "dotnet:cudarc.*", "framework"},
    {"fortran-cuda", "other-pkg",
     "fortran:use cudafor | fortran:use cublas | fortran:attributes(global) | fortran:attribute device | "
     "fortran:<<<>>> | fortran:!$cuf | fortran:threadidx | fortran:blockdim",
     "framework"},
    {"header-runtime", "header", "cuda_runtime.h", "toolchain"},
    {"image-cuda", "image", "nvidia/cuda:*", "framework"},
    {"java-cuda", "other-pkg", "java:jcuda.*", "framework"},
    {"lib-cublas", "lib", "libcublas.so", "toolchain"},
    {"lib-cudart", "lib", "libcudart.so", "toolchain"},
    {"matlab-gpu", "other-pkg", "matlab:gpuArray | matlab:parallel.gpu.CUDAKernel", "framework"},
    {"meson-cuda", "cmake", "dependency('cuda') | add_languages('cuda')", "build"},
    {"lib-nccl", "lib", "libnccl.so", "toolchain"},
    {"nvcc", "cli", "nvcc | nvcc *", "toolchain"},
    {"nvidia-smi", "cli", "nvidia-smi | nvidia-smi *", "toolchain"},
    {"msbuild-cuda", "config", "CudaCompile | CUDA.props | CodeGeneration=compute_*", "build"},
    {"nuget-cuda", "other-pkg", "nuget:ManagedCuda*", "framework"},
    {"maven-cuda", "other-pkg", "maven:org.jcuda:*", "framework"},
    {"r-gpu", "other-pkg", "r:gpuR", "framework"},
    {"rust-builder", "other-pkg", "rust:.cuda(true)", "build"},
    {"rust-crates", "other-pkg", "rust:cudarc", "framework"},
    {"other-cudarc", "other-pkg", "cudarc | cudarc/* | CUDA | @cuda | cargo:candle-core[cuda]", "framework"},
    {"other-conan", "other-pkg", "conan:cuda | conan:*:with_cuda | conan:with_cuda", "build"},
    {"other-vcpkg", "other-pkg", "vcpkg:cuda | vcpkg:cudnn | vcpkg:*[cuda]", "build"},
    {"pypi-apex", "pypi", "apex", "false-positive"},
    {"pypi-cublas", "pypi", "nvidia-cublas", "framework"},
    {"pypi-cupy", "pypi", "cupy-cuda12x", "framework"},
    {"pypi-jax", "pypi", "jax[*cuda*]", "framework"},
    {"pypi-te", "pypi", "transformer-engine", "framework"},
    {"pypi-torch", "pypi", "torch", "framework"},
    {"pypi-triton", "pypi", "triton", "framework"},
    {"py-amd", "python", "torch.version.hip", "framework"},
    {"py-apex", "python", "apex | apex.*", "framework"},
    {"py-capability", "python", "torch.cuda.get_device_capability", "framework"},
    {"py-cupy", "python", "cupy | cupy.*", "framework"},
    {"py-extension", "python", "torch.utils.cpp_extension.CUDAExtension", "framework"},
    {"py-flash", "python", "flash_attn | flash_attn.*", "framework"},
    {"py-inline-asm", "python", "triton.language.inline_asm_elementwise", "framework"},
    {"py-load-inline", "python", "torch.utils.cpp_extension.load_inline", "framework"},
    {"py-numba", "python", "numba.cuda | numba.cuda.*", "framework"},
    {"py-pycuda", "python", "pycuda | pycuda.*", "framework"},
    {"py-tf32", "python", "torch.backends.cuda.matmul.allow_tf32", "framework"},
    {"py-torch-cuda", "python", "torch.cuda | torch.cuda.*", "framework"},
    {"py-torch-version", "python", "torch.version.cuda", "framework"},
    {"repository-nccl", "other-pkg", "github.com/nvidia/nccl | github.com/nvidia/cccl", "framework"},
    {"xmake-cuda", "cmake", "add_rules(\"cuda\") | add_cugencodes", "build"},
    {"py-warp", "python", "warp | warp.*", "framework"},
};

inline const knowledge::Knowledge& testKnowledge() {
  static const std::unique_ptr<knowledge::Knowledge> tables = [] {
    const std::string provenance = "\ttest\t2026\n";
    std::string layers = "word\tlayer\tsource\tas_of\n";
    for (std::string_view word : {"build", "toolchain", "framework", "runtime", "false-positive"})
      layers += std::string(word) + "\t" +
                (word == "framework" || word == "runtime" ? std::string(word) : "deployment") + provenance;
    std::string dependencies =
        "id\tecosystem\tmatch\tword\tcounterpart\tstatus\tby_target\tconfirmed\tnote\tsource\tas_of\n";
    for (const auto& [id, ecosystem, match, word] : dependencyRows)
      dependencies += std::string(id) + "\t" + std::string(ecosystem) + "\t" + std::string(match) + "\t" +
                      std::string(word) + "\t" + (id == "py-amd" ? "already AMD" : "x") + "\tport\t\tyes\t" +
                      provenance;
    std::string apis =
        "name\tkind\tlibrary\thip\troc\tstatus\tcontext\tcuda_since\tcuda_deprecated\tcuda_removed\thip_since\thip_"
        "removed\tnote\tsource\tas_of\n";
    for (std::string_view row : {"cudaMalloc\tfunction\truntime\thipMalloc\t\tport\tany",
                                 "cuda_runtime.h\theader\truntime\thip/hip_runtime.h\t\tport\tinclude",
                                 "atomicAdd\tfunction\truntime\tatomicAdd\t\tdrop-in\tgpu",
                                 "__global__\tkeyword\truntime\t__global__\t\tdrop-in\tany"})
      apis += std::string(row) + "\t\t\t\t\t\t" + provenance;
    auto parsed = knowledge::Knowledge::parse({{"knowledge/FACTS_DATE", "2026-11-30\n"},
                                               {"knowledge/layers.tsv", layers},
                                               {"knowledge/dependencies.tsv", dependencies},
                                               {"knowledge/apis/test.tsv", apis}});
    if (!parsed) ADD_FAILURE() << parsed.error();
    return parsed ? std::move(*parsed) : nullptr;
  }();
  return *tables;
}

using ReaderFunction = void (*)(const ReadContext&, const Input&, FileFacts&);

inline FileFacts factsOf(ReaderFunction reader, std::string_view path, std::string_view text,
                         FileKind kind = FileKind::Unknown) {
  FileFacts facts;
  facts.path = path;
  facts.kind = kind;
  const ReadContext context{testKnowledge()};
  reader(context, {path, text}, facts);
  return facts;
}

/// Dependencies as "id@line", ordered by line, joined by blanks.
inline std::string dependenciesOf(const FileFacts& facts) {
  std::vector<DependencyUse> uses = facts.dependencies;
  std::stable_sort(uses.begin(), uses.end(),
                   [](const DependencyUse& a, const DependencyUse& b) { return a.line < b.line; });
  std::string out;
  for (const DependencyUse& use : uses) {
    if (!out.empty()) out += ' ';
    out += std::string(testKnowledge().dependencies()[use.record].id) + "@" + std::to_string(use.line);
    if (!use.version.empty()) out += "=" + use.version;
    if (use.guarded) out += "!";
  }
  return out;
}

inline std::string dependenciesIn(ReaderFunction reader, std::string_view path, std::string_view text,
                                  FileKind kind = FileKind::Unknown) {
  return dependenciesOf(factsOf(reader, path, text, kind));
}

/// Mentions as "text(value)@line".
inline std::string mentionsOf(const FileFacts& facts) {
  std::string out;
  for (const Mention& mention : facts.mentions) {
    if (!out.empty()) out += ' ';
    out += mention.text + "(" + mention.value + ")@" + std::to_string(mention.line) + (mention.guarded ? "!" : "");
  }
  return out;
}

/// API uses as "name@line".
inline std::string apisOf(const FileFacts& facts) {
  std::string out;
  for (const ApiUse& use : facts.apis) {
    if (!out.empty()) out += ' ';
    out += std::string(testKnowledge().apis()[use.record].name) + "@" + std::to_string(use.line) +
           (use.guarded ? "!" : "");
  }
  return out;
}

}  // namespace unwarp::scan::testing
