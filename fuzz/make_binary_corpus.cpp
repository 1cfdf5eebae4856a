// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the seeds under fuzz/corpus/elf and fuzz/corpus/archive: `make_binary_corpus fuzz/corpus`. All bytes come from
// the writers of tests/; running it again gives the same files.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "archive_writer.h"
#include "elf_writer.h"

namespace {

namespace t = unwarp::tests;

class Corpus {
 public:
  explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
  }
  void add(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path folder_;
};

const std::string twoArchitectures = t::writeFatBinary(
    {{t::fatElf, 80}, {t::fatElf, 90, t::fatArchitectureOnly | t::fatZstd}, {t::fatPtx, 90, t::fatZstd}});

t::ElfSpec sharedRuntime(bool is64, bool bigEndian) {
  t::ElfSpec spec;
  spec.is64 = is64;
  spec.bigEndian = bigEndian;
  spec.needed = {"libcudart-9335f6a2.so.12.0.107", "libcublas.so.12"};
  spec.soname = "libmine.so.1";
  spec.runPath = "$ORIGIN/../nvidia/cuda_runtime/lib";
  spec.sections.push_back({".nv_fatbin", twoArchitectures});
  spec.symbols = {{"cudaMalloc", false}, {"__cudaRegisterFatBinary", false}, {"main", true}};
  return spec;
}

t::ElfSpec staticRuntime() {
  t::ElfSpec spec;
  spec.sections.push_back(
      {".rodata", t::cStrings({"libcuda.so.1", "CUDA driver version is insufficient for CUDA runtime version"})});
  spec.sections.push_back({".nv_fatbin", twoArchitectures});
  spec.sections.push_back({".nvFatBinSegment", std::string(24, '\0'), 1, 3});
  return spec;
}

void writeElfSeeds(const Corpus& corpus) {
  corpus.add("shared64le", t::writeElf(sharedRuntime(true, false)));
  corpus.add("shared64be", t::writeElf(sharedRuntime(true, true)));
  corpus.add("shared32le", t::writeElf(sharedRuntime(false, false)));
  corpus.add("static", t::writeElf(staticRuntime()));
  t::ElfSpec headless = staticRuntime();
  headless.sectionHeaders = false;
  corpus.add("no-section-headers", t::writeElf(headless));
  t::ElfSpec object;
  object.type = 1;
  object.sections.push_back({"__nv_relfatbin", twoArchitectures});
  object.sections.push_back({"__nv_module_id", "__NV_MODULE_ID"});
  object.symbols = {{"__cudaRegisterLinkedBinary_1", false}};
  corpus.add("relocatable", t::writeElf(object));
  corpus.add("cubin-old", t::writeCubin(70, false, false));
  corpus.add("cubin-new", t::writeCubin(100, true, true));
  corpus.add("fatbin", twoArchitectures);
  corpus.add("fatbin-combined", t::writeConcatenatedFatBinary({{t::fatPtx, 80}, {t::fatElf, 90}}, "-lineinfo"));
  corpus.add("fatbin-lying", t::writeFatBinary({{t::fatElf, 80}}, ~0ull));
  corpus.add("ptx", "//\n.version 8.3\n.target sm_90a\n.address_size 64\n");
  corpus.add("pe", t::writePe({"cudart64_12.dll"}, twoArchitectures));
  t::ElfSpec hip;
  t::ByteWriter bundle;
  bundle.text("__CLANG_OFFLOAD_BUNDLE__").u64(1).u64(4096).u64(0).u64(31).text("hipv4-amdgcn-amd-amdhsa--gfx942");
  hip.sections.push_back({".hip_fatbin", bundle.take()});
  hip.symbols = {{"__hipRegisterFatBinary", false}};
  corpus.add("hip", t::writeElf(hip));
}

void writeArchiveSeeds(const Corpus& corpus) {
  const std::string library = t::writeElf(sharedRuntime(true, false));
  const t::Members members{{"pkg/a.so", library}, {"requirements.txt", "torch==2.4.0\n"}};
  corpus.add("zip", t::writeZip(members));
  corpus.add("tar", t::writeTar(members));
  corpus.add("ar", t::writeAr({{"a.o", "x"}, {"a_name_longer_than_sixteen_bytes.cu.o", library}}));
  corpus.add("ar-thin", "!<thin>\na.o/            0           0     0     644     10        `\n");
  corpus.add("nested", t::writeZip(t::Members{{"1.zip", t::writeZip(t::Members{{"2.tar", t::writeTar(members)}})}}));
  corpus.add("deb", t::writeAr({{"debian-binary", "2.0\n"}, {"data.tar", t::writeTar(members)}}));
  corpus.add("encrypted", t::writeZip({{"secret.so", library, true}, {"b.so", library}}));
  const std::size_t runs = 3000;
  const std::uint64_t sizeBytes = 1 + 258 * runs;
  corpus.add(
      "bomb",
      t::writeZip({{"zeros.json", t::deflateZeros(runs), false, sizeBytes, t::crc32(std::string(sizeBytes, '\0'))}}));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: make_binary_corpus FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  writeElfSeeds(Corpus(folder / "elf"));
  writeArchiveSeeds(Corpus(folder / "archive"));
  return 0;
}
