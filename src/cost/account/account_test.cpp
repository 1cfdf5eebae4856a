// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of an account that hold for any project: parts sum to totals, more findings never cost less, the same
// input gives the same bytes, no price moves a verdict without demand; and the manifest's errors.
#include "cost/account/account.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cost/fleet/fleet_file.h"
#include "cost/random.h"

namespace unwarp::cost {
namespace {

class AccountTest : public ::testing::Test {
 protected:
  AccountTest()
      : knowledge_(std::move(*knowledge::Knowledge::load(""))),
        accountant_(std::move(*Accountant::load(*knowledge_))) {}

  /// Findings of `sites` sites each of a few rules, and kernels.
  result::AuditResult audit(std::uint32_t sites, std::uint32_t kernels) {
    result::AuditResult result;
    result.root = "project";
    result.factsDate = "2026-11-30";
    result.files.push_back({"a.cu", "cuda-source", "tokens", {}, 340'000});
    for (const char* rule : {"A01", "M02", "W01"}) {
      result::Finding finding;
      finding.rule = rule;
      finding.severity = Severity::Silent;
      finding.targets = {"gfx942"};
      finding.site = {0, 1, 1, sites, false};
      result.findings.push_back(finding);
    }
    if (kernels > 0)
      result.apis.push_back(
          {"__global__", "keyword", "", "", Layer::Kernels, Status::DropIn, {{0, 1, 1, kernels, false}}});
    return result;
  }
  Account account(const result::AuditResult& audit, const Manifest& manifest = {},
                  const TranslatorResults& translated = {}) {
    auto result = accountant_->account(audit, manifest, {{"MI300X", "gfx942"}}, translated);
    EXPECT_TRUE(result) << result.error();
    return *result;
  }
  double p50(const Account& account) {
    const TargetAccount& target = account.workloads[0].targets[0];
    return target.routes[target.chosen].effort.p50;
  }
  Manifest moneyManifest() {
    Manifest manifest;
    manifest.file = "m.toml";
    manifest.fleetGpu = "H200";
    manifest.targets = {"MI325X"};
    Workload chat;
    chat.name = "chat";
    chat.demandMTokensPerMonth = 200'000;
    chat.tokensPerSPerGpu = {{"H200", 4415}, {"MI325X", 4319}};
    manifest.workloads = {chat};
    return manifest;
  }
  std::string manifestError(std::string_view text, const std::string& file = "unwarp.toml") {
    auto manifest = readManifest(file, text, accountant_->gpus(), accountant_->rates(), accountant_->defaults());
    return manifest ? std::string() : manifest.error();
  }

  std::unique_ptr<knowledge::Knowledge> knowledge_;
  std::unique_ptr<Accountant> accountant_;
};

TEST_F(AccountTest, moreFindingsNeverCostLess) {
  Random random(7);
  for (int i = 0; i < 6; ++i) {
    auto sites = static_cast<std::uint32_t>(1 + random.below(200)),
         more = sites + static_cast<std::uint32_t>(random.below(50));
    EXPECT_LE(p50(account(audit(sites, 40))), p50(account(audit(more, 40)))) << sites << " " << more;
  }
}

TEST_F(AccountTest, classesSumToTheLines) {
  const Account result = account(audit(20, 40));
  for (const RouteAccount& route : result.workloads[0].targets[0].routes) {
    double sum = 0;
    for (const EffortLine& line : route.lines) sum += line.hours.median();
    EXPECT_GE(route.effort.p90, route.effort.p50);
    EXPECT_GE(route.effort.p50, route.effort.p10);
    if (route.lines.empty()) {
      EXPECT_TRUE(!route.fit.fits || route.fit.route.name == "stay");
    } else {
      EXPECT_GT(route.effort.p90 * 40, sum * 0.5);
    }
  }
}

TEST_F(AccountTest, theSameInputGivesTheSameBytes) {
  EXPECT_EQ(accountJson(account(audit(20, 40))), accountJson(account(audit(20, 40))));
  auto json = nlohmann::json::parse(accountJson(account(audit(20, 40))));
  EXPECT_EQ(json["workloads"][0]["targets"][0]["verdict"]["rule"].get<int>() >= 8, true);
  for (const auto& assumption : json["assumptions"]) EXPECT_FALSE(assumption["source"].get<std::string>().empty());
}

TEST_F(AccountTest, aLibraryIsReplacedOnceUnderWhateverName) {
  result::AuditResult some = audit(0, 4);
  result::DependencyEntry entry;
  entry.layer = Layer::Math, entry.status = Status::Partial;
  for (const char* name : {"libcublas", "libcublas-dev", "libcublas-devel-12-6", "nvidia-cublas-cu12", "cublas/v2.h",
                           "raft/core", "libraft-cu13", "cupy-cuda12x", "cupy.RawKernel", "project", "project.gpu"}) {
    entry.id = std::string("pypi-") + name, entry.name = name;
    some.dependencies.push_back(entry);
  }
  Project project = projectOf(some, *knowledge_, "gfx942", 34);
  EXPECT_EQ(project.libraries.size(), 3u);  // cuBLAS, RAFT, CuPy; not the project itself
}

TEST_F(AccountTest, whatDoesNotFitHasNoEffortAndNoAssumption) {
  auto json = nlohmann::json::parse(accountJson(account(audit(2, 0))));
  for (const auto& route : json["workloads"][0]["targets"][0]["routes"])
    EXPECT_EQ(route["person_weeks"].is_null(), !route["fits"].get<bool>());
  for (const auto& one : json["assumptions"]) EXPECT_NE(one["name"], "effort.triton_kernel");
}

TEST_F(AccountTest, theLinesOfAnAccountSayWhatTheyCount) {
  result::AuditResult some = audit(20, 40);
  result::DependencyEntry entry;
  entry.id = "pypi-x", entry.name = "somelib", entry.layer = Layer::Dnn, entry.status = Status::None;
  entry.byTarget = {};
  some.dependencies.push_back(entry);
  for (const auto& [id, name, layer] : {std::tuple("section-nv-fatbin", ".nv_fatbin", Layer::Kernels),
                                        {"lib-cudart", "libcudart.so", Layer::Runtime}}) {
    entry.id = id, entry.name = name, entry.layer = layer;
    some.dependencies.push_back(entry);
  }
  std::string text = accountMarkdown(account(some));
  EXPECT_NE(text.find("(dependency.none): somelib |"), std::string::npos) << text;
  EXPECT_NE(text.find("h reading what it did"), std::string::npos);
  EXPECT_NE(text.find("once for a team"), std::string::npos);
  EXPECT_NE(text.find("regression_harness = true"), std::string::npos);
}

TEST_F(AccountTest, whatATranslatorDidNarrowsAndLowersPorting) {
  Account unknown = account(audit(50, 40));
  Account clean = account(audit(50, 40), {}, {{"A01", {50, 0, 0}}, {"M02", {50, 0, 0}}, {"W01", {50, 0, 0}}});
  Account failed = account(audit(50, 40), {}, {{"A01", {0, 0, 50}}, {"M02", {0, 0, 50}}, {"W01", {0, 0, 50}}});
  EXPECT_LT(p50(clean), p50(unknown));
  EXPECT_LT(p50(unknown), p50(failed));
}

TEST_F(AccountTest, moneyNeedsDemandAndABenchmarkAndSaysSo) {
  Account none = account(audit(2, 0));
  EXPECT_TRUE(none.workloads[0].targets[0].money.empty());
  EXPECT_FALSE(none.workloads[0].targets[0].moneyMissing.empty());
  auto result = accountant_->account(audit(0, 0), moneyManifest(), {{"MI325X", "gfx942"}}, {});
  ASSERT_TRUE(result) << result.error();
  const TargetAccount& target = result->workloads[0].targets[0];
  ASSERT_FALSE(target.money.empty()) << target.moneyMissing;
  EXPECT_NE(accountMarkdown(*result).find("price basis"), std::string::npos);
  EXPECT_NE(accountFocus(*result).find("EffectiveCost"), std::string::npos);
}

TEST_F(AccountTest, payingBackHasADateWhereTheStartHasOne) {
  EXPECT_EQ(dateAfter("2026-12-01", 14), "2028-02");
  EXPECT_EQ(dateAfter("", 14), "");
  Manifest manifest = moneyManifest();
  manifest.pricePerGpuHour = {{"H200", 4}, {"MI325X", 1}};
  manifest.workloads[0].demandMTokensPerMonth = 4'000'000;
  manifest.asOf = "2026-12-01";
  Account dated = *accountant_->account(audit(0, 0), manifest, {{"MI325X", "gfx942"}}, {});
  auto json = nlohmann::json::parse(accountJson(dated))["workloads"][0]["targets"][0]["money"][0];
  EXPECT_EQ(json["break_even_date_p50"], dateAfter("2026-12-01", json["break_even_month_p50"]));
  EXPECT_NE(
      accountText(dated).find(json["break_even_date_p50"].get<std::string>() + ") (P50), within the horizon with"),
      std::string::npos)
      << accountText(dated);
  double explained = 0;
  for (const auto& one : json["sensitivities"]) {
    EXPECT_GE(one["first_order"], 0);
    explained += one["first_order"].get<double>();
  }
  EXPECT_GT(explained, 0.5);
  EXPECT_LT(explained, 1.1);
  EXPECT_NE(accountMarkdown(dated).find("What moves the NPV on price basis given"), std::string::npos);
}

TEST_F(AccountTest, anAccountIsAProblemForTheFleet) {
  Manifest manifest = moneyManifest();
  manifest.fleetGpus = 40;
  auto bare = accountant_->account(audit(0, 0), manifest, {{"MI325X", "gfx942"}}, {});
  EXPECT_NE(accountFleet(*bare).error().find("cost.capacity.H200: is missing"), std::string::npos);
  manifest.capacity = {{"H200", 200}, {"MI325X", 64}};
  auto account = accountant_->account(audit(0, 0), manifest, {{"MI325X", "gfx942"}}, {});
  auto problem = accountFleet(*account);
  ASSERT_TRUE(problem) << problem.error();
  auto read = fleet::readFleet("fleet.json", *problem);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->size(), 3u);
  EXPECT_EQ((*read)[0].pools[1].capacity, 64);
  EXPECT_TRUE(fleet::solveRobust(*read));
  EXPECT_NE(accountFleet(Account(this->account(audit(2, 0)))).error().find("a fleet needs money"), std::string::npos);
}

TEST_F(AccountTest, mitigationsArePricedWhereTheyApply) {
  auto titles = [](const Account& account) {
    std::vector<std::string> found;
    for (const PricedMitigation& one : account.mitigations) {
      EXPECT_GT(one.hoursP50, 0);
      EXPECT_GT(one.hoursP90, one.hoursP50);
      EXPECT_FALSE(one.tradeOff.empty());
      found.push_back(one.title);
    }
    return found;
  };
  result::AuditResult all = audit(2, 40);
  all.files.push_back({"Dockerfile", "dockerfile", "tokens", {}, 100});
  all.files.push_back({"a.py", "python", "tokens", {}, 100});
  Manifest two;
  two.workloads.resize(2);
  two.workloads[0].name = "a", two.workloads[1].name = "b";
  EXPECT_EQ(titles(account(all, two)),
            (std::vector<std::string>{"keep to framework-level abstractions", "runtime layer injected at deployment",
                                      "build regression infrastructure first", "segment the workloads",
                                      "write new kernels in Triton"}));
  Manifest tested;
  tested.harness = true;
  EXPECT_EQ(titles(account(audit(0, 0), tested)), std::vector<std::string>{});
}

TEST_F(AccountTest, aManifestIsReadAlikeInTomlAndYaml) {
  auto toml = readManifest("a.toml",
                           "[cost]\ncurrency = \"INR\"\ntargets = [\"MI300X\"]\n[cost.prices]\nMI300X = \"1.85 USD\"\n"
                           "[workload.chat]\nhot_path = [\"vllm\"]\nmodels = 2\n",
                           accountant_->gpus(), accountant_->rates(), accountant_->defaults());
  auto yaml = readManifest("a.yaml",
                           "cost:\n  currency: INR\n  targets: [MI300X]\n  prices:\n    MI300X: 1.85 USD\n"
                           "workload:\n  chat:\n    hot_path: [vllm]\n    models: 2\n",
                           accountant_->gpus(), accountant_->rates(), accountant_->defaults());
  ASSERT_TRUE(toml) << toml.error();
  ASSERT_TRUE(yaml) << yaml.error();
  EXPECT_EQ(toml->targets, yaml->targets);
  EXPECT_EQ(toml->pricePerGpuHour, yaml->pricePerGpuHour);
  EXPECT_GT(toml->pricePerGpuHour.at("MI300X"), 100);  // rupees
  EXPECT_EQ(toml->workloads[0].hotPath, yaml->workloads[0].hotPath);
  EXPECT_EQ(yaml->workloads[0].models, 2);
}

TEST_F(AccountTest, wrongAnswersNameFieldFileAndFix) {
  struct Case {
    const char *text, *field, *fix;
  };
  for (const Case& one : {Case{"[cost]\ndiscount_rate = 12\n", "cost.discount_rate", "0.12 for 12 %"},
                          {"[cost]\nhorizon_years = 36\n", "cost.horizon_years", "divide months by 12"},
                          {"[cost]\nas_of = \"2026-02-30\"\n", "cost.as_of", "YYYY-MM-DD"},
                          {"[cost]\ncurrency = \"Rupees\"\n", "cost.currency", "USD, INR"},
                          {"[cost]\ntargets = [\"MI999\"]\n", "cost.targets", "unknown GPU"},
                          {"[cost.prices]\nH100 = -2\n", "cost.prices.H100", "negative"},
                          {"[cost.prices]\nH100 = 300\n", "cost.prices.H100", "another currency"},
                          {"[cost.prices]\nH100 = \"2 XYZ\"\n", "cost.prices.H100", "XYZ"},
                          {"[cost.constraints]\ntest_parity = 90\n", "cost.constraints.test_parity", "0.12 for 12 %"},
                          {"[workload.a]\nprecisoin = 2\n", "workload.a.precisoin", "did you mean precision?"},
                          {"[cost.assume]\n\"effort.skil\" = 2\n", "cost.assume.effort.skil", "effort.skill"},
                          {"[workload.a]\nprecision = \"banana16\"\n", "workload.a.precision", "bf16, fp16"},
                          {"[cost]\ntargets = []\n", "cost.targets", "names no GPU"},
                          {"[cost]\ntargets = [\"MI300X\", \"mi300x\"]\n", "cost.targets", "stands twice"},
                          {"[cost.team]\nengineers = [1, 2]\n", "cost.team.engineers", "one value"},
                          {"[cost.rates]\nEUR = 0.92\n", "cost.rates.EUR", "as_of"},
                          {"[cost.terms]\nsubsidy = 40\n", "cost.terms.subsidy", "0.12 for 12 %"},
                          {"[workload.a]\ndistribution = \"huge\"\n", "workload.a.distribution", "one of"}}) {
    std::string error = manifestError(one.text);
    EXPECT_NE(error.find("unwarp.toml:2: " + std::string(one.field)), std::string::npos) << error;
    EXPECT_NE(error.find(one.fix), std::string::npos) << error;
  }
  EXPECT_EQ(manifestError(manifestTemplate({{"torch"}, "one-node", true})), "");
  EXPECT_EQ(manifestError(manifestTemplate({{"a\"]\n[cost]\ncurrency = \"x", "b\\"}, "one-node", true})), "");
}

TEST_F(AccountTest, whatStandsTwiceOrElsewhereIsAMistake) {
  for (const auto& [file, text, says] :
       {std::tuple("unwarp.toml", "[cost]\ncurrency = \"USD\"\ncurrency = \"INR\"\n",
                   "unwarp.toml:3: cost.currency: stands"),
        {"m.toml", "[workload.a]\nmodels = 1\n[workload.a]\nmodels = 2\n", "m.toml:4: workload.a.models: stands twice"},
        {"m.yaml", "cost:\n  horizon_years: 2\n  horizon_years: 3\n", "m.yaml:3: cost.horizon_years: stands twice"},
        {"m.yaml", "costs:\n  horizon_years: 2\n",
         "m.yaml:2: costs.horizon_years: is no table of a manifest; did you mean cost?"},
        {"m.toml", "[elsewhere]\na = 2\n", "m.toml:2: elsewhere.a: is no table of a manifest"},
        {"m.yaml", "cost:\n  targets: []\n", "cost.targets: names no GPU"},
        {"m.toml", "[cost]\ncurrency = \"INR\"\n[cost.prices]\nH100 = 2.95\n",
         "m.toml:4: cost.prices.H100: 2.95 has no currency; write \"2.95 INR\" or \"2.95 USD\""},
        {"m.toml", "[cost]\ncurrency = \"INR\"\n[cost.team]\nhourly_rate = 90\n",
         "cost.team.hourly_rate: 90 has no currency"}}) {
    std::string error = manifestError(text, file);
    EXPECT_NE(error.find(says), std::string::npos) << error;
  }
  EXPECT_EQ(manifestError("gate = [\"silent==0\"]\n[cost]\nhorizon_years = 3\n"), "");  // a setting of the audit
}

TEST_F(AccountTest, ratesAndTermsOfTheBuyerCount) {
  Manifest manifest;
  auto read =
      readManifest("m.toml",
                   "[cost]\nas_of = \"2026-12-01\"\ncurrency = \"EUR\"\n[cost.rates]\nEUR = 0.5\n[cost.prices]\n"
                   "MI300X = \"2 USD\"\n",
                   accountant_->gpus(), accountant_->rates(), accountant_->defaults());
  ASSERT_TRUE(read) << read.error();
  EXPECT_DOUBLE_EQ(read->pricePerGpuHour.at("MI300X"), 1);
  auto monthNow = [&](std::optional<double> tax, std::optional<double> subsidy) {
    manifest = moneyManifest();
    manifest.currency = "INR";
    manifest.tax = tax, manifest.subsidy = subsidy;
    auto result = accountant_->account(audit(0, 0), manifest, {{"MI325X", "gfx942"}}, {});
    EXPECT_TRUE(result);
    return result->workloads[0].targets[0].money[0].monthlyNow;
  };
  double plain = monthNow(0, {});
  EXPECT_NEAR(monthNow({}, {}) / plain, 1.18, 1e-9);
  EXPECT_NEAR(monthNow(0, 0.4) / plain, 0.6, 1e-9);
}

}  // namespace
}  // namespace unwarp::cost
