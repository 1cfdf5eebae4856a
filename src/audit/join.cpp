// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting rules, in one place. A site is an API use, a dependency use or a finding (info findings are remarks and bind
// nothing). Its status is that of its record; for a dependency the worst over the targets, and per target for the
// portable share. A guarded site has its AMD branch and counts as portable everywhere.
#include "audit/join.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "audit/tree_evidence.h"

namespace unwarp::audit {

namespace {

using knowledge::Api;
using knowledge::Dependency;
using result::AuditResult;
using result::Site;

void joinFiles(std::vector<FileOutcome>& outcomes, AuditResult& out) {
  out.files.reserve(outcomes.size());
  for (std::uint32_t file = 0; file < outcomes.size(); ++file) {
    FileOutcome& outcome = outcomes[file];
    out.totals.bytes += outcome.entry.bytes;
    out.unknownShared += outcome.unknownShared;
    out.largestSharedBytes = std::max(out.largestSharedBytes, outcome.largestSharedBytes);
    for (result::Finding& finding : outcome.findings) {
      finding.site.file = file;
      out.findings.push_back(std::move(finding));
    }
    std::move(outcome.suppressed.begin(), outcome.suppressed.end(), std::back_inserter(out.suppressed));
    out.files.push_back(std::move(outcome.entry));
  }
  out.totals.files = out.files.size();
  out.totals.suppressed = out.suppressed.size();
}

void joinApis(const knowledge::Knowledge& knowledge, const std::vector<FileOutcome>& outcomes, AuditResult& out) {
  std::unordered_map<std::uint32_t, std::size_t> entries;
  for (std::uint32_t file = 0; file < outcomes.size(); ++file) {
    for (const FoldedUse& use : outcomes[file].apis) {
      auto [it, fresh] = entries.try_emplace(use.record, out.apis.size());
      if (fresh) {
        const Api& api = knowledge.apis()[use.record];
        out.apis.push_back({std::string(api.name),
                            std::string(api.kind),
                            std::string(api.hip.empty() ? api.roc : api.hip),
                            std::string(api.library),
                            api.layer,
                            api.status,
                            {}});
        if (out.apis.back().hip.empty() && api.status == Status::DropIn) out.apis.back().hip = api.name;
      }
      out.apis[it->second].sites.push_back({file, use.line, use.column, use.count, use.guarded});
    }
  }
  std::sort(out.apis.begin(), out.apis.end(),
            [](const auto& a, const auto& b) { return std::tie(a.name, a.kind) < std::tie(b.name, b.kind); });
}

result::DependencyEntry makeEntry(const Dependency& record, const std::string& name, const std::string& version,
                                  const std::vector<std::string>& targets) {
  result::DependencyEntry entry;
  entry.id = record.id;
  entry.name = name;
  entry.ecosystem = nameOf(knowledge::ecosystemNames, record.ecosystem);
  entry.version = version;
  entry.counterpart = record.counterpart;
  entry.note = record.note;
  entry.source = record.provenance.source;
  entry.asOf = record.provenance.asOf;
  entry.confirmed = record.confirmed;
  entry.layer = record.layer;
  entry.status = Status::DropIn;
  for (const std::string& target : targets) {
    Status status = record.statusOn(target);
    entry.byTarget.emplace_back(target, status);
    if (badness(status) > badness(entry.status)) entry.status = status;
  }
  return entry;
}

void joinDependencies(const knowledge::Knowledge& knowledge, const std::vector<FileOutcome>& outcomes,
                      AuditResult& out) {
  std::map<std::tuple<std::uint32_t, std::string, std::string>, std::size_t> entries;
  for (std::uint32_t file = 0; file < outcomes.size(); ++file) {
    for (const FoldedUse& use : outcomes[file].dependencies) {
      auto [it, fresh] = entries.try_emplace({use.record, use.name, use.version}, out.dependencies.size());
      if (fresh)
        out.dependencies.push_back(makeEntry(knowledge.dependencies()[use.record], use.name, use.version, out.targets));
      out.dependencies[it->second].sites.push_back({file, use.line, use.column, use.count, use.guarded});
    }
  }
  std::sort(out.dependencies.begin(), out.dependencies.end(), [](const auto& a, const auto& b) {
    return std::tie(a.name, a.ecosystem, a.id, a.version) < std::tie(b.name, b.ecosystem, b.id, b.version);
  });
}

/// Adds sites to layers and totals; `portable` per target.
class Counter {
 public:
  explicit Counter(AuditResult& out) : out_(out), portable_(out.targets.size(), 0) {
    for (std::size_t i = 0; i < layerNames.size(); ++i) out.layers.push_back({static_cast<Layer>(i), 0, {}});
  }
  void add(Layer layer, Status status, std::uint64_t count, bool guarded,
           const std::vector<std::pair<std::string, Status>>* byTarget) {
    result::LayerEntry& entry = out_.layers[static_cast<std::size_t>(layer)];
    entry.sites += count;
    entry.byStatus[static_cast<std::size_t>(status)] += count;
    out_.totals.sites += count;
    out_.totals.byStatus[static_cast<std::size_t>(status)] += count;
    if (guarded) out_.totals.guarded += count;
    for (std::size_t t = 0; t < portable_.size(); ++t) {
      Status here = byTarget != nullptr ? (*byTarget)[t].second : status;
      if (guarded || here == Status::DropIn) portable_[t] += count;
    }
  }
  void finish() {
    for (std::size_t t = 0; t < portable_.size(); ++t) {
      double share =
          out_.totals.sites == 0 ? 1.0 : static_cast<double>(portable_[t]) / static_cast<double>(out_.totals.sites);
      share = std::round(share * 10000) / 10000;
      // Rounding must not say "all" while a site is left.
      if (portable_[t] < out_.totals.sites) share = std::min(share, 0.9999);
      out_.totals.portableShare.emplace_back(out_.targets[t], share);
    }
  }

