// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections below the first screen. Findings are grouped by rule, and within a rule the hits of one file with one
// message share a row, so that ten thousand findings fit; each section stops at its byte budget and says what it left
// out.
//
// Budgets: findings 800 KB, APIs 450 KB, dependencies 250 KB, coverage 250 KB. Rules come worst first, so what is
// folded is the least severe. With style, script and first screen (some 30 KB) the page stays under 2 MB.
#include <algorithm>

#include "report/html_parts.h"
#include "report/wording.h"

namespace unwarp::report {
namespace {

using result::AuditResult;

constexpr std::size_t findingBytes = 800'000, apiBytes = 450'000, dependencyBytes = 250'000, coverageBytes = 250'000;
constexpr std::size_t shownLines = 40;    ///< line numbers in one row
constexpr std::size_t shownPlaces = 3;    ///< places of an API or dependency
constexpr std::size_t openRules = 3;      ///< rule groups unfolded at first,
constexpr std::size_t openFindings = 15;  ///< if they are no longer than this

void places(Page& page, const AuditResult& audit, const std::vector<result::Site>& sites) {
  for (std::size_t i = 0; i < std::min(sites.size(), shownPlaces); ++i)
    page.markup(i == 0 ? "" : "<br>").path(placeOf(audit, sites[i]));
  if (sites.size() > shownPlaces)
    page.markup("<br><span class=\"quiet\">and ").number(sites.size() - shownPlaces).markup(" more</span>");
}

std::uint64_t countSites(const std::vector<result::Site>& sites) {
  std::uint64_t count = 0;
  for (const result::Site& site : sites) count += site.count;
  return count;
}

/// A row of the findings table: hits of one file that say the same.
struct Row {
  const result::Finding* first = nullptr;
  std::vector<const result::Site*> sites;
};

std::vector<Row> rowsOf(const AuditResult& audit, const RuleGroup& group) {
  std::vector<Row> rows;
  std::size_t fileStart = 0;  // first row of the file at hand
  for (const std::uint32_t index : group.findings) {
    const result::Finding& finding = audit.findings[index];
    if (rows.empty() || rows.back().first->site.file != finding.site.file) fileStart = rows.size();
    // A file has few distinct messages per rule; the bound keeps hostile ones linear.
    const std::size_t from = std::max(fileStart, rows.size() - std::min<std::size_t>(rows.size(), 8));
    std::size_t at = from;
    while (at < rows.size() &&
           (rows[at].first->message != finding.message || rows[at].first->targets != finding.targets))
      ++at;
    if (at == rows.size()) rows.push_back({&finding, {}});
    rows[at].sites.push_back(&finding.site);
  }
  return rows;
}

void lineNumbers(Page& page, const std::vector<const result::Site*>& sites) {
  for (std::size_t i = 0; i < std::min(sites.size(), shownLines); ++i) {
    if (sites[i]->line == 0) {
      page.markup(i == 0 ? "binary" : "");
      continue;
    }
    page.markup(i == 0 ? "" : ", ").markup(std::to_string(sites[i]->line));
    if (sites[i]->count > 1) page.markup("&thinsp;×&thinsp;").number(sites[i]->count);
  }
  if (sites.size() > shownLines) page.markup(" and ").number(sites.size() - shownLines).markup(" more");
}

/// The place of a row: `file:line` for one hit, the file and its lines for several.
void rowPlace(Page& page, const AuditResult& audit, const Row& row) {
  if (row.sites.size() == 1) {
    page.path(placeOf(audit, *row.sites[0]));
    if (row.sites[0]->count > 1) page.markup("&thinsp;×&thinsp;").number(row.sites[0]->count);
    return;
  }
  page.path(audit.pathOf(*row.sites[0])).markup("<br><span class=\"lines\">lines ");
  lineNumbers(page, row.sites);
  page.markup("</span>");
}

void ruleGroup(Page& page, const AuditResult& audit, const RuleGroup& group, const Budget& budget, bool open) {
  page.markup(open ? "<details class=\"rule\" open id=\"rule-" : "<details class=\"rule\" id=\"rule-").text(group.rule);
  page.markup("\"><summary>")
      .severity(group.severity)
      .markup(" <b>")
      .text(group.rule)
      .markup("</b> <span class=\"title\">");
  page.text(group.title()).markup("</span> <span class=\"count\">").markup(counted(group.sites, "site")).markup(" in ");
  page.markup(counted(group.files, "file")).markup("</span></summary>\n<p class=\"quiet\">");
  page.markup("Effect: ").markup(meaning(group.severity)).markup(". ");
  if (group.about != nullptr && !group.about->fix.empty()) page.markup("Fix: ").text(group.about->fix).markup(". ");
  page.markup("More: <code>unwarp explain ").text(group.rule).markup("</code></p>\n");
  beginTable(page, group.rule, {{"Place"}, {"What stands there"}, {"Targets"}, {"Evidence"}});
  const std::vector<Row> rows = rowsOf(audit, group);
  std::size_t left = 0;
  for (const Row& row : rows) {
    if (budget.spent()) {
      left += row.sites.size();
      continue;
    }
    page.markup("<tr><td>");
    rowPlace(page, audit, row);
    page.markup("</td><td>").text(row.first->message).markup("</td><td>");
    std::string targets;
    for (const std::string& target : row.first->targets) targets.append(targets.empty() ? "" : " ").append(target);
    page.text(targets).markup("</td><td>").markup(name(row.first->evidence)).markup("</td></tr>\n");
  }
  endTable(page);
  leftOut(page, left, "finding");
  page.markup("</details>\n");
}

void dependencyRow(Page& page, const AuditResult& audit, const result::DependencyEntry& one) {
  page.markup("<tr><th scope=\"row\">").text(one.name);
  if (!one.version.empty()) page.markup(" <span class=\"quiet\">").text(one.version).markup("</span>");
  page.markup("</th><td>")
      .text(one.ecosystem)
      .markup("</td><td>")
      .markup(title(one.layer))
      .markup("</td><td>")
      .status(one.status);
  std::size_t shown = 0;
  for (const auto& [target, status] : one.byTarget) {
    if (status == one.status || shown == 12) continue;
    ++shown;
    page.markup("<br><span class=\"quiet\">").text(target).markup("</span> ").status(status);
  }
  page.markup("</td><td>").text(one.counterpart.empty() ? "none known" : one.counterpart);
  if (!one.note.empty()) page.markup("<br><span class=\"quiet\">").text(one.note).markup("</span>");
  page.markup("</td><td>").text(one.source);
  if (!one.confirmed) page.markup(" <span class=\"flag\">unconfirmed</span>");
  page.markup("</td><td class=\"date\">").text(one.asOf).markup("</td><td class=\"n\">").number(countSites(one.sites));
  page.markup("</td><td class=\"where\">");
  places(page, audit, one.sites);
  page.markup("</td></tr>\n");
}

}  // namespace

void dependencySection(Page& page, const AuditResult& audit) {
  beginSection(
      page, "dependencies", "Dependencies",
      "Packages, libraries, images and settings that bind the project, and what stands for them on AMD. Status is the "
      "worst of the targets; targets that differ are listed under it.");
  if (audit.dependencies.empty()) {
    page.markup("<p>None found.</p>\n");
    return endSection(page);
  }
  beginTable(
      page, "Dependencies",
      {{"Name"}, {"Kind"}, {"Layer"}, {"Status"}, {"Counterpart"}, {"Source"}, {"As of"}, {"Sites", true}, {"Where"}});
  const Budget budget(page, dependencyBytes);
  std::size_t left = 0;
  for (const result::DependencyEntry& one : audit.dependencies) {
    if (budget.spent())
      ++left;
    else
      dependencyRow(page, audit, one);
  }
  endTable(page);
  leftOut(page, left, "dependency");
  endSection(page);
}

void findingSection(Page& page, const AuditResult& audit, const Summary& summary) {
  beginSection(page, "findings", "Findings by rule", "Worst first. Open a rule for its places.");
  if (summary.rules.empty()) page.markup("<p>None found.</p>\n");
  const Budget budget(page, findingBytes);
  std::size_t number = 0, left = 0;
  for (const RuleGroup& group : summary.rules) {
    if (budget.spent())
      ++left;
    else
      ruleGroup(page, audit, group, budget, number++ < openRules && group.findings.size() <= openFindings);
  }
  leftOut(page, left, "rule");
  if (!audit.suppressed.empty()) {
    page.markup("<details class=\"rule\"><summary><b>Suppressed</b> <span class=\"count\">");
    page.markup(counted(audit.suppressed.size(), "finding")).markup("</span></summary>\n");
    beginTable(page, "Suppressed findings", {{"Rule"}, {"Place"}, {"Reason"}});
    std::size_t hidden = 0;
    for (const result::Suppressed& one : audit.suppressed) {
      if (budget.spent()) {
        ++hidden;
        continue;
      }
      page.markup("<tr><td>").text(one.rule).markup("</td><td>").path(one.path + ":" + std::to_string(one.line));
      page.markup("</td><td>").text(one.reason).markup("</td></tr>\n");
    }
    endTable(page);
    leftOut(page, hidden, "suppressed finding");
    page.markup("</details>\n");
  }
  endSection(page);
}

void apiSection(Page& page, const AuditResult& audit) {
  beginSection(page, "apis", "APIs by layer",
               "Names of CUDA that the sources use, with their HIP name where there is one.");
  if (audit.apis.empty()) page.markup("<p>None found.</p>\n");
  const Budget budget(page, apiBytes);
  for (std::size_t i = 0; i < layerNames.size(); ++i) {
    const auto layer = static_cast<Layer>(i);
    const auto here = [&](const result::ApiEntry& api) { return api.layer == layer; };
    const auto count = static_cast<std::uint64_t>(std::count_if(audit.apis.begin(), audit.apis.end(), here));
    if (count == 0) continue;
    page.markup("<details class=\"rule\"><summary><b>").markup(title(layer)).markup("</b> <span class=\"count\">");
    page.markup(counted(count, "name")).markup("</span></summary>\n");
    beginTable(page, title(layer), {{"Name"}, {"Kind"}, {"HIP"}, {"Status"}, {"Sites", true}, {"Where"}});
    std::size_t left = 0;
    for (const result::ApiEntry& api : audit.apis) {
      if (!here(api)) continue;
      if (budget.spent()) {
        ++left;
        continue;
      }
      page.markup("<tr><th scope=\"row\">").code(api.name).markup("</th><td>").text(api.kind).markup("</td><td>");
      if (api.hip.empty()) page.markup("<span class=\"quiet\">none</span>");
      page.code(api.hip)
          .markup("</td><td>")
          .status(api.status)
          .markup("</td><td class=\"n\">")
          .number(countSites(api.sites));
      page.markup("</td><td class=\"where\">");
      places(page, audit, api.sites);
      page.markup("</td></tr>\n");
    }
    endTable(page);
    leftOut(page, left, "name");
    page.markup("</details>\n");
  }
  endSection(page);
}

void coverageSection(Page& page, const AuditResult& audit, const Summary& summary) {
  beginSection(page, "coverage", "What was not read", "A verdict covers what was read. This is the rest.");
  page.markup("<p>")
      .markup(counted(audit.totals.files, "file"))
      .markup(" read, ")
      .markup(counted(audit.skipped.size(), "path"));
  page.markup(" not read, ").markup(counted(summary.filesWithNotes, "file")).markup(" with notes.</p>\n");
  const Budget budget(page, coverageBytes);
  if (!audit.skipped.empty()) {
    beginTable(page, "Not read", {{"Path"}, {"Reason"}});
    std::size_t left = 0;
    for (const result::Skipped& one : audit.skipped) {
      if (budget.spent()) {
        ++left;
        continue;
      }
      page.markup("<tr><td>").path(one.path).markup("</td><td>").text(one.reason).markup("</td></tr>\n");
    }
    endTable(page);
    leftOut(page, left, "path");
  }
  if (summary.filesWithNotes > 0) {
    beginTable(page, "Files with notes", {{"File"}, {"Kind"}, {"How"}, {"Notes"}});
    std::size_t left = 0;
    for (const result::FileEntry& file : audit.files) {
      if (file.notes.empty()) continue;
      if (budget.spent()) {
        ++left;
        continue;
      }
      page.markup("<tr><td>").path(file.path).markup("</td><td>").text(file.kind).markup("</td><td>").text(file.how);
      page.markup("</td><td>");
      for (std::size_t i = 0; i < std::min<std::size_t>(file.notes.size(), 5); ++i)
        page.markup(i == 0 ? "" : "; ").text(file.notes[i]);
      if (file.notes.size() > 5) page.markup("; and ").number(file.notes.size() - 5).markup(" more");
      page.markup("</td></tr>\n");
    }
    endTable(page);
    leftOut(page, left, "file");
  }
  endSection(page);
}

void stageSection(Page& page, const std::vector<result::Stage>& stages) {
  if (stages.empty()) return;
  beginSection(page, "stages", "Stages of the assessment",
               "What stands behind this page, and what does not exist yet.");
  beginTable(page, "Stages", {{"Stage"}, {"State"}, {"Why"}});
  for (const result::Stage& stage : stages) {
    page.markup("<tr><th scope=\"row\">").text(stage.id).markup("</th><td>");
    page.text(stage.state == "not-built" ? "not built yet" : stage.state)
        .markup("</td><td>")
        .text(stage.reason)
        .markup("</td></tr>\n");
  }
  endTable(page);
  endSection(page);
}

}  // namespace unwarp::report
