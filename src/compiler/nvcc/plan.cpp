// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/plan.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"

namespace unwarp::nvcc {
namespace {

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

std::string withoutExtension(const std::string& path) {
  std::string extension = extensionOf(path);
  return extension.empty() ? path : path.substr(0, path.size() - extension.size() - 1);
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
  Planner(const CommandLine& line, const Installation& installation, std::string scratch, int architecture)
      : line_(line),
        installation_(installation),
        scratch_(std::move(scratch)),
        architecture_(architecture),
        relocatable_(line.isTrue("relocatable-device-code", false) || line.has("device-c")),
        flags_(line, installation, architecture, relocatable_) {}

  Result<Plan> run() {
    checkOptions();
    choosePhase();
    if (error_.empty() && line_.inputs.empty())
      fail("No input files specified; use option --help for more information");
    if (error_.empty()) planInputs();
    if (error_.empty()) planOutput();
    if (!error_.empty()) return Error{error_};
    plan_.scratch = scratch_;
    return std::move(plan_);
  }

 private:
  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }

  std::string text(std::string_view option, std::string_view fallback = "") const {
    return std::string(line_.value(option, fallback));
  }

  void checkOptions() {
    for (const GivenOption& given : line_.options) {
      if (given.option->effect == Effect::refused)
        fail("option --" + std::string(given.option->name) + ": " + std::string(given.option->clang));
    }
    bool compileDependencies =
        line_.has("generate-dependencies-with-compile") || line_.has("generate-nonsystem-dependencies-with-compile");
    if (compileDependencies && line_.has("preprocess"))
      fail("'-MD'/'-MMD' is not supported when '-E' is also specified");
    if (line_.has("device-link") && isImage()) fail("--device-link with a device-only output is not supported");
  }

  bool isImage() const { return line_.has("cubin") || line_.has("fatbin") || line_.has("ptx"); }

  void choosePhase() {
    if (line_.has("preprocess")) phase_ = Phase::preprocess;
    if (line_.has("generate-dependencies") || line_.has("generate-nonsystem-dependencies"))
      phase_ = Phase::dependencies;
    if (line_.has("compile") || line_.has("device-c") || line_.has("device-w")) phase_ = Phase::object;
    if (isImage()) phase_ = Phase::image;
    if (line_.has("device-link")) phase_ = Phase::deviceLink;
    if (line_.has("lib")) phase_ = Phase::archive;
    if (line_.has("fdevice-syntax-only")) phase_ = Phase::syntax;
    bool single = phase_ == Phase::object || phase_ == Phase::image || phase_ == Phase::preprocess;
    if (single && line_.has("output-file") && line_.inputs.size() > 1)
      fail("A single input file is required for a non-link phase when an outputfile is specified");
  }

  // ---- inputs ------------------------------------------------------------------------------------------------------

  void planInputs() {
    for (const std::string& input : line_.inputs) {
      std::string extension = extensionOf(input);
      std::string language = text("x");
      if (language.empty()) {
        if (isOneOf(extension, {"cu", "cuh"})) language = "cu";
        if (isOneOf(extension, {"cpp", "cc", "cxx", "C", "c++", "ii"})) language = "c++";
        if (isOneOf(extension, {"c", "i"})) language = "c";
      }
      bool library = isOneOf(extension, {"o", "obj", "a", "so", "lib"}) || input.find(".so.") != std::string::npos;
      if (isOneOf(extension, {"ptx", "cubin", "fatbin"}) && phase_ == Phase::image) {
        packImage(input, input, "ptx");
      } else if (language == "cu") {
        planCuda(input);
      } else if (!language.empty()) {
        planHost(input, language == "c");
      } else if (library) {
        linkInputs_.push_back(input);
      } else if (line_.has("run") && line_.inputs.size() == 1) {
        linkInputs_.push_back(input);  // a finished program, only to be run
      } else {
        return fail("Don't know what to do with '" + input + "'");
      }
    }
  }

  bool keeps() const { return line_.has("keep") || line_.has("save-temps") || line_.has("keep-dir"); }

  std::string scratchFile(const std::string& input, const char* extension) {
    if (keeps()) return scratch_ + stemOf(input) + "." + extension;
    std::string name = scratch_ + std::to_string(++files_) + "-" + stemOf(input) + "." + extension;
    plan_.temporaries.push_back(name);
    return name;
  }

  // A file that the user gets: the named one, or one called after the input.
  std::string named(const std::string& input, const std::string& extension) const {
    if (line_.has("output-file")) return text("output-file");
    std::string folder = line_.has("output-directory") ? text("output-directory") + "/" : "";
    return folder + stemOf(input) + "." + extension;
  }

  std::string objectFor(const std::string& input) {
    if (phase_ != Phase::object) return scratchFile(input, "o");
    std::string object = named(input, "o");
    plan_.outputs.push_back(object);
    return object;
  }

  void addJob(Words command, const char* phase, const std::string& input, const std::string& output) {
    plan_.jobs.push_back({std::move(command), phase, input, output});
  }

