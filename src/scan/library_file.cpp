// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library by the name of its file, as loaders are given it. The tables have names as on Linux; those of Windows say
// the same otherwise: `cublas64_12.dll` is libcublas.so.12. The driver and NVML have names of their own there.
#include <array>

#include "base/text.h"
#include "scan/readers.h"

namespace unwarp::scan {

namespace {

struct LibraryName {
  std::string name;  ///< `libcublas.so`
  std::string version;
};

LibraryName fromWindows(std::string_view stem) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> own{
      {{"nvcuda", "libcuda.so"}, {"nvml", "libnvidia-ml.so"}}};
  for (const auto& [windows, linux] : own)
    if (equalsIgnoreCase(stem, windows)) return {std::string(linux), {}};
  std::size_t cut = stem.find("64_");
  std::size_t version = cut == std::string_view::npos ? cut : cut + 3;
  if (cut == std::string_view::npos && stem.ends_with("64")) cut = stem.size() - 2;
  return {"lib" + std::string(stem.substr(0, cut)) + ".so",
          version == std::string_view::npos ? std::string() : std::string(stem.substr(version))};
}

LibraryName libraryName(std::string_view file) {
  const std::size_t folder = file.find_last_of("/\\");
  file = file.substr(folder == std::string_view::npos ? 0 : folder + 1);
  if (file.size() > 4 && equalsIgnoreCase(file.substr(file.size() - 4), ".dll"))
    return fromWindows(file.substr(0, file.size() - 4));
  if (file.ends_with(".dylib")) return {std::string(file.substr(0, file.size() - 6)) + ".so", {}};
  const std::size_t so = file.find(".so.");
  if (so == std::string_view::npos) return {std::string(file), {}};
  return {std::string(file.substr(0, so + 3)), std::string(file.substr(so + 4))};
}

}  // namespace

void addLibraryFile(const ReadContext& context, std::string_view file, std::uint32_t line, std::uint32_t column,
                    FileFacts& out) {
  const LibraryName library = libraryName(file);
  addDependency(context, out, knowledge::Ecosystem::Lib, library.name, line, library.version, false, column);
}

}  // namespace unwarp::scan
