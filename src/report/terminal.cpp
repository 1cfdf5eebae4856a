// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first screen of `unwarp audit`: the story in at most 30 lines of 80 columns. Verdict, sites by layer and status,
// what is portable already, hazards, the things that decide, what was not read, where to go on. With `allFindings` the
// list of findings comes before it, one line each in the form editors jump to, so that the story stays at the prompt.
//
// Colour marks emphasis and never carries meaning alone: every status is a word or a column. Text from the audited tree
// has its control characters spelled out. Limits: one column per code point; a width below 60 is treated as 60.
#include <algorithm>

#include "report/report.h"
#include "report/summary.h"
#include "report/trial_text.h"
#include "report/wording.h"

namespace unwarp::report {
namespace {

using result::AuditResult;

/// Few and calm: weight first, then three hues of the terminal's own palette.
enum class Ink { Strong, Dim, Good, Warn, Bad };

class Screen {
 public:
  explicit Screen(const TerminalOptions& options)
      : options_(options), width_(static_cast<std::size_t>(std::max(options.width, 60))) {}

  std::size_t width() const { return width_; }
  std::string_view ellipsis() const { return options_.ascii ? "..." : "…"; }
  std::string_view arrow() const { return options_.ascii ? "->" : "→"; }

  Screen& put(std::string_view text) {
    out_ += text;
    return *this;
  }
  Screen& put(Ink ink, std::string_view text) {
    if (!options_.color || text.empty()) return put(text);
    constexpr std::array<std::string_view, 5> codes{"\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[33m", "\x1b[31m"};
    return put(codes[static_cast<std::size_t>(ink)]).put(text).put("\x1b[0m");
  }
  Screen& line() { return put("\n"); }
  /// Text padded on the right to `columns`.
  Screen& left(std::string_view text, std::size_t columns) {
    put(text);
    out_.append(columns - std::min(columns, columnsOf(text)), ' ');
    return *this;
  }
  /// Text padded on the left to `columns`; coloured when it says something.
  Screen& right(Ink ink, std::string_view text, std::size_t columns) {
    out_.append(columns - std::min(columns, columnsOf(text)), ' ');
    return put(ink, text);
  }
  /// Words filled into lines; the first line starts after `used` columns, the others are indented by `indent`.
  Screen& fill(std::string_view text, std::size_t used, std::size_t indent);
  /// The finished text; in ASCII mode what a file name brought along becomes '?'.
  std::string take() {
    if (!options_.ascii) return std::move(out_);
    std::string plain;
    for (const char c : out_)
      if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) plain += static_cast<unsigned char>(c) < 0x80 ? c : '?';
    return plain;
  }

 private:
  TerminalOptions options_;
  std::size_t width_;
  std::string out_;
};

Screen& Screen::fill(std::string_view text, std::size_t used, std::size_t indent) {
  bool lineStart = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t columns = columnsOf(word);
    if (!lineStart && used + 1 + columns > width_) {
      line();
      out_.append(indent, ' ');
      used = indent;
      lineStart = true;
    }
    if (!lineStart) {
      out_ += ' ';
      ++used;
    }
    out_ += word;
    used += columns;
    lineStart = false;
  }
  return line();
}

constexpr std::size_t labelWidth = 15;
constexpr std::size_t numberWidth = 10;

constexpr Ink inkOf(Status status) {
  constexpr std::array<Ink, 5> inks{Ink::Good, Ink::Good, Ink::Warn, Ink::Bad, Ink::Dim};
  return inks[static_cast<std::size_t>(status)];
}

constexpr Ink inkOf(Severity severity) {
  constexpr std::array<Ink, 6> inks{Ink::Bad, Ink::Bad, Ink::Bad, Ink::Warn, Ink::Dim, Ink::Dim};
  return inks[static_cast<std::size_t>(severity)];
}

/// A number of the table; tenths of a million where all digits would touch the column before.
std::string tableNumber(std::uint64_t number) {
  std::string text = grouped(number);
  if (text.size() < numberWidth) return text;
  const std::uint64_t tenths = number / 100'000 + (number % 100'000 >= 50'000 ? 1 : 0);
  return grouped(tenths / 10) + "." + std::to_string(tenths % 10) + "M";
}

void putNumbers(Screen& screen, std::uint64_t sites, const std::uint64_t (&byStatus)[5]) {
  screen.right(Ink::Strong, tableNumber(sites), numberWidth);
  for (std::size_t i = 0; i < statusNames.size(); ++i) {
    const bool nothing = byStatus[i] == 0;
    screen.right(nothing ? Ink::Dim : inkOf(static_cast<Status>(i)), nothing ? "-" : tableNumber(byStatus[i]),
                 numberWidth);
  }
  screen.line();
}

