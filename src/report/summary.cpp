// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verdict is read off the worst status that occurs: sites without counterpart outweigh gaps, gaps outweigh what
// nobody has looked at, and that outweighs plain work. It is about counterparts only. How much work it is and whether
// it pays are questions of other stages; the sentence therefore names shares and counts, and the confidence line says
// what it rests on.
//
// Limits: text evidence only, unless the result says otherwise; a suppressed finding is counted apart and weighs
// nothing here.
#include "report/summary.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "report/wording.h"

namespace unwarp::report {
namespace {

using result::AuditResult;

std::uint64_t countFilesWithSites(const AuditResult& audit) {
  std::vector<bool> seen(audit.files.size());
  const auto mark = [&](const result::Site& site) { seen[site.file] = true; };
  for (const result::Finding& finding : audit.findings) mark(finding.site);
  for (const result::ApiEntry& api : audit.apis) std::for_each(api.sites.begin(), api.sites.end(), mark);
  for (const result::DependencyEntry& dependency : audit.dependencies)
    std::for_each(dependency.sites.begin(), dependency.sites.end(), mark);
  return static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), true));
}

std::vector<RuleGroup> groupByRule(const AuditResult& audit) {
  std::unordered_map<std::string_view, std::size_t> places;
  std::unordered_map<std::string_view, const result::RuleText*> about;
  for (const result::RuleText& rule : audit.rules) about.emplace(rule.id, &rule);
  std::vector<RuleGroup> groups;
  std::vector<std::uint32_t> lastFile;
  for (std::uint32_t i = 0; i < audit.findings.size(); ++i) {
    const result::Finding& finding = audit.findings[i];
    const auto [place, isNew] = places.emplace(finding.rule, groups.size());
    if (isNew) {
      const auto known = about.find(finding.rule);
      groups.emplace_back();
      groups.back().rule = finding.rule;
      groups.back().about = known == about.end() ? nullptr : known->second;
      groups.back().severity = finding.severity;
      lastFile.push_back(0xffffffffu);
    }
    RuleGroup& group = groups[place->second];
    group.severity = std::min(group.severity, finding.severity);
    group.sites += finding.site.count;
    if (lastFile[place->second] != finding.site.file) ++group.files;  // findings are ordered by path
    lastFile[place->second] = finding.site.file;
    group.findings.push_back(i);
  }
  std::sort(groups.begin(), groups.end(), [](const RuleGroup& a, const RuleGroup& b) {
    if (a.severity != b.severity) return a.severity < b.severity;
    if (a.sites != b.sites) return a.sites > b.sites;
    return a.rule < b.rule;
  });
  return groups;
}

std::vector<SkipReason> countReasons(const AuditResult& audit) {
  std::map<std::string_view, std::uint64_t> counts;
  for (const result::Skipped& skipped : audit.skipped) ++counts[skipped.reason];
  std::vector<SkipReason> reasons;
  for (const auto& [reason, files] : counts) reasons.push_back({reason, files});
  std::sort(reasons.begin(), reasons.end(), [](const SkipReason& a, const SkipReason& b) {
    return a.files != b.files ? a.files > b.files : a.reason < b.reason;
  });
  return reasons;
}

std::uint64_t of(const AuditResult& audit, Status status) {
  return audit.totals.byStatus[static_cast<std::size_t>(status)];
}

std::string headlineOf(const AuditResult& audit, bool cudaFound) {
  if (audit.totals.files == 0) return "Nothing was read";
  if (!cudaFound) return "No CUDA found";
  if (of(audit, Status::None) * 2 > audit.totals.sites) return "Mostly bound to CUDA";
  if (of(audit, Status::None) > 0) return "Bound to CUDA in part";
  if (of(audit, Status::Partial) > 0) return "Portable with gaps";
  if (of(audit, Status::Unknown) > 0) return "Portable as far as known";
  if (of(audit, Status::Port) > 0 || !audit.findings.empty()) return "Portable with work";
  return "Portable as it stands";
}

/// "12 have only a partial counterpart, 3 have none".
std::string gapsOf(const AuditResult& audit) {
  std::string gaps;
  const auto add = [&](Status status, std::string_view one, std::string_view many) {
    const std::uint64_t sites = of(audit, status);
    if (sites == 0) return;
    if (!gaps.empty()) gaps += ", ";
    gaps.append(grouped(sites)).append(sites == 1 ? one : many);
  };
  add(Status::None, " has no counterpart", " have no counterpart");
  add(Status::Partial, " has a partial one", " have a partial one");
  add(Status::Unknown, " is unknown", " are unknown");
  return gaps.empty() ? "every one has a full counterpart" : gaps;
}

