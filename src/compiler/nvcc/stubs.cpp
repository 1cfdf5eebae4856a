// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/stubs.h"

#include <elf.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "compiler/nvcc/image_tool.h"
#include "compiler/nvcc/tools.h"

namespace unwarp::nvcc {
namespace {

// Host objects of -flto would be bitcode, but the plan leaves that flag out.
bool isElf(std::string_view object) {
  return object.starts_with("\177ELF") && object.size() > sizeof(Elf64_Ehdr);
}

}  // namespace

int retainEntries(const std::string& object) {
  constexpr uint64_t kRetain = 1u << 21;  // SHF_GNU_RETAIN
  Result<FileBytes> bytes = FileBytes::open(object);
  if (!bytes) return complain(bytes.error());
  std::string text(bytes->view());
  if (!isElf(text)) return 0;
  Elf64_Ehdr header;
  std::memcpy(&header, text.data(), sizeof header);
  auto section = [&](size_t number) {
    Elf64_Shdr found{};
    size_t at = header.e_shoff + number * sizeof found;
    if (at + sizeof found <= text.size()) std::memcpy(&found, text.data() + at, sizeof found);
    return found;
  };
  Elf64_Shdr names = section(header.e_shstrndx);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr one = section(i);
    size_t name = names.sh_offset + one.sh_name;
    if (name >= text.size() || std::string_view(text.c_str() + name) != "llvm_offload_entries") continue;
    one.sh_flags |= kRetain;
    std::memcpy(text.data() + header.e_shoff + i * sizeof one, &one, sizeof one);
  }
  Result<Done> written = writeFileAtomic(object, text);
  return written ? 0 : complain(written.error());
}

int separateStubs(const std::string& object, const std::string& unit) {
  Result<FileBytes> bytes = FileBytes::open(object);
  if (!bytes) return complain(bytes.error());
  if (!isElf(bytes->view())) return 0;
  Printed symbols = printedByTool({UNWARP_LLVM_FOLDER "/bin/llvm-nm", object}, Stream::output);
  if (symbols.status != 0) return complain("fatbinary: cannot list the symbols of '" + object + "'");
  std::vector<std::string> command{UNWARP_LLVM_FOLDER "/bin/llvm-objcopy"};
  LineReader lines(symbols.text);
  std::string_view line;
  while (lines.next(line)) {
    std::vector<std::string_view> parts = words(line);  // address, kind, name
    if (parts.size() != 3 || parts[1] != "W" || parts[2].find("__device_stub__") == std::string_view::npos) continue;
    std::string name(parts[2]);
    command.push_back("--redefine-sym=" + name + "=" + name + "." + unit);
    command.push_back("--add-symbol=" + name + "=.text." + name + ":0,weak,function");
  }
  if (command.size() == 1) return 0;
  command.push_back(object);
  return runTool(command) == 0 ? 0 : complain("fatbinary: cannot rename launch functions in '" + object + "'");
}

}  // namespace unwarp::nvcc