void putLayers(Screen& screen, const AuditResult& audit) {
  screen.left("Layer", labelWidth).right(Ink::Dim, "sites", numberWidth);
  for (const std::string_view status : statusNames) screen.right(Ink::Dim, status, numberWidth);
  screen.line();
  std::string empty;
  for (const result::LayerEntry& layer : audit.layers) {
    if (layer.sites == 0) {
      empty.append(empty.empty() ? "" : ", ").append(name(layer.layer));
      continue;
    }
    screen.left(name(layer.layer), labelWidth);
    putNumbers(screen, layer.sites, layer.byStatus);
  }
  screen.left("all", labelWidth);
  putNumbers(screen, audit.totals.sites, audit.totals.byStatus);
  if (!empty.empty()) screen.left("nothing in", labelWidth).fill(empty, labelWidth, labelWidth);
}

void putShares(Screen& screen, const AuditResult& audit) {
  std::string text;
  for (const TargetShare& one : sharesByTarget(audit))
    text.append(text.empty() ? "" : ", ").append(one.targets).append(" ").append(percent(one.share));
  if (audit.totals.guarded > 0) text += " (" + counted(audit.totals.guarded, "site") + " guarded for HIP)";
  if (!text.empty()) screen.left("Portable now", labelWidth).fill(text, labelWidth, labelWidth);
}

void putHazards(Screen& screen, const Summary& summary) {
  screen.left("Hazards", labelWidth);
  bool any = false;
  for (std::size_t i = 0; i < summary.hazards.size(); ++i) {
    if (summary.hazards[i] == 0) continue;
    screen.put(any ? "   " : "").put(inkOf(static_cast<Severity>(i)), severityNames[i]).put(" ");
    screen.put(grouped(summary.hazards[i]));
    any = true;
  }
  screen.put(any ? "" : "none found").line();
}

void putDeciders(Screen& screen, const AuditResult& audit) {
  if (audit.deciders.empty()) return;
  const std::size_t shown = std::min<std::size_t>(audit.deciders.size(), 5);
  std::size_t sitesWidth = 10;
  for (std::size_t i = 0; i < shown; ++i)
    sitesWidth = std::max(sitesWidth, columnsOf(counted(audit.deciders[i].sites, "site")) + 1);
  screen.left("Decides", labelWidth);
  for (std::size_t i = 0; i < shown; ++i) {
    const result::Decider& decider = audit.deciders[i];
    if (i > 0) screen.left("", labelWidth);
    constexpr std::size_t nameWidth = 20;
    screen.left(clipped(printable(decider.name), nameWidth - 1, screen.ellipsis()), nameWidth);
    screen.put(inkOf(decider.status), name(decider.status));
    screen.left("", 8 - name(decider.status).size());
    screen.left(counted(decider.sites, "site"), sitesWidth);
    const std::size_t used = labelWidth + nameWidth + 8 + sitesWidth;
    const std::string counterpart =
        decider.counterpart.empty() ? "no counterpart known" : printable(decider.counterpart);
    screen.put(screen.arrow()).put(" ");
    const std::size_t room = screen.width() - std::min(screen.width(), used + columnsOf(screen.arrow()) + 1);
    screen.put(clipped(counterpart, room, screen.ellipsis())).line();
  }
}

void putNotRead(Screen& screen, const AuditResult& audit, const Summary& summary) {
  std::string text;
  if (audit.skipped.empty() && summary.filesWithNotes == 0) {
    text = "nothing: all " + counted(audit.totals.files, "file") + " were read";
  } else {
    text = audit.skipped.empty() ? "nothing" : counted(audit.skipped.size(), "path");
    std::size_t shown = 0;
    for (const SkipReason& reason : summary.skipReasons) {
      if (shown++ == 3) break;
      text += (shown == 1 ? ": " : ", ") + grouped(reason.files) + " " +
              clipped(printable(reason.reason), 40, screen.ellipsis());
    }
    if (summary.skipReasons.size() > 3) text += ", " + counted(summary.skipReasons.size() - 3, "other reason");
    if (summary.filesWithNotes > 0) text += "; " + counted(summary.filesWithNotes, "file") + " with notes";
  }
  screen.left("Not read", labelWidth).fill(text, labelWidth, labelWidth);
}

void putRulesOff(Screen& screen, const Summary& summary) {
  if (!summary.rulesOff.empty()) screen.left("Rules off", labelWidth).put(summary.rulesOff).line();
}

