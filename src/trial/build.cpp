// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/build.h"

#include <algorithm>
#include <cstring>

#include "base/file.h"
#include "scan/binary/elf_image.h"
#include "trial/build_log.h"
#include "trial/scratch.h"

namespace unwarp::trial {
namespace {

namespace fs = std::filesystem;
using result::BuildState;

std::string startError(const std::string& program, const Ended& ended) {
  if (ended.status == ENOENT) return program + " was not found: install it, or put its folder into PATH";
  return "cannot run " + program + ": " + std::strerror(ended.status);
}

// Why a step that gave no errors of its own did not succeed; empty when it did.
std::string whyEnded(const Session& session, const std::string& program, const Ended& ended) {
  switch (ended.how) {
    case Ended::How::Exited:
      return "";
    case Ended::How::Signalled:
      return program + " was ended by signal " + std::to_string(ended.status);
    case Ended::How::TimedOut:
      return session.isOver()
                 ? "the time for the whole trial was used up (--total-limit)"
                 : program + " took longer than " + std::to_string(session.buildTime.count()) + " s (--build-limit)";
    case Ended::How::TooMuchOutput:
      return program + " printed more than 16 MB";
    case Ended::How::NotStarted:
      return startError(program, ended);
    case Ended::How::Interrupted:
      return "interrupted";
  }
  return "";
}

void addFailure(const Session& session, Built& built, std::string what, std::vector<std::string> why) {
  for (std::string& line : why) line = session.shownText(std::move(line));
  built.build.failures.push_back({session.shownText(std::move(what)), std::move(why)});
}

// The programs that came out of a build and run device code. What CMake compiles to try its compilers is not the
// project's.
std::vector<fs::path> programsIn(const fs::path& folder, const std::set<fs::path>& copied) {
  struct Candidate {
    fs::path path;
    std::vector<std::string> needed;
    bool deviceCode = false;
  };
  std::vector<Candidate> programs;
  std::set<std::string> libraries;
  std::error_code failed;
  for (auto it = fs::recursive_directory_iterator(folder, failed); !failed && it != fs::recursive_directory_iterator();
       it.increment(failed)) {
    std::error_code ignored;
    if (it->path().filename() == "CMakeFiles") it.disable_recursion_pending();
    if (it->is_symlink(ignored) || !it->is_regular_file(ignored) || copied.contains(it->path())) continue;
    Result<FileBytes> bytes = FileBytes::open(it->path().string());
    auto image = bytes ? scan::ElfImage::parse(bytes->view()) : std::nullopt;
    if (!image || image->type() == scan::elfTypeRelocatable) continue;
    bool deviceCode = holdsDeviceCode(it->path());
    if (image->section(".interp") == nullptr) {
      if (deviceCode) libraries.insert({it->path().filename().string(), std::string(image->dynamic().soname)});
      continue;
    }
    programs.push_back({it->path(), {image->dynamic().needed.begin(), image->dynamic().needed.end()}, deviceCode});
  }
  std::vector<fs::path> found;
  for (const Candidate& one : programs) {
    bool usesRuntime = std::any_of(one.needed.begin(), one.needed.end(), [&](const std::string& name) {
      return name.starts_with("libcudart.so") || libraries.contains(name);
    });
    if (one.deviceCode || usesRuntime) found.push_back(one.path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// What `make -k` gave, as state, failures and programs of the build.
void finishMake(const Session& session, Built& built, const Ended& ended, const std::set<fs::path>& copied) {
  for (result::BuildFailure& failure : makeFailures(ended.err))
    addFailure(session, built, std::move(failure.what), std::move(failure.why));
  std::string why = whyEnded(session, "make", ended);
  if (!why.empty()) addFailure(session, built, "make", {why});
  if (!ended.succeeded() && built.build.failures.empty())
    addFailure(session, built, "make", compilerErrors(ended.err.empty() ? ended.out : ended.err));
  built.programs = programsIn(built.output, copied);
  built.build.programs = static_cast<std::uint32_t>(built.programs.size());
  built.build.state = ended.succeeded()                   ? BuildState::Built
                      : ended.how == Ended::How::TimedOut ? BuildState::TimedOut
                      : !built.programs.empty()           ? BuildState::Partial
                                                          : BuildState::Failed;
}

std::vector<std::string> makeWords(const Session& session) {
  return {"make", "-k", "-j" + std::to_string(session.jobs), "--output-sync=target"};
}

Built buildWithCMake(const Session& session, const BuildFolder& place, std::size_t number,
                     const std::set<fs::path>& copied) {
  Built built{
      {"cmake", session.shown(place.folder)}, place.folder, session.scratch / ("build-" + std::to_string(number))};
  session.say("configuring " + built.build.path + " with CMake");
  Ended configured =
      session.build({"cmake", "-S", place.folder.string(), "-B", built.output.string(), "-G", "Unix Makefiles",
                     "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CUDA_COMPILER=" + session.toolkit + "/bin/nvcc",
                     "-DCUDA_TOOLKIT_ROOT_DIR=" + session.toolkit},
                    session.scratch);
  if (!configured.succeeded()) {
    std::string why = whyEnded(session, "cmake", configured);
    addFailure(session, built, "configure",
               why.empty() ? configureErrors(configured.err) : std::vector<std::string>{why});
    if (configured.how == Ended::How::TimedOut) built.build.state = BuildState::TimedOut;
    return built;
  }
  session.say("building " + built.build.path + " with CMake");
  finishMake(session, built, session.build(makeWords(session), built.output), copied);
  return built;
}

Built buildWithMake(const Session& session, const BuildFolder& place, const std::set<fs::path>& copied) {
  Built built{{"make", session.shown(place.folder)}, place.folder, place.folder};
  session.say("building " + built.build.path + " with make");
  std::vector<std::string> words = makeWords(session);
  for (std::string& variable : makeOverrides(session)) words.push_back(std::move(variable));
  finishMake(session, built, session.build(words, place.folder), copied);
  return built;
}

// Folders a lone source is likely to include from: the project's own, its `include`, and those beside the source.
std::vector<fs::path> likelyIncludes(const Session& session, const fs::path& source) {
  std::vector<fs::path> folders;
  fs::path above = source.parent_path();
  std::error_code ignored;
  for (const fs::path& folder : {above, above / "include", above.parent_path() / "include", session.project,
                                 session.project / "include", session.project / "src"}) {
    bool within = folder == session.project || folder.string().starts_with(session.project.string() + "/");
    if (within && fs::is_directory(folder, ignored)) folders.push_back(folder);
  }
  return folders;
}

Built notTried(const Session& session, const char* system, const fs::path& place) {
  Built built{{system, session.shown(place), BuildState::NotTried}, place, place};
  addFailure(session, built, built.build.path, {"no time was left (--total-limit)"});
  return built;
}

}  // namespace

std::vector<Built> buildAll(const Session& session, const std::set<fs::path>& copied,
                            const knowledge::Knowledge& knowledge) {
  std::vector<Built> all;
  std::vector<fs::path> done;  // folders whose build gave a program
  for (const BuildFolder& place : findBuildFolders(session.project)) {
    bool any = false;
    if (session.isOver()) {
      all.push_back(notTried(session, place.hasCMake ? "cmake" : "make", place.folder));
      done.push_back(place.folder);
      continue;
    }
    if (place.hasCMake) {
      all.push_back(buildWithCMake(session, place, all.size(), copied));
      any = !all.back().programs.empty();
    }
    if (!any && !place.makefile.empty()) {
      all.push_back(buildWithMake(session, place, copied));
      any = !all.back().programs.empty();
    }
    if (any) done.push_back(place.folder);
  }
  for (const fs::path& source : findLoneSources(session.project, done, knowledge))
    all.push_back(session.isOver() ? notTried(session, "source", source)
                                   : buildSource(session, source, likelyIncludes(session, source)));
  return all;
}

Built buildSource(const Session& session, const fs::path& source, const std::vector<fs::path>& includes) {
  Built built{{"source", session.shown(source)}, source.parent_path(), source.parent_path()};
  fs::path program = source;
  program.replace_extension(".unwarp");  // a name that no project gives
  session.say("compiling " + built.build.path);
  std::vector<std::string> words{session.toolkit + "/bin/nvcc", "-O2", "-lineinfo", "-o", program.string()};
  for (const fs::path& folder : includes) words.push_back("-I" + folder.string());
  words.push_back(source.string());
  Ended ended = session.build(words, source.parent_path());
  if (ended.succeeded()) {
    built.build.state = BuildState::Built;
    built.build.programs = 1;
    built.programs.push_back(program);
    return built;
  }
  std::string why = whyEnded(session, "nvcc", ended);
  addFailure(session, built, built.build.path, why.empty() ? compilerErrors(ended.err) : std::vector<std::string>{why});
  if (ended.how == Ended::How::TimedOut) built.build.state = BuildState::TimedOut;
  return built;
}

std::vector<std::string> makeOverrides(const Session& session) {
  std::vector<std::string> words;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_DIR", "CUDA_INSTALL_PATH"})
    words.push_back(std::string(variable) + "=" + session.toolkit);
  return words;
}

std::string whyNoToolkit(const Session& session) {
  fs::path source = session.scratch / "toolkit.cu";
  auto written = writeFileAtomic(source.string(), "__global__ void kernel() {}\nint main() { kernel<<<1, 1>>>(); }\n");
  if (!written) return written.error();
  Built built = buildSource(session, source, {});
  if (built.build.state == BuildState::Built) return "";
  const std::vector<std::string>& why = built.build.failures.front().why;
  return "the toolkit in " + session.toolkit + " cannot compile: " + (why.empty() ? "nvcc failed" : why.front());
}

}  // namespace unwarp::trial
