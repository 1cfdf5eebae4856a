// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ties an ELF file to CUDA: the libraries it needs or is, libraries it names to dlopen, embedded SASS and PTX,
// a runtime linked in statically, and undefined symbols of CUDA libraries (objects have no DT_NEEDED).
// A mere word such as "cuda" in a program proves nothing: names count only as whole NUL-terminated strings in data
// sections, and symbols only when the knowledge tables know them.
// Limits: names that languages without NUL-terminated strings (Go, Rust) hold are not seen; nothing is decompressed.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/text.h"
#include "scan/binary/binary_facts.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

/// Longest first: the first prefix that fits names the library an undefined symbol comes from.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> symbolLibraries{{
    {"cusparseLt", "libcusparseLt.so"},
    {"cusparse", "libcusparse.so"},
    {"cusolver", "libcusolver.so"},
    {"cutensor", "libcutensor.so"},
    {"cublasLt", "libcublasLt.so"},
    {"cublas", "libcublas.so"},
    {"curand", "libcurand.so"},
    {"cudnn", "libcudnn.so"},
    {"cufft", "libcufft.so"},
    {"nvrtc", "libnvrtc.so"},
    {"nccl", "libnccl.so"},
    {"nvml", "libnvidia-ml.so"},
    {"cuda", "libcudart.so"},
    {"cu", "libcuda.so"},
}};

constexpr std::string_view staticRuntimeText = "CUDA driver version is insufficient for CUDA runtime version";

/// What the whole strings of the data sections say.
struct StringEvidence {
  std::vector<std::string_view> libraries;
  bool runtimeText = false;
};

bool isDataSection(const ElfSection& section) {
  constexpr std::uint32_t programBits = 1;
  return section.type == programBits && section.allocated() && !section.executable() &&
         (section.name.starts_with(".rodata") || section.name.starts_with(".data") ||
          section.name.starts_with(".lrodata") || section.name.starts_with(".ldata"));
}

/// The NUL-terminated string around `hit`, or nothing when it is longer than a library name can be.
std::string_view wholeString(std::string_view data, std::size_t hit) {
  constexpr std::size_t reach = 200;
  std::size_t begin = hit;
  while (begin > 0 && data[begin - 1] != '\0' && hit - begin < reach) --begin;
  if (begin > 0 && data[begin - 1] != '\0') return {};
  const std::string_view window = data.substr(begin, hit - begin + reach);
  const std::size_t end = window.find('\0');
  return end == std::string_view::npos ? std::string_view{} : window.substr(0, end);
}

void findStrings(std::string_view data, StringEvidence& out) {
  constexpr std::size_t maxLibraries = 4096;
  for (std::size_t at = 0; (at = data.find(".so", at)) != std::string_view::npos; at += 3) {
    const std::string_view text = wholeString(data, at);
    const std::size_t slash = text.rfind('/');
    const std::string_view base = slash == std::string_view::npos ? text : text.substr(slash + 1);
    if (base.starts_with("lib") && out.libraries.size() < maxLibraries) out.libraries.push_back(base);
  }
  const std::size_t text = data.find(staticRuntimeText);
  if (text != std::string_view::npos && wholeString(data, text) == staticRuntimeText) out.runtimeText = true;
}

StringEvidence findStrings(const ElfImage& image) {
  StringEvidence out;
  // Sections or segments of a hostile file may all cover the same bytes: together they get twice the file.
  std::uint64_t budget = image.view().size() * 2;
  const auto scan = [&](std::string_view data) {
    if (data.size() > budget) return;
    budget -= data.size();
    findStrings(data, out);
  };
  for (const ElfSection& section : image.sections())
    if (isDataSection(section)) scan(section.bytes);
  if (image.sections().empty())
    for (const ElfSegment& segment : image.segments())
      if (!segment.executable) scan(image.view().slice(segment.offset, segment.fileSizeBytes));
  return out;
}

/// Containers of every section called `name`.
FatBinary readSections(const ElfImage& image, std::string_view name, bool& present) {
  FatBinary all;
  std::uint64_t budget = image.view().size() * 2;
  for (const ElfSection& section : image.sections()) {
    if (section.name != name) continue;
    present = true;
    if (section.bytes.size() > budget) continue;
    budget -= section.bytes.size();
    FatBinary part = readFatBinary(section.bytes);
    all.containers += part.containers;
    all.images.insert(all.images.end(), part.images.begin(), part.images.end());
    all.problems.insert(all.problems.end(), part.problems.begin(), part.problems.end());
  }
  return all;
}

