// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences of dialect that no header can close: nvcc takes text that clang refuses, and a few words make it right.
// - A function that is first declared without __device__ (a prototype, a friend) and then defined with it is one
//   function for both sides in nvcc; in clang the two are overloads, and the first hides the second or lacks rights.
// - `object.f<3>(x)` with an object of a type yet unknown needs no `template` in nvcc.
// - `%laneid` in inline assembly with operands is nvcc's as well as `%%laneid`.
// When the device pass stops for such a reason, the words are put into copies of the files, which clang reads in place
// of the originals. Lines stay where they are. Works on text that clang has pointed at: what is not understood stays
// the error that it was.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace unwarp::nvcc {

class DialectRepairs {
 public:
  /// `input` is the file being compiled; definitions are sought there and where declarations are.
  explicit DialectRepairs(std::string input) : input_(std::move(input)) {}

  /// Takes what clang printed. False when there is nothing (more) to add.
  bool learn(std::string_view printed);

  /// Writes the copies and a list for clang's -ivfsoverlay; names begin with `prefix`. Gives the list's path.
  Result<std::string> write(const std::string& prefix) const;

  /// Functions that were given words, for a warning like nvcc's.
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Place {
    std::string file;
    size_t line = 0, column = 0;
  };
  /// Errors that words put right, at the place they name or at one that a note after them names.
  enum class Cause { other, overload, access, missingTemplate, assemblyName };

  static Cause causeOf(std::string_view error);
  bool learnError(const Place& place, Cause cause);
  const std::string& textOf(const std::string& file);
  size_t offsetOf(const Place& place);
  bool declare(const Place& place);
  bool declareFriends(const std::string& file);
  bool declareAt(const std::string& file, size_t at);
  bool define(const std::string& file, std::string_view name);
  bool insert(const std::string& file, size_t at, std::string_view words);
  bool insertTemplate(const Place& place);
  bool escapeRegisters(const Place& place);

  std::string input_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::map<size_t, std::string>> insertions_;  // by file and offset
  std::map<std::string, std::map<size_t, std::string>> applied_;     // those in the text that clang read last
  std::vector<std::string> names_;
};

}  // namespace unwarp::nvcc