/// A path as a shell argument: quoted only where that is needed.
std::string shellWord(std::string_view text) {
  const std::string word = printable(text);
  const auto isPlain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./+=:,@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// A command to type next; what it is for stands behind it where there is room.
void putCommand(Screen& screen, bool first, const std::string& command, const std::string& purpose) {
  screen.left(first ? "Next" : "", labelWidth).put(command);
  if (labelWidth + columnsOf(command) + 3 + columnsOf(purpose) <= screen.width()) screen.put(Ink::Dim, "   " + purpose);
  screen.line();
}

void putNext(Screen& screen, const AuditResult& audit, const Summary& summary, const TerminalOptions& options) {
  const std::string path = shellWord(audit.root.empty() ? "." : audit.root);
  bool first = true;
  if (!summary.rules.empty()) {
    const RuleGroup& worst = summary.rules.front();
    putCommand(screen, first, "unwarp explain " + shellWord(worst.rule),
               "worst hazard, " + counted(worst.sites, "site"));
    first = false;
  }
  if (!options.allFindings && !audit.findings.empty()) {
    putCommand(screen, first, "unwarp audit " + path + " --all", "every finding");
    first = false;
  }
  if (!options.reportWritten)
    putCommand(screen, first, "unwarp audit " + path + " --format html=audit.html", "to hand on");
}

void putFindings(Screen& screen, const AuditResult& audit) {
  for (const result::Finding& finding : audit.findings) {
    std::string place = printable(audit.pathOf(finding.site));
    if (finding.site.line != 0)
      place += ":" + std::to_string(finding.site.line) + ":" + std::to_string(std::max(finding.site.column, 1u));
    screen.put(Ink::Strong, place).put(": ").put(inkOf(finding.severity), name(finding.severity));
    screen.put(" ").put(printable(finding.rule)).put(" ").put(printable(finding.message));
    if (finding.site.count > 1) screen.put(" (" + grouped(finding.site.count) + " sites)");
    std::string targets;
    for (const std::string& target : finding.targets)
      targets.append(targets.empty() ? "" : " ").append(printable(target));
    screen.put(Ink::Dim, targets.empty() ? "" : " [" + targets + "]").line();
  }
  if (!audit.findings.empty()) screen.line();
}

/// A label and what belongs to it, in lines of the screen's width.
void putRow(Screen& screen, std::string_view label, const std::string& text) {
  screen.left(label, labelWidth).fill(text, labelWidth, labelWidth);
}

void putTrial(Screen& screen, const result::TrialResult& trial) {
  constexpr std::size_t shown = 3;
  putRow(screen, "Build and run", buildsText(trial) + "; " + checksText(trial) + ".");
  for (const std::string& note : trial.notes) putRow(screen, "", printable(note) + ".");
  std::size_t rows = 0;
  for (const result::Check* check : checksByWeight(trial)) {
    const bool isWrongAt64 =
        check->verdict == result::CheckVerdict::FailsAt64 || check->verdict == result::CheckVerdict::Differs;
    if (!isWrongAt64 || rows == shown) break;
    putRow(screen, rows++ == 0 ? "  wrong at 64" : "", printable(check->name) + ": " + printable(reasonText(*check)));
  }
  rows = 0;
  for (const result::Build* build : brokenBuilds(trial)) {
    if (rows == shown) break;
    const std::string why = build->failures.empty() ? std::string(name(build->state)) : reasonText(build->failures[0]);
    putRow(screen, rows++ == 0 ? "  not built" : "",
           build->system + " " + printable(build->path) + ": " + printable(why));
  }
}

/// "Stages: audit done, run skipped (reason); not built yet: check, port".
std::string stagesText(const std::vector<result::Stage>& stages) {
  std::string there, missing;
  for (const result::Stage& stage : stages) {
    if (stage.state == "not-built") {
      missing += (missing.empty() ? "; not built yet: " : ", ") + stage.id;
      continue;
    }
    there += (there.empty() ? "" : ", ") + stage.id + " " + stage.state;
    if (!stage.reason.empty()) there += " (" + printable(stage.reason) + ")";
  }
  return there + missing;
}

}  // namespace

std::string terminal(const AuditResult& audit, const TerminalOptions& options) {
  const Summary summary = summarise(audit);
  Screen screen(options);
  if (options.allFindings) putFindings(screen, audit);
  screen.put(Ink::Strong, summary.headline);
  const std::size_t used = columnsOf(summary.headline) + 1;
  screen.put(": ").fill(summary.verdict + ".", used + 1, 0);
  if (!summary.cudaFound) {
    if (!audit.skipped.empty() || summary.filesWithNotes > 0) putNotRead(screen, audit, summary);
    putRulesOff(screen, summary);
    return screen.take();
  }
  screen.line();
  putLayers(screen, audit);
  screen.line();
  putShares(screen, audit);
  putHazards(screen, summary);
  putDeciders(screen, audit);
  putNotRead(screen, audit, summary);
  putRulesOff(screen, summary);
  if (audit.totals.suppressed > 0)
    screen.left("Suppressed", labelWidth)
        .put(counted(audit.totals.suppressed, "finding"))
        .put(", each with its reason")
        .line();
  putNext(screen, audit, summary, options);
  return screen.take();
}

std::string assessTerminal(const result::Assessment& assessment, const TerminalOptions& options) {
  Screen screen(options);
  if (assessment.run) putTrial(screen, *assessment.run);
  putRow(screen, "Stages", stagesText(assessment.stages));
  return terminal(assessment.audit, options) + "\n" + screen.take();
}

}  // namespace unwarp::report
