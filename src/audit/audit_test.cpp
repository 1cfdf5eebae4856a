// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole audits of small trees, with the built-in knowledge: order, fingerprints, folding, suppressions, threads.
#include "audit/audit.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "audit/file_outcome.h"

namespace unwarp::audit {

namespace {

namespace fs = std::filesystem;

const knowledge::Knowledge& builtIn() {
  static const std::unique_ptr<knowledge::Knowledge> tables = [] {
    auto loaded = knowledge::Knowledge::load("");
    if (!loaded) ADD_FAILURE() << loaded.error();
    return loaded ? std::move(*loaded) : nullptr;
  }();
  return *tables;
}

class AuditTest : public ::testing::Test {
 protected:
  AuditTest() : root_(::testing::TempDir() + "unwarp-audit-XXXXXX") {
    EXPECT_NE(mkdtemp(root_.data()), nullptr);
    options_.root = root_;
    options_.threads = 2;
  }
  ~AuditTest() override { fs::remove_all(root_); }
  void file(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + "/" + path).parent_path());
    std::ofstream(root_ + "/" + path, std::ios::binary) << text;
  }
  result::AuditResult audit() {
    auto result = run(builtIn(), options_);
    EXPECT_TRUE(result) << result.error();
    return result ? std::move(*result) : result::AuditResult();
  }
  std::string error() {
    auto result = run(builtIn(), options_);
    return result ? std::string() : result.error();
  }

  std::string root_;
  Options options_;
};

const result::ApiEntry* api(const result::AuditResult& result, std::string_view name) {
  for (const result::ApiEntry& entry : result.apis)
    if (entry.name == name) return &entry;
  return nullptr;
}

/// One line that the warp-width rules report.
constexpr std::string_view hazard =
    "__global__ void k(int* p) { unsigned m = __ballot_sync(0xffffffff, p[0]); p[0] = m; }\n";

std::string offReason(const result::AuditResult& result, std::string_view rule) {
  for (const result::RuleOff& off : result.rulesOff)
    if (off.rule == rule) return std::string(name(off.reason));
  return {};
}

/// Everything of a result that may not depend on threads.
std::string digest(const result::AuditResult& result) {
  std::string out;
  for (const auto& file : result.files) out += file.path + file.kind + "\n";
  for (const auto& finding : result.findings)
    out += finding.rule + std::to_string(finding.site.file) + ":" + std::to_string(finding.site.line) + " " +
           std::to_string(finding.fingerprint) + "\n";
  for (const auto& entry : result.apis)
    for (const auto& site : entry.sites)
      out += entry.name + std::to_string(site.file) + ":" + std::to_string(site.line) + "\n";
  for (const auto& skipped : result.skipped) out += skipped.path + skipped.reason + "\n";
  return out;
}

}  // namespace

TEST_F(AuditTest, KernelsOfACudaBackEndWithACounterpartForAmdAreRemarks) {
  std::string vote =
      "__device__ unsigned f(bool x) {\n  unsigned votes = __ballot_sync(~0ull, x);\n  return votes;\n}\n";
  file("src/Cuda/Cuda_Vote.hpp", vote);
  file("src/Cuda/Cuda_Alone.hpp", vote);
  file("src/HIP/HIP_Vote.hpp", "#include <hip/hip_runtime.h>\n");
  result::AuditResult result = audit();
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].severity, Severity::Silent);  // Cuda_Alone.hpp
  EXPECT_EQ(result.findings[1].severity, Severity::Info);
  EXPECT_TRUE(result.findings[1].message.ends_with("; for AMD there is HIP_Vote.hpp")) << result.findings[1].message;
  // Most of the folder has a counterpart: the rest belongs to the back end too.
  file("src/Cuda/Cuda_Team.hpp", "#include <cuda_runtime.h>\n");
  file("src/HIP/HIP_Team.hpp", "#include <hip/hip_runtime.h>\n");
  result = audit();
  EXPECT_EQ(result.findings[0].severity, Severity::Info);
  EXPECT_TRUE(result.findings[0].message.ends_with("; for AMD there is HIP/")) << result.findings[0].message;
}