/// clang's bundled objects (-fgpu-rdc): the section's name says the target,
/// `__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx90a`.
void readBundleSections(const ElfImage& image, BinaryFacts& facts) {
  constexpr std::size_t maxTargets = 64;
  OffloadTargets targets;
  for (const ElfSection& section : image.sections()) {
    if (!section.name.starts_with("__CLANG_OFFLOAD_BUNDLE__")) continue;
    const std::size_t dashes = section.name.rfind("--");
    if (dashes == std::string_view::npos || targets.amd.size() + targets.nvidia.size() >= maxTargets) continue;
    const std::string target = toValidUtf8(section.name.substr(dashes + 2));
    if (section.name.find("amdgcn") != std::string_view::npos) targets.amd.push_back(target);
    if (section.name.find("nvptx") != std::string_view::npos) targets.nvidia.push_back(target);
  }
  facts.addOffload(targets, "__CLANG_OFFLOAD_BUNDLE__");
}

void readGpuSections(const ElfImage& image, BinaryFacts& facts) {
  bool linked = false;
  const FatBinary code = readSections(image, ".nv_fatbin", linked);
  if (linked) facts.addGpuCode(".nv_fatbin", code);
  bool relocatable = false;
  const FatBinary parts = readSections(image, "__nv_relfatbin", relocatable);
  if (relocatable) {
    // In a linked program these are leftovers: .nv_fatbin holds what runs.
    if (!linked) facts.addGpuCode("__nv_relfatbin", parts);
    facts.note("relocatable device code (-rdc=true)");
  }
  if (!linked && !relocatable && image.section(".nvFatBinSegment") != nullptr)
    facts.addGpuCode(".nvFatBinSegment", FatBinary{});
  if (image.sections().empty()) {
    std::uint64_t budget = image.view().size() * 2;
    for (const ElfSegment& segment : image.segments()) {
      if (segment.executable || segment.fileSizeBytes > budget) continue;
      budget -= segment.fileSizeBytes;
      const FatBinary found = readFatBinary(image.view().slice(segment.offset, segment.fileSizeBytes));
      if (found.images.empty()) continue;
      facts.addGpuCode("a segment without section headers", found);
      break;
    }
  }
  if (const ElfSection* section = image.section(".hip_fatbin"))
    facts.addOffload(readOffloadBundle(section->bytes), ".hip_fatbin");
  if (const ElfSection* section = image.section(".llvm.offloading"))
    facts.addOffload(readLlvmOffloading(section->bytes), ".llvm.offloading");
  readBundleSections(image, facts);
}

std::string_view withoutVersionSuffix(std::string_view symbol) {
  for (const std::string_view suffix : {"_ptsz", "_ptds"})
    if (symbol.ends_with(suffix)) symbol.remove_suffix(suffix.size());
  if (symbol.size() > 3 && symbol[symbol.size() - 3] == '_' && symbol[symbol.size() - 2] == 'v')
    symbol.remove_suffix(3);
  return symbol;
}

/// The library an undefined symbol belongs to, or empty: exact names of the tables only.
std::string_view libraryOfSymbol(const knowledge::Knowledge& knowledge, std::string_view symbol) {
  if (symbol.starts_with("__cudaRegister") || symbol == "__cudaPushCallConfiguration") return "libcudart.so";
  if (!symbol.starts_with("cu") && !symbol.starts_with("nv") && !symbol.starts_with("nccl")) return {};
  if (knowledge.findApi(symbol) == knowledge::Knowledge::none &&
      knowledge.findApi(withoutVersionSuffix(symbol)) == knowledge::Knowledge::none)
    return {};
  for (const auto& [prefix, library] : symbolLibraries)
    if (symbol.starts_with(prefix)) return library;
  return {};
}

struct SymbolEvidence {
  bool staticRuntime = false;
  bool hipRegistration = false;
  std::vector<std::string_view> libraries;
};

