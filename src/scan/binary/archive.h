// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Archives: wheels, zip, jar, tar with gzip, bzip2, xz or zstd, conda and Debian packages, static libraries. Members
// are classified by name and content and read by the ordinary readers; archives inside archives are entered. Nothing is
// ever written under a member's name: large members go to an unlinked temporary file. Limits: ArchiveLimits; each limit
// that is hit leaves a note naming it. Encrypted and damaged members are noted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scan/facts.h"

namespace unwarp::scan {

/// What an archive may cost, over all its nesting levels together. The defaults hold the largest published wheels.
struct ArchiveLimits {
  std::uint64_t totalBytes = 24ull << 30;       ///< unpacked, all members
  std::uint64_t memberBytes = 8ull << 30;       ///< unpacked, one member
  std::uint64_t spillBytes = 64ull << 20;       ///< larger members lie in a temporary file, not in memory
  std::uint64_t members = 200'000;              ///< number of members
  std::uint64_t ratio = 100;                    ///< unpacked to packed size of one archive ...
  std::uint64_t ratioFloorBytes = 64ull << 20;  ///< ... looked at only above this many unpacked bytes, as are copies
  std::uint64_t textRatio = 40;                 ///< the same for sources and other texts, whose reading costs most ...
  std::uint64_t textFloorBytes = 16ull << 20;   ///< ... above this many unpacked bytes
  unsigned depth = 3;                           ///< archives within archives
};

using EmitFacts = std::function<void(FileFacts&&)>;

/// Reads the archive at `realPath` (whose bytes are `input.bytes`); members are emitted as `input.path!member`, in the
/// archive's own order. `notes` receives what was not read of the archive itself.
void readArchive(const ReadContext& context, const std::string& realPath, const Input& input, const EmitFacts& emit,
                 std::vector<std::string>& notes);

/// The same from bytes in memory, with limits of the caller's choice.
void readArchive(const ReadContext& context, const Input& input, const EmitFacts& emit, std::vector<std::string>& notes,
                 const ArchiveLimits& limits = {});

}  // namespace unwarp::scan
