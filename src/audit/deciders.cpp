// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The five things that decide whether a project can leave CUDA. What has no counterpart comes before what has a partial
// one, that before what needs porting; among equals the number of sites decides, by its logarithm, so that one engine
// without a counterpart outranks ten thousand renames. APIs are taken together by library, since nobody decides about a
// single function.
#include <algorithm>
#include <cmath>
#include <map>

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

struct Candidate {
  result::Decider decider;
  double score;
};

std::uint64_t openSites(const std::vector<result::Site>& sites) {
  std::uint64_t open = 0;
  for (const result::Site& site : sites) open += site.guarded ? 0 : site.count;
  return open;
}

void addDependencies(const result::AuditResult& result, std::vector<Candidate>& candidates) {
  std::map<std::string, Candidate> byId;
  for (const auto& dependency : result.dependencies) {
    std::uint64_t sites = openSites(dependency.sites);
    if (sites == 0 || dependency.status == Status::DropIn) continue;
    // Deployment plumbing is work, never the obstacle, unless nothing replaces it.
    bool plumbing = dependency.layer == Layer::Deployment || dependency.layer == Layer::Tooling;
    Candidate& candidate = byId[dependency.counterpart + "/" + dependency.name];
    std::uint64_t all = candidate.decider.sites + sites;
    candidate.decider = {dependency.name,   "dependency", dependency.counterpart, dependency.note, dependency.layer,
                         dependency.status, all};
    candidate.score =
        weight(dependency.status) * (1 + std::log2(1.0 + static_cast<double>(all))) * (plumbing ? 0.3 : 1.0);
  }
  for (auto& [id, candidate] : byId) candidates.push_back(std::move(candidate));
}

void addApis(const result::AuditResult& result, std::vector<Candidate>& candidates) {
  struct Group {
    std::uint64_t sites = 0;
    std::string mostUsed;
    std::uint64_t mostSites = 0;
    Layer layer = Layer::Runtime;
    std::size_t names = 0;
  };
  std::map<std::pair<std::string, Status>, Group> groups;
  for (const auto& api : result.apis) {
    std::uint64_t sites = openSites(api.sites);
    if (sites == 0 || api.status == Status::DropIn) continue;
    Group& group = groups[{api.library, api.status}];
    group.sites += sites;
    group.layer = api.layer;
    ++group.names;
    if (sites > group.mostSites) {
      group.mostSites = sites;
      group.mostUsed = api.name;
    }
  }
  for (const auto& [key, group] : groups) {
    std::string reason =
        std::to_string(group.names) + (group.names == 1 ? " name" : " names") + ", most used: " + group.mostUsed;
    candidates.push_back({{key.first + " APIs", "api", "", reason, group.layer, key.second, group.sites},
                          weight(key.second) * (1 + std::log2(1.0 + static_cast<double>(group.sites)))});
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
  candidates.push_back({{"silent hazards", "rule", "", reason, Layer::Kernels, Status::Port, silent},
                        20 * (1 + std::log2(1.0 + static_cast<double>(silent)))});
}

}  // namespace

/// Fills out.deciders.
void decide(result::AuditResult& out) {
  std::vector<Candidate> candidates;
  addDependencies(out, candidates);
  addApis(out, candidates);
  addHazards(out, candidates);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.decider.name < b.decider.name;
  });
  for (std::size_t i = 0; i < std::min(deciderCount, candidates.size()); ++i)
    out.deciders.push_back(std::move(candidates[i].decider));
}

}  // namespace unwarp::audit
