// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requirements.txt, constraint files and requires.txt: one requirement or option a line, continued by backslashes.
// Which index the file names decides what a plain `torch` is: with an index of ROCm or CPU builds only, it is no CUDA
// binding. The core metadata of a built package (METADATA, PKG-INFO) name requirements in fields of their header.
#include "base/text.h"
#include "scan/build/logical_lines.h"
#include "scan/python/requirement.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t longestField = 4096;  ///< what a requirement is folded over is shorter

bool isCoreMetadata(std::string_view path) {
  const std::string name = toLower(path.substr(path.rfind('/') + 1));
  return name == "metadata" || name == "pkg-info";
}

/// The header, which ends at the first empty line; the package's description follows. A line that starts with a blank
/// goes on with the field before it.
void readCoreMetadata(const ReadContext& context, std::string_view text, FileFacts& out) {
  bool rocm = false;
  std::string field, value;
  std::uint32_t fieldLine = 0;
  const auto endField = [&] {
    if (field == "version") rocm = value.find("+rocm") != std::string::npos;
    if (field == "requires-dist" || field == "requires") addRequirement(context, trim(value), fieldLine, out, rocm);
    field.clear();
  };
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line) && !trim(line).empty()) {
    if (line[0] == ' ' || line[0] == '\t') {
      if (!field.empty() && value.size() < longestField) (value += ' ') += trim(line);
      continue;
    }
    endField();
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    field = toLower(line.substr(0, colon));
    value = line.substr(colon + 1);
    fieldLine = lines.number();
  }
  endField();
}

}  // namespace

void readRequirements(const ReadContext& context, const Input& input, FileFacts& out) {
  if (isCoreMetadata(input.path)) return readCoreMetadata(context, input.bytes, out);
  const python::TorchIndex index = python::torchIndexOf(input.bytes);
  const bool rocm = python::isRocmVariant(input.path) || index == python::TorchIndex::Rocm;
  build::LogicalLines lines(input.bytes);
  std::string_view line;
  while (lines.next(line)) {
    std::string joined;
    build::eachPhysicalLine(line, lines.number(), '\\',
                            [&joined](std::string_view piece, std::uint32_t) { (joined += piece) += ' '; });
    python::Package package;
    const bool parsed = python::parseRequirement(trim(joined).substr(0, trim(joined).find(" #")), package);
    if (parsed && index == python::TorchIndex::Cpu && python::isTorchFamily(package.name)) continue;
    addRequirement(context, joined, lines.number(), out, rocm);
  }
}

}  // namespace unwarp::scan
