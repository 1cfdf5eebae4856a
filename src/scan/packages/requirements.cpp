// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requirements.txt and constraint files: one requirement or option a line, continued by backslashes. Which index the
// file names decides what a plain `torch` is: with an index of ROCm or CPU builds only, it is no CUDA binding.
#include "base/text.h"
#include "scan/build/logical_lines.h"
#include "scan/python/requirement.h"
#include "scan/readers.h"

namespace unwarp::scan {

void readRequirements(const ReadContext& context, const Input& input, FileFacts& out) {
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
