// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The five things that decide whether a project can leave CUDA. What has no counterpart comes before what has a partial
// one, that before what needs porting; among equals the number of sites decides, by its logarithm, so that one engine
// without a counterpart outranks ten thousand renames. APIs are taken together by library, since nobody decides about a
// single function.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "knowledge/knowledge.h"
#include "result/audit_result.h"

namespace unwarp::audit {

namespace {

constexpr std::size_t deciderCount = 5;

double weight(Status status) {
  switch (status) {
    case Status::None:
      return 100;
    case Status::Partial:
      return 25;
    case Status::Unknown:
      return 15;
    case Status::Port:
      return 8;
    case Status::DropIn:
      return 0;
  }
  return 0;
}

/// A missing library weighs more than missing plumbing: build files and monitoring are work, never the obstacle.
double layerWeight(Layer layer) {
  switch (layer) {
    case Layer::Specialised:
    case Layer::Dnn:
      return 1.5;
    case Layer::Runtime:
      return 0.7;
    case Layer::Deployment:
    case Layer::Tooling:
      return 0.2;
    default:
      return 1.0;
  }
}

struct Candidate {
  result::Decider decider;
  double score;
};

std::uint64_t openSites(const std::vector<result::Site>& sites) {
  std::uint64_t open = 0;
  for (const result::Site& site : sites) open += site.guarded ? 0 : site.count;
  return open;
}

/// Dependencies with one counterpart are one decision: `flash-attn` in requirements and `import flash_attn` in code.
void addDependencies(const result::AuditResult& result, std::vector<Candidate>& candidates) {
  std::map<std::string, std::vector<const result::DependencyEntry*>> decisions;
  for (const auto& dependency : result.dependencies) {
    if (openSites(dependency.sites) == 0 || dependency.status == Status::DropIn) continue;
    decisions[dependency.counterpart.empty() ? "/" + dependency.name : dependency.counterpart].push_back(&dependency);
  }
  for (const auto& [counterpart, members] : decisions) {
    const result::DependencyEntry* shown = members.front();
    std::uint64_t sites = 0, most = 0;
    for (const result::DependencyEntry* member : members) {
      std::uint64_t own = openSites(member->sites);
      sites += own;
      bool worse = badness(member->status) > badness(shown->status);
      if (worse || (member->status == shown->status && own > most)) {
        shown = member;
        most = own;
      }
    }
    double score =
        weight(shown->status) * (1 + std::log2(1.0 + static_cast<double>(sites))) * layerWeight(shown->layer);
    candidates.push_back(
        {{shown->name, "dependency", shown->counterpart, shown->note, shown->layer, shown->status, sites}, score});
  }
}

/// All APIs of one family, whatever their status: nobody decides about a single function.
struct Group {
  std::array<std::uint64_t, 5> sites{};
  std::string mostUsed;  ///< among those that are worst off
  std::uint64_t mostSites = 0;
  Status worst = Status::DropIn;
  Layer layer = Layer::Runtime;
  std::uint64_t open = 0;
};

void addApis(const result::AuditResult& result, const knowledge::Knowledge& knowledge,
             std::vector<Candidate>& candidates) {
  std::map<std::string, Group> groups;
  for (const auto& api : result.apis) {
    std::uint64_t sites = openSites(api.sites);
    if (sites == 0 || api.status == Status::DropIn) continue;
    Group& group = groups[api.library];
    group.sites[static_cast<std::size_t>(api.status)] += sites;
    group.layer = api.layer;
    group.open += sites;
    bool worse = badness(api.status) > badness(group.worst);
    if (!worse && (api.status != group.worst || sites <= group.mostSites)) continue;
    group.worst = api.status;
    group.mostSites = sites;
    group.mostUsed = api.name;
  }
  for (const auto& [word, group] : groups) {
    double score = 0;
    for (std::size_t s = 0; s < group.sites.size(); ++s)
      score += weight(static_cast<Status>(s)) * std::log2(1.0 + static_cast<double>(group.sites[s]));
    std::string label = word + " APIs", counterpart;
    for (const knowledge::Family& family : knowledge.families()) {
      if (family.word != word) continue;
      label = family.label;
      counterpart = family.counterpart;
    }
    std::uint64_t none = group.sites[static_cast<std::size_t>(Status::None)];
    std::string reason = none == 0 ? std::string() : std::to_string(none) + " sites without a counterpart; ";
    reason += "e.g. " + group.mostUsed;
    candidates.push_back({{label, "api", counterpart, reason, group.layer, group.worst, group.open},
                          score * layerWeight(group.layer) * 0.5});
  }
}

void addHazards(const result::AuditResult& result, std::vector<Candidate>& candidates) {
  std::uint64_t silent = 0;
  std::map<std::string, std::uint64_t> byRule;
  for (const auto& finding : result.findings) {
    if (finding.severity != Severity::Silent) continue;
    silent += finding.site.count;
    byRule[finding.rule] += finding.site.count;
  }
  if (silent == 0) return;
  auto most =
      std::max_element(byRule.begin(), byRule.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string reason =
      "compile and give wrong results; most: " + most->first + " (" + std::to_string(most->second) + ")";
  candidates.push_back({{"silent hazards", "rule", "a fix at each site", reason, Layer::Kernels, Status::Port, silent},
                        20 * (1 + std::log2(1.0 + static_cast<double>(silent)))});
}

}  // namespace

/// Fills out.deciders.
void decide(const knowledge::Knowledge& knowledge, result::AuditResult& out) {
  std::vector<Candidate> candidates;
  addDependencies(out, candidates);
  addApis(out, knowledge, candidates);
  addHazards(out, candidates);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.decider.name < b.decider.name;
  });
  for (std::size_t i = 0; i < std::min(deciderCount, candidates.size()); ++i)
    out.deciders.push_back(std::move(candidates[i].decider));
}

}  // namespace unwarp::audit
