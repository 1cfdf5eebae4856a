// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/app_calls.h"

#include <cctype>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "scan/binary/elf_image.h"

namespace unwarp::cli {
namespace {

// Names for which the runtime's sources say recordUnimplemented; collected by src/cli/CMakeLists.txt.
std::set<std::string_view> unsupportedNames() {
  std::vector<std::string_view> names = words(UNWARP_UNSUPPORTED);
  return {names.begin(), names.end()};
}

// cudaMalloc, cuInit, nvrtcCompileProgram, cublasCreate_v2; not "current" or "custom".
bool isCudaName(std::string_view name) {
  for (std::string_view prefix : {"cuda", "__cuda", "nvrtc", "cublas", "cufft", "curand", "cusparse", "cusolver",
                                  "cudnn", "nccl", "nvml", "nvJitLink", "cupti", "npp"}) {
    if (name.size() > prefix.size() && name.starts_with(prefix) &&
        (std::isupper(static_cast<unsigned char>(name[prefix.size()])) || name[prefix.size()] == '_'))
      return true;
  }
  return name.size() > 2 && name.starts_with("cu") && std::isupper(static_cast<unsigned char>(name[2]));
}

// Calls with a 32-bit distance (E8) to one of `targets` that do not lie in the runtime itself. A chance match needs all
// 32 bits to agree.
void findCalls(std::string_view code, uint64_t address, const std::map<uint64_t, std::string>& targets,
               std::set<std::string>& found) {
  for (size_t at = 0; at + 5 <= code.size(); ++at) {
    if (static_cast<unsigned char>(code[at]) != 0xe8 && static_cast<unsigned char>(code[at]) != 0xe9) continue;
    int32_t distance = 0;
    std::memcpy(&distance, code.data() + at + 1, sizeof distance);
    auto target = targets.find(address + at + 5 + static_cast<uint64_t>(static_cast<int64_t>(distance)));
    if (target != targets.end()) found.insert(target->second);
  }
}

// Addresses of the unsupported functions that the program holds.
std::map<uint64_t, std::string> unsupportedIn(const scan::ElfImage& image) {
  constexpr uint32_t kSymbolTable = 2;
  constexpr uint64_t kEntryBytes = 24;
  std::set<std::string_view> wanted = unsupportedNames();
  std::map<uint64_t, std::string> targets;
  for (const scan::ElfSection& section : image.sections()) {
    if (section.type != kSymbolTable || section.link >= image.sections().size()) continue;
    scan::ByteView table(section.bytes), names(image.sections()[section.link].bytes);
    for (uint64_t at = 0; table.holds(at, kEntryBytes); at += kEntryBytes) {
      std::string_view name = names.cString(table.u32(at), 512);
      if (!name.empty() && table.u16(at + 6) != 0 && wanted.contains(name)) targets[table.u64(at + 8)] = name;
    }
  }
  return targets;
}

std::set<std::string> libraryNames(const std::string& toolkit) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(toolkit + "/lib64", ignored)) {
    std::string name = entry.path().filename().string();
    if (name.find(".so") == std::string::npos) continue;
    Result<FileBytes> bytes = FileBytes::open(entry.path().string());
    if (!bytes) continue;
    if (auto image = scan::ElfImage::parse(bytes->view()))
      image->forEachSymbol([&](std::string_view symbol, bool defined) {
        if (defined && isCudaName(symbol)) names.emplace(symbol);
      });
  }
  return names;
}

}  // namespace

Result<AppCalls> callsOf(const std::string& program, const std::string& toolkit) {
  Result<FileBytes> bytes = FileBytes::open(program);
  if (!bytes) return Error{bytes.error()};
  auto image = scan::ElfImage::parse(bytes->view());
  if (!image) return Error{"'" + program + "' is no ELF program, library or object"};
  AppCalls calls;
  std::set<std::string> undefined, unsupported;
  bool own = false;
  image->forEachSymbol([&](std::string_view symbol, bool defined) {
    if (!isCudaName(symbol)) return;
    calls.usesRuntime = true;
    own |= defined;
    if (!defined) undefined.emplace(symbol.substr(0, symbol.find('@')));
  });
  std::set<std::string> provided = libraryNames(toolkit);
  std::set<std::string_view> fails = unsupportedNames();
  for (const std::string& name : undefined) {
    if (!provided.contains(name)) calls.missing.push_back(name);
    if (fails.contains(name)) unsupported.insert(name);
  }
  calls.usesRuntime |= image->section(".nv_fatbin") != nullptr || image->section("unwarp_device_images") != nullptr;
  constexpr uint16_t kMachineX86 = 62;
  calls.codeUnread =
      calls.usesRuntime && undefined.empty() && (!own || !image->is64() || image->machine() != kMachineX86);
  std::map<uint64_t, std::string> targets = unsupportedIn(*image);
  for (const scan::ElfSegment& segment : image->segments()) {
    if (!segment.executable || targets.empty()) continue;
    findCalls(image->view().slice(segment.offset, segment.fileSizeBytes), segment.address, targets, unsupported);
  }
  calls.unsupported.assign(unsupported.begin(), unsupported.end());
  return calls;
}

}  // namespace unwarp::cli
