// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ELF and PE files say about CUDA, by the shapes nvcc, clang and wheel repair tools leave behind, and the shapes
// that look like CUDA and are not.
#include <gtest/gtest.h>

#include "archive_writer.h"
#include "binary_fixture.h"
#include "elf_writer.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using namespace std::string_literals;
using tests::ElfSpec;
using tests::fatElf;
using tests::fatPtx;
using tests::noted;
using tests::writeElf;

class ReadElf : public testing::Test {
 protected:
  FileFacts read(std::string_view bytes) const {
    FileFacts facts;
    readElf(ReadContext{*knowledge_}, Input{"sample", bytes}, facts);
    return facts;
  }
  std::string uses(std::string_view bytes) const { return tests::usesOf(*knowledge_, read(bytes)); }

  std::unique_ptr<knowledge::Knowledge> knowledge_ = tests::binaryKnowledge();
};

const std::string runtimeText = "CUDA driver version is insufficient for CUDA runtime version";

ElfSpec staticRuntime() {
  ElfSpec spec;
  spec.needed = {"libstdc++.so.6", "libc.so.6"};
  spec.sections.push_back({".rodata", tests::cStrings({"libcuda.so.1", "Failed to load CUDA driver!", runtimeText})});
  spec.sections.push_back({".nv_fatbin", tests::writeFatBinary({{fatElf, 80}, {fatPtx, 90, tests::fatZstd}})});
  spec.sections.push_back({".nvFatBinSegment", std::string(24, '\0'), 1, 3});
  return spec;
}

TEST_F(ReadElf, FindsTheSharedRuntimeByItsNeededEntry) {
  ElfSpec spec;
  spec.needed = {"libcudart.so.12", "libcublas.so.12", "libc.so.6"};
  spec.sections.push_back({".nv_fatbin", tests::writeFatBinary({{fatElf, 80}, {fatPtx, 80}})});
  EXPECT_EQ(uses(writeElf(spec)), "cublas 12, cudart 12, fatbin sm_80 compute_80");
}

TEST_F(ReadElf, ReadsAllWidthsAndByteOrders) {
  for (const bool is64 : {false, true}) {
    for (const bool bigEndian : {false, true}) {
      ElfSpec spec;
      spec.is64 = is64;
      spec.bigEndian = bigEndian;
      spec.needed = {"libcudart.so.11.0"};
      spec.soname = "libmine.so.1";
      spec.symbols = {{"cuInit", false}};
      EXPECT_EQ(uses(writeElf(spec)), "cudart 11.0, driver") << is64 << bigEndian;
    }
  }
}

TEST_F(ReadElf, MapsHashedNamesOfWheelsToTheLibrary) {
  ElfSpec spec;
  spec.needed = {"libcudart-9335f6a2.so.12.0.107"};
  EXPECT_EQ(uses(writeElf(spec)), "cudart 12.0.107");
}

TEST_F(ReadElf, FindsTheStaticRuntimeInAStrippedProgram) {
  const FileFacts facts = read(writeElf(staticRuntime()));
  EXPECT_EQ(tests::usesOf(*knowledge_, facts), "cudart-static, driver 1, fatbin sm_80 compute_90");
  EXPECT_TRUE(noted(facts.notes, "sm_80 compute_90 (2 images, 1 compressed, 1 containers)"));
}

TEST_F(ReadElf, FindsTheStaticRuntimeByItsSymbols) {
  ElfSpec spec;
  spec.symbols = {{"__cudaRegisterFatBinary", true}, {"main", true}};
  EXPECT_EQ(uses(writeElf(spec)), "cudart-static");
}

TEST_F(ReadElf, ReadsOnWithoutSectionHeaders) {
  ElfSpec spec = staticRuntime();
  spec.needed.push_back("libcublas.so.12");
  spec.sectionHeaders = false;
  EXPECT_EQ(uses(writeElf(spec)), "cublas 12, cudart-static, driver 1, fatbin sm_80 compute_90");
}

TEST_F(ReadElf, ListsRelocatableCodeOnlyWhenNothingIsLinked) {
  ElfSpec object;
  object.type = 1;
  object.sections.push_back({"__nv_relfatbin", tests::writeFatBinary({{fatElf, 80}, {fatPtx, 80}})});
  object.symbols = {{"__cudaRegisterLinkedBinary_1234", false}};
  EXPECT_EQ(uses(writeElf(object)), "cudart, fatbin sm_80 compute_80");
  object.sections.push_back({".nv_fatbin", tests::writeFatBinary({{fatElf, 80}})});
  const FileFacts linked = read(writeElf(object));
  EXPECT_EQ(tests::usesOf(*knowledge_, linked), "cudart, fatbin sm_80");
  EXPECT_TRUE(noted(linked.notes, "-rdc"));
}

