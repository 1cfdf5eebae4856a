// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/driver.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/file.h"
#include "compiler/abi/device_image.h"
#include "compiler/nvcc/plan.h"

extern char** environ;

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

int complain(const std::string& message) {
  std::fprintf(stderr, "nvcc fatal   : %s\n", message.c_str());
  return 1;
}

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

// Options of the environment around those given, option files replaced by what they hold (they may name further files).
Result<std::vector<std::string>> expand(const std::vector<std::string>& arguments) {
  std::vector<std::string> all;
  addVariable(all, "NVCC_PREPEND_FLAGS");
  all.insert(all.end(), arguments.begin(), arguments.end());
  addVariable(all, "NVCC_APPEND_FLAGS");
  constexpr int kMostFiles = 100;
  int files = 0;
  for (size_t i = 0; i < all.size();) {
    std::string path;
    size_t used = 1;
    bool named = all[i] == "--options-file" || all[i] == "-optf" || all[i] == "-options-file";
    if (named && i + 1 < all.size()) {
      path = all[i + 1];
      used = 2;
    } else if (all[i].starts_with("--options-file=")) {
      path = all[i].substr(15);
    } else if (all[i].size() > 1 && all[i][0] == '@') {
      path = all[i].substr(1);
    } else {
      ++i;
      continue;
    }
    if (++files > kMostFiles) return Error{"option files name each other without end"};
    std::ifstream file(path);
    if (!file) return Error{"cannot read the option file '" + path + "'"};
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<std::string> words = splitOptions(text);
    all.erase(all.begin() + static_cast<long>(i), all.begin() + static_cast<long>(i + used));
    all.insert(all.begin() + static_cast<long>(i), words.begin(), words.end());
  }
  return all;
}

std::string quoted(const std::string& word) {
  bool plain = !word.empty() && word.find_first_of(" \t\"'\\$&;|<>()*?#~") == std::string::npos;
  return plain ? word : "\"" + word + "\"";
}

void print(const Job& job) {
  std::string text = "#$ ";
  if (job.kind == Job::Kind::packImage) {
    text += "fatbinary --create=" + quoted(job.image);
    for (const auto& [architecture, file] : job.bitcode)
      text += " --image=sm_" + std::to_string(architecture) + "," + quoted(file);
  }
  for (const std::string& word : job.command) text += quoted(word) + " ";
  std::fprintf(stderr, "%s\n", text.c_str());
}

int runCommand(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ)) {
    return complain("cannot run '" + command[0] + "': " + std::strerror(error));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int packImage(const Job& job) {
  abi::DeviceImage image;
  image.relocatable = job.relocatable;
  image.source = job.source;
  for (const auto& [architecture, path] : job.bitcode) {
    Result<FileBytes> bytes = FileBytes::open(path);
    if (!bytes) return complain(bytes.error());
    image.images.push_back({static_cast<uint64_t>(architecture), std::string(bytes->view())});
  }
  Result<Done> written = writeFileAtomic(job.image, abi::encode(image));
  return written ? 0 : complain(written.error());
}

// A folder of our own for intermediate files, gone when the run ends.
class Scratch {
 public:
  explicit Scratch(const CommandLine& line) {
    keep_ = line.has("keep") || line.has("save-temps");
    if (keep_) {
      path_ = std::string(line.value("keep-dir", "."));
      return;
    }
    const char* base = std::getenv("TMPDIR");
    path_ = std::string(base && *base ? base : "/tmp") + "/unwarp-nvcc-XXXXXX";
    if (!mkdtemp(path_.data())) path_.clear();
  }
  ~Scratch() {
    std::error_code ignored;
    if (!keep_ && !path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool keep_ = false;
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

int execute(const Plan& plan, const CommandLine& line) {
  bool dry = line.has("dryrun");
  for (const Job& job : plan.jobs) {
    if (dry || line.has("verbose")) print(job);
    if (dry) continue;
    if (int status = job.kind == Job::Kind::packImage ? packImage(job) : runCommand(job.command)) return status;
  }
  return dry || plan.runAfter.empty() ? 0 : runCommand(plan.runAfter);
}

}  // namespace

std::string toolkitPath() {
  std::string self = executablePath();
  return self.substr(0, self.rfind('/')) + "/toolkit";
}

int runNvcc(const std::vector<std::string>& arguments) {
  Result<std::vector<std::string>> expanded = expand(arguments);
  if (!expanded) return complain(expanded.error());
  Result<CommandLine> line = parse(*expanded);
  if (!line) return complain(line.error());
  if (int status = answer(*line); status >= 0) return status;
  Installation installation{toolkitPath(), UNWARP_CLANG};
  if (line->has("dryrun") || line->has("verbose")) std::fputs(describe(*line, installation).c_str(), stderr);
  Scratch scratch(*line);
  if (scratch.path().empty()) return complain("cannot make a temporary folder");
  Result<Plan> plan = makePlan(*line, installation, scratch.path());
  if (!plan) return complain(plan.error());
  return execute(*plan, *line);
}

}  // namespace unwarp::nvcc
