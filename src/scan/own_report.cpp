// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See own_report.h. Our writers put what says whose file it is first, so the head of a file is enough; blanks are left
// out of the comparison. A file that only starts alike is named under `coverage.skipped` like any other.
#include "scan/own_report.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace unwarp::scan {

namespace {

constexpr std::size_t headBytes = 1024;

/// What follows the version of the schema in the document, its lines and the result of `assess`.
constexpr std::array<std::string_view, 2> afterVersion{R"(","tool_version":")", R"(","stages":[{"id":"audit",)"};
constexpr std::array<std::string_view, 2> versionKeys{R"({"schema_version":")", R"({"type":"meta","schema_version":")"};
constexpr std::string_view sarifDriver = R"("runs":[{"tool":{"driver":{"name":"unwarp",)";

bool startsAsResult(std::string_view head) {
  for (std::string_view key : versionKeys) {
    if (!head.starts_with(key)) continue;
    const std::string_view rest = head.substr(key.size());
    const std::string_view behind = rest.substr(std::min(rest.find('"'), rest.size()));
    return std::any_of(afterVersion.begin(), afterVersion.end(),
                       [&](std::string_view next) { return behind.starts_with(next); });
  }
  return false;
}

}  // namespace

bool isOwnReport(std::string_view bytes) {
  bytes = withoutByteOrderMark(bytes.substr(0, headBytes));
  if (!bytes.starts_with('{')) return false;
  std::string head(bytes);
  std::erase_if(head, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return startsAsResult(head) || head.find(sarifDriver) != std::string::npos;
}

}  // namespace unwarp::scan
