// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every fuzz target once over its committed corpus: `fuzz_replay corpus`. A plain program, so that each build and
// each sanitizer preset replays what fuzzing has found. Also runs each target on nothing and on its seeds cut short.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

struct Target {
  const char* name;
  int (*run)(const std::uint8_t*, std::size_t);
};

}  // namespace

#include "targets.inc"

namespace {

void runOn(const Target& target, const std::string& bytes) {
  target.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

/// Number of seeds, 0 when the folder is missing or empty.
int replay(const Target& target, const std::filesystem::path& folder) {
  int seeds = 0;
  std::error_code error;
  runOn(target, "");
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    runOn(target, bytes);
    for (std::size_t parts : {2, 3, 5}) runOn(target, bytes.substr(0, bytes.size() / parts));
    ++seeds;
  }
  return seeds;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: fuzz_replay CORPUS\n");
    return 2;
  }
  int status = 0;
  for (const Target& target : targets) {
    int seeds = replay(target, std::filesystem::path(arguments[1]) / target.name);
    std::printf("%-12s %d seeds\n", target.name, seeds);
    if (seeds == 0) status = 1;
  }
  return status;
}
