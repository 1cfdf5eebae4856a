// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libarchive behind a small class, and the unnamed temporary file. Files are read through libarchive's own block
// buffer and not through a mapping, so that a packed gigabyte costs 64 KiB of memory.
// Limits: member names are shown as UTF-8, invalid bytes replaced; passwords are never asked for.
#include "scan/binary/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t blockBytes = 64 * 1024;
constexpr std::size_t maxNameBytes = 4096;

std::string entryName(archive_entry* entry) {
  // Without a UTF-8 locale the plain name may be missing, and the other way round.
  const char* name = archive_entry_pathname_utf8(entry);
  if (name == nullptr) name = archive_entry_pathname(entry);
  return name == nullptr ? std::string("(unnamed)") : std::string(std::string_view(name).substr(0, maxNameBytes));
}

}  // namespace

struct Unpacker::State {
  archive* reader = nullptr;
  bool open = false;
};

Unpacker::Unpacker(const PackedSource& source) : state_(std::make_unique<State>()) {
  archive* reader = state_->reader = archive_read_new();
  if (reader == nullptr) return;
  archive_read_support_format_tar(reader);
  archive_read_support_format_zip_seekable(reader);
  archive_read_support_filter_gzip(reader);
  archive_read_support_filter_bzip2(reader);
  archive_read_support_filter_xz(reader);
  archive_read_support_filter_lzma(reader);
  archive_read_support_filter_zstd(reader);
  int status = ARCHIVE_FATAL;
  if (!source.realPath.empty()) {
    status = archive_read_open_filename(reader, source.realPath.c_str(), blockBytes);
  } else if (source.descriptor >= 0) {
    if (lseek(source.descriptor, 0, SEEK_SET) == 0)
      status = archive_read_open_fd(reader, source.descriptor, blockBytes);
  } else {
    status = archive_read_open_memory(reader, source.bytes.data(), source.bytes.size());
  }
  state_->open = status == ARCHIVE_OK || status == ARCHIVE_WARN;
}

Unpacker::~Unpacker() {
  if (state_->reader != nullptr) archive_read_free(state_->reader);
}

UnpackStep Unpacker::next() {
  if (!state_->open) return UnpackStep::Damaged;
  archive_entry* entry = nullptr;
  int status = archive_read_next_header(state_->reader, &entry);
  for (int tries = 0; status == ARCHIVE_RETRY && tries < 8; ++tries)
    status = archive_read_next_header(state_->reader, &entry);
  if (status == ARCHIVE_EOF) return UnpackStep::End;
  if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return UnpackStep::Damaged;
  name_ = entryName(entry);
  regularFile_ = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
  encrypted_ = archive_entry_is_encrypted(entry) != 0;
  sizeBytes_ = archive_entry_size_is_set(entry) != 0 ? static_cast<std::uint64_t>(archive_entry_size(entry)) : 0;
  return UnpackStep::Member;
}

bool Unpacker::skipsForFree() const {
  return (archive_format(state_->reader) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
}

std::uint64_t Unpacker::consumedBytes() const {
  const la_int64_t bytes = archive_filter_bytes(state_->reader, -1);
  return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

std::int64_t Unpacker::read(char* buffer, std::size_t sizeBytes) {
  for (int tries = 0; tries < 8; ++tries) {
    const la_ssize_t got = archive_read_data(state_->reader, buffer, sizeBytes);
    if (got >= 0) return got;
    if (got == ARCHIVE_FATAL) state_->open = false;
    if (got != ARCHIVE_RETRY && got != ARCHIVE_WARN) break;
  }
  return -1;
}

void Unpacker::skip() {
  if (archive_read_data_skip(state_->reader) == ARCHIVE_FATAL) state_->open = false;
}

bool Unpacker::isBroken() const {
  return !state_->open;
}

std::string Unpacker::error() const {
  if (state_->reader == nullptr) return "out of memory";
  const char* text = archive_error_string(state_->reader);
  return text == nullptr ? "unreadable" : toValidUtf8(text);
}

SpillFile::SpillFile() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  std::string name = (failed ? std::string("/tmp") : folder.string()) + "/unwarp-XXXXXX";
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ >= 0) unlink(name.c_str());
}

SpillFile::~SpillFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool SpillFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<FileBytes> SpillFile::map() const {
  const int copy = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0 || lseek(copy, 0, SEEK_SET) != 0) return Error{"temporary file cannot be opened again"};
  return FileBytes::fromDescriptor(copy, "temporary file");
}

}  // namespace unwarp::scan
