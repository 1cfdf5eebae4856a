// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small files are read (a mapping costs more than a copy below some 64 KB), large ones are mapped so that memory stays with the page
// cache. Opening uses O_NONBLOCK so that a pipe or device under a file's name never blocks the scan.
#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace unwarp {

namespace {

constexpr std::size_t mapAboveBytes = 1024 * 1024;

Error systemError(const std::string& what, const std::string& path) {
  return Error{what + " " + path + ": " + std::strerror(errno)};
}

}  // namespace

FileBytes::FileBytes(FileBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, false)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

FileBytes::~FileBytes() {
  if (mapped_) {
    munmap(const_cast<char*>(data_), size_);
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
  struct stat status;
  FileBytes bytes;
  if (fstat(fd, &status) != 0) {
    ::close(fd);
    return systemError("cannot read", path);
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(fd);
    return Error{"cannot read " + path + ": not a regular file"};
  }
  std::size_t size = static_cast<std::size_t>(status.st_size);
  if (size > mapAboveBytes) {
    void* map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    ::close(fd);
    if (map == MAP_FAILED) return systemError("cannot map", path);
    bytes.data_ = static_cast<const char*>(map);
    bytes.size_ = size;
    bytes.mapped_ = true;
    return bytes;
  }
  char* buffer = static_cast<char*>(std::malloc(size + 1));
  std::size_t got = 0;
  while (buffer != nullptr && got < size) {
    ssize_t n = ::read(fd, buffer + got, size - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      std::free(buffer);
      ::close(fd);
      return systemError("cannot read", path);
    }
    if (n == 0) break;  // the file shrank while we read: what is there counts
    got += static_cast<std::size_t>(n);
  }
  ::close(fd);
  bytes.data_ = buffer;
  bytes.size_ = got;
  return bytes;
}

Result<Done> writeFileAtomic(const std::string& path, std::string_view contents) {
  std::string temporary = path + ".XXXXXX";
  int fd = mkstemp(temporary.data());
  if (fd < 0) return systemError("cannot write", path);
  fchmod(fd, 0644);
  std::size_t written = 0;
  while (written < contents.size()) {
    ssize_t n = ::write(fd, contents.data() + written, contents.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      Error error = systemError("cannot write", path);
      ::close(fd);
      ::unlink(temporary.c_str());
      return error;
    }
    written += static_cast<std::size_t>(n);
  }
  if (::close(fd) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    Error error = systemError("cannot write", path);
    ::unlink(temporary.c_str());
    return error;
  }
  return Done{};
}

}  // namespace unwarp
