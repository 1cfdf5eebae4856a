// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Throws bytes at everything that reads binaries without unpacking: ELF, PE, cubin, fat binaries, PTX, clang's bundles.
// A finding is a crash, a sanitizer report, a time-out or memory far above the input's size.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "scan/binary/fat_binary.h"
#include "scan/readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  static const auto loaded = unwarp::knowledge::Knowledge::load("");
  if (!loaded) std::abort();
  const unwarp::scan::ReadContext context{**loaded};
  const std::string_view bytes(reinterpret_cast<const char*>(data), sizeBytes);
  unwarp::scan::FileFacts elf;
  unwarp::scan::readElf(context, {"sample.so", bytes}, elf);
  unwarp::scan::FileFacts code;
  unwarp::scan::readGpuCode(context, {"sample.fatbin", bytes}, code);
  unwarp::scan::listArchitectures(unwarp::scan::readFatBinary(bytes).images);
  unwarp::scan::readOffloadBundle(bytes);
  unwarp::scan::readLlvmOffloading(bytes);
  return 0;
}
