// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `audit` and `assess` share: everything up to the result, and the gates after it.
#pragma once

#include <memory>
#include <string>

#include "audit/audit.h"
#include "audit/gate.h"
#include "cli/settings.h"
#include "report/report.h"
#include "result/audit_result.h"

namespace unwarp::cli {

/// A command line that has become a plan.
struct Prepared {
  bool finished = false;  ///< --help and the like: already printed
  std::string path;
  Settings settings;
  std::unique_ptr<knowledge::Knowledge> knowledge;
  audit::Options options;
};

Result<Prepared> prepare(const Command& command, int argc, char** argv);
/// The same for arguments that are already split, to read `path`.
Result<Prepared> prepareFor(const Command& command, const Arguments& arguments, const std::string& path);
/// The terminal on stdout, as `--color` wants it.
Result<report::TerminalOptions> chosenTerminal(const Settings& settings);
Result<result::AuditResult> auditWithProgress(Prepared& prepared);
/// Whether `checkGates` will fail, found out before an audit is spent: the gates are tried on an empty result.
/// `figures` are those of other stages.
Result<Done> gatesReadable(const Prepared& prepared, const audit::Figures& figures = {});
/// 0, or 1 with each broken gate named on stderr, and each that holds for want of an answer; 2 where there are gates
/// and no file was read. Fails on a gate that cannot be read.
enum class GateReport { Silent, Print };
Result<int> checkGates(const Settings& settings, const result::AuditResult& result, GateReport report,
                       const audit::Figures& figures = {});

}  // namespace unwarp::cli
