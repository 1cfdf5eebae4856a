// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's options as flags of our clang and of the program that links. What the host compiler of real nvcc (g++) is told
// through -Xcompiler goes to clang instead; of the device pass only what names files and macros is told, as with nvcc.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/nvcc/options.h"

namespace unwarp::nvcc {

using Words = std::vector<std::string>;

/// Where our compiler and toolkit lie.
struct Installation {
  std::string toolkit;            // holds bin, include, lib64
  std::string clang;              // clang++ of the version we are built for
  std::string llvm;               // its folder, with bin and lib
  std::set<std::string> unknown;  // host flags of this command line that clang does not know
};

/// The words of -Xcompiler and of unknown flags that are forwarded, in order. Elements are split like a shell does.
Words hostWords(const CommandLine& line);

class Flags {
 public:
  Flags(const CommandLine& line, const Installation& installation, int architecture, bool relocatable)
      : line_(line), installation_(installation), architecture_(architecture), relocatable_(relocatable) {}

  /// For every pass: what names, finds and includes.
  Words preprocessor() const;
  /// For every pass: dialect and diagnostics. `plainC` leaves out what only C++ knows.
  Words language(bool plainC = false) const;
  /// What makes clang read CUDA C++ as nvcc 13.5 does.
  Words cuda() const;
  Words device() const;
  Words host() const;
  /// Behind all others: what must win over the user's -Wall.
  Words last() const;
  /// For the compiler driver that links, after the inputs.
  Words link() const;
  /// The program that links: --compiler-bindir, a folder or a program, else our clang.
  std::string linker() const;
  bool usesOpenMp() const;

 private:
  const CommandLine& line_;
  const Installation& installation_;
  int architecture_;
  bool relocatable_;
};

}  // namespace unwarp::nvcc
