// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting: shares per target, guarded sites, statuses per target, deciders.
#include "audit/join.h"

#include <gtest/gtest.h>

namespace unwarp::audit {

namespace {

const knowledge::Knowledge& tables() {
  static const std::unique_ptr<knowledge::Knowledge> parsed = [] {
    std::string apis =
        "name\tkind\tlibrary\thip\troc\tstatus\tcontext\tcuda_since\tcuda_deprecated\tcuda_removed\thip_since\thip_"
        "removed\tnote\t"
        "source\tas_of\n";
    for (std::string_view row :
         {"ported\tfunction\truntime\thipPorted\t\tport\tany", "same\tfunction\truntime\t\t\tdrop-in\tany"})
      apis += std::string(row) + "\t\t\t\t\t\t\ttest\t2026\n";
    auto loaded = knowledge::Knowledge::parse(
        {{"knowledge/FACTS_DATE", "2026-11-30"},
         {"knowledge/layers.tsv", "word\tlayer\tsource\tas_of\nruntime\truntime\ttest\t2026\n"},
         {"knowledge/apis/a.tsv", apis},
         {"knowledge/dependencies.tsv",
          "id\tecosystem\tmatch\tword\tcounterpart\tstatus\tby_target\tconfirmed\tnote\tsource\tas_of\n"
          "d\tpypi\ttorch\truntime\t\tdrop-in\tgfx1100=none\tyes\t\ttest\t2026\n"}});
    if (!loaded) ADD_FAILURE() << loaded.error();
    return loaded ? std::move(*loaded) : nullptr;
  }();
  return *parsed;
}

result::AuditResult joined(std::vector<FoldedUse> apis, std::vector<FoldedUse> dependencies = {},
                           std::vector<result::Finding> findings = {}) {
  FileOutcome outcome;
  outcome.entry.path = "a.cu";
  outcome.apis = std::move(apis);
  outcome.dependencies = std::move(dependencies);
  outcome.findings = std::move(findings);
  std::vector<FileOutcome> outcomes;
  outcomes.push_back(std::move(outcome));
  result::AuditResult out;
  out.targets = {"gfx942", "gfx1100"};
  join(tables(), std::move(outcomes), out);
  return out;
}

FoldedUse use(std::uint32_t record, std::uint32_t count, bool guarded = false) {
  return {record, 1, 1, count, guarded, {}, {}};
}
double share(const result::AuditResult& out, std::size_t target) {
  return out.totals.portableShare[target].second;
}

}  // namespace

TEST(Join, NothingIsWhollyPortable) {
  result::AuditResult out = joined({});
  EXPECT_EQ(share(out, 0), 1.0);
  EXPECT_EQ(out.layers.size(), layerNames.size());
  EXPECT_TRUE(out.deciders.empty());
}

TEST(Join, DropInAndGuardedSitesArePortable) {
  result::AuditResult out = joined({use(0, 2), use(0, 1, true), use(1, 1)});
  EXPECT_EQ(out.totals.sites, 4u);
  EXPECT_EQ(out.totals.guarded, 1u);
  EXPECT_EQ(share(out, 0), 0.5);
}

TEST(Join, ADependencyIsJudgedPerTargetAndListedAtItsWorst) {
  result::AuditResult out = joined({}, {use(0, 1)});
  EXPECT_EQ(share(out, 0), 1.0);
  EXPECT_EQ(share(out, 1), 0.0);
  EXPECT_EQ(out.dependencies[0].status, Status::None);
  EXPECT_EQ(out.totals.byStatus[static_cast<std::size_t>(Status::None)], 1u);
}

TEST(Join, AHazardCountsForTheTargetsItNames) {
  result::Finding finding;
  finding.severity = Severity::Silent;
  finding.targets = {"gfx942"};
  result::Finding remark = finding;
  remark.severity = Severity::Info;
  result::AuditResult out = joined({}, {}, {finding, remark});
  EXPECT_EQ(out.totals.sites, 1u);
  EXPECT_EQ(share(out, 0), 0.0);
  EXPECT_EQ(share(out, 1), 1.0);
}

TEST(Join, RoundingNeverSaysAllWhileASiteIsLeft) {
  EXPECT_EQ(share(joined({use(1, 1'000'000), use(0, 1)}), 0), 0.9999);
}

TEST(Join, DecidersAreWhatIsWorstFirst) {
  result::AuditResult out = joined({use(0, 100)}, {use(0, 1)});
  ASSERT_EQ(out.deciders.size(), 2u);
  EXPECT_EQ(out.deciders[0].kind, "dependency");
}

}  // namespace unwarp::audit
