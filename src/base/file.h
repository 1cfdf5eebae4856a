// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files: read whole, mapped, replaced atomically, and appended to by lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/mapping.h"
#include "base/result.h"

namespace unwarp {

/// A regular file's bytes, read into memory or, when large, mapped read-only. Never follows into devices or pipes.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes();

  static Result<FileBytes> open(const std::string& path);
  /// Takes over `fd` (closed on return); `sizeHint` in bytes.
  static Result<FileBytes> fromDescriptor(int fd, const std::string& path);
  std::string_view view() const { return {data_, size_}; }
  /// Whether the file was cut short while it was in use; what is missing reads as zeros or is left out.
  bool torn() const { return short_ || (mapping_ && isTorn(*mapping_)); }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool short_ = false;
  std::optional<GuardedMapping> mapping_;
};

/// The regular file that a write to `path` makes or replaces: absolute, links followed also when nothing is there yet.
/// Empty for a device or pipe, which takes any number of writes.
std::string writeTarget(const std::string& path);

/// Writes to a temporary beside `path` and renames it over `path`; on failure the old file stays. A link is followed,
/// and a device or pipe (`/dev/stdout`) is written to instead of replaced.
Result<Done> writeFileAtomic(const std::string& path, std::string_view contents);

/// Appends `line` and a line break in one write, so that lines of several writers never mix; a last line that lacks its
/// break (a writer that was stopped) gets one first. Creates the file.
Result<Done> appendLine(const std::string& path, std::string_view line);

}  // namespace unwarp
