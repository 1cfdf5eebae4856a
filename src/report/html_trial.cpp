// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The section "Build and run" of the page: the checks, those first that end differently at 64 lanes, then what was not
// built. Budget: 250 KB; what is folded is complete in result.json.
#include "report/html_parts.h"
#include "report/trial_text.h"
#include "report/wording.h"

namespace unwarp::report {
namespace {

constexpr std::size_t trialBytes = 250'000;

void difference(Page& page, const result::LineDifference& line) {
  page.markup("<br>").text(line.stream).markup(" line ").number(line.line).markup("<br>32: ");
  page.code(line.at32).markup("<br>64: ").code(line.at64);
}

void checkTable(Page& page, const result::TrialResult& trial, const Budget& budget) {
  if (trial.checks.empty()) return;
  beginTable(page, "Checks", {{"Check"}, {"Kind"}, {"Verdict"}, {"Launches", true}, {"Tiers"}, {"Why"}});
  std::size_t left = 0;
  for (const result::Check* check : checksByWeight(trial)) {
    if (budget.spent()) {
      ++left;
      continue;
    }
    page.markup("<tr><th scope=\"row\">").code(check->name).markup("</th><td>").text(check->kind);
    page.markup("</td><td>").text(meaning(check->verdict)).markup("</td><td class=\"n\">");
    page.number(check->runs.empty() ? 0 : check->runs[0].launches).markup("</td><td>");
    if (!check->runs.empty())
      for (const std::string& tier : check->runs[0].tiers) page.text(tier).markup(" ");
    page.markup("</td><td>").text(check->reason);
    if (check->difference) difference(page, *check->difference);
    page.markup("</td></tr>\n");
  }
  endTable(page);
  leftOut(page, left, "check");
}

void failureTable(Page& page, const result::TrialResult& trial, const Budget& budget) {
  const std::vector<const result::Build*> broken = brokenBuilds(trial);
  if (broken.empty()) return;
  beginTable(page, "What was not built", {{"What"}, {"By"}, {"State"}, {"Why"}});
  std::size_t left = 0;
  for (const result::Build* build : broken) {
    for (const result::BuildFailure& failure : build->failures) {
      if (budget.spent()) {
        ++left;
        continue;
      }
      page.markup("<tr><th scope=\"row\">").code(failure.what).markup("</th><td>").text(build->system).markup(" ");
      page.path(build->path).markup("</td><td>").text(name(build->state)).markup("</td><td>");
      for (std::size_t i = 0; i < failure.why.size(); ++i) page.markup(i == 0 ? "" : "<br>").code(failure.why[i]);
      page.markup("</td></tr>\n");
    }
  }
  endTable(page);
  leftOut(page, left, "target");
}

}  // namespace

void trialSection(Page& page, const result::TrialResult& trial) {
  beginSection(page, "run", "Build and run",
               "A copy of the project, built with this toolkit, and its own checks at 32 and at 64 lanes on the CPU.");
  page.markup("<p>").text(buildsText(trial)).markup("; ").text(checksText(trial)).markup(".</p>\n");
  for (const std::string& note : trial.notes) page.markup("<p class=\"quiet\">").text(note).markup(".</p>\n");
  const Budget budget(page, trialBytes);
  checkTable(page, trial, budget);
  failureTable(page, trial, budget);
  endSection(page);
}

}  // namespace unwarp::report
