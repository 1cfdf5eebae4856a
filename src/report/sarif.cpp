// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 for code-scanning uploads, minified, inside the limits GitHub documents (2026-08):
//   25,000 results a run       the worst severities are kept; what is left out is counted in run.properties and in a
//   notification 5,000 results shown        results are ordered worst first, so those are the ones shown; the count
//   beyond is stated as well 1,000 locations a result   of one rule in one file the first 99 hits stand alone, the
//   100th carries the rest as related locations,
//                              at most 999 of them
//   20 tags a rule             four are written
//   10 MB after gzip           a running upper estimate (text that may not repeat counts in full, repeated structure by
//   what deflate
//                              leaves of it) stops the list at 9.5 MB
// Locations are relative to the audited root: run the audit at the repository's root for an upload. Bytes of a path
// that a URI cannot hold are percent-encoded one by one, so even a name that is not UTF-8 stays exact.
// primaryLocationLineHash is the finding's own fingerprint plus a counter for equal ones, so alerts survive moved
// lines.
//
// Limits: suppressed findings carry their reason but no column; columns are left out where they are unknown.
#include <algorithm>
#include <unordered_map>

#include "base/json_writer.h"
#include "base/text.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/summary.h"
#include "report/wording.h"

namespace unwarp::report {
namespace {

constexpr std::size_t maxResults = 25000;
constexpr std::size_t shownResults = 5000;
constexpr std::size_t maxAloneInFile = 100;
constexpr std::size_t maxRelated = 999;
constexpr std::size_t maxGzipBytes = 9'500'000;
constexpr std::size_t relatedGzipBytes = 16;  // "same again, other line" costs about half of this
constexpr std::size_t resultGzipBytes = 64;

std::string_view levelOf(Severity severity) {
  constexpr std::array<std::string_view, 6> levels{"error", "error", "error", "warning", "note", "note"};
  return nameOf(levels, severity);
}

std::string_view problemSeverityOf(Severity severity) {
  constexpr std::array<std::string_view, 6> words{"error",   "error",          "error",
                                                  "warning", "recommendation", "recommendation"};
  return nameOf(words, severity);
}

std::string uriOf(std::string_view path) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string uri;
  for (const char c : pathBytes(path)) {
    const bool keep = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                      c == '.' || c == '_' || c == '~' || c == '/';
    if (keep) {
      uri += c;
    } else {
      uri += '%';
      uri += digits[(static_cast<unsigned char>(c) >> 4) & 0xf];
      uri += digits[static_cast<unsigned char>(c) & 0xf];
    }
  }
  return uri;
}

/// One SARIF result: a finding and the further hits folded into it.
struct Folded {
  std::uint32_t finding = 0;
  std::vector<std::uint32_t> related;
  std::uint64_t dropped = 0;  ///< hits beyond the related locations
};

/// What could not be shown in full.
struct Losses {
  std::uint64_t folded = 0;       ///< hits that became related locations
  std::uint64_t relatedLeft = 0;  ///< hits of a file beyond 1,000 locations
  std::uint64_t resultsLeft = 0;  ///< results beyond the limits
};

/// Results, worst severity first, each severity in the order of the findings.
std::vector<Folded> foldFindings(const AuditResult& audit, Losses& losses) {
  std::array<std::vector<Folded>, severityNames.size()> bySeverity;
  struct Seen {
    std::uint32_t file = 0xffffffffu;
    std::size_t hits = 0, last = 0, severity = 0;
  };
  std::unordered_map<std::string_view, Seen> seenByRule;  // of the file at hand: findings are ordered by path
  for (std::uint32_t i = 0; i < audit.findings.size(); ++i) {
    const result::Finding& finding = audit.findings[i];
    Seen& seen = seenByRule[finding.rule];
    if (seen.file != finding.site.file) seen = {.file = finding.site.file, .hits = 0, .last = 0, .severity = 0};
    if (++seen.hits <= maxAloneInFile) {
      seen.severity = static_cast<std::size_t>(finding.severity);
      seen.last = bySeverity[seen.severity].size();
      bySeverity[seen.severity].push_back({i, {}, 0});
      continue;
    }
    Folded& last = bySeverity[seen.severity][seen.last];
    if (last.related.size() < maxRelated) {
      last.related.push_back(i);
      ++losses.folded;
    } else {
      ++last.dropped;
      ++losses.relatedLeft;
    }
  }
  std::vector<Folded> all;
  for (std::vector<Folded>& some : bySeverity) std::move(some.begin(), some.end(), std::back_inserter(all));
  return all;
}

class SarifRun {
 public:
  SarifRun(const AuditResult& audit, std::string& out) : audit_(audit), json_(out) { collectRules(); }
  void write();

