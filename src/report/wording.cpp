// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Percentages are rounded down because a report that says "100%" or "0%" is read as "all" and "none": both are kept
// for exactly that.
#include "report/wording.h"

#include <charconv>

#include "base/text.h"

namespace unwarp::report {

std::string grouped(std::uint64_t number) {
  char digits[24];
  const std::string_view plain(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i != 0 && (plain.size() - i) % 3 == 0) out += ',';
    out += plain[i];
  }
  return out;
}

std::string percent(double share) {
  if (!(share > 0)) return "0%";
  if (share >= 1) return "100%";
  // The tiny addend forgives 0.29 * 100 = 28.999...
  const auto whole = static_cast<std::uint64_t>(share * 100 + 1e-9);
  if (whole == 0) return "<1%";
  return grouped(whole < 100 ? whole : 99) + "%";
}

std::string counted(std::uint64_t number, std::string_view noun) {
  std::string out = grouped(number) + " ";
  if (number == 1) return out.append(noun);
  if (noun.ends_with('y')) return out.append(noun.substr(0, noun.size() - 1)).append("ies");
  return out.append(noun).append("s");
}

std::string_view title(Layer layer) {
  constexpr std::array<std::string_view, 10> titles{"Runtime",       "DNN",     "Math",      "Algorithms",
                                                    "Communication", "Kernels", "Framework", "Specialised",
                                                    "Deployment",    "Tooling"};
  return nameOf(titles, layer);
}

std::string_view meaning(Severity severity) {
  constexpr std::array<std::string_view, 6> meanings{
      "wrong results without a message", "stops at run time", "never comes back", "does not compile",
      "works, but slower than it could", "worth knowing"};
  return nameOf(meanings, severity);
}

std::string_view meaning(Status status) {
  constexpr std::array<std::string_view, 5> meanings{
      "works as it stands, or with another install", "has a counterpart; source or configuration changes",
      "the counterpart lacks something", "no counterpart found", "not looked at, or the sources disagree"};
  return nameOf(meanings, status);
}

}  // namespace unwarp::report
