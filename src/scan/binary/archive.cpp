// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over archives and archives in archives, with one budget for all levels. A member's first bytes decide what
// it is; pictures and the like are passed over, all others are unpacked into memory, or into an unlinked temporary
// file when they are large, and go to the reader of their kind.
// Copies of a member are named but not read again once much was unpacked; texts of an archive that packed them to a
// small part of their size are, by then, variations of each other and are only named as well.
// Limits: an unpacked byte is counted also when it is thrown away, so that a bomb cannot hide in a skipped member; the
// recursion is as deep as ArchiveLimits::depth allows.
#include "scan/binary/archive.h"

#include <algorithm>
#include <unordered_map>

#include "base/file.h"
#include "base/text.h"
#include "scan/binary/ar.h"
#include "scan/binary/unpack.h"
#include "scan/classify.h"
#include "scan/dispatch.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t chunkBytes = 256 * 1024;
constexpr std::size_t maxNotes = 32;
constexpr unsigned maxReopened = 8;

using Notes = std::vector<std::string>;

void addNote(Notes& notes, std::string text) {
  if (notes.size() < maxNotes) notes.push_back(std::move(text));
  if (notes.size() == maxNotes) notes.emplace_back("further notes left out");
}

/// One level of nesting: where the packed bytes are, and how they are called.
struct Level {
  const std::string& path;
  PackedSource source;
  std::uint64_t packedBytes = 0;
  unsigned depth = 1;
  Notes& notes;
  std::uint64_t unpackedBytes = 0;
  std::uint64_t consumedBytes = 0;  ///< of the packed bytes, so far
};

/// Kinds in which nothing is looked for: such members are counted and passed over.
bool isPassedOver(FileKind kind) {
  return kind == FileKind::Unknown || kind == FileKind::Media || kind == FileKind::Text || kind == FileKind::Prose;
}

enum class Outcome : std::uint8_t { Complete, LimitHit, Damaged, NoSpace };

/// Unpacked contents of a member: in memory, or beyond spillBytes in a file.
struct Contents {
  std::string memory;
  std::unique_ptr<SpillFile> file;
  FileBytes mapped;
  std::string_view view() const { return file ? mapped.view() : std::string_view(memory); }
};

class ArchiveWalk {
 public:
  ArchiveWalk(const ReadContext& context, const EmitFacts& emit, const ArchiveLimits& limits)
      : context_(context), emit_(emit), limits_(limits), chunk_(chunkBytes, '\0') {}

  void walk(Level level) {
    if (isAr(level.source.bytes))
      walkAr(level);
    else
      walkPacked(level);
  }

 private:
  void walkAr(Level& level);
  void walkPacked(Level& level);
  void readMember(Unpacker& unpacker, Level& level);
  Outcome unpack(Unpacker& unpacker, Level& level, Contents& out);
  Outcome append(std::string_view bytes, Contents& out);
  Outcome discard(Unpacker& unpacker, Level& level);
  bool countBytes(std::uint64_t sizeBytes, Level& level);
  bool countMember(Level& level);
  void stop(std::string reason, Level& level);
  bool isCopy(std::string_view bytes, FileKind kind, FileFacts& facts);
  bool isVariation(FileKind kind, const Level& level, FileFacts& facts) const;
  void give(const std::string& path, FileKind kind, std::string_view bytes, int descriptor, Level& level);

  const ReadContext& context_;
  const EmitFacts& emit_;
  const ArchiveLimits& limits_;
  std::uint64_t members_ = 0;
  std::uint64_t totalBytes_ = 0;
  bool stopped_ = false;       ///< a limit for all levels was hit
  bool levelStopped_ = false;  ///< a limit of the current level was hit
  std::string chunk_;
  std::unordered_map<std::uint64_t, std::string> firstOf_;  ///< by contents: the path that was read
};

void ArchiveWalk::stop(std::string reason, Level& level) {
  if (!stopped_) addNote(level.notes, "not read to the end: " + std::move(reason));
  stopped_ = true;
}

bool ArchiveWalk::countMember(Level& level) {
  if (++members_ <= limits_.members) return true;
  stop("member count limit (" + std::to_string(limits_.members) + ")", level);
  return false;
}

bool ArchiveWalk::countBytes(std::uint64_t sizeBytes, Level& level) {
  totalBytes_ += sizeBytes;
  level.unpackedBytes += sizeBytes;
  if (totalBytes_ > limits_.totalBytes) {
    stop("total size limit (" + std::to_string(limits_.totalBytes) + " bytes unpacked)", level);
    return false;
  }
  if (level.unpackedBytes > limits_.ratioFloorBytes &&
      level.unpackedBytes / std::max<std::uint64_t>(level.packedBytes, 1) >= limits_.ratio) {
    if (!levelStopped_)
      addNote(level.notes, "not read to the end: compression ratio limit (" + std::to_string(limits_.ratio) + " to 1)");
    levelStopped_ = true;
    return false;
  }
  return true;
}

