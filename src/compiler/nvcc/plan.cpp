// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/plan.h"

#include <algorithm>
#include <array>

namespace unwarp::nvcc {
namespace {

using Words = std::vector<std::string>;

// What is made, by the phase option given; nvcc's own default is a linked program.
enum class Phase { link, object, preprocess, dependencies, image, archive, deviceLink, syntax };

std::string extensionOf(const std::string& path) {
  size_t dot = path.rfind('.');
  size_t slash = path.rfind('/');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return "";
  return path.substr(dot + 1);
}

std::string stemOf(const std::string& path) {
  size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

void append(Words& to, std::initializer_list<std::string_view> words) {
  to.insert(to.end(), words.begin(), words.end());
}

void append(Words& to, const Words& words) {
  to.insert(to.end(), words.begin(), words.end());
}

class Planner {
 public:
  Planner(const CommandLine& line, const Installation& installation, const std::string& scratch)
      : line_(line), installation_(installation) {
    plan_.scratch = scratch;
  }

  Result<Plan> run() {
    if (!checkRefused() || !choosePhase()) return Error{error_};
    Result<int> architecture = chosenArchitecture(line_);
    if (!architecture) return Error{architecture.error()};
    architecture_ = *architecture;
    relocatable_ = line_.isTrue("relocatable-device-code", false) || line_.has("device-c");
    plan_.keep = line_.has("keep") || line_.has("save-temps");
    if (line_.inputs.empty()) return Error{"no input files"};
    planInputs();
    if (!error_.empty()) return Error{error_};
    planOutput();
    if (!error_.empty()) return Error{error_};
    return std::move(plan_);
  }

 private:
  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }

  bool checkRefused() {
    for (const GivenOption& given : line_.options) {
      if (given.option->effect == Effect::refused) {
        fail("option --" + std::string(given.option->name) + ": " + std::string(given.option->clang));
      }
    }
    return error_.empty();
  }

  bool choosePhase() {
    for (std::string_view name : {"ptx", "optix-ir", "ltoir", "cuda"}) {
      if (line_.has(name)) fail("option --" + std::string(name) + ": this kind of output is not supported yet");
    }
    if (line_.has("preprocess")) phase_ = Phase::preprocess;
    if (line_.has("generate-dependencies") || line_.has("generate-nonsystem-dependencies"))
      phase_ = Phase::dependencies;
    if (line_.has("cubin") || line_.has("fatbin")) phase_ = Phase::image;
    if (line_.has("compile") || line_.has("device-c") || line_.has("device-w")) phase_ = Phase::object;
    if (line_.has("device-link")) phase_ = Phase::deviceLink;
    if (line_.has("lib")) phase_ = Phase::archive;
    if (line_.has("fdevice-syntax-only")) phase_ = Phase::syntax;
    return error_.empty();
  }

  // ---- flags -------------------------------------------------------------------------------------------------------

  // For both passes and for plain C++: what names, finds and includes.
  Words preprocessorFlags() const {
    Words flags;
    for (const GivenOption& given : line_.options) {
      std::string_view name = given.option->name;
      if (name == "define-macro") flags.push_back("-D" + given.value);
      if (name == "undefine-macro") flags.push_back("-U" + given.value);
      if (name == "include-path") flags.push_back("-I" + given.value);
      if (name == "system-include") append(flags, {"-isystem", given.value});
      if (name == "pre-include") append(flags, {"-include", given.value});
    }
    append(flags, {"-isystem", installation_.toolkit + "/include"});
    return flags;
  }

  Words languageFlags() const {
    Words flags;
    if (line_.has("std")) flags.push_back("-std=" + std::string(line_.value("std")));
    if (line_.has("disable-warnings")) flags.push_back("-w");
    if (line_.has("ftemplate-depth"))
      flags.push_back("-ftemplate-depth=" + std::string(line_.value("ftemplate-depth")));
    if (line_.has("no-exceptions")) flags.push_back("-fno-exceptions");
    // nvcc's host compiler accepts these where clang stops.
    append(flags, {"-Wno-c++11-narrowing", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument"});
    return flags;
  }

  Words hostFlags() const {
    Words flags;
    flags.push_back("-O" + std::string(line_.value("optimize", "3")).substr(0, 1));
    if (line_.has("debug")) flags.push_back("-g");
    if (line_.has("profile")) flags.push_back("-pg");
    for (std::string_view value : line_.values("compiler-options")) flags.push_back(std::string(value));
    append(flags, line_.forwarded);
    return flags;
  }

  // What makes clang read CUDA C++ as nvcc 13.5 does.
  Words cudaFlags() const {
    Words flags{"-x",         "cuda",       "--offload-arch=sm_" + std::to_string(architecture_),
                "-nocudainc", "-nocudalib", "-fdeclspec"};
    append(flags,
           {"-Xclang", "-target-sdk-version=12.9", "-include", installation_.toolkit + "/include/cuda_runtime.h"});
    append(flags, {"-Wno-builtin-macro-redefined", "-U__CUDACC__", "-D__CUDACC__=1", "-D__NVCC__=1"});
    append(flags, {"-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=5", "-D__CUDACC_VER_BUILD__=37"});
    flags.push_back("-D__CUDA_ARCH_LIST__=" + std::to_string(architecture_ * 10));
    if (line_.has("extended-lambda") || line_.has("expt-extended-lambda"))
      flags.push_back("-D__CUDACC_EXTENDED_LAMBDA__=1");
    if (line_.has("expt-relaxed-constexpr")) flags.push_back("-D__CUDACC_RELAXED_CONSTEXPR__=1");
    if (relocatable_) flags.push_back("-D__CUDACC_RDC__=1");
    if (line_.value("default-stream") == "per-thread") flags.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    if (line_.has("use_fast_math")) flags.push_back("-D__USE_FAST_MATH__=1");
    return flags;
  }

  // Floating point of the device: nvcc's defaults and what changes them.
  Words deviceFlags() const {
    Words flags{"--cuda-device-only", "-emit-llvm", "-O2",    "-Xclang",        "-disable-llvm-passes", "-Xclang",
                "-target-feature",    "-Xclang",    "+ptx87", "-fno-exceptions"};
    bool fast = line_.has("use_fast_math");
    flags.push_back("-fno-strict-float-cast-overflow");  // a GPU's conversions to integers saturate
    flags.push_back(line_.isTrue("fmad", true) ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (line_.isTrue("ftz", fast)) flags.push_back("-fgpu-flush-denormals-to-zero");
    if (line_.has("generate-line-info") || line_.has("device-debug") || line_.has("debug"))
      flags.push_back("-gline-tables-only");
    return flags;
  }

  // Macros that host flags of nvcc's preprocessing define for device code too.
  Words macrosOfHostFlags() const {
    Words flags;
    for (std::string_view value : line_.values("compiler-options")) {
      if (value.starts_with("-D") || value.starts_with("-U") || value.starts_with("-I") || value.starts_with("-std=")) {
        flags.push_back(std::string(value));
      }
      if (value == "-fopenmp") flags.push_back("-D_OPENMP=202011");
    }
    for (const std::string& value : line_.forwarded) {
      if (value.starts_with("-D") || value.starts_with("-I")) flags.push_back(value);
    }
    return flags;
  }

  Words dependencyFlags(const std::string& output) const {
    Words flags;
    if (line_.has("generate-dependencies-with-compile")) flags.push_back("-MD");
    if (line_.has("generate-nonsystem-dependencies-with-compile")) flags.push_back("-MMD");
    if (flags.empty() && phase_ != Phase::dependencies) return flags;
    if (line_.has("dependency-output")) append(flags, {"-MF", line_.value("dependency-output")});
    if (line_.has("generate-dependency-targets")) flags.push_back("-MP");
    if (line_.has("dependency-target-name")) {
      append(flags, {"-MT", line_.value("dependency-target-name")});
    } else if (!output.empty() && phase_ != Phase::dependencies) {
      append(flags, {"-MT", output});
    }
    return flags;
  }

  // ---- inputs ------------------------------------------------------------------------------------------------------

  void planInputs() {
    for (const std::string& input : line_.inputs) {
      std::string extension = extensionOf(input);
      std::string language(line_.value("x"));
      bool cuda = language.empty() ? isOneOf(extension, {"cu", "cuh"}) : language == "cu";
      bool cxx = language.empty() ? isOneOf(extension, {"cpp", "cc", "cxx", "C", "c++", "c"})
                                  : language == "c++" || language == "c";
      if (isOneOf(extension, {"ptx", "cubin", "fatbin", "ltoir"}))
        return fail("input '" + input + "': device code as input is not supported yet");
      if (cuda) {
        planCuda(input);
      } else if (cxx) {
        planHost(input, language.empty() ? extension == "c" : language == "c");
      } else if (isOneOf(extension, {"o", "obj", "a", "so", "lib"}) ||
                 extension.find_first_not_of("0123456789") == std::string::npos) {
        linkInputs_.push_back(input);
      } else {
        return fail("input '" + input + "': unknown kind of file; use -x cu for CUDA C++");
      }
    }
  }

  std::string scratchFile(const std::string& input, const char* extension) {
    return plan_.scratch + "/" + std::to_string(++files_) + "-" + stemOf(input) + "." + extension;
  }

  // The object of a source: the named output, beside the working folder with -c, or a scratch file before a link.
  std::string objectFor(const std::string& input) {
    if (phase_ != Phase::object) return scratchFile(input, "o");
    if (line_.has("output-file")) return std::string(line_.value("output-file"));
    std::string folder = line_.has("output-directory") ? std::string(line_.value("output-directory")) + "/" : "";
    return folder + stemOf(input) + ".o";
  }

  void runClang(Words flags) {
    Job job;
    job.command = {installation_.clang};
    append(job.command, flags);
    plan_.jobs.push_back(std::move(job));
  }

  void planCuda(const std::string& input) {
    if (phase_ == Phase::preprocess || phase_ == Phase::dependencies) return planText(input, cudaFlags());
    std::string bitcode = scratchFile(input, "bc");
    Words device = cudaFlags();
    append(device, deviceFlags());
    append(device, languageFlags());
    append(device, macrosOfHostFlags());
    append(device, preprocessorFlags());
    if (phase_ == Phase::syntax) append(device, {"-fsyntax-only"});
    append(device, {"-c", input, "-o", bitcode});
    runClang(std::move(device));
    if (phase_ == Phase::syntax) return;
    Job pack;
    pack.kind = Job::Kind::packImage;
    pack.bitcode = {{architecture_, bitcode}};
    pack.source = input;
    pack.relocatable = relocatable_;
    std::string extension = line_.has("cubin") ? "cubin" : "fatbin";
    std::string named =
        line_.has("output-file") ? std::string(line_.value("output-file")) : stemOf(input) + "." + extension;
    pack.image = phase_ == Phase::image ? named : scratchFile(input, "image");
    plan_.jobs.push_back(pack);
    if (phase_ == Phase::image) return;
    std::string object = objectFor(input);
    Words host = cudaFlags();
    append(host, {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", pack.image});
    append(host, hostFlags());
    append(host, languageFlags());
    append(host, preprocessorFlags());
    append(host, dependencyFlags(object));
    append(host, {"-c", input, "-o", object});
    runClang(std::move(host));
    linkInputs_.push_back(object);
  }

  void planHost(const std::string& input, bool plainC) {
    if (phase_ == Phase::image) return;
    Words flags{"-x", plainC ? "c" : "c++"};
    if (phase_ == Phase::preprocess || phase_ == Phase::dependencies) return planText(input, flags);
    std::string object = objectFor(input);
    append(flags, hostFlags());
    Words language = languageFlags();
    std::erase_if(language, [&](const std::string& flag) { return plainC && flag.starts_with("-std=c++"); });
    append(flags, language);
    append(flags, preprocessorFlags());
    append(flags, dependencyFlags(object));
    append(flags, {"-c", input, "-o", object});
    runClang(std::move(flags));
    linkInputs_.push_back(object);
  }

  void planText(const std::string& input, Words flags) {
    if (std::find(flags.begin(), flags.end(), "cuda") != flags.end()) flags.push_back("--cuda-host-only");
    append(flags, hostFlags());
    append(flags, languageFlags());
    append(flags, preprocessorFlags());
    if (phase_ == Phase::dependencies) {
      flags.push_back(line_.has("generate-dependencies") ? "-M" : "-MM");
      append(flags, dependencyFlags(""));
    } else {
      flags.push_back("-E");
    }
    flags.push_back(input);
    if (line_.has("output-file")) append(flags, {"-o", line_.value("output-file")});
    runClang(std::move(flags));
  }

  // ---- outputs -----------------------------------------------------------------------------------------------------

  void planOutput() {
    if (phase_ == Phase::link) planLink();
    if (phase_ == Phase::archive) planArchive();
    if (phase_ == Phase::deviceLink) planDeviceLink();
    bool many = phase_ == Phase::object && line_.has("output-file") && line_.inputs.size() > 1;
    if (many) fail("-c with one output file and several inputs");
  }

  void planLink() {
    std::string driver(line_.value("compiler-bindir", installation_.clang));
    Job job;
    job.command = {driver};
    append(job.command, linkInputs_);
    append(job.command, linkFlags());
    append(job.command, {"-o", line_.value("output-file", "a.out")});
    plan_.jobs.push_back(job);
    if (!line_.has("run")) return;
    std::string program(line_.value("output-file", "a.out"));
    plan_.runAfter = {program.find('/') == std::string::npos ? "./" + program : program};
    for (std::string_view value : line_.values("run-args")) plan_.runAfter.push_back(std::string(value));
  }

 public:
  Words linkFlags() const {
    Words flags;
    if (line_.has("shared")) flags.push_back("-shared");
    if (line_.has("relocatable-link")) flags.push_back("-r");
    if (line_.has("debug")) flags.push_back("-g");
    for (std::string_view value : line_.values("compiler-options")) flags.push_back(std::string(value));
    append(flags, line_.forwarded);
    for (std::string_view value : line_.values("linker-options")) append(flags, {"-Xlinker", value});
    for (std::string_view value : line_.values("library-path")) flags.push_back("-L" + std::string(value));
    for (std::string_view value : line_.values("library")) flags.push_back("-l" + std::string(value));
    std::string libraries = installation_.toolkit + "/lib64";
    flags.push_back("-L" + libraries);
    std::string_view runtime = line_.value("cudart", "static");
    if (runtime == "shared") append(flags, {"-lcudart", "-Wl,-rpath," + libraries});
    if (runtime == "static") append(flags, {"-lcudadevrt", "-lcudart_static"});
    append(flags, {"-lstdc++", "-lrt", "-lpthread", "-ldl", "-lm"});
    return flags;
  }

 private:
  void planArchive() {
    Job job;
    job.command = {std::string(line_.value("archiver-binary", "ar")), "qcs",
                   std::string(line_.value("output-file", "a.a"))};
    append(job.command, linkInputs_);
    plan_.jobs.push_back(std::move(job));
  }

  // Relocatable device code is linked when it is first launched; what is left for this step is an object to link.
  void planDeviceLink() {
    Words flags{"-x", "c", "/dev/null", "-c", "-fPIC"};
    append(flags, {"-o", line_.value("output-file", "a_dlink.o")});
    runClang(std::move(flags));
  }

  const CommandLine& line_;
  const Installation& installation_;
  Plan plan_;
  Phase phase_ = Phase::link;
  int architecture_ = 0;
  bool relocatable_ = false;
  int files_ = 0;
  Words linkInputs_;
  std::string error_;
};

}  // namespace

Result<Plan> makePlan(const CommandLine& line, const Installation& installation, const std::string& scratch) {
  return Planner(line, installation, scratch).run();
}

}  // namespace unwarp::nvcc
