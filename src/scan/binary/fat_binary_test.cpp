// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers of GPU code, as written by the tools and as no tool writes them.
#include "scan/binary/fat_binary.h"

#include <gtest/gtest.h>

#include "binary_fixture.h"
#include "elf_writer.h"

namespace unwarp::scan {
namespace {

using namespace std::string_literals;
using tests::ByteWriter;
using tests::FatEntry;
using tests::noted;

std::string architectures(std::string_view bytes) {
  return listArchitectures(readFatBinary(bytes).images);
}

TEST(FatBinary, ListsSassBeforePtxByNumber) {
  const std::string bytes = tests::writeFatBinary({{tests::fatPtx, 90}, {tests::fatElf, 100}, {tests::fatElf, 80}});
  EXPECT_EQ(architectures(bytes), "sm_80 sm_100 compute_90");
}

TEST(FatBinary, TellsArchitectureOnlyAndFamilyVariants) {
  const std::string bytes = tests::writeFatBinary({{tests::fatElf, 90, tests::fatArchitectureOnly},
                                                   {tests::fatElf, 100, tests::fatFamily},
                                                   {tests::fatPtx, 120, tests::fatArchitectureOnly},
                                                   {tests::fatElf, 90}});
  EXPECT_EQ(architectures(bytes), "sm_90 sm_90a sm_100f compute_120a");
}

TEST(FatBinary, ListsCompressedEntriesWithoutDecompressing) {
  const FatBinary code = readFatBinary(tests::writeFatBinary(
      {{tests::fatElf, 80, tests::fatZstd, "not zstd at all"}, {tests::fatPtx, 80, tests::fatLz4, "nor LZ4"}}));
  EXPECT_EQ(listArchitectures(code.images), "sm_80 compute_80");
  EXPECT_TRUE(code.images.at(0).compressed);
  EXPECT_TRUE(code.problems.empty());
}

TEST(FatBinary, ListsEntriesOfACombinedBlock) {
  for (const std::string_view options :
       {std::string_view(""), std::string_view("--compile-only  "), std::string_view("-lineinfo")}) {
    const FatBinary code = readFatBinary(
        tests::writeConcatenatedFatBinary({{tests::fatPtx, 80}, {tests::fatPtx, 90}, {tests::fatElf, 86}}, options));
    EXPECT_EQ(listArchitectures(code.images), "sm_86 compute_80 compute_90") << options;
    EXPECT_TRUE(code.problems.empty()) << options;
  }
}

TEST(FatBinary, FindsSeveralContainersWithPaddingBetween) {
  const std::string bytes = "\0\0\0\0\0\0\0\0"s + tests::writeFatBinary({{tests::fatElf, 75}}) + std::string(24, '\0') +
                            tests::writeFatBinary({{tests::fatLtoIr, 80}});
  const FatBinary code = readFatBinary(bytes);
  EXPECT_EQ(code.containers, 2u);
  EXPECT_EQ(listArchitectures(code.images), "sm_75 lto_80");
}

TEST(FatBinary, SurvivesEveryTruncation) {
  const std::string whole = tests::writeFatBinary({{tests::fatElf, 80}, {tests::fatPtx, 90}}) +
                            tests::writeConcatenatedFatBinary({{tests::fatElf, 100}}, "-lineinfo");
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string part = whole.substr(0, length);
    const FatBinary code = readFatBinary(part);
    EXPECT_LE(code.images.size(), 3u);
    EXPECT_TRUE(length < 17 || length == whole.size() || code.images.size() == 2 || !code.problems.empty()) << length;
  }
}

TEST(FatBinary, NotesLyingSizes) {
  EXPECT_TRUE(noted(readFatBinary(tests::writeFatBinary({{}}, ~0ull)).problems, "cut off"));
  std::string entry = tests::writeFatBinary({{}, {}});
  entry[16 + 15] = '\xff';  // top byte of the first payload size
  EXPECT_TRUE(noted(readFatBinary(entry).problems, "cut off"));
  std::string header = tests::writeFatBinary({{}, {}});
  header[16 + 4] = 3;
  EXPECT_TRUE(noted(readFatBinary(header).problems, "damaged"));
}

TEST(FatBinary, NamesUnknownKinds) {
  const FatBinary code = readFatBinary(tests::writeFatBinary({{77, 80}, {tests::fatElf, 80}}));
  EXPECT_EQ(listArchitectures(code.images), "sm_80");
  EXPECT_TRUE(noted(code.problems, "unknown kind 77"));
}

TEST(FatBinary, IgnoresTheMagicWordAlone) {
  EXPECT_EQ(readFatBinary("\x50\xed\x55\xba\x50\xed\x55\xba and text"s).containers, 0u);
  EXPECT_EQ(readFatBinary(std::string(100000, '\x50')).containers, 0u);
}

TEST(Cubin, ReadsTheArchitectureInBothAbis) {
  for (const bool newAbi : {false, true}) {
    for (const bool only : {false, true}) {
      const std::string bytes = tests::writeCubin(90, only, newAbi);
      const auto image = ElfImage::parse(bytes);
      ASSERT_TRUE(image);
      EXPECT_EQ(cubinImage(*image).architecture(), only ? "sm_90a" : "sm_90") << newAbi;
    }
  }
}

std::string offloadBundle(const std::vector<std::string>& ids) {
  ByteWriter out;
  out.text("__CLANG_OFFLOAD_BUNDLE__").u64(ids.size());
  for (const std::string& id : ids) out.u64(4096).u64(0).u64(id.size()).text(id);
  return out.take();
}

TEST(OffloadBundle, ListsTargetsOfBothVendors) {
  const OffloadTargets targets =
      readOffloadBundle(offloadBundle({"host-x86_64-unknown-linux-gnu--", "hipv4-amdgcn-amd-amdhsa--gfx942",
                                       "hipv4-amdgcn-amd-amdhsa--gfx90a", "cuda-nvptx64-nvidia-cuda--sm_80"}));
  EXPECT_EQ(targets.amd, (std::vector<std::string>{"gfx90a", "gfx942"}));
  EXPECT_EQ(targets.nvidia, std::vector<std::string>{"sm_80"});
}

TEST(OffloadBundle, NotesTheCompressedForm) {
  EXPECT_TRUE(noted(readOffloadBundle("CCOB\2\0\1\0"s).problems, "compressed"));
}

TEST(OffloadBundle, SurvivesTruncationAndHugeCounts) {
  std::string bytes = offloadBundle({"hip-amdgcn-amd-amdhsa--gfx90a"});
  bytes[31] = '\x7f';  // top byte of the count
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    const std::string part = bytes.substr(0, length);
    EXPECT_LE(readOffloadBundle(part).amd.size(), 1u);
  }
}