void ArchiveWalk::walkAr(Level& level) {
  for (const ArMember& member : readAr(level.source.bytes, level.notes)) {
    if (stopped_ || !countMember(level)) return;
    const std::string name(member.name.empty() ? std::string_view("(unnamed)") : member.name);
    const FileKind kind = classify(name, member.bytes.substr(0, headBytes));
    give(level.path + '!' + name, kind, member.bytes, -1, level);
  }
}

void ArchiveWalk::walkPacked(Level& level) {
  levelStopped_ = false;
  auto unpacker = std::make_unique<Unpacker>(level.source);
  unsigned reopened = 0;
  std::uint64_t index = 0;
  while (!stopped_ && !levelStopped_) {
    const UnpackStep step = unpacker->next();
    if (step == UnpackStep::Damaged)
      addNote(level.notes, (index == 0 ? "not read: " : "not read to the end: ") + unpacker->error());
    if (step != UnpackStep::Member) return;
    ++index;
    if (!countMember(level)) return;
    readMember(*unpacker, level);
    // libarchive gives a whole zip file up for one bad member. Its directory is sound, so open it anew and go on
    // behind.
    if (!unpacker->isBroken() || !unpacker->skipsForFree() || reopened >= maxReopened) continue;
    ++reopened;
    unpacker = std::make_unique<Unpacker>(level.source);
    for (std::uint64_t i = 0; i < index; ++i)
      if (unpacker->next() != UnpackStep::Member) return;
  }
}

