// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch folder: a copy of the project in which building may do what it likes. The project itself is only read.
//
// What the copy leaves out: version control, reports of ours, sockets, pipes and devices, and what a CUDA compiler has
// made before (objects, and programs or libraries with NVIDIA device code), so that the build makes it anew with this
// toolkit. Links that lead to somewhere inside the project lead to the same place inside the copy; others lead to where
// they led.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace unwarp::trial {

/// A folder under the system's temporary folder; removed, read-only parts included, when the object goes.
class Scratch {
 public:
  static Result<Scratch> make();
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit Scratch(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

struct CopyResult {
  std::vector<std::string> notes;         ///< what was left out, in words
  std::set<std::filesystem::path> files;  ///< regular files of the copy, as paths in it
};

/// Copies the folder `from` to `to` (made), without the folders in `leaveOut` (absolute, links resolved). Fails when
/// something cannot be written; what cannot be read becomes a note.
Result<CopyResult> copyProject(const std::filesystem::path& from, const std::filesystem::path& to,
                               const std::vector<std::string>& leaveOut);

/// Whether the file is a program or library with device code inside, NVIDIA's or ours.
bool holdsDeviceCode(const std::filesystem::path& file);

}  // namespace unwarp::trial
