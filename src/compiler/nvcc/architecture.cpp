// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which `__CUDA_ARCH__` the device code sees. Real nvcc makes one version per architecture asked for and the driver
// picks; here one device exists, so one version is made: the one its profile would pick.
#include <algorithm>
#include <cctype>

#include "compiler/nvcc/plan.h"

namespace unwarp::nvcc {
namespace {

// What clang 22 compiles for.
constexpr int kKnown[] = {30, 32, 35, 37, 50, 52, 53,  60,  61,  62,  70,  72, 75,
                          80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

// "sm_86", "compute_90a", "lto_80", "native", "all", "all-major": the number, the default for words that name no
// number, 0 for others. Releases of CUDA drop old numbers; here each that clang knows is as good as another.
int numberOf(std::string_view word) {
  if (word == "native" || word == "all" || word == "all-major") return kDefaultArchitecture;
  size_t digit = std::string_view::npos;
  for (std::string_view prefix : {"sm_", "compute_", "lto_"}) {
    if (word.starts_with(prefix)) digit = prefix.size();
  }
  if (digit == std::string_view::npos) return 0;
  int number = 0;
  for (; digit < word.size() && std::isdigit(static_cast<unsigned char>(word[digit])); ++digit)
    number = number * 10 + (word[digit] - '0');
  return number;
}

void collect(std::string_view text, std::vector<int>& into, std::string& bad) {
  size_t start = 0;
  while (start <= text.size()) {
    size_t end = std::min(text.find_first_of(",[]", start), text.size());
    std::string_view word = text.substr(start, end - start);
    if (!word.empty()) {
      int number = numberOf(word);
      bool known = std::find(std::begin(kKnown), std::end(kKnown), number) != std::end(kKnown);
      if (!known) bad = word;
      into.push_back(number);
    }
    start = end + 1;
  }
}

}  // namespace

Result<int> chosenArchitecture(const CommandLine& line) {
  std::vector<int> asked;
  std::string bad;
  if (line.has("gpu-code") && !line.has("gpu-architecture")) return Error{"-arch option not specified"};
  collect(line.value("gpu-architecture"), asked, bad);
  for (std::string_view value : line.values("generate-code")) {
    // "arch=compute_80" and "code=[sm_80,compute_80]" arrive as elements of one list. What code runs on does not
    // matter.
    if (value.starts_with("arch=")) collect(value.substr(5), asked, bad);
  }
  if (!bad.empty()) return Error{"Unsupported gpu architecture '" + bad + "'"};
  if (asked.empty()) return kDefaultArchitecture;
  int best = 0;
  for (int number : asked) {
    if (number <= kDefaultArchitecture) best = std::max(best, number);
  }
  if (best != 0) return best;
  return *std::min_element(asked.begin(), asked.end());
}

}  // namespace unwarp::nvcc
