// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a parsed command line to the commands that do it. The plan is made whole before anything runs, so that --dryrun
// prints exactly what a run would do, as lines that a shell can run.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/nvcc/flags.h"
#include "compiler/nvcc/options.h"

namespace unwarp::nvcc {

struct Job {
  Words command;      // program and arguments
  std::string phase;  // for --time: device, image, host, link, ...
  std::string input;
  std::string output;
  std::string redirection = {};  // ">" or ">>": standard output goes to `output`
};

struct Plan {
  std::vector<Job> jobs;
  Words runAfter;       // --run: the program and its arguments
  std::string scratch;  // what names of intermediate files begin with
  Words temporaries;    // removed at the end
  Words outputs;        // what the user asked for; --clean-targets removes these
};

/// Names of intermediate files begin with `scratch`: a folder of our own with a slash, or that of --keep-dir.
Result<Plan> makePlan(const CommandLine& line, const Installation& installation, const std::string& scratch);

/// A word as a shell reads it, in quotes only when it must be.
std::string quoted(const std::string& word);

/// Lines about the tool chain that CMake reads from `nvcc -v` ("#$ TOP=..." and so on).
std::string describe(const CommandLine& line, const Installation& installation);

/// The default device profile has compute capability 8.0.
constexpr int kDefaultArchitecture = 80;

/// The architecture to compile for, from -arch, -code and -gencode: the newest that the default device has, else the
/// oldest asked for.
Result<int> chosenArchitecture(const CommandLine& line);

}  // namespace unwarp::nvcc
