// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that talks to libarchive: an archive as a sequence of members whose bytes are read in chunks.
// Limits: formats zip and tar; compression gzip, bzip2, xz, lzma, zstd. Anything else is an error text, not a crash.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/file.h"

namespace unwarp::scan {

/// Where packed bytes come from: a file by name, an open file, or memory (in this order, whichever is given).
struct PackedSource {
  std::string realPath;
  int descriptor = -1;  ///< stays open and owned by the caller
  std::string_view bytes;
};

enum class UnpackStep : std::uint8_t { Member, Damaged, End };

/// A forward walk over one archive.
class Unpacker {
 public:
  explicit Unpacker(const PackedSource& source);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Moves to the next member. Damaged: the walk cannot go on, error() says why.
  UnpackStep next();
  /// Of the current member.
  const std::string& name() const { return name_; }
  bool isRegularFile() const { return regularFile_; }
  bool isEncrypted() const { return encrypted_; }
  /// As the archive says, 0 when it does not.
  std::uint64_t sizeBytes() const { return sizeBytes_; }
  /// Packed bytes that the walk has come through so far.
  std::uint64_t consumedBytes() const;
  /// Members can be passed over without unpacking them (zip).
  bool skipsForFree() const;
  /// Up to `sizeBytes` further bytes of the member; 0 at its end, negative when it is damaged.
  std::int64_t read(char* buffer, std::size_t sizeBytes);
  void skip();
  std::string error() const;
  /// The archive cannot be read on after damage, though it may be opened anew.
  bool isBroken() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string name_;
  bool regularFile_ = false;
  bool encrypted_ = false;
  std::uint64_t sizeBytes_ = 0;
};

/// A file without a name that takes large members.
class SpillFile {
 public:
  SpillFile();
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  bool append(std::string_view bytes);
  /// The contents, mapped. The descriptor stays open for reading as a PackedSource.
  Result<FileBytes> map() const;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace unwarp::scan
