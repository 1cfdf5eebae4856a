// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixed results that the report tests print: a small one with one of everything, one whose names are hostile, an
// empty one.
#pragma once

#include "result/audit_result.h"

namespace unwarp::report::sample {

inline result::LayerEntry layer(Layer id, std::uint64_t dropIn, std::uint64_t port, std::uint64_t partial,
                                std::uint64_t none, std::uint64_t unknown) {
  return {id, dropIn + port + partial + none + unknown, {dropIn, port, partial, none, unknown}};
}

inline void fillLayers(result::AuditResult& audit) {
  for (std::size_t i = 0; i < layerNames.size(); ++i)
    audit.layers.push_back(layer(static_cast<Layer>(i), 0, 0, 0, 0, 0));
}

inline result::ApiEntry api(std::string name, std::string hip, Layer layer, Status status,
                            std::vector<result::Site> sites) {
  result::ApiEntry entry;
  entry.name = std::move(name);
  entry.kind = "function";
  entry.hip = std::move(hip);
  entry.layer = layer;
  entry.status = status;
  entry.sites = std::move(sites);
  return entry;
}

inline result::DependencyEntry dependency(std::string id, std::string version, Layer layer, Status status,
                                          std::vector<result::Site> sites) {
  result::DependencyEntry entry;
  entry.id = entry.name = std::move(id);
  entry.ecosystem = "pypi";
  entry.version = std::move(version);
  entry.layer = layer;
  entry.status = status;
  entry.sites = std::move(sites);
  return entry;
}

inline result::Finding finding(std::string rule, Severity severity, Status status, Layer layer, std::string message,
                               std::uint64_t fingerprint, result::Site site) {
  result::Finding finding;
  finding.rule = std::move(rule);
  finding.severity = severity;
  finding.status = status;
  finding.layer = layer;
  finding.targets = {"gfx90a"};
  finding.message = std::move(message);
  finding.fingerprint = fingerprint;
  finding.site = site;
  return finding;
}

/// A tree without CUDA: one file read.
inline result::AuditResult empty() {
  result::AuditResult audit;
  audit.toolVersion = "0.1.0";
  audit.factsDate = "2026-11-28";
  audit.root = ".";
  audit.targets = {"gfx90a", "gfx1100"};
  fillLayers(audit);
  audit.files.push_back({"main.c", "c++", "lexed", {}, 12});
  audit.totals.files = 1;
  audit.totals.bytes = 12;
  audit.totals.portableShare = {{"gfx90a", 1.0}, {"gfx1100", 1.0}};
  return audit;
}

/// One of everything.
inline result::AuditResult small() {
  result::AuditResult audit;
  audit.toolVersion = "0.1.0";
  audit.factsDate = "2026-11-28";
  audit.root = "demo";
  audit.targets = {"gfx90a", "gfx1100"};
  audit.files = {{"app.bin", "elf", "binary", {}, 9000},
                 {"requirements.txt", "pip", "parsed", {}, 40},
                 {"src/reduce.cu", "cuda", "lexed", {"unbalanced #if at line 90"}, 4000}};
  audit.settings = {{"ignore", {"M", "W03"}, Origin::ProjectFile}};
  audit.rulesOff = {{"A05", OffReason::Preview}, {"M01", OffReason::Ignored}};
  const std::string literal = "literal 32 used as the warp size";
  for (const std::uint32_t line : {10u, 14u})
    audit.findings.push_back(finding("W01", Severity::Silent, Status::Port, Layer::Kernels, literal,
                                     0x0123456789abcdefu, {2, line, 7, 1, false}));
  audit.findings.push_back(finding("B03", Severity::Compile, Status::Partial, Layer::Math,
                                   "algorithm id has no HIP value", 0xfedcba9876543210u, {2, 30, 1, 4, false}));
  audit.findings.back().targets = {"gfx90a", "gfx1100"};
  audit.suppressed = {{"W02", "src/reduce.cu", "masks are 32 lanes by design", 50}};
  audit.apis = {api("cublasSgemm", "hipblasSgemm", Layer::Math, Status::Port, {{2, 31, 3, 1, false}}),
                api("cudaMalloc", "hipMalloc", Layer::Runtime, Status::Port, {{2, 5, 3, 1, false}, {2, 6, 3, 2, true}}),
                api("nvmlInit_v2", "", Layer::Tooling, Status::None, {{0, 0, 0, 1, false}})};
  audit.dependencies = {dependency("tensorrt", "", Layer::Specialised, Status::None, {{1, 2, 1, 1, false}}),
                        dependency("torch", "2.9.0", Layer::Framework, Status::DropIn, {{1, 1, 1, 1, false}})};
  result::DependencyEntry& tensorrt = audit.dependencies[0];
  tensorrt.counterpart = "MIGraphX is a replacement, not a port";
  tensorrt.source = "none found";
  tensorrt.asOf = "2026-11";
  tensorrt.confirmed = false;
  result::DependencyEntry& torch = audit.dependencies[1];
  torch.counterpart = "torch from the ROCm index";
  torch.source = "package index";
  torch.asOf = "2026-09-14";
  torch.byTarget = {{"gfx90a", Status::DropIn}, {"gfx1100", Status::Partial}};
  audit.deciders = {
      {"tensorrt", "dependency", "MIGraphX or vLLM", "no port of its plans", Layer::Specialised, Status::None, 1}};
  fillLayers(audit);
  audit.layers[0] = layer(Layer::Runtime, 0, 3, 0, 0, 0);
  audit.layers[2] = layer(Layer::Math, 0, 1, 0, 0, 0);
  audit.layers[6] = layer(Layer::Framework, 1, 0, 0, 0, 0);
  audit.layers[7] = layer(Layer::Specialised, 0, 0, 0, 1, 0);
  audit.layers[9] = layer(Layer::Tooling, 0, 0, 0, 1, 0);
  audit.totals.files = 3;
  audit.totals.bytes = 13040;
  audit.totals.sites = 7;
  audit.totals.guarded = 2;
  audit.totals.suppressed = 1;
  for (std::size_t i = 0; i < 5; ++i)
    for (const result::LayerEntry& one : audit.layers) audit.totals.byStatus[i] += one.byStatus[i];
  audit.totals.portableShare = {{"gfx90a", 3.0 / 7}, {"gfx1100", 2.0 / 7}};
  audit.skipped = {{"data/big.bin", "larger than 64 MB"}};
  audit.rules = {{"B03", "library-enum", "Enumerator without HIP value", "# B03\nPage.", "manual", Severity::Compile},
                 {"W01", "warp-size-literal", "Warp size as a literal", "# W01\nPage.", "review", Severity::Silent}};
  return audit;
}

inline constexpr std::string_view hostilePath =
    "=a,\"b\"\r\n|`*<script>alert('x')</script>&\x1b[31m\xff\xc2\x9b%20 \xe2\x82\xac.cu";

/// The small result with names that try to break out of every format.
inline result::AuditResult hostile() {
  result::AuditResult audit = small();
  audit.root = "</title><script>" + std::string(hostilePath);
  for (result::FileEntry& file : audit.files) file.path = hostilePath;
  audit.skipped[0] = {std::string(hostilePath), std::string(hostilePath)};
  audit.suppressed[0] = {"W02", std::string(hostilePath), std::string(hostilePath), 1};
  for (result::Finding& finding : audit.findings) finding.message = hostilePath;
  for (result::DependencyEntry& one : audit.dependencies)
    one.name = one.version = one.counterpart = one.note = one.source = one.asOf = hostilePath;
  for (result::ApiEntry& api : audit.apis) api.name = api.hip = hostilePath;
  for (result::Decider& one : audit.deciders) one.name = one.counterpart = one.reason = hostilePath;
  for (result::RuleText& rule : audit.rules) rule.title = rule.help = hostilePath;
  return audit;
}

/// `count` findings of one rule in each of `files` files.
inline result::AuditResult many(std::uint32_t files, std::uint32_t count) {
  result::AuditResult audit = small();
  audit.findings.clear();
  audit.files.clear();
  for (std::uint32_t f = 0; f < files; ++f) {
    audit.files.push_back({"src/kernels/deep/folder/file_" + std::to_string(f) + ".cu", "cuda", "lexed", {}, 1});
    for (std::uint32_t i = 0; i < count; ++i)
      audit.findings.push_back(
          finding(f % 2 == 0 ? "B03" : "W01", f % 2 == 0 ? Severity::Compile : Severity::Silent, Status::Port,
                  Layer::Kernels, "a message of the usual length that says what stands at place " + std::to_string(i),
                  (std::uint64_t{f} << 32) + i, {f, i + 1, 1, 1, false}));
  }
  for (result::ApiEntry& api : audit.apis)
    for (result::Site& site : api.sites) site.file = 0;
  for (result::DependencyEntry& dependency : audit.dependencies)
    for (result::Site& site : dependency.sites) site.file = 0;
  return audit;
}

}  // namespace unwarp::report::sample
