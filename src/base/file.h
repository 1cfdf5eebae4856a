// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files: read whole, mapped, and replaced atomically.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace unwarp {

/// A regular file's bytes, mapped read-only (or read into memory when small). Never follows into devices or pipes.
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

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
};

/// Writes to a temporary beside `path` and renames it over `path`; on failure the old file stays.
Result<Done> writeFileAtomic(const std::string& path, std::string_view contents);

}  // namespace unwarp
