// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/host_options.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "compiler/nvcc/tools.h"

namespace unwarp::nvcc {
namespace {

constexpr std::string_view kCommon =
    "-fPIC -fpic -fPIE -fpie -fno-PIE -fopenmp -fopenmp-simd -fvisibility=hidden -fvisibility-inlines-hidden "
    "-fno-strict-aliasing -fstrict-aliasing -ffast-math -fno-exceptions -fno-rtti -fexceptions -ffunction-sections "
    "-fdata-sections -fno-omit-frame-pointer -fomit-frame-pointer -fpermissive -fsigned-char -funroll-loops "
    "-fno-math-errno -fno-trapping-math -fstack-protector-strong -fcf-protection -fno-lto -fno-finite-math-only "
    "-m64 -march=native -mtune=native -mavx -mavx2 -mfma -msse -msse2 -msse3 -msse4.1 -msse4.2 -mf16c -mavx512f";

bool isCommon(std::string_view flag) {
  bool mayBeUnknown = flag.starts_with("-f") || flag.starts_with("-m") || flag.starts_with("--");
  if (!mayBeUnknown) return true;  // warnings are never unknown (-Wno-unknown-warning-option), files are no flags
  std::vector<std::string_view> common = words(kCommon);
  return std::find(common.begin(), common.end(), flag) != common.end();
}

}  // namespace

std::set<std::string> flagsUnknownTo(const std::string& clang, const std::vector<std::string>& flags) {
  std::set<std::string> unknown;
  if (std::all_of(flags.begin(), flags.end(), isCommon)) return unknown;
  std::vector<std::string> command{clang, "-###", "-x", "c++", "-c", "/dev/null"};
  command.insert(command.end(), flags.begin(), flags.end());
  std::string said = printedByTool(command, Stream::errors).text;
  for (const std::string& flag : flags) {
    // "unknown argument: '-fgcse'", or without the colon before a suggestion.
    bool named = said.find("unknown argument: '" + flag + "'") != std::string::npos ||
                 said.find("unknown argument '" + flag + "'") != std::string::npos;
    if (named) unknown.insert(flag);
  }
  return unknown;
}

}  // namespace unwarp::nvcc
