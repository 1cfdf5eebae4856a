// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/effort/estimate.h"

#include <algorithm>
#include <cmath>

#include "cost/random.h"
#include "cost/table_file.h"

namespace unwarp::cost {

namespace {

constexpr double hoursPerWeek = 40;
constexpr int trials = 4000;
constexpr std::uint64_t seed = 20261201;

/// A log-normal of that median whose logarithm has the spreads of independent factors.
Distribution product(double median, std::initializer_list<double> spreads) {
  double variance = 0;
  for (double spread : spreads) variance += spread * spread;
  return median <= 0 ? Distribution::fixed(0) : Distribution::logNormal(median, std::sqrt(variance));
}

/// Spread of ln X of a quantity: exact for log-normals, half its central 80 % in units of the normal's for others.
double spreadOf(const Distribution& distribution) {
  if (distribution.shape == Shape::Fixed) return 0;
  double low = distribution.quantile(0.1), high = distribution.quantile(0.9);
  return low <= 0 || high <= low ? 0 : std::log(high / low) / (2 * 1.2815515655446004);
}

/// What is paid once stands in an account of one project all the same; the line says so and how to change it.
EffortLine once(EffortLine line, std::string_view what) {
  line.how += "; " + std::string(what);
  return line;
}

}  // namespace

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

EffortLine EffortModel::times(EffortClass kind, std::string what, double count, std::string_view quantity,
                              double hoursPerUnit) {
  const Quantity& each = defaults_.get(quantity);
  double median = each.distribution.median();
  return {kind, std::move(what), count, product(count * median * hoursPerUnit, {spreadOf(each.distribution)}),
          compact(count) + " x " + compact(median) + " " + each.unit + " (" + each.name + ")"};
}

EffortLine EffortModel::siteLine(const std::string& key, const std::string& what, double sites, double pageMinutes,
                                 const TranslatorResults& translated) {
  Remediation remedy;
  if (auto found = remediations_.find(key); found != remediations_.end()) remedy = found->second;
  double minutes = remedy.perSite ? remedy.siteMinutes.value_or(pageMinutes) : 0;
  const Distribution& expected =
      defaults_.get(remedy.rename ? "effort.auto_rename" : "effort.auto_hazard").distribution;
  double automatic = expected.mean();
  double spread = spreadOf(Distribution::beta(expected.b, expected.a));  // of what is left to people
  std::string who = "expected of a translator";
  if (auto done = translated.find(key); done != translated.end()) {
    double all = done->second.clean + done->second.review + done->second.failed;
    automatic = all == 0 ? 0 : (done->second.clean + done->second.review / 2) / all;
    spread = 0;
    who = "measured with a translator";
  }
  double effective = std::pow(sites, defaults_.median("effort.learning"));
  double review = defaults_.median("effort.review") * sites * automatic;
  double total = remedy.fixedMinutes + effective * minutes * (1 - automatic) + review;
  std::string how = (remedy.fixedMinutes > 0 ? compact(remedy.fixedMinutes) + " min once + " : std::string()) +
                    compact(sites) + "^" + compact(defaults_.median("effort.learning")) + " x " + compact(minutes) +
                    " min, " + compact(100 * automatic, 2) + " % automatic (" + who + ")" +
                    (review > 0 ? " + " + compact(review / 60, 2) + " h reading what it did" : std::string());
  return {EffortClass::Porting, what, sites,
          product(total / 60, {defaults_.median("effort.minutes.rule_spread"), spread}), how};
}

std::vector<EffortLine> EffortModel::portLines(const EffortQuestion& q) {
  std::vector<EffortLine> lines;
  const std::string& route = q.route.name;
  if (route == "rocm-native") {
    lines.push_back(times(EffortClass::Porting, "reinstall and first run", 1, "port.no_kernels", hoursPerWeek));
    return lines;
  }
  if (route == "triton") {
    lines.push_back(times(EffortClass::Porting, "kernels rewritten", q.project.kernels, "effort.triton_kernel", 1));
    return lines;
  }
  if (route != "hipify" && route != "scale" && route != "ai-assisted") {
    PortPrediction whole = classOf(q);
    lines.push_back({EffortClass::Porting, "port as a whole", 1,
                     Distribution::logNormal(whole.personWeeks * hoursPerWeek,
                                             std::log(whole.high / whole.low) / (2 * 1.2815515655446004)),
                     "finished ports of class " + q.route.routeClass + " at this size"});
    return lines;
  }
  for (std::size_t status = 0; status < statusNames.size(); ++status) {
    std::string key = "api." + std::string(statusNames[status]);
    if (q.project.apiSites[status] == 0 || !remediations_.contains(key)) continue;
    EffortLine line =
        siteLine(key, "API calls: " + std::string(statusNames[status]), q.project.apiSites[status], 0, q.translated);
    if (line.hours.median() > 0) lines.push_back(std::move(line));
  }
  for (const RuleSites& rule : q.project.rules)
    lines.push_back(siteLine(rule.rule, rule.rule + " " + rule.title, rule.sites, rule.minutes, q.translated));
  std::string_view factor = route == "scale" ? "effort.dropin_share" : route == "ai-assisted" ? "effort.ai_factor" : "";
  if (!factor.empty()) {
    const Quantity& quantity = defaults_.get(factor);
    for (EffortLine& line : lines) {
      line.hours = product(line.hours.median() * quantity.distribution.median(),
                           {spreadOf(line.hours), spreadOf(quantity.distribution)});
      line.how += ", times " + quantity.name;
    }
  }
  drawToClass(lines, q);
  return lines;
}

PortPrediction EffortModel::classOf(const EffortQuestion& q) const {
  PortCase port;
  port.routeClass = classes_.named(q.route.routeClass);
  if (q.project.gpuLines > 0) port.linesGpu = q.project.gpuLines;
  if (q.project.kernels > 0) port.kernels = q.project.kernels;
  return reference_.predict(port);
}

void EffortModel::drawToClass(std::vector<EffortLine>& port, const EffortQuestion& q) {
  double sum = 0;
  for (const EffortLine& line : port) sum += line.hours.median();
  if (sum <= 0 || q.project.kernels == 0) return;
  PortPrediction finished = classOf(q);
  double weight = defaults_.median("effort.class_weight");
  double factor = std::pow(finished.personWeeks * hoursPerWeek / sum, weight);
  double spread = weight * std::log(finished.high / finished.low) / (2 * 1.2815515655446004);
  for (EffortLine& line : port) {
    line.hours = product(line.hours.median() * factor, {spreadOf(line.hours), spread});
    line.how += "; x " + compact(factor, 2) + " towards finished ports (" + compact(finished.personWeeks, 2) + " pw)";
  }
}

void EffortModel::addRevalidation(std::vector<EffortLine>& lines, const EffortQuestion& q) {
  if (!q.manifest.harness.value_or(false))
    lines.push_back(
        once(times(EffortClass::Revalidation, "regression harness", 1, "revalidation.harness", hoursPerWeek),
             "once for all ports; [cost.constraints] regression_harness = true where there is one"));
  const std::string& precision = q.workload.precision;
  bool low = precision.find("fp8") != std::string::npos || precision.find("fp4") != std::string::npos;
  double factor = defaults_.median("revalidation.people") * (low ? defaults_.median("revalidation.low_precision") : 1);
  EffortLine models = times(EffortClass::Revalidation, "models or applications accepted", q.workload.models,
                            "revalidation.weeks_per_model", hoursPerWeek * factor);
  models.how += " x " + compact(factor) + (low ? " people, low precision" : " people");
  lines.push_back(std::move(models));
  double hazards = 0;
  for (const RuleSites& rule : q.project.rules) hazards += rule.hazard ? rule.sites : 0;
  if (hazards == 0 || q.route.name == "triton") return;
  const Distribution& silent = defaults_.get("hunt.silent_share").distribution;
  EffortLine hunts =
      times(EffortClass::Revalidation, "hunts for silent divergence", hazards * silent.mean(), "hunt.hours", 1);
  hunts.hours = product(hunts.hours.median(), {spreadOf(hunts.hours), spreadOf(silent)});
  hunts.how = compact(hazards) + " hazard sites x " + compact(silent.mean()) + " silent x " +
              compact(defaults_.median("hunt.hours")) + " h (hunt.silent_share, hunt.hours)";
  lines.push_back(std::move(hunts));
}

void EffortModel::addPipelines(std::vector<EffortLine>& lines, const EffortQuestion& q) {
  struct Part {
    const char* what;
    double count;
    std::string_view quantity;
  };
  double counted = q.project.images + q.project.pipelines + q.project.tools;
  for (const Part& part : {Part{"container images", q.project.images, "ci.image"},
                           Part{"pipelines with GPUs", q.project.pipelines, "ci.pipeline"},
                           Part{"tools and dashboards", q.project.tools, "ci.tool"}})
    if (part.count > 0) lines.push_back(times(EffortClass::Pipelines, part.what, part.count, part.quantity, 1));
  if (counted > 0) return;
  // None was seen: what finished ports spent there, beside their porting.
  double port = 0;
  for (const EffortLine& line : lines) port += line.kind == EffortClass::Porting ? line.hours.median() : 0;
  const Distribution& share = defaults_.get("ci.share").distribution;
  double ratio = share.median() / (1 - share.median());
  lines.push_back({EffortClass::Pipelines, "build, CI and packaging", 1, product(port * ratio, {spreadOf(share)}),
                   "no image or pipeline was seen: " + compact(ratio) + " of porting (ci.share)"});
}

void EffortModel::addLibraries(std::vector<EffortLine>& lines, const EffortQuestion& q) {
  std::array<std::vector<std::string>, 5> names;
  for (const Library& library : q.project.libraries)
    names[static_cast<std::size_t>(library.status)].push_back(library.name);
  for (Status status : {Status::Port, Status::Partial, Status::None, Status::Unknown}) {
    const std::vector<std::string>& found = names[static_cast<std::size_t>(status)];
    std::string word(statusNames[static_cast<std::size_t>(status)]);
    if (found.empty()) continue;
    EffortLine line =
        times(EffortClass::Libraries, "libraries: " + word, static_cast<double>(found.size()), "dependency." + word, 1);
    line.how += ": " + listed(found, 8);
    lines.push_back(std::move(line));
  }
}

void EffortModel::addPeople(std::vector<EffortLine>& lines, const EffortQuestion& q) {
  double engineers = q.manifest.engineers.value_or(defaults_.median("retooling.engineers"));
  const Distribution& loss = defaults_.get("retooling.loss").distribution;
  EffortLine ramp =
      times(EffortClass::Retooling, "ramp-up", engineers, "retooling.weeks", hoursPerWeek * loss.median());
  ramp.hours = product(ramp.hours.median(), {spreadOf(ramp.hours), spreadOf(loss)});
  ramp.how += " x 40 h x " + compact(loss.median()) + " lost (retooling.loss)";
  lines.push_back(once(std::move(ramp), "once for a team, whatever it ports; [cost.team] engineers"));
  if (q.manifest.teamMode != "distributed") return;
  double sum = 0;
  for (const EffortLine& line : lines) sum += line.kind == EffortClass::Retooling ? 0 : line.hours.median();
  const Distribution& phi = defaults_.get("organisation.distributed").distribution;
  lines.push_back(
      {EffortClass::Organisation, "every team its part", 1, product(sum * (phi.median() - 1), {spreadOf(phi)}),
       "(" + compact(phi.median()) + " - 1) x the other classes without ramp-up (organisation.distributed)"});
}

std::vector<EffortLine> EffortModel::lines(const EffortQuestion& question) {
  if (question.route.name == "stay") return {};
  std::vector<EffortLine> lines = portLines(question);
  addRevalidation(lines, question);
  addPipelines(lines, question);
  addLibraries(lines, question);
  addPeople(lines, question);
  return lines;
}

EffortSummary summarise(const std::vector<EffortLine>& lines, Defaults& defaults) {
  EffortSummary summary;
  if (lines.empty()) return summary;
  const Distribution& skill = defaults.get("effort.skill").distribution;
  std::array<std::vector<double>, 6> classes;
  std::vector<double> totals;
  for (int trial = 0; trial < trials; ++trial) {
    Random random(seed, static_cast<std::uint64_t>(trial));
    double common = skill.quantile(random.uniform()), total = 0;
    std::array<double, 6> parts{};
    for (const EffortLine& line : lines) {
      double hours = line.hours.quantile(random.uniform()) * (line.kind == EffortClass::Porting ? common : 1);
      parts[static_cast<std::size_t>(line.kind)] += hours / hoursPerWeek;
      total += hours / hoursPerWeek;
    }
    totals.push_back(total);
    for (std::size_t k = 0; k < parts.size(); ++k) classes[k].push_back(parts[k]);
  }
  auto quantile = [](std::vector<double>& values, double p) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
  };
  for (std::size_t k = 0; k < classes.size(); ++k) summary.medians[k] = quantile(classes[k], 0.5);
  return {quantile(totals, 0.1), quantile(totals, 0.5), quantile(totals, 0.8), quantile(totals, 0.9), summary.medians};
}

}  // namespace unwarp::cost
