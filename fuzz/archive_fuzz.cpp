// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Throws bytes at the archive walk: zip, tar and `ar`, nested, with the limits set low so that each is hit often.
// A finding is a crash, a sanitizer report, a time-out or memory above the limits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "scan/binary/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  static const auto loaded = unwarp::knowledge::Knowledge::load("");
  if (!loaded) std::abort();
  const unwarp::scan::ReadContext context{**loaded};
  const std::string_view bytes(reinterpret_cast<const char*>(data), sizeBytes);
  unwarp::scan::ArchiveLimits limits;
  limits.totalBytes = 8 << 20;
  limits.memberBytes = 1 << 20;
  limits.spillBytes = 64 << 10;
  limits.ratioFloorBytes = 1 << 20;
  limits.members = 500;
  std::vector<std::string> notes;
  unwarp::scan::readArchive(context, {"sample.zip", bytes}, [](unwarp::scan::FileFacts&&) {}, notes, limits);
  return 0;
}
