// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result values in, bytes out. Knows nothing of scanning, rules or knowledge tables. Same input, same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/assessment.h"

namespace unwarp::report {

struct TerminalOptions {
  int width = 80;  ///< columns
  bool color = false;
  bool ascii = false;
  bool allFindings = false;    ///< list findings, not only the first screen
  bool reportWritten = false;  ///< the page to hand on is there already
};

std::string terminal(const result::AuditResult&, const TerminalOptions&);
std::string json(
    const result::AuditResult&);  ///< the audit JSON of docs/schema/audit.schema.json, one object, two-space indent off
/// The JSON schema of that object.
std::string_view auditSchema();
std::string jsonLines(const result::AuditResult&);  ///< one object a line: {"type":"finding",...}
std::string csv(const result::AuditResult&);        ///< one row per site
std::string markdown(const result::AuditResult&);
std::string sarif(const result::AuditResult&);  ///< SARIF 2.1.0 within GitHub's limits
std::string html(const result::AuditResult&);   ///< one self-contained page

/// The first screen of `assess`: the audit's, then what the other stages found, then which stages there are.
std::string assessTerminal(const result::Assessment&, const TerminalOptions&);
std::string assessJson(const result::Assessment&);  ///< result.json, docs/schema/result.schema.json
std::string assessMarkdown(const result::Assessment&);
std::string assessHtml(const result::Assessment&);  ///< one self-contained page

}  // namespace unwarp::report