 private:
  void collectRules();
  void writeRule(const result::RuleText& rule);
  void writeDriver();
  void writeResult(const Folded& folded);
  void writeSuppressed(const result::Suppressed& suppressed);
  void writeLocation(std::string_view path, std::uint32_t line, std::uint32_t column);
  void writeHash(std::uint64_t fingerprint);
  void writeHead(std::string_view rule, std::string_view level, std::string_view message);
  void writeResults();
  void writeLosses();
  void writeRulesOff();
  void writeNotification(std::string_view level, std::string_view text, std::string_view id = {});
  std::string lossText() const;
  bool fits(std::size_t gzipBytes) { return (estimate_ += gzipBytes) <= maxGzipBytes; }

  const AuditResult& audit_;
  JsonWriter json_;
  std::vector<result::RuleText> rules_;
  std::unordered_map<std::string_view, std::size_t> ruleIndex_;  // keys live in audit_
  std::unordered_map<std::uint64_t, std::uint32_t> occurrences_;
  std::size_t estimate_ = 0, written_ = 0;
  Losses losses_;
};

void SarifRun::collectRules() {
  for (const result::RuleText& rule : audit_.rules)
    if (ruleIndex_.emplace(rule.id, rules_.size()).second) rules_.push_back(rule);
  const auto addUnknown = [&](const std::string& id, Severity severity) {
    if (!ruleIndex_.emplace(id, rules_.size()).second) return;
    rules_.push_back({.id = id, .name = id, .title = id, .help = "", .fix = "", .severity = severity});
  };
  for (const result::Finding& finding : audit_.findings) addUnknown(finding.rule, finding.severity);
  for (const result::Suppressed& suppressed : audit_.suppressed) addUnknown(suppressed.rule, Severity::Info);
}

void SarifRun::writeRule(const result::RuleText& rule) {
  const auto text = [&](std::string_view key, std::string_view content) {
    json_.key(key);
    json_.beginObject();
    json_.member("text", content);
    json_.endObject();
  };
  const std::string& title = rule.title.empty() ? rule.id : rule.title;
  fits(title.size() * 2 + rule.help.size() + 200);
  json_.beginObject();
  json_.member("id", rule.id);
  json_.member("name", rule.name.empty() ? rule.id : rule.name);
  text("shortDescription", clipped(title, 1000, "..."));
  text("fullDescription", clipped(title, 800, "...") + ". Effect: " + std::string(meaning(rule.severity)) + "." +
                              (rule.fix.empty() ? "" : " Fix: " + rule.fix + "."));
  json_.key("defaultConfiguration");
  json_.beginObject();
  json_.member("level", levelOf(rule.severity));
  json_.endObject();
  json_.key("help");
  json_.beginObject();
  json_.member("text", title + ". Run: unwarp explain " + rule.id);
  json_.member("markdown",
               rule.help.empty() ? "Run `unwarp explain " + rule.id + "` for the page of this rule." : rule.help);
  json_.endObject();
  json_.key("properties");
  json_.beginObject();
  json_.key("tags");
  json_.beginArray();
  json_.value("cuda");
  json_.value("portability");
  json_.value(name(rule.severity));
  if (!rule.fix.empty()) json_.value("fix-" + rule.fix);
  json_.endArray();
  json_.member("problem.severity", problemSeverityOf(rule.severity));
  json_.endObject();
  json_.endObject();
}

void SarifRun::writeDriver() {
  json_.key("tool");
  json_.beginObject();
  json_.key("driver");
  json_.beginObject();
  json_.member("name", "unwarp");
  json_.member("semanticVersion", audit_.toolVersion.empty() ? std::string("0.0.0") : audit_.toolVersion);
  json_.key("rules");
  json_.beginArray();
  for (const result::RuleText& rule : rules_) writeRule(rule);
  json_.endArray();
  json_.endObject();
  json_.endObject();
}

void SarifRun::writeLocation(std::string_view path, std::uint32_t line, std::uint32_t column) {
  json_.key("physicalLocation");
  json_.beginObject();
  json_.key("artifactLocation");
  json_.beginObject();
  json_.member("uri", uriOf(path));
  json_.endObject();
  json_.key("region");
  json_.beginObject();
  json_.member("startLine", std::max(line, 1u));
  if (line != 0 && column != 0) json_.member("startColumn", column);
  json_.endObject();
  json_.endObject();
}

void SarifRun::writeHash(std::uint64_t fingerprint) {
  json_.key("partialFingerprints");
  json_.beginObject();
  json_.member("primaryLocationLineHash",
               fingerprintText(fingerprint) + ":" + std::to_string(++occurrences_[fingerprint]));
  json_.endObject();
}

void SarifRun::writeHead(std::string_view rule, std::string_view level, std::string_view message) {
  json_.member("ruleId", rule);
  json_.member("ruleIndex", ruleIndex_.at(rule));
  json_.member("level", level);
  json_.key("message");
  json_.beginObject();
  json_.member("text", message);
  json_.endObject();
}

void SarifRun::writeResult(const Folded& folded) {
  const result::Finding& finding = audit_.findings[folded.finding];
  const std::string_view path = audit_.pathOf(finding.site);
  std::string message = finding.message.empty() ? finding.rule : finding.message;
  std::string targets;
  for (const std::string& target : finding.targets) targets.append(targets.empty() ? "" : ", ").append(target);
  if (!targets.empty()) message += " [" + targets + "]";
  if (!folded.related.empty())
    message += "; " + grouped(folded.related.size() + folded.dropped) + " further places in this file";
  json_.beginObject();
  writeHead(finding.rule, levelOf(finding.severity), message);
  json_.key("locations");
  json_.beginArray();
  json_.beginObject();
  writeLocation(path, finding.site.line, finding.site.column);
  json_.endObject();
  json_.endArray();
  if (!folded.related.empty()) {
    json_.key("relatedLocations");
    json_.beginArray();
    std::size_t id = 0;  // keeps the locations distinct, as the standard asks, where no column is known
    for (const std::uint32_t other : folded.related) {
      json_.beginObject();
      json_.member("id", ++id);
      writeLocation(path, audit_.findings[other].site.line, audit_.findings[other].site.column);
      json_.endObject();
    }
    json_.endArray();
  }
  writeHash(finding.fingerprint);
  json_.endObject();
}

void SarifRun::writeSuppressed(const result::Suppressed& suppressed) {
  const result::RuleText& rule = rules_[ruleIndex_.at(suppressed.rule)];
  json_.beginObject();
  writeHead(suppressed.rule, levelOf(rule.severity), rule.title.empty() ? rule.id : rule.title);
  json_.key("locations");
  json_.beginArray();
  json_.beginObject();
  writeLocation(suppressed.path, suppressed.line, 0);
  json_.endObject();
  json_.endArray();
  writeHash(stableHash(suppressed.path, stableHash(suppressed.reason, stableHash(suppressed.rule))));
  json_.key("suppressions");
  json_.beginArray();
  json_.beginObject();
  json_.member("kind", "inSource");
  json_.member("justification", suppressed.reason);
  json_.endObject();
  json_.endArray();
  json_.endObject();
}

void SarifRun::writeResults() {
  std::vector<Folded> results = foldFindings(audit_, losses_);
  json_.key("results");
  json_.beginArray();
  for (Folded& folded : results) {
    const result::Finding& finding = audit_.findings[folded.finding];
    const std::size_t bytes = resultGzipBytes + finding.message.size() + 3 * audit_.pathOf(finding.site).size() +
                              relatedGzipBytes * folded.related.size();
    if (written_ >= maxResults || !fits(bytes)) {
      ++losses_.resultsLeft;
      continue;
    }
    ++written_;
    writeResult(folded);
  }
  for (const result::Suppressed& suppressed : audit_.suppressed) {
    if (written_ >= maxResults || !fits(resultGzipBytes + 3 * suppressed.path.size() + suppressed.reason.size())) {
      ++losses_.resultsLeft;
      continue;
    }
    ++written_;
    writeSuppressed(suppressed);
  }
  json_.endArray();
}

std::string SarifRun::lossText() const {
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text.append(text.empty() ? "" : "; ").append(grouped(count)).append(" ").append(what);
  };
  add(losses_.folded, "hits of rules with more than 100 in one file are related locations");
  add(losses_.relatedLeft, "hits beyond 1,000 locations of one file are counted only");
  add(losses_.resultsLeft, "results of lower severity are left out (25,000 results, 10 MB after gzip)");
  add(written_ > shownResults ? written_ - shownResults : 0, "results are beyond the 5,000 that code scanning shows");
  return text;
}

