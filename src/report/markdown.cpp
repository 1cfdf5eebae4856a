// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit as Markdown for job summaries, pull requests and wikis: the same story as the first screen, then tables. It
// has to stay readable as plain text and below the megabyte that job summaries allow, so long lists are cut and say by
// how much.
//
// Everything from the audited tree is escaped: no name can open a tag, a link or a table cell. Limits: tables need a
// renderer with the common table extension; 100 dependencies, 10 places a rule and 50 unread paths are shown, the JSON
// has all.
#include <algorithm>

#include "report/report.h"
#include "report/summary.h"
#include "report/trial_text.h"
#include "report/wording.h"

namespace unwarp::report {
namespace {

using result::AuditResult;

constexpr std::size_t shownDependencies = 100, shownPlaces = 10, shownSkipped = 50, shownChars = 240;
constexpr std::size_t shownChecks = 200, shownFailures = 100;

/// Text of which every character stands for itself.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : clipped(printable(text), shownChars, "…")) {
    if (std::string_view("\\`*_[]<|~&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// A name in code type where its characters allow that.
std::string code(std::string_view text) {
  if (text.empty()) return "";
  const std::string name = clipped(printable(text), shownChars, "…");
  return name.find_first_of("`|\\") == std::string::npos ? "`" + name + "`" : plain(text);
}

class Document {
 public:
  Document& paragraph(const std::string& text) {
    out_ += text + "\n\n";
    return *this;
  }
  Document& heading(const std::string& text) { return paragraph("## " + text); }
  /// Column titles; a leading ':' of a title aligns the column to the right.
  void header(const std::vector<std::string_view>& titles) {
    std::string rule = "|";
    out_ += '|';
    for (const std::string_view title : titles) {
      const bool number = title.starts_with(':');
      out_.append(" ").append(title.substr(number ? 1 : 0)).append(" |");
      rule += number ? "--:|" : "---|";
    }
    out_ += '\n' + rule + '\n';
  }
  void row(const std::vector<std::string>& cells) {
    out_ += '|';
    for (const std::string& cell : cells) out_ += " " + cell + " |";
    out_ += '\n';
  }
  void endTable(std::size_t left, std::string_view what) {
    out_ += '\n';
    if (left > 0) paragraph("… and " + counted(left, what) + " more in the JSON.");
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void layers(Document& document, const AuditResult& audit) {
  document.heading("By layer");
  document.header({"Layer", ":sites", ":drop-in", ":port", ":partial", ":none", ":unknown"});
  const auto row = [&](std::string_view title, std::uint64_t sites, const std::uint64_t (&byStatus)[5]) {
    std::vector<std::string> cells{std::string(title), grouped(sites)};
    for (const std::uint64_t count : byStatus) cells.push_back(count == 0 ? "–" : grouped(count));
    document.row(cells);
  };
  for (const result::LayerEntry& layer : audit.layers)
    if (layer.sites > 0) row(title(layer.layer), layer.sites, layer.byStatus);
  row("**all**", audit.totals.sites, audit.totals.byStatus);
  document.endTable(0, "");
  std::string shares;
  for (const TargetShare& one : sharesByTarget(audit))
    shares += (shares.empty() ? "" : ", ") + plain(one.targets) + " " + percent(one.share);
  if (!shares.empty()) document.paragraph("Portable now (drop-in or guarded for HIP already): " + shares + ".");
}

void deciders(Document& document, const AuditResult& audit) {
  if (audit.deciders.empty()) return;
  document.heading("What decides");
  document.header({"Name", "Layer", "Status", ":sites", "Counterpart", "Why"});
  for (const result::Decider& one : audit.deciders)
    document.row({code(one.name), std::string(title(one.layer)), std::string(name(one.status)), grouped(one.sites),
                  one.counterpart.empty() ? "no counterpart known" : plain(one.counterpart), plain(one.reason)});
  document.endTable(0, "");
}

void hazards(Document& document, const AuditResult& audit, const Summary& summary) {
  document.heading("Hazards");
  if (summary.rules.empty()) {
    document.paragraph("None found.");
    return;
  }
  document.header({"Severity", ":sites", "Meaning"});
  for (std::size_t i = 0; i < summary.hazards.size(); ++i)
    if (summary.hazards[i] > 0)
      document.row(
          {std::string(severityNames[i]), grouped(summary.hazards[i]), std::string(meaning(static_cast<Severity>(i)))});
  document.endTable(0, "");
  document.header({"Rule", "What", "Severity", ":sites", ":files", "First places"});
  for (const RuleGroup& group : summary.rules) {
    std::string places;
    for (std::size_t i = 0; i < std::min(group.findings.size(), shownPlaces); ++i)
      places += (i == 0 ? "" : ", ") + code(placeOf(audit, audit.findings[group.findings[i]].site));
    if (group.findings.size() > shownPlaces) places += ", …";
    document.row({code(group.rule), plain(group.title()), std::string(name(group.severity)), grouped(group.sites),
                  grouped(group.files), places});
  }
  document.endTable(0, "");
}

/// The source of a record; one that nobody confirmed says so, once.
std::string sourceOf(const result::DependencyEntry& one) {
  bool saysSo = one.confirmed || one.source.find("confirmed") != std::string::npos;
  return plain(one.source) + (saysSo ? "" : " (unconfirmed)");
}

void dependencies(Document& document, const AuditResult& audit) {
  if (audit.dependencies.empty()) return;
  document.heading("Dependencies");
  document.header({"Name", "Version", "Kind", "Layer", "Status", "Counterpart", "Source", "As of", "First place"});
  const std::size_t shown = std::min(audit.dependencies.size(), shownDependencies);
  for (std::size_t i = 0; i < shown; ++i) {
    const result::DependencyEntry& one = audit.dependencies[i];
    std::string status(name(one.status));
    for (const auto& [target, onTarget] : one.byTarget)
      if (onTarget != one.status) status += ", " + plain(target) + " " + std::string(name(onTarget));
    document.row({code(one.name), one.version.empty() ? "–" : plain(one.version), plain(one.ecosystem),
                  std::string(title(one.layer)), status, plain(one.counterpart), sourceOf(one), plain(one.asOf),
                  one.sites.empty() ? "" : code(placeOf(audit, one.sites.front()))});
  }
  document.endTable(audit.dependencies.size() - shown, "dependency");
}

void coverage(Document& document, const AuditResult& audit, const Summary& summary) {
  document.heading("Coverage");
  document.paragraph(counted(audit.totals.files, "file") + " read, " + counted(audit.skipped.size(), "path") +
                     " not read, " + counted(summary.filesWithNotes, "file") + " with notes.");
  if (audit.skipped.empty()) return;
  document.header({"Not read", "Reason"});
  const std::size_t shown = std::min(audit.skipped.size(), shownSkipped);
  for (std::size_t i = 0; i < shown; ++i) document.row({code(audit.skipped[i].path), plain(audit.skipped[i].reason)});
  document.endTable(audit.skipped.size() - shown, "path");
}

void buildAndRun(Document& document, const result::TrialResult& trial) {
  document.heading("Build and run");
  document.paragraph("Built with this toolkit in a copy: " + buildsText(trial) +
                     ". Run at 32 and at 64 lanes: " + checksText(trial) + ".");
  for (const std::string& note : trial.notes) document.paragraph(plain(note) + ".");
  const std::vector<const result::Check*> checks = checksByWeight(trial);
  if (!checks.empty()) {
    document.header({"Check", "Kind", "Verdict", ":launches", "Why"});
    const std::size_t shown = std::min(checks.size(), shownChecks);
    for (std::size_t i = 0; i < shown; ++i)
      document.row({code(checks[i]->name), checks[i]->kind, std::string(meaning(checks[i]->verdict)),
                    grouped(checks[i]->runs.empty() ? 0 : checks[i]->runs[0].launches), plain(reasonText(*checks[i]))});
    document.endTable(checks.size() - shown, "check");
  }
  const std::vector<const result::Build*> broken = brokenBuilds(trial);
  if (broken.empty()) return;
  document.header({"Not built", "By", "State", "Why"});
  std::size_t rows = 0, left = 0;
  for (const result::Build* build : broken)
    for (const result::BuildFailure& failure : build->failures) {
      if (rows++ >= shownFailures) {
        ++left;
        continue;
      }
      document.row({code(failure.what), plain(build->system + " " + build->path), std::string(name(build->state)),
                    plain(reasonText(failure))});
    }
  document.endTable(left, "target");
}

void body(Document& document, const AuditResult& audit) {
  const Summary summary = summarise(audit);
  document.paragraph("**" + summary.headline + ":** " + plain(summary.verdict) + ".");
  if (!summary.cudaFound) {
    if (!audit.skipped.empty()) coverage(document, audit, summary);
    return;
  }
  document.paragraph(plain(summary.confidence) + ".");
  layers(document, audit);
  deciders(document, audit);
  hazards(document, audit, summary);
  dependencies(document, audit);
  coverage(document, audit, summary);
}

}  // namespace

std::string markdown(const AuditResult& audit) {
  Document document;
  document.paragraph("# CUDA audit");
  body(document, audit);
  return document.take();
}

std::string assessMarkdown(const result::Assessment& assessment) {
  Document document;
  document.paragraph("# Leaving CUDA: assessment");
  document.header({"Stage", "State", "Why"});
  for (const result::Stage& stage : assessment.stages)
    document.row(
        {plain(stage.id), stage.state == "not-built" ? "not built yet" : plain(stage.state), plain(stage.reason)});
  document.endTable(0, "");
  if (assessment.run) buildAndRun(document, *assessment.run);
  body(document, assessment.audit);
  return document.take();
}

}  // namespace unwarp::report
