// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/flags.h"

#include <sys/stat.h>

#include <algorithm>

namespace unwarp::nvcc {
namespace {

void append(Words& to, std::initializer_list<std::string_view> words) {
  to.insert(to.end(), words.begin(), words.end());
}

// The option of a list that nvcc pastes into a shell line: blanks and quotes inside an element count once more.
void appendSplit(Words& to, const CommandLine& line, std::string_view name, std::string_view before = "") {
  for (std::string_view value : line.values(name)) {
    for (std::string& word : splitOptions(value)) {
      if (!before.empty()) to.emplace_back(before);
      to.push_back(std::move(word));
    }
  }
}

// Host flags that the device pass must see too, because nvcc's device pass reads the host compiler's preprocessor
// output. `-I dir` and the like are two words.
Words preprocessorPart(const Words& host) {
  Words found;
  for (size_t i = 0; i < host.size(); ++i) {
    const std::string& word = host[i];
    bool twoWords = word == "-D" || word == "-U" || word == "-I" || word == "-include" || word == "-isystem" ||
                    word == "-iquote" || word == "-idirafter" || word == "-imacros";
    if (twoWords && i + 1 < host.size()) {
      append(found, {word, host[++i]});
    } else if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-I") ||
               word.starts_with("-std=") || word.starts_with("-stdlib=")) {
      found.push_back(word);
    }
  }
  return found;
}

}  // namespace

Words hostWords(const CommandLine& line) {
  Words words;
  appendSplit(words, line, "compiler-options");
  words.insert(words.end(), line.toCompiler.begin(), line.toCompiler.end());
  return words;
}

Words Flags::preprocessor() const {
  Words flags;
  for (const GivenOption& given : line_.options) {
    std::string_view name = given.option->name;
    if (name == "define-macro") flags.push_back("-D" + given.value);
    if (name == "undefine-macro") flags.push_back("-U" + given.value);
    if (name == "include-path") flags.push_back("-I" + given.value);
    if (name == "system-include") append(flags, {"-isystem", given.value});
    if (name == "pre-include") append(flags, {"-include", given.value});
  }
  // Our wrappers of the standard library's headers come first, so that they stand in front of what they include.
  append(flags, {"-isystem", installation_.toolkit + "/include/unwarp/host"});
  append(flags, {"-isystem", installation_.toolkit + "/include"});
  return flags;
}

Words Flags::language(bool plainC) const {
  Words flags;
  if (line_.has("std") && !plainC) flags.push_back("-std=" + std::string(line_.value("std")));
  if (line_.has("stdlib") && !plainC) flags.push_back("-stdlib=" + std::string(line_.value("stdlib")));
  for (const GivenOption& given : line_.options) {
    if (given.option->effect != Effect::compile) continue;
    bool valued = given.option->takes == Takes::value;
    flags.push_back(std::string(given.option->clang) + (valued ? given.value : ""));
  }
  if (line_.isTrue("brief-diagnostics", false)) append(flags, {"-fno-caret-diagnostics"});
  for (std::string_view kind : line_.values("Werror")) {
    // The other kinds are warnings of NVIDIA's front end that clang does not give.
    if (kind == "all-warnings") flags.push_back("-Werror");
    if (kind == "reorder" || kind == "deprecated-declarations") flags.push_back("-Werror=" + std::string(kind));
  }
  append(flags, {"-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument", "-Wno-unknown-warning-option",
                 "-Wno-ignored-optimization-argument"});
  return flags;
}

Words Flags::cuda() const {
  Words flags{"-x",         "cuda",       "--offload-arch=sm_" + std::to_string(architecture_),
              "-nocudainc", "-nocudalib", "-fdeclspec"};
  append(flags, {"-Xclang", "-target-sdk-version=12.9", "-include", "unwarp/prelude.h"});
  append(flags, {"-Wno-builtin-macro-redefined", "-U__CUDACC__", "-D__CUDACC__=1", "-D__NVCC__=1"});
  append(flags, {"-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=5", "-D__CUDACC_VER_BUILD__=37",
                 "-D__CUDA_API_VER_MAJOR__=13", "-D__CUDA_API_VER_MINOR__=5", "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1",
                 "-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1"});
  flags.push_back("-D__CUDA_ARCH_LIST__=" + std::to_string(architecture_ * 10));
  if (line_.has("extended-lambda") || line_.has("expt-extended-lambda"))
    flags.push_back("-D__CUDACC_EXTENDED_LAMBDA__=1");
  if (line_.has("expt-relaxed-constexpr")) flags.push_back("-D__CUDACC_RELAXED_CONSTEXPR__=1");
  if (relocatable_) append(flags, {"-fgpu-rdc", "--offload-new-driver", "-D__CUDACC_RDC__=1"});
  if (line_.value("default-stream") == "per-thread") flags.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  if (line_.has("use_fast_math")) flags.push_back("-D__USE_FAST_MATH__=1");
  if (line_.has("device-debug")) flags.push_back("-D__CUDACC_DEBUG__=1");
  return flags;
}