void SarifRun::writeNotification(std::string_view level, std::string_view text, std::string_view id) {
  json_.beginObject();
  if (!id.empty()) {
    json_.key("descriptor");
    json_.beginObject();
    json_.member("id", id);
    json_.endObject();
  }
  json_.member("level", level);
  json_.key("message");
  json_.beginObject();
  json_.member("text", text);
  json_.endObject();
  json_.endObject();
}

/// One notification per reason. Visual Studio lists warnings only, and what somebody chose must be seen.
void SarifRun::writeRulesOff() {
  if (audit_.rulesOff.empty()) return;
  constexpr std::array<std::string_view, offReasonNames.size()> texts{
      "for the depth analysis", "ignored", "not selected", "in preview", "for other targets"};
  json_.key("toolConfigurationNotifications");
  json_.beginArray();
  for (const OffReason reason :
       {OffReason::Ignored, OffReason::NotSelected, OffReason::Preview, OffReason::Target, OffReason::Depth}) {
    std::string ids;
    std::uint64_t count = 0;
    for (const result::RuleOff& off : audit_.rulesOff) {
      if (off.reason != reason) continue;
      ids.append(ids.empty() ? "" : ", ").append(off.rule);
      ++count;
    }
    if (count == 0) continue;
    const bool chosen = reason == OffReason::Ignored || reason == OffReason::NotSelected;
    writeNotification(chosen ? "warning" : "note",
                      counted(count, "rule") + (count == 1 ? " was" : " were") + " not applied (" +
                          std::string(nameOf(texts, reason)) + "): " + ids,
                      "rules-off-" + std::string(name(reason)));
  }
  json_.endArray();
}