TEST_F(AuditTest, AProjectsOwnHeaderUnderCudasNameBindsNothing) {
  file("ship/hull.cpp", "#include \"thrust/engine.hpp\"\nint f() { return thrust::sort(1); }\n");
  file("ship/thrust/engine.hpp", "namespace thrust { int sort(int x); }\n");
  file("sorter/use.cpp", "#include \"thrust/sort.h\"\nint f() { return thrust::sort(1); }\n");
  result::AuditResult result = audit();
  ASSERT_NE(api(result, "thrust::sort"), nullptr);
  ASSERT_EQ(api(result, "thrust::sort")->sites.size(), 1u);
  EXPECT_EQ(result.files[api(result, "thrust::sort")->sites[0].file].path, "sorter/use.cpp");
  EXPECT_EQ(result.dependencies.size(), 0u);
}

TEST_F(AuditTest, AProjectsOwnNamespaceIsKnownThroughItsHeaders) {
  file("include/engine.h", "namespace thrust::engine { class Motor { public: float4 v; }; }\n");
  file("include/all.h", "#include <engine.h>\n");
  file("src/main.cpp",
       "#include \"all.h\"\nint main() { thrust::engine::Motor m; float4 v; return atomicAdd(&m, 1); }\n");
  file("src/other.cpp", "#include \"nowhere.h\"\nint f() { return thrust::reduce(a, b); }\n");
  file("src/gpu.cpp", "#include \"all.h\"\n#include <thrust/sort.h>\nvoid g() { thrust::sort(a, b); }\n");
  result::AuditResult result = audit();
  ASSERT_NE(api(result, "thrust::reduce"), nullptr);
  ASSERT_NE(api(result, "thrust::sort"), nullptr);
  for (const result::ApiEntry& entry : result.apis)
    for (const result::Site& site : entry.sites) {
      EXPECT_NE(result.files[site.file].path, "src/main.cpp") << entry.name;
      EXPECT_NE(result.files[site.file].path, "include/engine.h") << entry.name;
    }
}

TEST_F(AuditTest, AProjectsOwnHeaderIsFoundByTheEndOfItsPath) {
  file("include/cub/shape.hpp", "namespace cub { struct Cube {}; }\n");
  file("src/main.cpp", "#include \"cub/shape.hpp\"\ncub::Cube cube;\n");
  EXPECT_TRUE(audit().apis.empty());
  EXPECT_TRUE(audit().dependencies.empty());
}

TEST_F(AuditTest, AConstantCalledWarpSizeIsTheOneThatItsFolderUses) {
  std::string use = "__global__ void f(float* x) {\n  __shared__ float part[1024 / warpSize];\n  part[0] = *x;\n}\n";
  file("scan/use.cuh", use);
  file("sort/use.cuh", use);
  options_.select = {"W12"};
  ASSERT_EQ(audit().findings.size(), 2u);
  file("scan/common.cuh", "constexpr unsigned warpSize = 32;\n");
  file("sort/local.cuh", "__device__ int f() { constexpr int warpSize = 32; return warpSize; }\n");
  result::AuditResult result = audit();
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.files[result.findings[0].site.file].path, "sort/use.cuh");
}

TEST_F(AuditTest, ASiteConcernsTheWidthThatItGoesWrongOn) {
  file("width.cu", "__device__ float f(float v) { return __shfl_down_sync(~0ull, v, 8, 64); }\n");
  file("group.cu",
       "__device__ int g(int v) {\n  int lane = threadIdx.x & 31;\n  return __shfl_sync(~0ull, v + lane, 0);\n}\n");
  file("lanes.cu",
       "__global__ void h(int* x) {\n  __shared__ int s[32];\n  s[threadIdx.x % warpSize] = *x;\n  x[0] = s[0];\n}\n");
  file("warps.cu",
       "__global__ void k(int* x) {\n  __shared__ int s[1024 / 64];\n  s[threadIdx.x / warpSize] = *x;\n  x[0] = "
       "s[0];\n}\n");
  options_.select = {"S01", "W04"};
  options_.targets = {"gfx942", "gfx1100"};
  result::AuditResult result = audit();
  std::map<std::string, std::vector<std::string>> targets;
  for (const result::Finding& finding : result.findings)
    targets[result.files[finding.site.file].path] = finding.targets;
  EXPECT_EQ(
      targets,
      (std::map<std::string, std::vector<std::string>>{
          {"width.cu", {"gfx1100"}}, {"group.cu", {"gfx942"}}, {"lanes.cu", {"gfx942"}}, {"warps.cu", {"gfx1100"}}}));
}