TEST_F(ReadElf, KnowsHostObjectsByTheirUndefinedSymbols) {
  ElfSpec spec;
  spec.type = 1;
  spec.symbols = {{"cudaMalloc", false}, {"cuInit_v2", false}, {"cudaOfMyOwn", false}, {"cuPrintf", false}};
  EXPECT_EQ(uses(writeElf(spec)), "cudart, driver");
}

TEST_F(ReadElf, LetsDefinitionsOfTheSameNamesBe) {
  ElfSpec spec;
  spec.symbols = {{"cudaMalloc", true}, {"cuInit", true}};
  EXPECT_EQ(uses(writeElf(spec)), "");
}

TEST_F(ReadElf, FindsLibrariesNamedForDlopen) {
  ElfSpec spec;
  spec.sections.push_back({".rodata.str1.1", tests::cStrings({"libcuda.so.1", "/usr/lib/libnvidia-ml.so.1"})});
  EXPECT_EQ(uses(writeElf(spec)), "driver 1, nvml 1");
}

TEST_F(ReadElf, RecognisesACopyOfALibraryByItsSoname) {
  ElfSpec spec;
  spec.soname = "libcudart.so.12";
  spec.runPath = "$ORIGIN:/usr/local/cuda-12.4/lib64";
  spec.sections.push_back({".rodata", tests::cStrings({"libcuda.so.1", runtimeText})});
  const FileFacts facts = read(writeElf(spec));
  EXPECT_EQ(tests::usesOf(*knowledge_, facts), "cudart 12, driver 1");
  EXPECT_TRUE(noted(facts.notes, "is a copy of libcudart.so.12"));
  EXPECT_TRUE(noted(facts.notes, "/usr/local/cuda-12.4/lib64"));
}

TEST_F(ReadElf, TakesNoWordForASite) {
  ElfSpec spec;
  spec.needed = {"libc.so.6"};
  spec.sections.push_back(
      {".rodata", tests::cStrings({"cuda", "Install CUDA; libcuda.so.1 must be found", "cudaMalloc failed"})});
  spec.sections.push_back({".comment", tests::cStrings({"libcuda.so.1"}), 1, 0});
  spec.sections.push_back({".text", tests::cStrings({"libcuda.so.1"}), 1, 6});
  spec.symbols = {{"cuda_is_a_word", false}};
  const FileFacts facts = read(writeElf(spec));
  EXPECT_EQ(tests::usesOf(*knowledge_, facts), "");
  EXPECT_TRUE(facts.notes.empty());
}

TEST_F(ReadElf, TakesNoUnterminatedStringForASite) {
  ElfSpec spec;  // Go and Rust put their strings end to end
  spec.sections.push_back({".rodata", "errorlibcuda.so.1libcudart.so unknownlibcuda.so"});
  EXPECT_EQ(uses(writeElf(spec)), "");
}

TEST_F(ReadElf, NotesTheAmdSideWithoutCountingIt) {
  ElfSpec spec;
  spec.needed = {"libamdhip64.so.6"};
  tests::ByteWriter bundle;
  const std::string id = "hipv4-amdgcn-amd-amdhsa--gfx942";
  bundle.text("__CLANG_OFFLOAD_BUNDLE__").u64(1).u64(4096).u64(0).u64(id.size()).text(id);
  spec.sections.push_back({".hip_fatbin", bundle.take()});
  spec.symbols = {{"__hipRegisterFatBinary", false}};
  const FileFacts facts = read(writeElf(spec));
  EXPECT_TRUE(facts.dependencies.empty());
  EXPECT_TRUE(noted(facts.notes, "gfx942"));
  EXPECT_TRUE(noted(facts.notes, "libamdhip64.so"));

  ElfSpec object;
  object.machine = 224;
  EXPECT_TRUE(noted(read(writeElf(object)).notes, "AMD GPU code object"));
}

TEST_F(ReadElf, ReadsTargetsOfBundledObjects) {
  ElfSpec spec;
  spec.type = 1;
  spec.sections.push_back({"__CLANG_OFFLOAD_BUNDLE__cuda-nvptx64-nvidia-cuda--sm_80", "x", 1, 0});
  spec.sections.push_back({"__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx90a", "x", 1, 0});
  const FileFacts facts = read(writeElf(spec));
  EXPECT_EQ(tests::usesOf(*knowledge_, facts), "fatbin sm_80");
  EXPECT_TRUE(noted(facts.notes, "gfx90a"));
}

TEST_F(ReadElf, NotesASectionItDoesNotUnderstand) {
  ElfSpec spec;
  spec.sections.push_back({".nv_fatbin", "a format of the future"});
  const FileFacts facts = read(writeElf(spec));
  EXPECT_EQ(tests::usesOf(*knowledge_, facts), "fatbin");
  EXPECT_TRUE(noted(facts.notes, "no GPU code container recognised"));
}

