// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/driver.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "compiler/nvcc/dialect_repairs.h"
#include "compiler/nvcc/host_options.h"
#include "compiler/nvcc/image_tool.h"
#include "compiler/nvcc/plan.h"
#include "compiler/nvcc/tools.h"

namespace unwarp::nvcc {
namespace {

// The banner is what CMake, PyTorch and others parse; the first line is fixed by them.
constexpr const char* kBanner =
    "nvcc: NVIDIA (R) Cuda compiler driver\n"
    "Unwarp: CUDA C++ compiled for this CPU; not a product of NVIDIA\n"
    "Cuda compilation tools, release 13.5, V13.5.37\n"
    "Build cuda_13.5.r13.5/unwarp\n";

constexpr const char* kArchitectures[] = {"50", "52", "53", "60", "61", "62",  "70",  "72",  "75",  "80",
                                          "86", "87", "88", "89", "90", "100", "101", "103", "120", "121"};

std::string executablePath() {
  char buffer[4096];
  ssize_t size = readlink("/proc/self/exe", buffer, sizeof buffer - 1);
  return size > 0 ? std::string(buffer, static_cast<size_t>(size)) : std::string();
}

void addVariable(std::vector<std::string>& to, const char* name) {
  const char* value = std::getenv(name);
  if (!value) return;
  for (std::string& word : splitOptions(value)) to.push_back(std::move(word));
}

// Where option files are named: --options-file and -optf, one or several, or `@FILE` as host compilers take it.
std::vector<std::string> optionFiles(const Words& all, size_t at, size_t& used) {
  std::string_view word = all[at];
  std::string_view names;
  used = 1;
  if (word == "--options-file" || word == "-optf" || word == "-options-file") {
    used = 2;
    if (at + 1 < all.size()) names = all[at + 1];
  } else if (word.starts_with("--options-file=") || word.starts_with("-options-file=") || word.starts_with("-optf=")) {
    names = word.substr(word.find('=') + 1);
  } else if (word.size() > 1 && word[0] == '@') {
    names = word.substr(1);
  }
  std::vector<std::string> files;
  for (std::string_view name : split(names, ',')) {
    if (!name.empty()) files.emplace_back(name);
  }
  return files;
}

// Options of the environment around those given, option files replaced by what they hold (they may name further files).
Result<Words> expand(const Words& arguments) {
  Words all;
  addVariable(all, "NVCC_PREPEND_FLAGS");
  all.insert(all.end(), arguments.begin(), arguments.end());
  addVariable(all, "NVCC_APPEND_FLAGS");
  constexpr int kMostFiles = 100;
  int files = 0;
  for (size_t i = 0; i < all.size();) {
    size_t used = 1;
    std::vector<std::string> paths = optionFiles(all, i, used);
    if (paths.empty()) {
      ++i;
      continue;
    }
    Words words;
    for (const std::string& path : paths) {
      if (++files > kMostFiles) return Error{"option files name each other without end"};
      std::ifstream file(path);
      if (!file) return Error{"cannot read the option file '" + path + "'"};
      std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      for (std::string& word : splitOptions(text)) words.push_back(std::move(word));
    }
    auto place = all.erase(all.begin() + static_cast<long>(i), all.begin() + static_cast<long>(i + used));
    all.insert(place, words.begin(), words.end());
  }
  return all;
}

void print(const Words& command, const std::string& tail = "") {
  std::string text = "#$";
  for (const std::string& word : command) text += " " + quoted(word);
  text += tail;
  std::fprintf(stderr, "%s\n", text.c_str());
}

int runCommand(const Words& command) {
  if (command[0].ends_with("/fatbinary")) return runImageTool(Words(command.begin() + 1, command.end()));
  return runTool(command);
}

// Where intermediate files go: a folder of our own, gone when the run ends; with --keep the user's. --dryrun makes no
// folder and names files that its lines can make.
class Scratch {
 public:
  explicit Scratch(const CommandLine& line) {
    const char* given = std::getenv("TMPDIR");
    std::string base(given && *given ? given : "/tmp");
    if (line.has("keep") || line.has("save-temps") || line.has("keep-dir")) {
      prefix_ = line.has("keep-dir") ? std::string(line.value("keep-dir")) + "/" : "";
      good_ = true;
    } else if (line.has("dryrun")) {
      prefix_ = base + "/unwarp-nvcc-" + std::to_string(getpid()) + "-";
      good_ = true;
    } else {
      folder_ = base + "/unwarp-nvcc-XXXXXX";
      good_ = mkdtemp(folder_.data()) != nullptr;
      if (!good_) folder_.clear();
      prefix_ = folder_ + "/";
    }
  }
  ~Scratch() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  bool good() const { return good_; }
  const std::string& prefix() const { return prefix_; }