TEST_F(AuditTest, SharedMemoryIsMeasuredByTheLdsOfTheTarget) {
  file("a.cu", "__global__ void k() { __shared__ char s[200000]; s[0] = 1; }\n");
  options_.select = {"L04"};
  options_.targets = {"gfx942", "gfx950", "gfx1250"};
  result::AuditResult result = audit();
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].message,
            "kernel declares 200000 bytes of shared memory; LDS: 64 KB on gfx942, 160 KB on gfx950");
}

TEST_F(AuditTest, AFormatConcernsTheTargetsWhoseDevicesLackIt) {
  file("fp4.cu", "__device__ __nv_fp4_e2m1 narrow(float v) { return __nv_fp4_e2m1(v); }\n");
  file("fp8.cu", "__device__ __nv_fp8_e4m3 narrow(float v) { return __nv_fp8_e4m3(v); }\n");
  file("max.cu", "constexpr float fp8Max = 448.0f;\n");
  file("type.py", "import torch\nt = torch.float8_e4m3fn\n");
  file("tf32.cu", "void f(cublasHandle_t h) { cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH); }\n");
  options_.select = {"N06", "N07"};
  options_.targets = {"gfx90a", "gfx942", "gfx950", "gfx1200", "gfx1250"};
  result::AuditResult result = audit();
  std::multimap<std::string, std::vector<std::string>> targets;
  for (const result::Finding& finding : result.findings) {
    const std::string& path = result.files[finding.site.file].path;
    targets.emplace(path, finding.targets);
    // The format is converted in software where it is missing: slower, not wrong.
    EXPECT_EQ(finding.severity == Severity::Perf, path == "fp4.cu" || path == "fp8.cu") << path;
  }
  EXPECT_EQ(targets, (std::multimap<std::string, std::vector<std::string>>{
                         {"fp4.cu", {"gfx90a", "gfx942", "gfx1200"}},
                         {"fp8.cu", {"gfx90a"}},
                         {"max.cu", {"gfx942"}},
                         {"tf32.cu", {"gfx90a", "gfx950", "gfx1200", "gfx1250"}},
                         {"tf32.cu", {"gfx942"}},
                         {"type.py", {"gfx90a", "gfx942"}}}));
}

TEST_F(AuditTest, RefusesWhatItDoesNotKnow) {
  options_.targets = {"gfx943"};
  EXPECT_NE(error().find("did you mean gfx94"), std::string::npos);
  options_.targets = {"sm_90"};
  EXPECT_NE(error().find("unknown target"), std::string::npos);
  options_.targets = {"gfx942"};
  options_.select = {"W0l"};
  EXPECT_NE(error().find("unknown rule"), std::string::npos);
  options_.select = {};
  options_.root = root_ + "/missing";
  EXPECT_NE(error().find("no such file"), std::string::npos);
}

TEST_F(AuditTest, ARuleOfTheDepthAnalysisCannotBeSelected) {
  for (const knowledge::Rule& rule : builtIn().rules()) {
    if (rule.status != knowledge::RuleStatus::Depth) continue;
    options_.select = {rule.id};
    EXPECT_NE(error().find("depth analysis"), std::string::npos);
    return;
  }
}

TEST_F(AuditTest, OneFileIsATreeOfItsOwn) {
  file("a.cu", "void f() { cudaMalloc(p, 1); }");
  options_.root = root_ + "/a.cu";
  result::AuditResult result = audit();
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(result.files[0].path, "a.cu");
  EXPECT_NE(api(result, "cudaMalloc"), nullptr);
}

TEST_F(AuditTest, TheResultDoesNotDependOnThreads) {
  for (int i = 0; i < 60; ++i)
    file("d" + std::to_string(i % 7) + "/f" + std::to_string(i) + ".cu", std::string(hazard) + "cudaFree(p);");
  options_.threads = 1;
  std::string one = digest(audit());
  for (unsigned threads : {2u, 7u, 64u}) {
    options_.threads = threads;
    EXPECT_EQ(digest(audit()), one) << threads;
  }
  EXPECT_FALSE(one.empty());
}