/// One OffloadBinary record with the two strings that matter.
std::string llvmOffloading(std::string_view triple, std::string_view arch) {
  const std::string strings = "triple\0arch\0"s + std::string(triple) + '\0' + std::string(arch) + '\0';
  const std::uint64_t stringsAt = 32 + 40 + 32;
  ByteWriter out;
  out.u32(0xad10ff10).u32(1).u64(stringsAt + strings.size()).u64(32).u64(40);
  out.u16(2).u16(2).u32(0).u64(72).u64(2).u64(0).u64(0);
  out.u64(stringsAt).u64(stringsAt + 12).u64(stringsAt + 7).u64(stringsAt + 13 + triple.size()).text(strings);
  return out.take();
}

TEST(LlvmOffloading, ListsTargetsOfAllRecords) {
  const OffloadTargets targets = readLlvmOffloading(llvmOffloading("nvptx64-nvidia-cuda", "sm_80") +
                                                    llvmOffloading("nvptx64-nvidia-cuda", "sm_90") +
                                                    llvmOffloading("amdgcn-amd-amdhsa", "gfx90a"));
  EXPECT_EQ(targets.nvidia, (std::vector<std::string>{"sm_80", "sm_90"}));
  EXPECT_EQ(targets.amd, std::vector<std::string>{"gfx90a"});
}

TEST(LlvmOffloading, SurvivesTruncation) {
  const std::string whole = llvmOffloading("nvptx64-nvidia-cuda", "sm_80");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string part = whole.substr(0, length);
    EXPECT_LE(readLlvmOffloading(part).nvidia.size(), 1u);
  }
}

}  // namespace
}  // namespace unwarp::scan