SymbolEvidence readSymbols(const ReadContext& context, const ElfImage& image) {
  SymbolEvidence out;
  image.forEachSymbol([&](std::string_view name, bool defined) {
    if (defined) {
      if (name == "__cudaRegisterFatBinary" || name.starts_with("libcudart_static_")) out.staticRuntime = true;
      return;
    }
    if (name.starts_with("__hipRegister")) out.hipRegistration = true;
    const std::string_view library = libraryOfSymbol(context.knowledge, name);
    if (library.empty()) return;
    if (std::find(out.libraries.begin(), out.libraries.end(), library) == out.libraries.end())
      out.libraries.push_back(library);
  });
  return out;
}

void readDynamicNames(const ElfImage& image, BinaryFacts& facts) {
  const ElfDynamic& dynamic = image.dynamic();
  if (!dynamic.soname.empty() && facts.addLibrary(dynamic.soname))
    facts.note("is a copy of " + toValidUtf8(dynamic.soname));
  for (std::string_view needed : dynamic.needed) facts.addLibrary(needed);
  std::string folders;
  for (std::string_view path : dynamic.runPaths) {
    if (path.find("cuda") == std::string_view::npos && path.find("nvidia") == std::string_view::npos) continue;
    if (folders.size() > 400) break;
    folders += (folders.empty() ? "" : ":") + toValidUtf8(path);
  }
  if (!folders.empty()) facts.note("run path names CUDA folders: " + folders);
}

void readHostElf(const ReadContext& context, const ElfImage& image, BinaryFacts& facts) {
  readDynamicNames(image, facts);
  readGpuSections(image, facts);

  const bool isRuntime = facts.has("libcudart.so");
  const StringEvidence strings = findStrings(image);
  const SymbolEvidence symbols = readSymbols(context, image);
  bool namesDriver = false;
  std::string opened;
  for (std::string_view library : strings.libraries) {
    if (!facts.addLibrary(library)) continue;
    namesDriver = namesDriver || library.starts_with("libcuda.so");
    const std::string text = toValidUtf8(library);
    if (opened.size() < 400 && (' ' + opened + ' ').find(' ' + text + ' ') == std::string::npos)
      opened += (opened.empty() ? "" : " ") + text;
  }
  if (!opened.empty()) facts.note("names libraries to load at run time: " + opened);
  if (!isRuntime && (symbols.staticRuntime || (strings.runtimeText && namesDriver))) {
    facts.addNamedLibrary("libcudart_static.a", {});
    facts.note("the CUDA runtime is linked in statically");
  }
  const bool runtimeLinkedIn = facts.has("libcudart_static.a");
  for (std::string_view library : symbols.libraries)
    if (library != "libcudart.so" || !runtimeLinkedIn) facts.addNamedLibrary(library, {});
  if (symbols.hipRegistration) facts.note("registers HIP kernels (AMD side present)");
}

/// The name of a known format that this reader does not read, or empty.
std::string_view foreignFormat(std::string_view bytes) {
  switch (ByteView(bytes).u32(0)) {
    case 0xfeedface:
    case 0xfeedfacf:
    case 0xcefaedfe:
    case 0xcffaedfe:
      return "Mach-O";
    case 0xbebafeca:
      return "Java class or universal Mach-O";
    default:
      return {};
  }
}

}  // namespace

void readCubin(const ElfImage& image, BinaryFacts& facts) {
  for (const std::string& problem : image.problems()) facts.note(problem);
  facts.addGpuFile("code.cubin", cubinImage(image).architecture());
}

void readElf(const ReadContext& context, const Input& input, FileFacts& out) {
  out.how = "binary";
  BinaryFacts facts(context, out);
  if (input.bytes.starts_with("MZ")) return readPe(input, facts);
  if (const std::string_view format = foreignFormat(input.bytes); !format.empty())
    return facts.note("not read: " + std::string(format));
  const auto image = ElfImage::parse(input.bytes);
  if (!image) return facts.note("not read: no ELF header, or a damaged one");
  if (image->machine() == elfMachineCuda) return readCubin(*image, facts);
  for (const std::string& problem : image->problems()) facts.note(problem);
  if (image->machine() == elfMachineAmdGpu) return facts.note("AMD GPU code object");
  readHostElf(context, *image, facts);
}

}  // namespace unwarp::scan