TEST_F(AuditTest, FingerprintsStayWhenLinesMove) {
  file("a.cu", std::string(hazard) + std::string(hazard));
  result::AuditResult before = audit();
  file("a.cu", "// new\n\n" + std::string(hazard) + "// new\n  " + std::string(hazard));
  result::AuditResult after = audit();
  ASSERT_FALSE(before.findings.empty());
  ASSERT_EQ(before.findings.size(), after.findings.size());
  std::vector<std::uint64_t> seen;
  for (std::size_t i = 0; i < before.findings.size(); ++i) {
    EXPECT_EQ(before.findings[i].fingerprint, after.findings[i].fingerprint);
    EXPECT_NE(before.findings[i].site.line, after.findings[i].site.line);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), before.findings[i].fingerprint), 0);
    seen.push_back(before.findings[i].fingerprint);
  }
}

TEST_F(AuditTest, SuppressedFindingsKeepTheirReason) {
  file("a.cu", std::string(hazard));
  result::AuditResult open = audit();
  ASSERT_FALSE(open.findings.empty());
  file("a.cu", "// unwarp: ignore[" + open.findings[0].rule + "] checked by hand\n" + std::string(hazard));
  result::AuditResult closed = audit();
  EXPECT_LT(closed.findings.size(), open.findings.size());
  ASSERT_FALSE(closed.suppressed.empty());
  EXPECT_EQ(closed.suppressed[0].reason, "checked by hand");
  EXPECT_EQ(closed.totals.suppressed, closed.suppressed.size());
  file("a.cu", "const char* s = R\"(\n// unwarp: ignore-file[" + open.findings[0].rule + "] no comment\n)\";\n" +
                   std::string(hazard));
  EXPECT_EQ(audit().findings.size(), open.findings.size());
}

TEST_F(AuditTest, AByteOrderMarkHidesNoSuppression) {
  const std::string marked = "// unwarp: ignore-file[all] checked by hand\n" + std::string(hazard);
  std::string utf16 = "\xff\xfe";
  for (char c : marked) utf16 += std::string{c, '\0'};
  file("a.cu", "\xef\xbb\xbf" + marked);
  file("b.cu", utf16);
  result::AuditResult result = audit();
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(
      std::count_if(result.suppressed.begin(), result.suppressed.end(), [](const auto& s) { return s.path == "a.cu"; }),
      std::count_if(result.suppressed.begin(), result.suppressed.end(),
                    [](const auto& s) { return s.path == "b.cu"; }));
  EXPECT_FALSE(result.suppressed.empty());
}

TEST_F(AuditTest, CellsOfNotebooksHaveTheLinesOfTheFileAndSuppressions) {
  const auto notebook = [](std::string_view mark) {
    return "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"%%cu\\n\",\n\"" + std::string(mark) +
           "\\n\",\n\"__global__ void k(unsigned* p) { unsigned m = __ballot_sync(~0u, 1); *p = m; }\"\n]}]}\n";
  };
  file("a.ipynb", notebook("//"));
  result::AuditResult open = audit();
  ASSERT_FALSE(open.findings.empty());
  for (const result::Finding& finding : open.findings) EXPECT_EQ(finding.site.line, 4u) << finding.rule;
  file("a.ipynb", notebook("// unwarp: ignore[" + open.findings[0].rule + "] checked by hand"));
  result::AuditResult closed = audit();
  EXPECT_LT(closed.findings.size(), open.findings.size());
  ASSERT_FALSE(closed.suppressed.empty());
  EXPECT_EQ(closed.suppressed[0].line, 4u);
}