 private:
  std::string prefix_, folder_;
  bool good_ = false;
};

// Options that print and end. Negative: none of them.
int answer(const CommandLine& line) {
  if (line.has("version")) return std::fputs(kBanner, stdout), 0;
  if (line.has("help")) {
    std::puts(
        "Usage  : nvcc [options] <inputfile>\n\nOptions (CUDA 13.5's; those marked * are accepted and have nothing to "
        "change here):");
    for (const Option& option : options()) {
      const char* mark = option.effect == Effect::noMeaning ? " *"
                         : option.effect == Effect::refused ? " (not supported)"
                                                            : "";
      std::printf("  --%-48s %s%s%s\n", std::string(option.name).c_str(), option.letter.empty() ? "" : "-",
                  std::string(option.letter).c_str(), mark);
    }
    return 0;
  }
  bool code = line.has("list-gpu-code");
  if (code || line.has("list-gpu-arch")) {
    for (const char* number : kArchitectures) std::printf("%s_%s\n", code ? "sm" : "compute", number);
    return 0;
  }
  return -1;
}

// --time: a line for each step, with nvcc's columns; "-" is standard output.
void noteTime(const CommandLine& line, const Job& job, std::chrono::steady_clock::time_point start) {
  if (!line.has("time")) return;
  std::string path(line.value("time"));
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  std::error_code ignored;
  bool fresh = path == "-" || std::filesystem::file_size(path, ignored) == 0 || ignored;
  FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "a");
  if (!file) return;
  if (fresh)
    std::fputs("source file name , phase name , phase input files , phase output file , tool , metric , unit\n", file);
  std::fprintf(file, "%s , %s , %s , %s , %s , %.3f , ms\n", job.input.c_str(), job.phase.c_str(), job.input.c_str(),
               job.output.c_str(), job.command[0].c_str(), spent.count());
  if (file != stdout) std::fclose(file);
}

void warn(const CommandLine& line, const std::string& message) {
  if (!line.has("disable-warnings")) std::fprintf(stderr, "nvcc warning : %s\n", message.c_str());
}

// The device pass, once more with the words that nvcc would have added when it stops for want of them. Later passes of
// the same file read the same copies.
int runDevicePass(const Plan& plan, const Job& job, const CommandLine& line,
                  std::map<std::string, std::string>& overlays) {
  Words command = job.command;
  if (isatty(STDERR_FILENO)) command.insert(command.begin() + 1, "-fcolor-diagnostics");
  Printed first = printedByTool(command, Stream::errors), last = first;
  DialectRepairs repairs(job.input);
  constexpr int kMostRounds = 8;
  for (int round = 0; round < kMostRounds && last.status != 0 && repairs.learn(last.text); ++round) {
    Result<std::string> overlay = repairs.write(plan.scratch + "declared-" + std::to_string(overlays.size()) + "-");
    if (!overlay) return complain(overlay.error());
    overlays[job.input] = *overlay;
    Words again = command;
    again.insert(again.begin() + 1, {"-ivfsoverlay", *overlay});
    last = printedByTool(again, Stream::errors);
  }
  const Printed& shown = last.status == 0 ? last : first;
  std::fputs(shown.text.c_str(), stderr);
  if (last.status != 0) return shown.status;
  for (const std::string& name : repairs.names())
    warn(line, "a __host__ function ('" + name +
                   "') redeclared with __device__, hence treated as a __host__ __device__ function");
  return 0;
}

int runInto(const Job& job) {
  Printed printed = printedByTool(job.command, Stream::output);
  if (printed.status != 0) return printed.status;
  std::string before;
  if (Result<FileBytes> bytes = FileBytes::open(job.output); bytes && job.redirection == ">>") before = bytes->view();
  Result<Done> written = writeFileAtomic(job.output, before + printed.text);
  return written ? 0 : complain(written.error());
}

int clean(const Plan& plan) {
  std::error_code ignored;
  for (const std::string& output : plan.outputs) std::filesystem::remove(output, ignored);
  return 0;
}

int execute(const Plan& plan, const CommandLine& line) {
  bool dry = line.has("dryrun");
  std::map<std::string, std::string> overlays;  // by input
  bool show = dry || line.has("verbose") || line.has("verbose2");
  for (const Job& job : plan.jobs) {
    if (show) print(job.command, job.redirection.empty() ? "" : " " + job.redirection + " " + quoted(job.output));
    if (dry) continue;
    auto start = std::chrono::steady_clock::now();
    Words command = job.command;
    if (auto overlay = overlays.find(job.input); overlay != overlays.end() && job.phase == "host")
      command.insert(command.begin() + 1, {"-ivfsoverlay", overlay->second});
    int status = job.phase == "device"      ? runDevicePass(plan, job, line, overlays)
                 : !job.redirection.empty() ? runInto(job)
                                            : runCommand(command);
    if (status != 0) return status;
    noteTime(line, job, start);
  }
  if (dry && !plan.temporaries.empty()) {
    Words remove{"rm", "-f"};
    remove.insert(remove.end(), plan.temporaries.begin(), plan.temporaries.end());
    print(remove);
  }
  if (plan.runAfter.empty()) return 0;
  if (show) print(plan.runAfter);
  return dry ? 0 : runCommand(plan.runAfter);
}

}  // namespace

std::string toolkitPath() {
  std::string self = executablePath();
  return self.substr(0, self.rfind('/')) + "/toolkit";
}

int runNvcc(const Words& arguments) {
  Result<Words> expanded = expand(arguments);
  if (!expanded) return complain(expanded.error());
  Result<CommandLine> line = parse(*expanded);
  if (!line) return complain(line.error());
  if (int status = answer(*line); status >= 0) return status;
  for (const std::string& warning : line->warnings) warn(*line, warning);
  if (line->has("resource-usage"))
    std::fputs("nvcc info    : --resource-usage: device code for a CPU takes no registers from a register file\n",
               stderr);
  Installation installation{toolkitPath(), UNWARP_CLANG, UNWARP_LLVM_FOLDER, {}};
  installation.unknown = flagsUnknownTo(installation.clang, hostWords(*line));
  for (const std::string& flag : installation.unknown)
    warn(*line, "host compiler option '" + flag + "' is g++'s own and was ignored");
  if (line->has("dryrun") || line->has("verbose") || line->has("verbose2"))
    std::fputs(describe(*line, installation).c_str(), stderr);
  Scratch scratch(*line);
  if (!scratch.good()) return complain("cannot make a temporary folder");
  Result<Plan> plan = makePlan(*line, installation, scratch.prefix());
  if (!plan) return complain(plan.error());
  return line->has("clean-targets") ? clean(*plan) : execute(*plan, *line);
}

}  // namespace unwarp::nvcc