std::string verdictOf(const AuditResult& audit, const Summary& summary) {
  const std::string date = audit.factsDate.empty() ? "undated facts" : "facts of " + printable(audit.factsDate);
  if (audit.totals.files == 0) return "there was no file to read, so this says nothing about CUDA (" + date + ")";
  if (!summary.cudaFound)
    return "nothing in " + counted(audit.totals.files, "file") + " read binds this tree to CUDA (" + date + ")";
  return counted(audit.totals.sites, "CUDA site") + " in " + counted(summary.filesWithSites, "file") + "; " +
         gapsOf(audit) + " (" + date + ")";
}

/// Rules that somebody turned off; those that are off for everybody are no news.
std::string rulesOffOf(const AuditResult& audit) {
  const auto count = [&](OffReason reason) {
    return static_cast<std::uint64_t>(std::count_if(audit.rulesOff.begin(), audit.rulesOff.end(),
                                                    [&](const auto& off) { return off.reason == reason; }));
  };
  const std::uint64_t ignored = count(OffReason::Ignored), others = count(OffReason::NotSelected);
  std::string text = ignored == 0 ? "" : grouped(ignored) + " ignored";
  if (others > 0) text += (text.empty() ? "" : ", ") + grouped(others) + " not selected";
  return text;
}

std::string confidenceOf(const AuditResult& audit, const Summary& summary) {
  std::array<std::uint64_t, 4> byEvidence{};
  for (const result::Finding& finding : audit.findings)
    byEvidence[static_cast<std::size_t>(finding.evidence)] += finding.site.count;
  std::string text = "Read from source text, manifests and binaries, not compiled";
  if (byEvidence[static_cast<std::size_t>(Evidence::Ast)] > 0)
    text = "Read from syntax trees, text, manifests and binaries";
  if (!audit.skipped.empty()) text += "; " + counted(audit.skipped.size(), "path") + " not read";
  if (summary.filesWithNotes > 0) text += "; " + counted(summary.filesWithNotes, "file") + " with notes";
  if (summary.unconfirmed > 0)
    text += "; " + counted(summary.unconfirmed, "dependency") +
            (summary.unconfirmed == 1 ? " rests on an unconfirmed source" : " rest on unconfirmed sources");
  if (!summary.rulesOff.empty()) text += "; rules turned off: " + summary.rulesOff;
  return text;
}

}  // namespace

Summary summarise(const AuditResult& audit) {
  Summary summary;
  summary.cudaFound =
      audit.totals.sites > 0 || !audit.findings.empty() || !audit.apis.empty() || !audit.dependencies.empty();
  summary.filesWithSites = countFilesWithSites(audit);
  for (const result::Finding& finding : audit.findings)
    summary.hazards[static_cast<std::size_t>(finding.severity)] += finding.site.count;
  summary.rules = groupByRule(audit);
  summary.skipReasons = countReasons(audit);
  for (const result::FileEntry& file : audit.files) summary.filesWithNotes += file.notes.empty() ? 0 : 1;
  for (const result::DependencyEntry& dependency : audit.dependencies)
    summary.unconfirmed += dependency.confirmed ? 0 : 1;
  summary.headline = headlineOf(audit, summary.cudaFound);
  summary.verdict = verdictOf(audit, summary);
  summary.rulesOff = rulesOffOf(audit);
  summary.confidence = confidenceOf(audit, summary);
  return summary;
}

std::string placeOf(const AuditResult& audit, const result::Site& site) {
  std::string place = printable(audit.pathOf(site));
  if (site.line == 0) return place;
  char digits[12];
  return place.append(":").append(digits, std::to_chars(digits, digits + sizeof digits, site.line).ptr);
}

std::vector<TargetShare> sharesByTarget(const AuditResult& audit) {
  const auto& shares = audit.totals.portableShare;
  const bool same =
      std::all_of(shares.begin(), shares.end(), [&](const auto& one) { return one.second == shares.front().second; });
  if (shares.size() > 1 && same) return {{"all " + grouped(shares.size()) + " targets", shares.front().second}};
  std::vector<TargetShare> out;
  for (const auto& [target, share] : shares) out.push_back({printable(target), share});
  return out;
}

}  // namespace unwarp::report