TEST_F(AuditTest, SitesBeyondAThousandFoldWithoutLosingTheirCount) {
  std::string text = "#ifdef USE_ROCM\n#else\n";
  for (int i = 0; i < 1500; ++i) text += "void f() { cudaFree(p); }\n";
  text += "#endif\n";
  for (int i = 0; i < 1300; ++i) text += "void f() { cudaFree(p); }\n";
  file("a.cu", text);
  result::AuditResult result = audit();
  const result::ApiEntry* entry = api(result, "cudaFree");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->sites.size(), 2u * sitesPerFile);
  std::uint64_t guarded = 0, open = 0;
  for (const result::Site& site : entry->sites) (site.guarded ? guarded : open) += site.count;
  EXPECT_EQ(guarded, 1500u);
  EXPECT_EQ(open, 1300u);
}

TEST_F(AuditTest, SharedMemoryOfTheLargestKernelIsKnown) {
  file(
      "a.cu",
      "__global__ void k() { __shared__ float a[1024], b[4][256]; }\n__global__ void l() { __shared__ char c[10]; }\n");
  EXPECT_EQ(audit().largestSharedBytes, 8192);
}

TEST_F(AuditTest, NamesOfAnyBytesBecomeValidTextAndStayApart) {
  for (const char* name : {"bad\xff.cu", "bad\xfe.cu", "bad\\xff.cu"}) file(name, "void f() { cudaFree(p); }");
  result::AuditResult result = audit();
  ASSERT_EQ(result.files.size(), 3u);
  EXPECT_EQ(result.files[0].path, "bad\\\\xff.cu");
  EXPECT_EQ(result.files[1].path, "bad\\xfe.cu");
  EXPECT_EQ(result.files[2].path, "bad\\xff.cu");
}

TEST_F(AuditTest, FilesThatVanishAreNamed) {
  file("a.cu", "x");
  fs::permissions(root_ + "/a.cu", fs::perms::none);
  fs::create_directory(root_ + "/empty");
  result::AuditResult result = audit();  // root may read it all the same
  EXPECT_EQ(result.files.size() + result.skipped.size(), 1u);
}

TEST_F(AuditTest, RulesSeeKernelsInsideStringsOfOtherLanguages) {
  file("b.py",
       "import cupy as cp\nk = cp.RawKernel(r'''\nextern \"C\" __global__ void k(float* a) {\n"
       "  unsigned m = __ballot_sync(0xffffffff, 1);\n}''', \"k\")\n");
  result::AuditResult result = audit();
  bool narrowed = false;
  for (const result::Finding& finding : result.findings) narrowed |= finding.rule == "M01" && finding.site.line == 4;
  EXPECT_TRUE(narrowed);
}

TEST_F(AuditTest, AReportWrittenElsewhereIsNotAudited) {
  for (const char* name : {"findings.sarif", "index.html", "report.md", "result.json"})
    file(std::string("out/") + name, "{}");
  result::AuditResult result = audit();
  EXPECT_TRUE(result.files.empty());
  ASSERT_EQ(result.skipped.size(), 1u);
  EXPECT_EQ(result.skipped[0].reason, "report of an earlier run");
}

TEST_F(AuditTest, RulesThatAreOffAreNamedWithTheReason) {
  result::AuditResult result = audit();
  EXPECT_EQ(offReason(result, "W01"), "");
  EXPECT_TRUE(std::is_sorted(result.rulesOff.begin(), result.rulesOff.end(),
                             [](const auto& a, const auto& b) { return a.rule < b.rule; }));
  for (const knowledge::Rule& rule : builtIn().rules())
    if (rule.status != knowledge::RuleStatus::Stable)
      EXPECT_EQ(offReason(result, rule.id), nameOf(knowledge::ruleStatusNames, rule.status)) << rule.id;
  options_.ignore = {"W"};
  EXPECT_EQ(offReason(audit(), "W01"), "ignored");
  options_.select = {"W", "L04"};
  result = audit();
  EXPECT_EQ(offReason(result, "W01"), "ignored");
  EXPECT_EQ(offReason(result, "M01"), "not-selected");
  EXPECT_EQ(offReason(result, "L04"), "");
  options_.select = options_.ignore = {};
  options_.targets = {"gfx1100"};
  result = audit();
  EXPECT_EQ(offReason(result, "W01"), "target") << "a rule of 64 lanes on a GPU of 32";
  EXPECT_EQ(offReason(result, "L04"), "") << "how much LDS a kernel needs is known at its site";
}

}  // namespace unwarp::audit
