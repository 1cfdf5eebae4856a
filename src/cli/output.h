// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where results and messages go: results to stdout, everything else to stderr.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <thread>

#include "audit/audit.h"
#include "base/result.h"
#include "report/report.h"

namespace unwarp::cli {

/// Prints "unwarp: message" to stderr and returns 2, the status of usage errors and failures.
int fail(std::string_view message);

/// Writes all of `text` to stdout. False (after a message) when that failed; a closed pipe is a quiet end.
bool printOut(std::string_view text);

/// `text` in lines of 80 columns, of which the first starts after `indent` columns and the others are indented so.
std::string wrapped(std::string_view text, std::size_t indent);

/// Width, colour and character set of the terminal on stdout; `when` is auto, always or never.
Result<report::TerminalOptions> terminalOptions(std::string_view when);

/// Shows files done on stderr once a second has passed; only on a terminal and outside CI. Clears its line when
/// destroyed.
class ProgressLine {
 public:
  ProgressLine(const audit::Progress& progress, bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void show();
  const audit::Progress& progress_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace unwarp::cli
