// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of usual size are read, so that nothing that happens to them later matters; large ones (libraries, model
// weights) are mapped, since most of their bytes are never looked at. Opening uses O_NONBLOCK so that a pipe or device
// under a file's name never blocks the scan.
#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace unwarp {

namespace {

constexpr std::size_t mapAboveBytes = 16u << 20;

Error systemError(const std::string& what, const std::string& path) {
  return Error{what + " " + path + ": " + std::strerror(errno)};
}

/// Closes a descriptor at the end of a scope; keeps errno.
class Closer {
 public:
  explicit Closer(int fd) : fd_(fd) {}
  Closer(const Closer&) = delete;
  Closer& operator=(const Closer&) = delete;
  ~Closer() {
    int saved = errno;
    ::close(fd_);
    errno = saved;
  }

 private:
  int fd_;
};

/// Writes everything; false with errno set.
bool writeAll(int fd, std::string_view contents) {
  while (!contents.empty()) {
    ssize_t n = ::write(fd, contents.data(), contents.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    contents.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// For what cannot be replaced: devices and pipes.
Result<Done> writeInto(const std::string& path, std::string_view contents) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return systemError("cannot write", path);
  Closer closer(fd);
  if (!writeAll(fd, contents)) return systemError("cannot write", path);
  return Done{};
}

}  // namespace

FileBytes::FileBytes(FileBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      short_(other.short_),
      mapping_(std::exchange(other.mapping_, std::nullopt)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(short_, other.short_);
  std::swap(mapping_, other.mapping_);
  return *this;
}

FileBytes::~FileBytes() {
  if (mapping_) {
    unmapGuarded(*mapping_);
  } else {
    std::free(const_cast<char*>(data_));
  }
}

Result<FileBytes> FileBytes::open(const std::string& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return systemError("cannot open", path);
  return fromDescriptor(fd, path);
}

Result<FileBytes> FileBytes::fromDescriptor(int fd, const std::string& path) {
  Closer closer(fd);
  struct stat status;
  if (fstat(fd, &status) != 0) return systemError("cannot read", path);
  if (!S_ISREG(status.st_mode)) return Error{"cannot read " + path + ": not a regular file"};
  std::size_t size = static_cast<std::size_t>(status.st_size);
  FileBytes bytes;
  if (size > mapAboveBytes) {
    bytes.mapping_ = mapGuarded(fd, size);
    if (bytes.mapping_) {
      bytes.data_ = bytes.mapping_->data;
      bytes.size_ = size;
      return bytes;
    }
  }
  char* buffer = static_cast<char*>(std::malloc(size + 1));
  if (buffer == nullptr)
    return Error{"cannot read " + path + ": not enough memory for its " + std::to_string(size) + " bytes"};
  bytes.data_ = buffer;
  while (bytes.size_ < size) {
    ssize_t n = ::read(fd, buffer + bytes.size_, size - bytes.size_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return systemError("cannot read", path);
    if (n == 0) break;  // the file shrank while we read: what is there counts
    bytes.size_ += static_cast<std::size_t>(n);
  }
  bytes.short_ = bytes.size_ < size;
  return bytes;
}

std::string writeTarget(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path target = path;
  // A chain of links longer than the system would follow is a loop; writing to it fails with the system's own words.
  for (int links = 0; links < 40 && fs::is_symlink(target, error); ++links)
    target = target.parent_path() / fs::read_symlink(target, error);
  fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return {};
  fs::path absolute = fs::weakly_canonical(fs::absolute(target, error), error);
  return error ? path : absolute.string();
}

Result<Done> writeFileAtomic(const std::string& path, std::string_view contents) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return Error{"cannot write " + path + ": is a folder"};
    if (!S_ISREG(status.st_mode)) return writeInto(path, contents);
  } else if (errno != ENOENT) {
    return systemError("cannot write", path);
  }
  std::string target = writeTarget(path);
  std::string temporary = target + ".XXXXXX";
  int fd = mkstemp(temporary.data());
  if (fd < 0) return systemError("cannot write", path);
  fchmod(fd, 0644);
  bool written = writeAll(fd, contents);
  if (!written || ::close(fd) != 0 || ::rename(temporary.c_str(), target.c_str()) != 0) {
    Error error = systemError("cannot write", path);
    if (!written) ::close(fd);
    ::unlink(temporary.c_str());
    return error;
  }
  return Done{};
}

Result<Done> appendLine(const std::string& path, std::string_view line) {
  int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return systemError("cannot write", path);
  ::flock(fd, LOCK_EX);  // for the look at the last byte; ends with the descriptor
  std::string text;
  off_t size = ::lseek(fd, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n') text = "\n";
  text.append(line).push_back('\n');
  bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!written && size >= 0) [[maybe_unused]]
    int back = ::ftruncate(fd, size);  // no half line stays
  Error error = systemError("cannot write", path);
  ::close(fd);
  if (!written) return error;
  return Done{};
}

}  // namespace unwarp