TEST_F(ReadElf, SurvivesEveryTruncation) {
  ElfSpec spec = staticRuntime();
  spec.symbols = {{"cudaMalloc", false}};
  const std::string whole = writeElf(spec);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string part = whole.substr(0, length);
    const FileFacts facts = read(part);
    EXPECT_FALSE(facts.notes.empty()) << length;
  }
}

TEST_F(ReadElf, SurvivesEveryByteSetToOnes) {
  const std::string whole = writeElf(staticRuntime());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = '\xff';
    read(damaged);
  }
}

TEST_F(ReadElf, StaysLinearWhenAllSectionsCoverTheWholeFile) {
  tests::ByteWriter out;
  const std::size_t count = 20000;
  out.text("\x7f").text("ELF").u8(2).u8(1).u8(1).zeros(9).u16(3).u16(62).u32(1).u64(0).u64(0).u64(128).u32(0);
  out.u16(64).u16(56).u16(0).u16(64).u16(count).u16(1).text("\0.nv_fatbin\0.rodata\0"s).zeros(44);
  out.zeros(64).u32(0).u32(3).u64(0).u64(0).u64(64).u64(64).zeros(24);
  for (std::size_t i = 2; i < count; ++i)
    out.u32(i % 2 != 0 ? 1 : 12).u32(1).u64(2).u64(0).u64(0).u64(128 + count * 64).zeros(24);
  EXPECT_EQ(uses(out.take()), "fatbin");
}

TEST_F(ReadElf, ReadsImportsAndGpuCodeOfPe) {
  const std::string bytes =
      tests::writePe({"KERNEL32.dll", "cudart64_12.dll", "nvcuda.dll"}, tests::writeFatBinary({{fatElf, 86}}));
  EXPECT_EQ(uses(bytes), "cudart 12, driver, fatbin sm_86");
  for (std::size_t length = 2; length < bytes.size(); ++length) read(std::string_view(bytes).substr(0, length));
}

TEST_F(ReadElf, SaysWhatItDoesNotRead) {
  EXPECT_TRUE(noted(read("\xcf\xfa\xed\xfe rest"s).notes, "Mach-O"));
  EXPECT_TRUE(noted(read("MZ").notes, "PE"));
  EXPECT_TRUE(noted(read("").notes, "no ELF header"));
}

TEST_F(ReadElf, ReadsGpuCodeFilesByTheirBytes) {
  const auto gpu = [&](std::string_view bytes) {
    FileFacts facts;
    readGpuCode(ReadContext{*knowledge_}, Input{"sample", bytes}, facts);
    return facts;
  };
  const auto gpuUses = [&](std::string_view bytes) { return tests::usesOf(*knowledge_, gpu(bytes)); };
  EXPECT_EQ(gpuUses(tests::writeCubin(90, true, true)), "cubin sm_90a");
  EXPECT_EQ(uses(tests::writeCubin(70, false, false)), "cubin sm_70");
  EXPECT_EQ(gpuUses(tests::writeFatBinary({{fatElf, 80}, {fatPtx, 80}})), "fatbin sm_80 compute_80");
  const std::string_view ptx =
      "//\n// made by hand\n/* two\nlines */\n.version 8.3\n.target sm_90a, debug\n.address_size 64\n";
  EXPECT_EQ(gpuUses(ptx), "ptx compute_90a");
  EXPECT_TRUE(noted(gpu(ptx).notes, "PTX 8.3, 64-bit addresses"));
}

TEST_F(ReadElf, TakesOtherFilesCalledPtxForNothing) {
  FileFacts facts;
  readGpuCode(ReadContext{*knowledge_}, Input{"scan.ptx", "1024\n768\n0.0 0.0 0.0\n1.0 0.0 0.0\n"}, facts);
  EXPECT_TRUE(facts.dependencies.empty());
  EXPECT_TRUE(noted(facts.notes, "no PTX module"));
  FileFacts photo;
  readGpuCode(ReadContext{*knowledge_}, Input{"photo.ptx", "IIPTX\0\1\2"s}, photo);
  EXPECT_TRUE(photo.dependencies.empty());
  EXPECT_FALSE(photo.notes.empty());
}

TEST_F(ReadElf, FindsGpuCodeInsideDataOfNoKnownFormat) {
  FileFacts facts;
  std::string data = "pickle\x50\xed\x55\xba not yet " + tests::writeFatBinary({{fatElf, 90}}) + std::string(9, 'x');
  readBytes(ReadContext{*knowledge_}, Input{"cache.bin", data}, facts);
  EXPECT_EQ(tests::usesOf(*knowledge_, facts), "fatbin sm_90");
  FileFacts none;
  readBytes(ReadContext{*knowledge_}, Input{"cache.bin", "plain \x50\xed\x55\xba"}, none);
  EXPECT_TRUE(none.dependencies.empty());
}

}  // namespace
}  // namespace unwarp::scan