 private:
  AuditResult& out_;
  std::vector<std::uint64_t> portable_;
};

void count(AuditResult& out) {
  Counter counter(out);
  for (const auto& api : out.apis)
    for (const Site& site : api.sites) counter.add(api.layer, api.status, site.count, site.guarded, nullptr);
  for (const auto& dependency : out.dependencies)
    for (const Site& site : dependency.sites)
      counter.add(dependency.layer, dependency.status, site.count, site.guarded, &dependency.byTarget);
  for (const auto& finding : out.findings) {
    if (finding.severity == Severity::Info) continue;
    // A hazard concerns the targets it names; elsewhere the line works as it is.
    std::vector<std::pair<std::string, Status>> byTarget;
    for (const std::string& target : out.targets) {
      bool concerned = std::find(finding.targets.begin(), finding.targets.end(), target) != finding.targets.end();
      byTarget.emplace_back(target, concerned ? finding.status : Status::DropIn);
    }
    counter.add(finding.layer, finding.status, finding.site.count, finding.site.guarded, &byTarget);
  }
  counter.finish();
}

void addRules(const knowledge::Knowledge& knowledge, AuditResult& out) {
  for (const knowledge::Rule& rule : knowledge.rules())
    out.rules.push_back({rule.id, rule.name, rule.title, std::string(rule.page), rule.fix, rule.severity});
}

}  // namespace

void decide(const knowledge::Knowledge& knowledge, AuditResult& out);  // deciders.cpp

void join(const knowledge::Knowledge& knowledge, std::vector<FileOutcome>&& outcomes, AuditResult& out) {
  out.factsDate = knowledge.factsDate();
  remarkCudaBackEnds(outcomes);
  dropOwnHeaders(knowledge, outcomes);
  dropOwnNamespaces(knowledge, outcomes);
  dropOwnWidths(outcomes);
  joinFiles(outcomes, out);
  joinApis(knowledge, outcomes, out);
  joinDependencies(knowledge, outcomes, out);
  count(out);
  decide(knowledge, out);
  addRules(knowledge, out);
}

}  // namespace unwarp::audit
