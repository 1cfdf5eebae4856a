// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp cost mine REPO PATHS...`: a finished port out of a git history, as a row of the table of case studies. Runs
// git, read-only, with what a repository could configure to run switched off.
#include <algorithm>
#include <cstring>
#include <map>

#include "base/output_text.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "cost/mine/history.h"
#include "cost/quantity.h"

namespace unwarp::cli {

namespace {

/// A line that is neither blank nor the beginning of a comment.
constexpr std::string_view codeLine = "^[[:space:]]*([^[:space:]/*#]|/[^/*]|#[[:space:]]*[a-z])";
constexpr std::string_view cudaLine = "__global__|[cC][uU][dD][aA]|<<<";
constexpr std::string_view sourceEndings[] = {".cu", ".cuh", ".c",   ".cc",  ".cpp", ".cxx",
                                              ".h",  ".hh",  ".hpp", ".pyx", ".inl"};

struct Sizes {
  std::uint64_t linesTotal = 0, linesGpu = 0, kernels = 0;
};

class Repository {
 public:
  explicit Repository(std::string path) : path_(std::move(path)) {}

  Result<std::string> git(std::vector<std::string> arguments) const {
    std::vector<std::string> command{
        "git", "-C", path_, "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    Printed printed = printedBy(command, Stream::output);
    if (printed.startError != 0) return Error{std::string("cannot run git: ") + std::strerror(printed.startError)};
    // `git grep` says 1 when nothing matches.
    bool nothingFound = printed.status == 1 && arguments.front() == "grep";
    if (printed.status != 0 && !nothingFound)
      return Error{"git " + arguments.front() + " failed in " + path_ + " (status " + std::to_string(printed.status) +
                   "); REPO must be a git repository with its history"};
    return printed.text;
  }

  /// Lines that match `pattern` in each source file of `revision` below `paths`: "REVISION:PATH:COUNT".
  Result<std::map<std::string, std::uint64_t>> matches(std::string_view pattern, const std::string& revision,
                                                       const std::vector<std::string>& paths) const {
    std::vector<std::string> arguments{"grep", "--no-textconv", "-I", "-c", "-E", std::string(pattern), revision, "--"};
    arguments.insert(arguments.end(), paths.begin(), paths.end());
    auto text = git(std::move(arguments));
    if (!text) return Error{text.error()};
    std::map<std::string, std::uint64_t> counts;
    LineReader lines(*text);
    for (std::string_view line; lines.next(line);) {
      std::size_t colon = line.rfind(':');
      std::string_view file = line.substr(0, colon);
      bool source = std::any_of(std::begin(sourceEndings), std::end(sourceEndings),
                                [&](std::string_view ending) { return file.ends_with(ending); });
      if (source && colon != std::string_view::npos)
        counts.emplace(file, static_cast<std::uint64_t>(parseDecimal(line.substr(colon + 1)).value_or(0)));
    }
    return counts;
  }

 private:
  std::string path_;
};

/// Sizes of the sources below `paths` in the last commit before `first`.
Result<Sizes> sizesBefore(const Repository& repository, std::chrono::year_month_day first,
                          const std::vector<std::string>& paths) {
  auto revision = repository.git({"rev-list", "-1", "--before=" + cost::dateText(first) + "T00:00:00Z", "HEAD"});
  if (!revision) return Error{revision.error()};
  Sizes sizes;
  std::string commit(trim(*revision));
  if (commit.empty()) return sizes;  // the port is as old as the repository
  auto code = repository.matches(codeLine, commit, paths);
  auto cuda = repository.matches(cudaLine, commit, paths);
  auto kernels = repository.matches("__global__", commit, paths);
  for (const auto* one : {&code, &cuda, &kernels})
    if (!*one) return Error{one->error()};
  for (const auto& [file, count] : *code) {
    sizes.linesTotal += count;
    if (cuda->contains(file)) sizes.linesGpu += count;
  }
  for (const auto& [file, count] : *kernels) sizes.kernels += count;
  return sizes;
}

/// One row in the schema of knowledge/cost/case-studies.tsv, below its header.
std::string tableOf(const Settings& settings, const std::string& repository, const cost::MinedPort& port,
                    const Sizes& sizes) {
  auto count = [](std::uint64_t number) { return number == 0 ? std::string() : std::to_string(number); };
  std::string project = settings.on("--project") ? settings.text("--project") : repository;
  std::string note = std::to_string(port.commits) + " commits by " + std::to_string(port.authors) + " authors, +" +
                     std::to_string(port.added) + "/-" + std::to_string(port.removed) + " lines; " +
                     cost::significant(100 * port.squashedShare, 2) + " % of them squashed changes";
  return "project\tdirection\tloc_total\tloc_gpu\tkernels\tpct_auto\teffort_person_weeks\teffort_basis\tyear\t"
         "perf_after\tnote\tsource\tas_of\n" +
         printable(project) + "\t" + printable(settings.text("--direction")) + "\t" + count(sizes.linesTotal) + "\t" +
         count(sizes.linesGpu) + "\t" + count(sizes.kernels) + "\t\t" + cost::significant(port.personWeeks(), 4) +
         "\tmined author-days/5" + (port.lowerBound ? "; LOWER BOUND (squash merges)" : "") + "\t" +
         cost::dateText(port.last).substr(0, 4) + "\t\t" + note + "\tgit history of " + printable(repository) + ", " +
         cost::dateText(port.first) + ".." + cost::dateText(port.last) + "\t" + cost::dateText(port.last) + "\n";
}

std::string textOf(const cost::MinedPort& port, const Sizes& sizes) {
  std::string weeks = cost::significant(port.personWeeks(), 3);
  std::string text = std::string(port.lowerBound ? "at least " : "") + weeks +
                     " person-weeks: " + std::to_string(port.authorDays) + " author-days / 5 (band " +
                     cost::significant(port.personWeeks() / 2, 3) + " to " +
                     cost::significant(port.personWeeks() * 2, 3) + ")\n";
  text += std::to_string(port.commits) + " commits by " + std::to_string(port.authors) + " authors, " +
          cost::dateText(port.first) + " to " + cost::dateText(port.last) + ", +" + std::to_string(port.added) + "/-" +
          std::to_string(port.removed) + " lines\n";
  text += "before it: " + std::to_string(sizes.linesTotal) + " lines of code, " + std::to_string(sizes.linesGpu) +
          " of them in files with CUDA, " + std::to_string(sizes.kernels) + " __global__\n";
  if (port.lowerBound)
    text += "a lower bound: " + cost::significant(100 * port.squashedShare, 2) +
            " % of the commits are squashed changes, whose days are lost\n";
  return text + "`--format tsv` prints the row for a table of case studies\n";
}

Result<std::string> mine(const Settings& settings, const std::vector<std::string>& positionals) {
  cost::MineOptions options;
  options.subjects = settings.list("--subject");
  if (settings.on("--months")) {
    auto months = parseDecimal(settings.text("--months"));
    if (!months || *months < 1 || *months > 600)
      return Error{"--months must be a number from 1 to 600, not '" + settings.text("--months") + "'"};
    options.months = static_cast<unsigned>(*months);
  }
  std::string format = settings.text("--format");
  if (!format.empty() && format != "terminal" && format != "tsv")
    return Error{"--format must be terminal or tsv, not '" + format + "'"};
  Repository repository(positionals.front());
  std::vector<std::string> paths(positionals.begin() + 1, positionals.end());
  auto logWith = [&](std::string files) {
    std::vector<std::string> log{"log",           "--no-merges",  "--no-ext-diff",
                                 "--no-textconv", "--no-renames", "--date=short"};
    for (std::string word :
         {"--format=" + std::string(cost::historyFormat), std::move(files), std::string("HEAD"), std::string("--")})
      log.push_back(std::move(word));
    log.insert(log.end(), paths.begin(), paths.end());
    return repository.git(std::move(log));
  };
  // A partial clone lacks large files, without which lines cannot be counted; days can.
  auto text = logWith("--numstat");
  if (!text) text = logWith("--name-only");
  if (!text) return Error{text.error()};
  auto commits = cost::readHistory(*text);
  if (!commits) return Error{commits.error()};
  auto port = cost::minePort(*commits, options);
  if (!port) return Error{positionals.front() + ": " + port.error()};
  auto sizes = sizesBefore(repository, port->first, settings.on("--size") ? settings.list("--size") : paths);
  if (!sizes) return Error{sizes.error()};
  return format == "tsv" ? tableOf(settings, positionals.front(), *port, *sizes) : textOf(*port, *sizes);
}

}  // namespace

int runCostMine(int argc, char** argv) {
  const Command& command = *findCommand("cost mine");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  if (arguments->positionals.size() < 2)
    return fail("needs a repository and the paths of the port: `unwarp cost mine REPO src/hip`");
  auto settings = Settings::resolve(command, *arguments, ".");
  if (!settings) return fail(settings.error());
  auto text = mine(*settings, arguments->positionals);
  if (!text) return fail(text.error());
  return printOut(*text) ? 0 : 2;
}

}  // namespace unwarp::cli
