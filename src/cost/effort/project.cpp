// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/effort/project.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"

namespace unwarp::cost {

namespace {

bool anyOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

double siteCount(const std::vector<result::Site>& sites) {
  double count = 0;
  for (const result::Site& site : sites)
    if (!site.guarded) count += site.count;
  return count;
}

void addRules(Project& project, const result::AuditResult& audit, const knowledge::Knowledge& knowledge) {
  std::map<std::string, RuleSites, std::less<>> rules;
  for (const result::Finding& finding : audit.findings) {
    bool applies = std::find(finding.targets.begin(), finding.targets.end(), project.target) != finding.targets.end();
    const knowledge::Rule* rule = knowledge.findRule(finding.rule);
    if (!applies || rule == nullptr || finding.site.guarded) continue;
    RuleSites& one = rules[finding.rule];
    one = {finding.rule, rule->title, one.sites + finding.site.count, static_cast<double>(rule->minutes),
           finding.severity == Severity::Silent || finding.severity == Severity::Hang};
  }
  for (auto& [id, one] : rules) project.rules.push_back(std::move(one));
}

/// Settings and build lines name a library too, but what is replaced is the library: once, whatever names it. Sections
/// of a binary are no library at all, and the CUDA runtime is what the port itself replaces.
bool isNoLibrary(const result::DependencyEntry& entry) {
  constexpr std::string_view kinds[] = {"env-", "flag-",   "cmake-",    "config-", "cli-",
                                        "ci-",  "metric-", "autoconf-", "section-"};
  bool runtime = entry.layer == Layer::Runtime && entry.id.starts_with("lib-");
  return runtime || std::any_of(std::begin(kinds), std::end(kinds),
                                [&](std::string_view kind) { return entry.id.starts_with(kind); });
}

/// `cupy` of "cupy-cuda12x" and "cupy.RawKernel"; `cublas` of "libcublas.so", "nvidia-cublas-cu12" and
/// "libcublas-devel-12-6"; `raft` of "raft/core": one library by whatever package, import or header it comes.
std::string libraryKey(std::string_view name) {
  std::string whole = toLower(name.substr(0, name.find_first_of("./", 1)));
  std::replace(whole.begin(), whole.end(), '-', '_');
  std::string key;
  for (std::string_view word : split(whole, '_')) {
    bool version = !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
    if (!key.empty() && (version || word == "dev" || word == "devel" || word.starts_with("cuda") ||
                         (word.starts_with("cu") && word.find_first_not_of("0123456789", 2) == std::string_view::npos)))
      break;
    if (word != "nvidia" || !key.empty()) key += (key.empty() ? "" : "_") + std::string(word);
  }
  if (key.starts_with("lib")) key.erase(0, 3);
  return key;
}

void addLibraries(Project& project, const result::AuditResult& audit) {
  std::map<std::string, Library, std::less<>> libraries;
  for (const result::DependencyEntry& entry : audit.dependencies) {
    Status status = entry.status;
    for (const auto& [target, value] : entry.byTarget)
      if (target == project.target) status = value;
    // The project is no third party to itself.
    bool own = libraryKey(entry.name) == toLower(std::filesystem::path(audit.root).filename().string());
    bool counted = !own && entry.layer != Layer::Deployment && entry.layer != Layer::Tooling && !isNoLibrary(entry);
    if (!counted) continue;
    Library& library = libraries[libraryKey(entry.name)];
    double sites = library.sites + siteCount(entry.sites);
    // Of several records the worst status counts.
    if (library.name.empty() || library.status < status)
      library = {entry.name, entry.counterpart, entry.source, entry.asOf, entry.layer, status, entry.confirmed, 0};
    library.sites = sites;
  }
  for (auto& [id, library] : libraries) project.libraries.push_back(std::move(library));
  std::sort(project.libraries.begin(), project.libraries.end(),
            [](const Library& a, const Library& b) { return a.name < b.name; });
}

/// Sources that hold CUDA, in bytes.
double gpuBytes(const result::AuditResult& audit) {
  std::set<std::uint32_t> files;
  for (const result::ApiEntry& api : audit.apis)
    if (api.layer == Layer::Kernels || api.layer == Layer::Runtime)
      for (const result::Site& site : api.sites) files.insert(site.file);
  double bytes = 0;
  for (std::uint32_t file : files)
    if (audit.files[file].how == "tokens") bytes += static_cast<double>(audit.files[file].bytes);
  return bytes;
}

void countFiles(Project& project, const result::AuditResult& audit) {
  for (const result::FileEntry& file : audit.files) {
    project.images += anyOf(file.kind, {"dockerfile", "singularity"}) ? 1 : 0;
    project.usesPython = project.usesPython || file.kind.starts_with("python");
  }
  std::set<std::uint32_t> pipelines;
  std::set<std::string_view> tools;
  for (const result::DependencyEntry& entry : audit.dependencies) {
    if (entry.layer == Layer::Tooling && entry.status != Status::DropIn) tools.insert(entry.id);
    for (const result::Site& site : entry.sites) {
      std::string_view kind = audit.files[site.file].kind;
      if (kind.ends_with("workflow") || kind.find("-ci") != std::string_view::npos || kind == "jenkinsfile")
        pipelines.insert(site.file);
    }
  }
  project.pipelines = static_cast<double>(pipelines.size());
  project.tools = static_cast<double>(tools.size());
  project.filesRead = static_cast<double>(audit.files.size());
  for (const result::Skipped& skipped : audit.skipped)
    if (skipped.reason.find("ignore") == std::string::npos) ++project.filesSkipped;
}

}  // namespace

Project projectOf(const result::AuditResult& audit, const knowledge::Knowledge& knowledge, std::string_view target,
                  double bytesPerLine) {
  Project project;
  project.root = audit.root;
  project.target = target;
  project.factsDate = audit.factsDate;
  addRules(project, audit, knowledge);
  addLibraries(project, audit);
  countFiles(project, audit);
  project.gpuLines = gpuBytes(audit) / bytesPerLine;
  for (const result::ApiEntry& api : audit.apis) {
    double sites = siteCount(api.sites);
    project.apiSites[static_cast<std::size_t>(api.status)] += sites;
    if (api.name == "__global__") project.kernels += sites;
    if (api.layer == Layer::Communication && api.kind == "function") project.ownNcclCalls = true;
  }
  return project;
}

}  // namespace unwarp::cost
