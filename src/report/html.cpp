// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report to hand on: one static page that needs no network and no script. The first screen (1280x720) holds the
// verdict with the date of the facts, sites by layer and status, what decides, what is portable already and the
// hazards; below it one section each for dependencies, findings, APIs, coverage and the stages of `assess`. The script
// only sorts and filters what is already there; style and script are the files under assets/, put into the program at
// build time.
//
// Size: sections have byte budgets (html_sections.cpp), so the page stays under 2 MB whatever the audit found; what is
// folded is counted on the page and complete in the JSON. Status and severity are words first: swatches and hatching
// repeat them.
#include <algorithm>

#include "base/embedded.h"
#include "report/html_parts.h"
#include "report/report.h"
#include "report/trial_text.h"
#include "report/wording.h"

namespace unwarp::report {
namespace {

using result::AuditResult;

std::string_view asset(std::string_view ending) {
  for (const auto& [path, bytes] : embedded::reportAssets())
    if (path.ends_with(ending)) return bytes;
  return {};
}

/// Hatching for the bars, so that a status shows without colour.
constexpr std::string_view patterns =
    R"svg(<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>)svg"
    R"svg(<pattern id="p-partial" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">)svg"
    R"svg(<rect class="ground" width="6" height="6"/><rect class="stroke" width="2" height="6"/></pattern>)svg"
    R"svg(<pattern id="p-unknown" width="5" height="5" patternUnits="userSpaceOnUse">)svg"
    R"svg(<rect class="ground" width="5" height="5"/>)svg"
    R"svg(<rect class="stroke" x="1" y="1" width="1.5" height="1.5"/></pattern>)svg"
    R"svg(<pattern id="p-port" width="5" height="5" patternUnits="userSpaceOnUse">)svg"
    R"svg(<rect class="ground" width="5" height="5"/><rect class="stroke" width="1" height="5"/></pattern>)svg"
    "</defs></svg>\n";

std::string_view lastPart(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

void head(Page& page, const AuditResult& audit) {
  page.markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  page.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  page.markup(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n");
  page.markup("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"unwarp ");
  page.text(audit.toolVersion).markup("\">\n<title>CUDA audit");
  if (!audit.root.empty()) page.markup(" of ").text(lastPart(audit.root));
  page.markup("</title>\n<style>\n").markup(asset(".css")).markup("</style>\n</head>\n<body>\n").markup(patterns);
  page.markup("<a class=\"skip\" href=\"#main\">Skip to the report</a>\n");
}

void masthead(Page& page, const AuditResult& audit, const Summary& summary) {
  page.markup("<header>\n<p class=\"over\"><span>CUDA audit");
  if (!audit.root.empty()) page.markup(" of <strong>").text(lastPart(audit.root)).markup("</strong>");
  page.markup("</span><span>").markup(counted(audit.totals.files, "file")).markup(" read</span><span>facts of ");
  page.text(audit.factsDate.empty() ? "no date" : audit.factsDate).markup("</span><span>unwarp ");
  page.text(audit.toolVersion)
      .markup("</span></p>\n<h1>")
      .text(summary.headline)
      .markup("</h1>\n<p class=\"verdict\">");
  std::string verdict = summary.verdict + ".";
  if (verdict[0] >= 'a' && verdict[0] <= 'z') verdict[0] = static_cast<char>(verdict[0] - 'a' + 'A');
  page.text(verdict).markup("</p>\n<p class=\"quiet\">").text(summary.confidence).markup(".</p>\n</header>\n");
}

void layerTable(Page& page, const AuditResult& audit) {
  page.markup(
      "<section class=\"layers\" aria-labelledby=\"h-layers\">\n<h2 id=\"h-layers\">What binds, by layer</h2>\n");
  page.markup(
      "<table class=\"bars\"><thead><tr><th scope=\"col\">Layer</th><th scope=\"col\" class=\"wide\">Share of its "
      "sites</th><th scope=\"col\" class=\"n\">Sites</th>");
  for (const std::string_view status : statusNames)
    page.markup("<th scope=\"col\" class=\"n\"><span class=\"st ")
        .markup(status)
        .markup("\">")
        .markup(status)
        .markup("</span></th>");
  page.markup("</tr></thead>\n<tbody>\n");
  const auto row = [&](std::string_view label, std::uint64_t sites, const std::uint64_t (&byStatus)[5]) {
    page.markup("<tr").markup(sites == 0 ? " class=\"none-here\"" : "").markup("><th scope=\"row\">").markup(label);
    page.markup("</th><td class=\"wide\">").bar(byStatus).markup("</td><td class=\"n strong\">");
    page.number(sites).markup("</td>");
    for (const std::uint64_t count : byStatus) {
      page.markup(count == 0 ? "<td class=\"n zero\">" : "<td class=\"n\">");
      page.markup(count == 0 ? std::string("–") : grouped(count)).markup("</td>");
    }
    page.markup("</tr>\n");
  };
  for (const result::LayerEntry& layer : audit.layers) row(title(layer.layer), layer.sites, layer.byStatus);
  page.markup("</tbody>\n<tfoot>\n");
  row("All", audit.totals.sites, audit.totals.byStatus);
  page.markup("</tfoot></table>\n<dl class=\"legend\">");
  for (std::size_t i = 0; i < statusNames.size(); ++i) {
    page.markup("<div><dt>").status(static_cast<Status>(i)).markup("</dt><dd>");
    page.markup(meaning(static_cast<Status>(i))).markup("</dd></div>");
  }
  page.markup("</dl>\n</section>\n");
}

void deciders(Page& page, const AuditResult& audit) {
  page.markup("<section aria-labelledby=\"h-decides\">\n<h2 id=\"h-decides\">What decides</h2>\n");
  if (audit.deciders.empty())
    page.markup("<p class=\"quiet\">Nothing stands out: no single dependency holds the rest.</p>\n");
  page.markup("<ol class=\"deciders\">\n");
  for (std::size_t i = 0; i < audit.deciders.size() && i < 5; ++i) {
    const result::Decider& one = audit.deciders[i];
    page.markup("<li><span class=\"name\">").text(one.name).markup("</span> ").status(one.status);
    page.markup("<span class=\"sites\">").markup(counted(one.sites, "site")).markup("</span><br><span class=\"to\">→ ");
    page.text(one.counterpart.empty() ? "no counterpart known" : one.counterpart).markup("</span>");
    if (!one.reason.empty()) page.markup(" <span class=\"why\">").text(one.reason).markup("</span>");
    page.markup("</li>\n");
  }
  page.markup("</ol>\n</section>\n");
}

void shares(Page& page, const AuditResult& audit) {
  page.markup("<section aria-labelledby=\"h-now\">\n<h2 id=\"h-now\">Portable now</h2>\n<ul class=\"shares\">\n");
  std::size_t shown = 0;
  const std::vector<TargetShare> all = sharesByTarget(audit);
  for (const TargetShare& one : all) {
    if (shown++ == 12) break;
    page.markup("<li><span>")
        .text(one.targets)
        .markup("</span><strong>")
        .markup(escaped(percent(one.share)))
        .markup("</strong></li>\n");
  }
  page.markup("</ul>\n<p class=\"quiet\">");
  if (all.size() > 12) page.markup("And ").markup(counted(all.size() - 12, "target")).markup(" more. ");
  page.markup("Sites that are drop-in or already guarded for HIP");
  if (audit.totals.guarded > 0) page.markup(" (").number(audit.totals.guarded).markup(" guarded)");
  page.markup(".</p>\n</section>\n");
}

void hazards(Page& page, const Summary& summary) {
  page.markup("<section aria-labelledby=\"h-hazards\">\n<h2 id=\"h-hazards\">Hazards if moved unchanged</h2>\n");
  bool any = false;
  for (std::size_t i = 0; i < summary.hazards.size(); ++i) {
    if (summary.hazards[i] == 0) continue;
    page.markup(any ? "" : "<ul class=\"hazards\">\n")
        .markup("<li><strong>")
        .number(summary.hazards[i])
        .markup("</strong> ");
    page.severity(static_cast<Severity>(i)).markup(" <span class=\"quiet\">").markup(meaning(static_cast<Severity>(i)));
    page.markup("</span></li>\n");
    any = true;
  }
  page.markup(any ? "</ul>\n" : "<p class=\"quiet\">None found.</p>\n").markup("</section>\n");
}

/// Which sections the page has beside the audit's.
struct Beside {
  bool stages = false;
  const result::TrialResult* trial = nullptr;
};

void navigation(Page& page, const AuditResult& audit, const Summary& summary, const Beside& beside) {
  const auto link = [&](std::string_view id, std::string_view label, std::uint64_t count) {
    page.markup("<a href=\"#")
        .markup(id)
        .markup("\">")
        .markup(label)
        .markup(" <span>")
        .number(count)
        .markup("</span></a>\n");
  };
  page.markup("<nav aria-label=\"Sections\">\n");
  if (beside.trial != nullptr) link("run", "Build and run", beside.trial->checks.size());
  if (summary.cudaFound) {
    link("dependencies", "Dependencies", audit.dependencies.size());
    link("findings", "Findings", audit.findings.size());
    link("apis", "APIs", audit.apis.size());
  }
  link("coverage", "Not read", audit.skipped.size());
  if (beside.stages) page.markup("<a href=\"#stages\">Stages</a>\n");
  page.markup("</nav>\n");
}

/// One line of the first screen: what building and running gave.
void trialLine(Page& page, const result::TrialResult* trial) {
  if (trial == nullptr) return;
  page.markup("<p class=\"stageline\"><a href=\"#run\">Build and run</a>: ").text(buildsText(*trial)).markup("; ");
  page.text(checksText(*trial)).markup(".</p>\n");
}

/// The first line: the verdict of the stage "cost", which is what most readers came for.
void verdictLine(Page& page, const std::vector<result::Stage>& stages) {
  for (const result::Stage& stage : stages)
    if (stage.id == "cost" && stage.state == "done" && !stage.reason.empty())
      page.markup("<p class=\"stageline\"><strong>").text(stage.reason).markup("</strong></p>\n");
}

/// One line of the first screen: which stages stand behind the report and which do not exist yet.
void stageLine(Page& page, const std::vector<result::Stage>& stages) {
  if (stages.empty()) return;
  page.markup("<p class=\"quiet stageline\">Stages: ");
  bool first = true;
  for (const result::Stage& stage : stages) {
    page.markup(first ? "" : ", ").text(stage.id).markup(" ");
    page.text(stage.state == "not-built" ? "not built yet" : stage.state);
    first = false;
  }
  page.markup(".</p>\n");
}

}  // namespace

namespace {

/// The page; without stages it is the audit's alone.
std::string pageOf(const AuditResult& audit, const std::vector<result::Stage>& stages,
                   const result::TrialResult* trial) {
  const Summary summary = summarise(audit);
  Page page;
  head(page, audit);
  masthead(page, audit, summary);
  page.markup("<main id=\"main\">\n");
  verdictLine(page, stages);
  if (summary.cudaFound) {
    page.markup("<div class=\"first\">\n<div>\n");
    layerTable(page, audit);
    hazards(page, summary);
    trialLine(page, trial);
    stageLine(page, stages);
    page.markup("</div>\n<div>\n");
    deciders(page, audit);
    shares(page, audit);
    page.markup("</div>\n</div>\n");
  }
  navigation(page, audit, summary, {!stages.empty(), trial});
  if (trial != nullptr) trialSection(page, *trial);
  if (summary.cudaFound) {
    dependencySection(page, audit);
    findingSection(page, audit, summary);
    apiSection(page, audit);
  }
  coverageSection(page, audit, summary);
  stageSection(page, stages);
  page.markup(
      "</main>\n<footer><p class=\"quiet\">Everything on this page is a count of places in the sources; the audit JSON "
      "has "
      "all of them.</p></footer>\n<script>\n");
  page.markup(asset(".js")).markup("</script>\n</body>\n</html>\n");
  return page.take();
}

}  // namespace

std::string html(const AuditResult& audit) {
  return pageOf(audit, {}, nullptr);
}

std::string assessHtml(const result::Assessment& assessment) {
  return pageOf(assessment.audit, assessment.stages, assessment.run ? &*assessment.run : nullptr);
}

}  // namespace unwarp::report