void SarifRun::writeLosses() {
  const std::string losses = lossText();
  json_.key("invocations");
  json_.beginArray();
  json_.beginObject();
  json_.member("executionSuccessful", true);
  json_.key("toolExecutionNotifications");
  json_.beginArray();
  if (!losses.empty()) writeNotification("note", losses);
  if (!audit_.skipped.empty()) writeNotification("note", counted(audit_.skipped.size(), "path") + " not read");
  json_.endArray();
  writeRulesOff();
  json_.endObject();
  json_.endArray();
  json_.key("properties");
  json_.beginObject();
  json_.member("factsDate", audit_.factsDate);
  json_.member("findings", audit_.findings.size());
  json_.member("resultsWritten", written_);
  json_.member("hitsAsRelatedLocations", losses_.folded);
  json_.member("hitsCountedOnly", losses_.relatedLeft);
  json_.member("resultsLeftOut", losses_.resultsLeft);
  json_.member("pathsNotRead", audit_.skipped.size());
  json_.endObject();
}

void SarifRun::write() {
  json_.beginObject();
  json_.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json_.member("version", "2.1.0");
  json_.key("runs");
  json_.beginArray();
  json_.beginObject();
  writeDriver();
  writeResults();
  writeLosses();
  json_.endObject();
  json_.endArray();
  json_.endObject();
}

}  // namespace

std::string sarif(const AuditResult& audit) {
  std::string out;
  SarifRun(audit, out).write();
  out += '\n';
  return out;
}

}  // namespace unwarp::report
