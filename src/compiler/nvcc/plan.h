// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a parsed command line to the commands that do it. The plan is made whole before anything runs, so that --dryrun
// prints exactly what a run would do.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/nvcc/options.h"

namespace unwarp::nvcc {

/// Where our compiler and toolkit lie.
struct Installation {
  std::string toolkit;  // holds bin, include, lib64
  std::string clang;    // clang++ of the version we are built for
};

struct Job {
  enum class Kind { run, packImage };
  Kind kind = Kind::run;
  std::vector<std::string> command;  // run: program and arguments
  // packImage: bitcode files by architecture, and the image to write
  std::vector<std::pair<int, std::string>> bitcode;
  std::string source;
  std::string image;
  bool relocatable = false;
};

struct Plan {
  std::vector<Job> jobs;
  std::vector<std::string> runAfter;  // --run: the program and its arguments
  std::string scratch;                // folder for intermediate files, removed at the end unless kept
  bool keep = false;
};

/// `scratch` is a fresh folder (or the one of --keep-dir).
Result<Plan> makePlan(const CommandLine& line, const Installation& installation, const std::string& scratch);

/// Lines about the tool chain that CMake reads from `nvcc -v` ("#$ TOP=..." and so on).
std::string describe(const CommandLine& line, const Installation& installation);

/// The architecture to compile for, from -arch, -code and -gencode: the newest that the default device has, else the
/// oldest asked for.
Result<int> chosenArchitecture(const CommandLine& line);

}  // namespace unwarp::nvcc