  void runClang(const Words& flags, const char* phase, const std::string& input, const std::string& output) {
    Words command{installation_.clang};
    append(command, flags);
    append(command, flags_.last());
    append(command, {phase_ == Phase::syntax ? "-fsyntax-only" : "-c", input, "-o", output});
    addJob(std::move(command), phase, input, output);
  }

  void planCuda(const std::string& input) {
    if (phase_ == Phase::preprocess || phase_ == Phase::dependencies) return planText(input, flags_.cuda());
    if (phase_ == Phase::deviceLink) return;
    if (input == "-") return fail("two passes read CUDA C++, and standard input can be read once: give a file");
    std::string bitcode = scratchFile(input, "bc");
    Words common = flags_.cuda();
    append(common, flags_.language());
    append(common, flags_.preprocessor());
    if (relocatable_) common.push_back("-cuid=" + unitId(input));
    Words device = common;
    append(device, flags_.device());
    runClang(device, "device", input, bitcode);
    if (phase_ == Phase::syntax) return;
    if (phase_ == Phase::image) return packImage(input, bitcode, "bitcode");
    std::string image = scratchFile(input, "fatbin");
    std::string symbols = relocatable_ ? scratchFile(input, "symbols.s") : "";
    Words pack = packCommand(input, bitcode, "bitcode", image);
    if (relocatable_) append(pack, {"--device-c", "--symbols=" + symbols});
    addJob(std::move(pack), "image", input, image);
    std::string object = objectFor(input);
    Words host = std::move(common);
    append(host, {"--cuda-host-only"});
    if (relocatable_) {
      append(host, {"-include", "unwarp/relocatable.h"});
      append(host, {"-DUW_DEVICE_IMAGE=\"" + image + "\"", "-DUW_DEVICE_SYMBOLS=\"" + symbols + "\""});
    } else {
      append(host, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", image});
    }
    append(host, flags_.host());
    append(host, dependencyFlags(input));
    // The steps behind this pass change finished objects, which link-time optimisation does not have.
    std::erase_if(host, [](const std::string& word) { return word.starts_with("-flto"); });
    runClang(host, "host", input, object);
    std::string tool = installation_.toolkit + "/bin/fatbinary";
    if (relocatable_) {
      addJob({tool, "--retain=" + object}, "retain", input, object);
    } else if (line_.isTrue("static-global-template-stub", true)) {
      addJob({tool, "--stubs=" + object, "--unit=" + unitId(input)}, "stubs", input, object);
    }
    linkInputs_.push_back(object);
  }

  // Names the unit among all of a program: static device variables of two units may share their name.
  std::string unitId(const std::string& input) const {
    if (line_.has("frandom-seed")) return text("frandom-seed");
    std::error_code ignored;
    std::string all = std::filesystem::current_path(ignored).string() + "\n" + input + "\n" + text("output-file");
    for (const GivenOption& given : line_.options) all += "\n" + std::string(given.option->name) + "=" + given.value;
    return std::to_string(stableHash(all));
  }

  Words packCommand(const std::string& input, const std::string& file, const char* kind, const std::string& image) {
    return {installation_.toolkit + "/bin/fatbinary", "--create=" + image,
            "--image3=kind=" + std::string(kind) + ",sm=" + std::to_string(architecture_) + ",file=" + file,
            "--source=" + input};
  }

  void packImage(const std::string& input, const std::string& file, const char* kind) {
    const char* extension = line_.has("ptx") ? "ptx" : line_.has("cubin") ? "cubin" : "fatbin";
    std::string image = named(input, extension);
    plan_.outputs.push_back(image);
    Words pack = packCommand(input, file, kind, image);
    if (line_.has("ptx")) pack.push_back("--text");
    if (relocatable_) pack.push_back("--device-c");
    addJob(std::move(pack), "image", input, image);
  }

  void planHost(const std::string& input, bool plainC) {
    if (phase_ == Phase::image || phase_ == Phase::deviceLink || phase_ == Phase::syntax) return;
    Words flags{"-x", plainC ? "c" : "c++"};
    if (isOneOf(extensionOf(input), {"i", "ii"})) flags.back() += "-cpp-output";
    if (flags.back() == "c-cpp-output") flags.back() = "cpp-output";
    flags.push_back("-D__NVCC__=1");
    if (phase_ == Phase::preprocess || phase_ == Phase::dependencies) return planText(input, flags);
    std::string object = objectFor(input);
    append(flags, flags_.language(plainC));
    append(flags, flags_.preprocessor());
    append(flags, flags_.host());
    append(flags, dependencyFlags(input));
    runClang(flags, "host", input, object);
    linkInputs_.push_back(object);
  }

  // -E shows the device's view, as nvcc does, and behind it the host's: compiler caches take the text for all that a
  // file means (nvcc's own hides host code from them). Dependencies are those of the host's view.
  void planText(const std::string& input, Words flags) {
    bool cuda = std::find(flags.begin(), flags.end(), "cuda") != flags.end();
    append(flags, flags_.language(std::find(flags.begin(), flags.end(), "c") != flags.end()));
    append(flags, flags_.preprocessor());
    append(flags, flags_.host());
    append(flags, flags_.last());
    flags.insert(flags.begin(), installation_.clang);
    if (phase_ == Phase::dependencies) return planRule(input, std::move(flags), cuda);
    std::string output = text("output-file");
    if (!output.empty()) plan_.outputs.push_back(output);
    for (const char* view : {"--cuda-device-only", "--cuda-host-only"}) {
      Words command = flags;
      if (cuda) command.push_back(view);
      append(command, {"-E", input});
      addJob(std::move(command), "preprocess", input, output);
      if (!output.empty()) plan_.jobs.back().redirection = view == std::string_view("--cuda-device-only") ? ">" : ">>";
      if (!cuda || input == "-") break;  // standard input can be read once
    }
  }

  void planRule(const std::string& input, Words flags, bool cuda) {
    if (cuda) flags.push_back("--cuda-host-only");
    flags.push_back(line_.has("generate-dependencies") ? "-M" : "-MM");
    std::string output = text("dependency-output", text("output-file"));
    if (line_.has("output-directory") && !line_.has("dependency-target-name"))
      append(flags, {"-MT", text("output-directory") + "/" + stemOf(input) + ".o"});
    appendRule(flags);
    flags.push_back(input);
    if (!output.empty()) append(flags, {"-o", output});
    if (!output.empty()) plan_.outputs.push_back(output);
    addJob(std::move(flags), "dependencies", input, output);
  }

  void appendRule(Words& flags) const {
    if (line_.has("generate-dependency-targets")) flags.push_back("-MP");
    if (line_.has("dependency-target-name")) append(flags, {"-MT", line_.value("dependency-target-name")});
  }

  // -MD: the rule lies beside the output that nvcc makes, not beside our intermediate files.
  Words dependencyFlags(const std::string& input) {
    Words flags;
    if (line_.has("generate-dependencies-with-compile")) flags.push_back("-MD");
    if (line_.has("generate-nonsystem-dependencies-with-compile")) flags.push_back("-MMD");
    if (flags.empty()) return flags;
    std::string made = phase_ == Phase::link ? text("output-file", "a.out") : named(input, "o");
    std::string file =
        phase_ == Phase::link && !line_.has("output-file") ? stemOf(input) + ".d" : withoutExtension(made) + ".d";
    file = text("dependency-output", file);
    append(flags, {"-MF", file});
    if (!line_.has("dependency-target-name")) append(flags, {"-MT", made});
    appendRule(flags);
    plan_.outputs.push_back(file);
    return flags;
  }

  // ---- outputs -----------------------------------------------------------------------------------------------------

  void planOutput() {
    if (phase_ == Phase::link) planLink();
    if (phase_ == Phase::archive) planArchive();
    if (phase_ == Phase::deviceLink) planDeviceLink();
  }

  void planLink() {
    std::string program = text("output-file", "a.out");
    bool finished = line_.has("run") && linkInputs_ == line_.inputs && extensionOf(line_.inputs[0]).empty();
    if (finished) {
      program = line_.inputs[0];
    } else {
      std::string linker = flags_.linker();
      Words command{linker};
      append(command, linker == installation_.clang ? flags_.host() : hostWords(line_));
      command.push_back("-Wl,--start-group");
      append(command, linkInputs_);
      append(command, flags_.link());
      append(command, {"-Wl,--end-group", "-o", program});
      plan_.outputs.push_back(program);
      addJob(std::move(command), "link", "", program);
    }
    if (!line_.has("run")) return;
    plan_.runAfter = {program.find('/') == std::string::npos ? "./" + program : program};
    for (std::string_view value : line_.values("run-args")) append(plan_.runAfter, splitOptions(value));
  }

  void planArchive() {
    std::string archive = text("output-file", "a.a");
    Words command{text("archiver-binary", "ar"), "crs"};
    for (std::string_view value : line_.values("archive-options")) append(command, splitOptions(value));
    command.push_back(archive);
    append(command, linkInputs_);
    plan_.outputs.push_back(archive);
    addJob(std::move(command), "archive", "", archive);
  }

  // Relocatable device code is linked when it is first launched; what is left for this step is an object to link.
  void planDeviceLink() {
    std::string object = text("output-file", "a_dlink.o");
    plan_.outputs.push_back(object);
    addJob({installation_.clang, "-x", "c", "-c", "-fPIC", "/dev/null", "-o", object}, "device link", "", object);
  }

  const CommandLine& line_;
  const Installation& installation_;
  std::string scratch_;
  int architecture_ = 0;
  bool relocatable_ = false;
  Flags flags_;
  Plan plan_;
  Phase phase_ = Phase::link;
  int files_ = 0;
  Words linkInputs_;
  std::string error_;
};

}  // namespace

Result<Plan> makePlan(const CommandLine& line, const Installation& installation, const std::string& scratch) {
  Result<int> architecture = chosenArchitecture(line);
  if (!architecture) return Error{architecture.error()};
  return Planner(line, installation, scratch, *architecture).run();
}

}  // namespace unwarp::nvcc