void ArchiveWalk::readMember(Unpacker& unpacker, Level& level) {
  const std::string name = unpacker.name();
  if (!unpacker.isRegularFile()) {
    if (!unpacker.skipsForFree()) discard(unpacker, level);
    return;
  }
  if (unpacker.isEncrypted()) {
    addNote(level.notes, "encrypted member not read: " + name);
    return unpacker.skip();
  }
  Contents contents;
  Outcome outcome = Outcome::Complete;
  std::string head(headBytes, '\0');
  std::size_t have = 0;
  while (have < head.size()) {
    const std::int64_t got = unpacker.read(head.data() + have, head.size() - have);
    if (got < 0) outcome = Outcome::Damaged;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  head.resize(have);
  const FileKind kind = classify(name, head);
  if (outcome == Outcome::Complete && !countBytes(have, level)) return;
  if (isPassedOver(kind) && outcome == Outcome::Complete) {
    FileFacts facts;
    readByKind(context_, kind, Input{level.path + '!' + name, head}, facts);
    facts.how = "listed";  // its contents are not unpacked: no reader looks for anything in them
    facts.bytes = std::max<std::uint64_t>(unpacker.sizeBytes(), have);
    emit_(std::move(facts));
    if (unpacker.skipsForFree()) return unpacker.skip();
    outcome = discard(unpacker, level);
  } else if (outcome == Outcome::Complete) {
    outcome = append(head, contents);
    if (outcome == Outcome::Complete) outcome = unpack(unpacker, level, contents);
    level.consumedBytes = unpacker.consumedBytes();
    if (outcome == Outcome::Complete)
      give(level.path + '!' + name, kind, contents.view(), contents.file ? contents.file->descriptor() : -1, level);
  }
  if (outcome == Outcome::Damaged) addNote(level.notes, "damaged member not read: " + name + ": " + unpacker.error());
  if (outcome == Outcome::NoSpace) addNote(level.notes, "member not read: " + name + ": no room for temporary files");
}

Outcome ArchiveWalk::append(std::string_view bytes, Contents& out) {
  if (!out.file && out.memory.size() + bytes.size() <= limits_.spillBytes) {
    out.memory.append(bytes);
    return Outcome::Complete;
  }
  if (!out.file) {
    out.file = std::make_unique<SpillFile>();
    if (!out.file->append(out.memory)) return Outcome::NoSpace;
    out.memory = std::string();
  }
  return out.file->append(bytes) ? Outcome::Complete : Outcome::NoSpace;
}

Outcome ArchiveWalk::unpack(Unpacker& unpacker, Level& level, Contents& out) {
  std::uint64_t sizeBytes = out.memory.size();
  for (;;) {
    const std::int64_t got = unpacker.read(chunk_.data(), chunk_.size());
    if (got < 0) return Outcome::Damaged;
    if (got == 0) break;
    sizeBytes += static_cast<std::uint64_t>(got);
    if (!countBytes(static_cast<std::uint64_t>(got), level)) return Outcome::LimitHit;
    if (sizeBytes > limits_.memberBytes) {
      addNote(level.notes, "member not read: " + unpacker.name() + ": member size limit (" +
                               std::to_string(limits_.memberBytes) + " bytes)");
      if (unpacker.skipsForFree()) return Outcome::LimitHit;
      return discard(unpacker, level) == Outcome::Damaged ? Outcome::Damaged : Outcome::LimitHit;
    }
    const Outcome outcome = append(std::string_view(chunk_).substr(0, static_cast<std::size_t>(got)), out);
    if (outcome != Outcome::Complete) return outcome;
  }
  if (out.file) {
    auto mapped = out.file->map();
    if (!mapped) return Outcome::NoSpace;
    out.mapped = std::move(*mapped);
  }
  return Outcome::Complete;
}

Outcome ArchiveWalk::discard(Unpacker& unpacker, Level& level) {
  for (;;) {
    const std::int64_t got = unpacker.read(chunk_.data(), chunk_.size());
    if (got < 0) return Outcome::Damaged;
    if (got == 0) return Outcome::Complete;
    if (!countBytes(static_cast<std::uint64_t>(got), level)) return Outcome::LimitHit;
  }
}

/// Whether a member has the bytes of one that was read. It is then named, and read again only in archives that are
/// small when unpacked: thousands of copies are how a small file costs minutes. Members that spill are always read.
bool ArchiveWalk::isCopy(std::string_view bytes, FileKind kind, FileFacts& facts) {
  if (bytes.empty() || bytes.size() > limits_.spillBytes) return false;
  const std::uint64_t key = stableHash(bytes) * 31 + bytes.size() * 64 + static_cast<std::uint64_t>(kind);
  const auto [first, isNew] = firstOf_.try_emplace(key, facts.path);
  if (isNew || totalBytes_ <= limits_.ratioFloorBytes) return false;
  facts.notes.push_back("not read: the same bytes as " + first->second);
  return true;
}

/// Published source archives pack to a tenth of their size or more. Texts beyond that are machine-made copies with
/// small changes, of which a small file can hold gigabytes.
bool ArchiveWalk::isVariation(FileKind kind, const Level& level, FileFacts& facts) const {
  constexpr FileKind binary[] = {FileKind::Elf, FileKind::StaticArchive, FileKind::Archive, FileKind::GpuCode,
                                 FileKind::HostObject};
  if (std::find(std::begin(binary), std::end(binary), kind) != std::end(binary)) return false;
  if (level.unpackedBytes <= limits_.textFloorBytes ||
      level.unpackedBytes / std::max<std::uint64_t>(level.consumedBytes, 1) < limits_.textRatio)
    return false;
  facts.notes.push_back("not read: texts that repeat each other (packed " + std::to_string(limits_.textRatio) +
                        " to 1 or more)");
  return true;
}

void ArchiveWalk::give(const std::string& path, FileKind kind, std::string_view bytes, int descriptor, Level& level) {
  FileFacts facts;
  facts.path = path;
  if (isCopy(bytes, kind, facts) || isVariation(kind, level, facts)) {
    facts.kind = kind;
    facts.how = "listed";
    facts.bytes = bytes.size();
    return emit_(std::move(facts));
  }
  readByKind(context_, kind, Input{path, bytes}, facts);
  facts.path = path;
  facts.kind = kind;
  if (kind == FileKind::Archive || kind == FileKind::StaticArchive) {
    facts.how = "members";
    if (level.depth >= limits_.depth) {
      addNote(facts.notes, "not read: nesting limit (" + std::to_string(limits_.depth) + " levels)");
    } else {
      const bool outerStopped = levelStopped_;
      walk(Level{path, PackedSource{{}, descriptor, bytes}, bytes.size(), level.depth + 1, facts.notes});
      levelStopped_ = outerStopped;
    }
  }
  emit_(std::move(facts));
}

}  // namespace

void readArchive(const ReadContext& context, const std::string& realPath, const Input& input, const EmitFacts& emit,
                 Notes& notes) {
  const ArchiveLimits limits;
  const std::string path(input.path);
  ArchiveWalk(context, emit, limits)
      .walk(Level{path, PackedSource{realPath, -1, input.bytes}, input.bytes.size(), 1, notes});
}

void readArchive(const ReadContext& context, const Input& input, const EmitFacts& emit, Notes& notes,
                 const ArchiveLimits& limits) {
  const std::string path(input.path);
  ArchiveWalk(context, emit, limits).walk(Level{path, PackedSource{{}, -1, input.bytes}, input.bytes.size(), 1, notes});
}

}  // namespace unwarp::scan
