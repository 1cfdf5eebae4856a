// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of an audit as values: the published JSON schema (docs/schema/audit.schema.json) one to one. `audit` fills
// it, `report` prints it; neither sees the other.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.h"

namespace unwarp::result {

inline constexpr std::string_view schemaVersion = "1.2.0";

/// A place: index into AuditResult::files, line and column from 1 (0 for binaries). `count` > 1 folds further sites of
/// the file.
struct Site {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t count = 1;
  bool guarded = false;
};

struct Finding {
  std::string rule;
  Severity severity = Severity::Info;
  Status status = Status::Port;
  Layer layer = Layer::Kernels;
  Evidence evidence = Evidence::Lexical;
  std::vector<std::string> targets;
  std::string message;
  std::uint64_t fingerprint = 0;  ///< printed as 16 hexadecimal digits
  Site site;
};

/// A finding that the user has silenced with a reason.
struct Suppressed {
  std::string rule, path, reason;
  std::uint32_t line = 0;
};

struct ApiEntry {
  std::string name, kind, hip;
  std::string library;  ///< word of knowledge/layers.tsv; not part of the JSON
  Layer layer = Layer::Runtime;
  Status status = Status::Unknown;
  std::vector<Site> sites;  ///< ordered by file, line, column
};

struct DependencyEntry {
  std::string id;  ///< record id in knowledge/dependencies.tsv
  std::string name, ecosystem, version, counterpart, note, source, asOf;
  bool confirmed = true;
  Layer layer = Layer::Deployment;
  Status status = Status::Unknown;  ///< worst of the targets
  std::vector<std::pair<std::string, Status>> byTarget;
  std::vector<Site> sites;
};

/// One of the (at most five) dependencies or APIs that decide whether the project can leave.
struct Decider {
  std::string name, kind, counterpart, reason;  ///< kind: dependency, api, rule
  Layer layer = Layer::Kernels;
  Status status = Status::None;
  std::uint64_t sites = 0;
};

struct LayerEntry {
  Layer layer = Layer::Runtime;
  std::uint64_t sites = 0;
  std::uint64_t byStatus[5] = {};
};

struct FileEntry {
  std::string path, kind, how;
  std::vector<std::string> notes;
  std::uint64_t bytes = 0;
};

struct Skipped {
  std::string path, reason;
};

struct Totals {
  std::uint64_t files = 0, bytes = 0, sites = 0, guarded = 0, suppressed = 0;
  std::uint64_t byStatus[5] = {};
  std::vector<std::pair<std::string, double>>
      portableShare;  ///< per target; (drop-in + guarded) / sites, 1 when there are no sites
};

struct RuleText {  ///< what reports need of each rule that has findings (or all rules, for SARIF)
  std::string id, name, title, help, fix;
  Severity severity = Severity::Info;
};

/// A setting that shapes the result and was not left at its default; a switch has the value "true" or "false".
struct ChosenSetting {
  std::string key;  ///< key of unwarp.toml
  std::vector<std::string> values;
  Origin origin = Origin::Default;
};

struct RuleOff {
  std::string rule;
  OffReason reason = OffReason::Depth;
};

struct AuditResult {
  std::string toolVersion, factsDate, root;
  std::vector<std::string> targets;
  std::vector<ChosenSetting> settings;  ///< in the order of the table of flags
  std::vector<RuleOff> rulesOff;        ///< rules that were not applied, ordered by id
  std::vector<Finding> findings;        ///< ordered by path, line, column, rule
  std::vector<Suppressed> suppressed;
  std::vector<ApiEntry> apis;                 ///< ordered by name, kind
  std::vector<DependencyEntry> dependencies;  ///< ordered by name, ecosystem
  std::vector<Decider> deciders;
  std::vector<LayerEntry> layers;  ///< all ten, in the order of layerNames
  Totals totals;
  std::vector<FileEntry> files;  ///< ordered by path; coverage.files
  std::vector<Skipped> skipped;  ///< ordered by path; coverage.skipped
  std::vector<RuleText> rules;   ///< not part of the audit JSON
  std::int64_t largestSharedBytes =
      0;  ///< largest static shared memory of one kernel; for gates, not part of the audit JSON
  std::uint64_t unknownShared = 0;  ///< kernels whose static shared memory is not known in full; like the above
  std::string_view pathOf(const Site& site) const { return files[site.file].path; }
};

}  // namespace unwarp::result
