// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pieces the HTML report is made of: escaped text, status words with their swatch, the stacked bar, tables that
// stop at a byte budget. Only `markup` puts bytes on the page unescaped, and it takes literals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/summary.h"
#include "result/assessment.h"

namespace unwarp::report {

/// The page as it grows.
class Page {
 public:
  /// Own markup; never text from the audited tree.
  Page& markup(std::string_view html) {
    out_ += html;
    return *this;
  }
  /// Text from anywhere: escaped, control characters spelled out, cut at 300 columns.
  Page& text(std::string_view any);
  /// The same in code type.
  Page& code(std::string_view any);
  /// A path in code type; a long one loses its front, the whole one stays in the title.
  Page& path(std::string_view any);
  Page& number(std::uint64_t number);
  /// A status word with its swatch.
  Page& status(Status status);
  Page& severity(Severity severity);
  /// One bar of 100 % split by status, with its figures as the accessible name.
  Page& bar(const std::uint64_t (&byStatus)[5]);
  std::size_t size() const { return out_.size(); }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// `text` as it stands inside an element or a quoted attribute.
std::string escaped(std::string_view text);

/// Bytes that a section may still use. A section ends its list when they are gone and says how much is left.
class Budget {
 public:
  Budget(const Page& page, std::size_t bytes) : page_(page), end_(page.size() + bytes) {}
  bool spent() const { return page_.size() >= end_; }

 private:
  const Page& page_;
  std::size_t end_;
};

/// A column of a table of the sections.
struct Column {
  std::string_view title;
  bool isNumber = false;
};

void beginTable(Page&, std::string_view caption, const std::vector<Column>& columns);
void endTable(Page&);
/// Says how much of a list was left out, if any.
void leftOut(Page&, std::size_t count, std::string_view what);
void beginSection(Page&, std::string_view id, std::string_view heading, std::string_view lead);
void endSection(Page&);

/// The sections below the first screen.
void dependencySection(Page&, const result::AuditResult&);
void findingSection(Page&, const result::AuditResult&, const Summary&);
void apiSection(Page&, const result::AuditResult&);
void coverageSection(Page&, const result::AuditResult&, const Summary&);
void stageSection(Page&, const std::vector<result::Stage>&);
void trialSection(Page&, const result::TrialResult&);

}  // namespace unwarp::report
