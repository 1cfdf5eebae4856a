// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Archives of every kind that is read, archives in archives, and archives made to do harm.
#include "scan/binary/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include "archive_writer.h"
#include "binary_fixture.h"
#include "elf_writer.h"
#include "scan/binary/ar.h"

namespace unwarp::scan {
namespace {

using namespace std::string_literals;
using tests::Members;
using tests::noted;

std::string cudaLibrary(const std::string& needed = "libcudart.so.12") {
  tests::ElfSpec spec;
  spec.needed = {needed};
  return tests::writeElf(spec);
}

/// `tar` behind one of libarchive's compressors.
std::string compressedTar(const Members& members, int filter) {
  std::string out(4 << 20, '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_ustar(writer);
  archive_write_add_filter(writer, filter);
  archive_write_open_memory(writer, out.data(), out.size(), &used);
  for (const auto& [name, bytes] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_write_header(writer, entry);
    archive_write_data(writer, bytes.data(), bytes.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  out.resize(used);
  return out;
}

class ReadArchive : public testing::Test {
 protected:
  struct Outcome {
    std::vector<std::string> lines;  ///< "path: uses"
    std::vector<std::string> notes;
    std::vector<FileFacts> facts;
    bool has(std::string_view line) const { return std::find(lines.begin(), lines.end(), line) != lines.end(); }
    bool notedAnywhere(std::string_view text) const {
      return noted(notes, text) ||
             std::any_of(facts.begin(), facts.end(), [&](const FileFacts& file) { return noted(file.notes, text); });
    }
  };

  Outcome read(const std::string& path, std::string_view bytes, const ArchiveLimits& limits = {}) const {
    Outcome out;
    const auto emit = [&](FileFacts&& facts) {
      out.lines.push_back(facts.path + ": " + tests::usesOf(*knowledge_, facts));
      out.facts.push_back(std::move(facts));
    };
    readArchive(ReadContext{*knowledge_}, Input{path, bytes}, emit, out.notes, limits);
    return out;
  }

  std::unique_ptr<knowledge::Knowledge> knowledge_ = tests::binaryKnowledge();
};

TEST_F(ReadArchive, ReadsMembersOfAWheel) {
  const Outcome out =
      read("pkg.whl", tests::writeZip(Members{{"pkg/a.so", cudaLibrary()},
                                              {"pkg.libs/libcudart-9335f6a2.so.12.0.107", cudaLibrary("libc.so.6")},
                                              {"pkg/b.so", cudaLibrary("libcublas.so.12")}}));
  ASSERT_EQ(out.lines.size(), 3u);
  EXPECT_EQ(out.lines[0], "pkg.whl!pkg/a.so: cudart 12");
  EXPECT_EQ(out.lines[2], "pkg.whl!pkg/b.so: cublas 12");
  EXPECT_TRUE(out.notes.empty());
}

TEST_F(ReadArchive, ReadsMetadataOfPackages) {
  const std::string metadata = "Metadata-Version: 2.1\nRequires-Dist: cupy-cuda12x (>=12)\n\ncupy-cuda12x\n";
  EXPECT_TRUE(read("x.whl", tests::writeZip(Members{{"x-1.dist-info/METADATA", metadata}}))
                  .has("x.whl!x-1.dist-info/METADATA: cupy >=12"));
  const Outcome source = read("x-1.tar", tests::writeTar({{"x-1/PKG-INFO", metadata},
                                                          {"x-1/x.egg-info/requires.txt", "cupy-cuda12x\n"},
                                                          {"x-1/METADATA", metadata}}));
  EXPECT_TRUE(source.has("x-1.tar!x-1/PKG-INFO: cupy >=12"));
  EXPECT_TRUE(source.has("x-1.tar!x-1/x.egg-info/requires.txt: cupy"));
  EXPECT_TRUE(source.has("x-1.tar!x-1/METADATA: "));
}

TEST_F(ReadArchive, ReadsTarInEveryCompression) {
  const Members members{{"lib/a.so", cudaLibrary()}, {"lib/empty.so", ""}};
  EXPECT_TRUE(read("x.tar", tests::writeTar(members)).has("x.tar!lib/a.so: cudart 12"));
  for (const int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_ZSTD}) {
    const Outcome out = read("x.tgz", compressedTar(members, filter));
    EXPECT_TRUE(out.has("x.tgz!lib/a.so: cudart 12")) << filter;
    EXPECT_TRUE(out.notes.empty()) << filter;
  }
}

TEST_F(ReadArchive, EntersDebianAndCondaPackages) {
  const std::string data = compressedTar({{"./usr/lib/a.so", cudaLibrary()}}, ARCHIVE_FILTER_XZ);
  const std::string deb = tests::writeAr({{"debian-binary", "2.0\n"}, {"data.tar.xz", data}});
  EXPECT_TRUE(read("p.deb", deb).has("p.deb!data.tar.xz!./usr/lib/a.so: cudart 12"));
  const std::string conda =
      tests::writeZip(Members{{"pkg-1.tar.zst", compressedTar({{"lib/a.so", cudaLibrary()}}, ARCHIVE_FILTER_ZSTD)}});
  EXPECT_TRUE(read("p.conda", conda).has("p.conda!pkg-1.tar.zst!lib/a.so: cudart 12"));
}

TEST_F(ReadArchive, ReadsObjectsOfStaticLibraries) {
  tests::ElfSpec object;
  object.type = 1;
  object.symbols = {{"cudaMalloc", false}};
  const std::string bytes = tests::writeAr(
      {{"short.o", tests::writeElf(object)}, {"a_name_longer_than_sixteen_bytes.cu.o", tests::writeElf(object)}});
  const Outcome out = read("lib.a", bytes);
  EXPECT_TRUE(out.has("lib.a!short.o: cudart"));
  EXPECT_TRUE(out.has("lib.a!a_name_longer_than_sixteen_bytes.cu.o: cudart"));
}

TEST_F(ReadArchive, DoesNotFollowThinArchives) {
  const Outcome out = read("lib.a", "!<thin>\n/etc/passwd/    0           0     0     644     10        `\n"s);
  EXPECT_TRUE(out.lines.empty());
  EXPECT_TRUE(noted(out.notes, "thin archive"));
}

TEST_F(ReadArchive, KeepsTheOrderOfTheArchive) {
  Members members;
  for (const char* name : {"z.so", "a.so", "m.so"}) members.emplace_back(name, cudaLibrary());
  const Outcome first = read("x.zip", tests::writeZip(members));
  EXPECT_EQ(first.lines, read("x.zip", tests::writeZip(members)).lines);
  EXPECT_EQ(first.lines.front(), "x.zip!z.so: cudart 12");
}

TEST_F(ReadArchive, StopsAtTheNestingLimit) {
  std::string bytes = tests::writeZip(Members{{"a.so", cudaLibrary()}});
  for (const char* name : {"3.zip", "2.zip", "1.zip"}) bytes = tests::writeZip(Members{{name, bytes}});
  const Outcome out = read("x.zip", bytes);
  EXPECT_EQ(out.lines.back(), "x.zip!1.zip: ");
  EXPECT_FALSE(out.has("x.zip!1.zip!2.zip!3.zip!a.so: cudart 12"));
  EXPECT_TRUE(out.notedAnywhere("nesting limit (3 levels)"));
  ArchiveLimits deeper;
  deeper.depth = 4;
  EXPECT_TRUE(read("x.zip", bytes, deeper).has("x.zip!1.zip!2.zip!3.zip!a.so: cudart 12"));
}

std::string bomb(std::size_t runs, const std::string& name) {
  const std::uint64_t sizeBytes = 1 + 258 * runs;
  const std::uint32_t crc = tests::crc32(std::string(sizeBytes, '\0'));
  return tests::writeZip(
      {{"a.so", cudaLibrary()}, {name, tests::deflateZeros(runs), false, sizeBytes, crc}, {"b.so", cudaLibrary()}});
}

TEST_F(ReadArchive, StopsAtTheRatioLimit) {
  ArchiveLimits limits;
  limits.ratio = 100;
  limits.ratioFloorBytes = 1 << 20;
  const Outcome out = read("bomb.zip", bomb(20000, "zeros.json"), limits);
  EXPECT_TRUE(out.has("bomb.zip!a.so: cudart 12"));
  EXPECT_TRUE(noted(out.notes, "compression ratio limit (100 to 1)"));
  EXPECT_FALSE(out.has("bomb.zip!b.so: cudart 12"));
}

TEST_F(ReadArchive, StopsAtTheTotalLimitInNestedArchivesToo) {
  ArchiveLimits limits;
  limits.totalBytes = 1 << 20;
  const std::string inner = bomb(20000, "zeros.json");
  const Outcome out = read("x.zip", tests::writeZip(Members{{"1.zip", inner}, {"b.so", cudaLibrary()}}), limits);
  EXPECT_TRUE(out.notedAnywhere("total size limit (1048576 bytes unpacked)"));
  EXPECT_FALSE(out.has("x.zip!b.so: cudart 12"));
}

TEST_F(ReadArchive, PassesOverMembersAboveTheMemberLimit) {
  ArchiveLimits limits;
  limits.memberBytes = 1 << 20;
  const Outcome out = read("x.zip", bomb(20000, "zeros.json"), limits);
  EXPECT_TRUE(noted(out.notes, "zeros.json: member size limit (1048576 bytes)"));
  EXPECT_TRUE(out.has("x.zip!b.so: cudart 12"));
}

TEST_F(ReadArchive, StopsAtTheMemberCountLimit) {
  ArchiveLimits limits;
  limits.members = 2;
  const Members members{{"a.so", ""}, {"b.so", ""}, {"c.so", ""}};
  for (const std::string& bytes : {tests::writeZip(members), tests::writeTar(members), tests::writeAr(members)}) {
    const Outcome out = read("x", bytes, limits);
    EXPECT_EQ(out.lines.size(), 2u);
    EXPECT_TRUE(noted(out.notes, "member count limit (2)"));
  }
}

TEST_F(ReadArchive, NamesCopiesInsteadOfReadingThemOnceMuchWasUnpacked) {
  const std::string library = cudaLibrary();
  const Members members{
      {"a.so", library}, {"b.so", library}, {"c.so", cudaLibrary("libcublas.so.12")}, {"d.so", library}};
  EXPECT_TRUE(read("x.zip", tests::writeZip(members)).has("x.zip!d.so: cudart 12"));
  ArchiveLimits limits;
  limits.ratioFloorBytes = library.size() * 3;
  const Outcome out = read("x.zip", tests::writeZip(members), limits);
  EXPECT_TRUE(out.has("x.zip!b.so: cudart 12"));
  EXPECT_TRUE(out.has("x.zip!c.so: cublas 12"));
  EXPECT_TRUE(out.has("x.zip!d.so: "));
  EXPECT_TRUE(out.notedAnywhere("not read: the same bytes as x.zip!a.so"));
}

TEST_F(ReadArchive, NamesTextsThatRepeatEachOtherOnceMuchWasUnpacked) {
  std::string filler;
  for (int i = 0; i < 4000; ++i) filler += "# none\n";
  Members members;
  for (char c : std::string_view("abcdef"))
    members.push_back({std::string{c} + "/requirements.txt", filler + "cupy-cuda12x\n#" + c});
  members.push_back({"g.so", cudaLibrary()});
  ArchiveLimits limits;
  limits.textFloorBytes = filler.size() * 3;
  const std::string packed = compressedTar(members, ARCHIVE_FILTER_GZIP);
  const Outcome out = read("x.tgz", packed, limits);
  EXPECT_TRUE(out.has("x.tgz!b/requirements.txt: cupy"));
  EXPECT_TRUE(out.has("x.tgz!f/requirements.txt: "));
  EXPECT_TRUE(out.has("x.tgz!g.so: cudart 12"));
  EXPECT_TRUE(out.notedAnywhere("not read: texts that repeat each other (packed 40 to 1 or more)"));
  EXPECT_TRUE(read("x.tgz", packed).has("x.tgz!f/requirements.txt: cupy"));
}

TEST_F(ReadArchive, SpillsLargeMembersAndReadsThemTheSame) {
  ArchiveLimits limits;
  limits.spillBytes = 100;
  const std::string inner = tests::writeZip(Members{{"a.so", cudaLibrary()}});
  const Outcome out = read("x.zip", tests::writeZip(Members{{"1.zip", inner}, {"b.so", cudaLibrary()}}), limits);
  EXPECT_TRUE(out.has("x.zip!1.zip!a.so: cudart 12"));
  EXPECT_TRUE(out.has("x.zip!b.so: cudart 12"));
}

TEST_F(ReadArchive, NotesEncryptedMembersAndGoesOn) {
  const Outcome out = read("x.zip", tests::writeZip({{"secret.so", cudaLibrary(), true}, {"b.so", cudaLibrary()}}));
  EXPECT_TRUE(noted(out.notes, "encrypted member not read: secret.so"));
  EXPECT_TRUE(out.has("x.zip!b.so: cudart 12"));
}

TEST_F(ReadArchive, NotesDamagedMembersAndGoesOn) {
  const Outcome out =
      read("x.zip", tests::writeZip({{"bad.so", std::string(40, '\xff'), false, 1000, 1}, {"b.so", cudaLibrary()}}));
  EXPECT_TRUE(noted(out.notes, "damaged member not read: bad.so"));
  EXPECT_TRUE(out.has("x.zip!b.so: cudart 12"));
}

TEST_F(ReadArchive, ShowsHostileNamesAsTheyAre) {
  const Outcome out = read("x.tar", tests::writeTar({{"../../etc/a.so", cudaLibrary()}, {"/abs/b.so", cudaLibrary()}}));
  EXPECT_TRUE(out.has("x.tar!../../etc/a.so: cudart 12"));
  EXPECT_TRUE(out.has("x.tar!/abs/b.so: cudart 12"));
}

TEST_F(ReadArchive, NotesWhatIsNoArchive) {
  EXPECT_TRUE(noted(read("x.zip", "not a zip file").notes, "not read"));
  EXPECT_TRUE(noted(read("x.zip", "").notes, "") || read("x.zip", "").lines.empty());
}

TEST_F(ReadArchive, SurvivesEveryTruncation) {
  const Members members{{"a.so", "abc"}, {"b/longer_than_sixteen_bytes.o", "defg"}};
  for (const std::string& whole : {tests::writeZip(members), tests::writeTar(members), tests::writeAr(members)})
    for (std::size_t length = 0; length < whole.size(); length += 3)
      read("x", std::string_view(whole).substr(0, length));
}

TEST(Ar, ReadsBsdNamesAndSkipsSymbolTables) {
  const std::string bytes =
      "!<arch>\n"
      "__.SYMDEF       0           0     0     644     4         `\nsyms"
      "#1/8            0           0     0     644     12        `\nname.o\0\0data"s;
  std::vector<std::string> problems;
  const auto members = readAr(bytes, problems);
  ASSERT_EQ(members.size(), 1u);
  EXPECT_EQ(members[0].name, "name.o");
  EXPECT_EQ(members[0].bytes, "data");
  EXPECT_TRUE(problems.empty());
}

TEST(Ar, NotesLyingSizes) {
  std::vector<std::string> problems;
  const std::string big = "!<arch>\na.o/            0           0     0     644     999999999 `\nshort"s;
  ASSERT_EQ(readAr(big, problems).size(), 1u);
  EXPECT_TRUE(noted(problems, "cut off"));
  problems.clear();
  EXPECT_TRUE(readAr("!<arch>\na.o/            0           0     0     644     -5        `\nshort"s, problems).empty());
  EXPECT_TRUE(noted(problems, "no number"));
}

}  // namespace
}  // namespace unwarp::scan
