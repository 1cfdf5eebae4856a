// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row per site, for spreadsheets and shell pipelines: RFC 4180 (CRLF, quotes doubled), a header row, the same
// twelve columns for findings, APIs and dependencies. `name` is the rule of a finding; `version` is a dependency's, as
// declared, and empty for the others; `message` is a finding's message and the counterpart of the others.
//
// A path that begins with a character spreadsheets take for a formula gets "./" in front, a version ("==2.4") a blank:
// the same file and version, no formula. Control characters, line breaks too, become \xNN as in every other text
// output.
#include <charconv>

#include "base/output_text.h"
#include "report/report.h"

namespace unwarp::report {
namespace {

class CsvRow {
 public:
  explicit CsvRow(std::string& out) : out_(out) {}
  /// Control characters become \xNN: a pipeline may well end on a terminal.
  CsvRow& cell(std::string_view text) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += csvCell(printable(text));
    return *this;
  }
  CsvRow& cell(std::uint64_t number) {
    char digits[24];
    return cell(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, number).ptr));
  }
  void end() { out_ += "\r\n"; }

 private:
  std::string& out_;
  bool first_ = true;
};

void siteCells(CsvRow& row, const result::AuditResult& audit, const result::Site& site) {
  const std::string_view path = audit.pathOf(site);
  row.cell((isFormula(path) ? "./" : "") + std::string(path));
  row.cell(site.line).cell(site.column).cell(site.count).cell(site.guarded ? "yes" : "no");
}

}  // namespace

std::string csv(const result::AuditResult& audit) {
  std::string out;
  CsvRow header(out);
  for (const std::string_view column : {"type", "name", "version", "layer", "status", "severity", "path", "line",
                                        "column", "count", "guarded", "message"})
    header.cell(column);
  header.end();
  for (const result::Finding& finding : audit.findings) {
    CsvRow row(out);
    row.cell("finding").cell(finding.rule).cell("").cell(name(finding.layer)).cell(name(finding.status));
    row.cell(name(finding.severity));
    siteCells(row, audit, finding.site);
    row.cell(finding.message).end();
  }
  const auto rows = [&](std::string_view type, const auto& entry, std::string_view version,
                        std::string_view counterpart) {
    for (const result::Site& site : entry.sites) {
      CsvRow row(out);
      row.cell(type).cell(entry.name).cell((isFormula(version) ? " " : "") + std::string(version));
      row.cell(name(entry.layer)).cell(name(entry.status)).cell("");
      siteCells(row, audit, site);
      row.cell(counterpart).end();
    }
  };
  for (const result::ApiEntry& api : audit.apis) rows("api", api, "", api.hip);
  for (const result::DependencyEntry& dependency : audit.dependencies)
    rows("dependency", dependency, dependency.version, dependency.counterpart);
  return out;
}

}  // namespace unwarp::report