// Floating point: nvcc's defaults and what changes them. --prec-div=false and --prec-sqrt=false permit an
// approximation; the CPU's division and root are exact at no extra cost, so nothing changes.
Words Flags::device() const {
  Words flags{"--cuda-device-only", "-emit-llvm", "-O2",    "-Xclang",        "-disable-llvm-passes", "-Xclang",
              "-target-feature",    "-Xclang",    "+ptx90", "-fno-exceptions"};
  bool fast = line_.has("use_fast_math");
  flags.push_back(line_.isTrue("fmad", true) ? "-ffp-contract=fast" : "-ffp-contract=off");
  if (line_.isTrue("ftz", fast)) flags.push_back("-fgpu-flush-denormals-to-zero");
  if (line_.has("generate-line-info") || line_.has("device-debug") || line_.has("debug"))
    flags.push_back("-gline-tables-only");
  if (line_.has("fdevice-time-trace")) {
    std::string file(line_.value("fdevice-time-trace"));
    if (file == "-") file = line_.has("output-file") ? std::string(line_.value("output-file")) + ".json" : "trace.json";
    flags.push_back("-ftime-trace=" + file);
    if (line_.has("fdevice-time-trace-granularity"))
      flags.push_back("-ftime-trace-granularity=" + std::string(line_.value("fdevice-time-trace-granularity")));
  }
  Words words = preprocessorPart(hostWords(line_));
  flags.insert(flags.end(), words.begin(), words.end());
  // An older date than the host's: newer ones make <omp.h> declare variants, which needs the language extension.
  if (usesOpenMp()) flags.push_back("-D_OPENMP=201511");
  return flags;
}

Words Flags::host() const {
  Words flags;
  // nvcc leaves the level to its host compiler, which then does not optimise.
  if (line_.has("optimize")) flags.push_back("-O" + std::string(line_.value("optimize")).substr(0, 1));
  if (line_.has("debug")) flags.push_back("-g");
  if (line_.has("profile")) flags.push_back("-pg");
  if (line_.has("no-exceptions")) flags.push_back("-fno-exceptions");
  if (line_.has("frandom-seed")) flags.push_back("-frandom-seed=" + std::string(line_.value("frandom-seed")));
  for (const std::string& word : hostWords(line_)) {
    if (!installation_.unknown.contains(word)) flags.push_back(word);
  }
  return flags;
}

// Narrowing stops clang where nvcc's front end and g++ warn; `#pragma nv_diag_...` is nvcc's own.
Words Flags::last() const {
  return {"-Wno-c++11-narrowing", "-Wno-register", "-Wno-unknown-pragmas", "-Wno-vla-cxx-extension"};
}

bool Flags::usesOpenMp() const {
  Words words = hostWords(line_);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "-fopenmp" || word.starts_with("-fopenmp="); });
}

std::string Flags::linker() const {
  std::string given(line_.value("compiler-bindir", installation_.clang));
  struct stat status{};
  if (stat(given.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return given + "/g++";
  return given;
}

Words Flags::link() const {
  Words flags;
  if (line_.has("shared")) flags.push_back("-shared");
  if (line_.has("relocatable-link")) flags.push_back("-r");
  appendSplit(flags, line_, "linker-options", "-Xlinker");
  flags.insert(flags.end(), line_.toLinker.begin(), line_.toLinker.end());
  std::string libraries = installation_.toolkit + "/lib64";
  bool namesRuntime = false;
  for (std::string_view value : line_.values("library-path")) flags.push_back("-L" + std::string(value));
  for (std::string_view value : line_.values("library")) {
    flags.push_back("-l" + std::string(value));
    namesRuntime |= value == "cudart";
  }
  // Host code of ours calls LLVM's OpenMP library, also when g++ links. It must come before g++'s own, which answers to
  // the same omp_ names.
  if (usesOpenMp() && linker() != installation_.clang) append(flags, {"-L" + installation_.llvm + "/lib", "-lomp"});
  if (line_.has("relocatable-link")) return flags;
  flags.push_back("-L" + libraries);
  std::string_view runtime = line_.value("cudart", "static");
  if (runtime == "shared" || namesRuntime) flags.push_back("-Wl,-rpath," + libraries);
  if (line_.value("cudadevrt", "static") == "static") flags.push_back("-lcudadevrt");
  if (runtime == "shared") flags.push_back("-lcudart");
  if (runtime == "static") append(flags, {"-lcudart_static", "-lrt", "-lpthread", "-ldl"});
  append(flags, {"-lstdc++", "-lm"});
  return flags;
}

}  // namespace unwarp::nvcc
