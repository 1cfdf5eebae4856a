// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which `__CUDA_ARCH__` the device code sees. Real nvcc makes one version per architecture asked for and the driver
// picks; here one device exists, so one version is made: the one its profile would pick.
#include <algorithm>
#include <cctype>

#include "compiler/nvcc/plan.h"

namespace unwarp::nvcc {
namespace {

// The default device profile (compute capability 8.0).
constexpr int kDefaultArchitecture = 80;

// "sm_86", "compute_90a", "lto_80", "80", "native", "all": the number, or the default for words that name no number.
int numberOf(std::string_view word) {
  size_t digit = word.find_first_of("0123456789");
  if (digit == std::string_view::npos) return word == "native" || word.starts_with("all") ? kDefaultArchitecture : 0;
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
      if (number < 30) bad = word;
      into.push_back(number);
    }
    start = end + 1;
  }
}

}  // namespace

Result<int> chosenArchitecture(const CommandLine& line) {
  std::vector<int> asked;
  std::string bad;
  for (std::string_view value : line.values("gpu-architecture")) collect(value, asked, bad);
  for (std::string_view value : line.values("generate-code")) {
    // "arch=compute_80" and "code=[sm_80,compute_80]" arrive as elements of one list.
    size_t equals = value.find('=');
    bool code = value.starts_with("code");
    if (equals != std::string_view::npos && !code) collect(value.substr(equals + 1), asked, bad);
  }
  if (!bad.empty()) return Error{"unknown GPU architecture '" + bad + "'"};
  if (asked.empty()) return kDefaultArchitecture;
  int best = 0;
  for (int number : asked) {
    if (number <= kDefaultArchitecture) best = std::max(best, number);
  }
  if (best != 0) return best;
  return *std::min_element(asked.begin(), asked.end());
}

}  // namespace unwarp::nvcc
