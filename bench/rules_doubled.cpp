// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does doubling the number of rules cost? `rules_doubled FOLDER [RUNS]` audits a folder with every enabled rule
// applied once and twice (Options::ruleCopies: detectors, API look-ups and patterns alike; equal hits are dropped, so
// the result is the same) and compares the fastest runs. Runs alternate, so that a slow minute hits both. Reading the
// rule pages themselves is not doubled: it happens once per start and takes milliseconds.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "audit/audit.h"

namespace {

struct Timing {
  double wall = 1e9, processor = 1e9;  ///< seconds, of the fastest run
};

double processorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// False when the audit fails.
bool timeOnce(const unwarp::knowledge::Knowledge& knowledge, const char* folder, unsigned copies, Timing& best) {
  unwarp::audit::Options options;
  options.root = folder;
  options.preview = true;
  options.useIgnoreFiles = false;
  options.ruleCopies = copies;
  const auto start = std::chrono::steady_clock::now();
  const double used = processorSeconds();
  auto result = unwarp::audit::run(knowledge, options);
  if (!result) {
    std::fprintf(stderr, "rules_doubled: %s\n", result.error().c_str());
    return false;
  }
  best.processor = std::min(best.processor, processorSeconds() - used);
  best.wall = std::min(best.wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2 || count > 3) {
    std::fprintf(stderr, "usage: rules_doubled FOLDER [RUNS]\n");
    return 2;
  }
  auto knowledge = unwarp::knowledge::Knowledge::load("");
  if (!knowledge) {
    std::fprintf(stderr, "rules_doubled: %s\n", knowledge.error().c_str());
    return 2;
  }
  const int runs = count == 3 ? std::atoi(arguments[2]) : 5;
  Timing warmUp, once, twice;
  bool fine = timeOnce(**knowledge, arguments[1], 1, warmUp);
  for (int i = 0; i < runs && fine; ++i) {
    fine = timeOnce(**knowledge, arguments[1], 1, once) && timeOnce(**knowledge, arguments[1], 2, twice);
  }
  if (!fine) return 2;
  std::printf("rules once:  %.3f s wall, %.3f s CPU\n", once.wall, once.processor);
  std::printf("rules twice: %.3f s wall, %.3f s CPU\n", twice.wall, twice.processor);
  std::printf("doubling costs %.1f %% wall, %.1f %% CPU (fastest of %d runs)\n", 100 * (twice.wall / once.wall - 1),
              100 * (twice.processor / once.processor - 1), runs);
  return 0;
}
