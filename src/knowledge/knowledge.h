// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed look-ups over the tables of `knowledge/`. The tables are embedded in the binary; a folder with a newer
// FACTS_DATE replaces them. Loading is strict: a record without its required fields stops the load with file, line and
// column.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/words.h"

namespace unwarp::knowledge {

enum class Context : std::uint8_t { Any, Gpu, Device, Include, Qualified, Asm };
inline constexpr std::array<std::string_view, 6> contextNames{"any", "gpu", "device", "include", "qualified", "asm"};

enum class Ecosystem : std::uint8_t {
  Pypi,
  Python,
  Conda,
  Apt,
  Header,
  Lib,
  Env,
  Image,
  K8s,
  CMake,
  Cli,
  File,
  Metric,
  Ci,
  Cloud,
  Config,
  Section,
  OtherPkg
};
inline constexpr std::array<std::string_view, 18> ecosystemNames{
    "pypi",  "python", "conda", "apt",    "header", "lib",   "env",    "image",   "k8s",
    "cmake", "cli",    "file",  "metric", "ci",     "cloud", "config", "section", "other-pkg"};

struct Provenance {
  std::string_view source, asOf;
};

/// One CUDA entry point, type, enumerator, header, keyword or instruction.
struct Api {
  std::string_view name, kind, library, hip, roc;
  Layer layer;
  Status status;
  Context context;
  std::string_view cudaSince, cudaDeprecated, cudaRemoved, hipSince, hipRemoved, note;
  Provenance provenance;
};

/// A package, library, image, variable or setting that binds a project to CUDA, and what stands for it on AMD.
struct Dependency {
  std::string_view id;
  Ecosystem ecosystem;
  std::string_view match, word;
  Layer layer;
  std::string_view counterpart;
  Status status;
  std::vector<std::pair<std::string_view, Status>> byTarget;
  bool confirmed;
  bool falsePositive;  ///< a known look-alike, or AMD's own: never a binding
  std::string_view note;
  Provenance provenance;
  Status statusOn(std::string_view target) const;
};

struct Device {
  std::string_view target, name, vendor, arch;
  int width;
  int ldsKb;
  std::string_view fp8, fp4, tf32, evidence, disputed;
  std::vector<std::pair<std::string_view, std::string_view>> figures;  ///< column name, text
  Provenance provenance;
};

struct Platform {
  std::string_view name, released, line, status, hip, note;
  Provenance provenance;
};

struct Change {
  std::string_view kind, name, change, since, replacement;
  Provenance provenance;
};

/// What readers call the APIs of one library word, and what stands for them on AMD.
struct Family {
  std::string_view word, label, counterpart;
  Provenance provenance;
};

struct Semantic {
  std::string_view api, topic, difference, rule;
  Provenance provenance;
};

enum class RuleStatus : std::uint8_t { Stable, Preview, Depth };
inline constexpr std::array<std::string_view, 3> ruleStatusNames{"stable", "preview", "depth"};

/// One rule: metadata of its page plus the page itself.
struct Rule {
  std::string id, name, title, group;
  RuleStatus status;
  Severity severity;
  Layer layer;
  Status findingStatus = Status::Port;
  std::vector<std::string> applies;     ///< `all`, `wave64`, ..., or gfx names
  std::vector<std::string> factsApply;  ///< the same for uses of `apis`, `flags`, ... below; empty: as `applies`
  std::string fix;
  int minutes = 0;
  std::string detect;  ///< code, facts, depth
  std::vector<std::string> apis, flags, env, python;
  std::string precision;
  std::vector<std::string> refs;
  std::string source, asOf;
  std::string_view page;  ///< Markdown below the metadata
  std::string file;       ///< path inside knowledge/
};

/// A file of knowledge/ by its path ("knowledge/layers.tsv").
struct TextFile {
  std::string_view name, text;
};

/// All tables, immutable after loading; safe to read from many threads.
class Knowledge {
 public:
  /// The embedded tables, or those of `folder` when it is not empty (refused when older than the embedded ones).
  static Result<std::unique_ptr<Knowledge>> load(const std::string& folder);
  /// Loads from (path inside knowledge/, text) pairs: what both ways above end in, and what tests use.
  static Result<std::unique_ptr<Knowledge>> parse(std::vector<std::pair<std::string, std::string>> files);
  ~Knowledge();

  std::string_view factsDate() const;
  std::span<const Api> apis() const;
  std::span<const Dependency> dependencies() const;
  std::span<const Device> devices() const;
  std::span<const Platform> platforms() const;
  std::span<const Change> changes() const;
  std::span<const Semantic> semantics() const;
  std::span<const Family> families() const;
  std::span<const Rule> rules() const;
  std::span<const std::pair<std::string_view, std::string_view>> layerWords() const;

  /// A table of cost/ as text ("knowledge/cost/defaults.tsv"); its name is empty when there is none. Whoever computes
  /// with such a table reads it, strictly, with Table.
  TextFile costTable(std::string_view name) const;

  static constexpr std::uint32_t none = 0xffffffffu;
  /// Index into apis() of the record whose name is exactly `name`, or `none`. Constant time; a few nanoseconds on a
  /// miss.
  std::uint32_t findApi(std::string_view name) const;
  /// The same for headers (`#include` path) and inline-PTX mnemonics (longest dotted prefix).
  std::uint32_t findHeader(std::string_view path) const;
  std::uint32_t findInstruction(std::string_view mnemonic) const;
  /// Index into dependencies() of the best match (exact before glob, longest literal first), or `none`.
  std::uint32_t findDependency(Ecosystem ecosystem, std::string_view name) const;
  std::uint32_t findDependencyById(std::string_view id) const;
  const Rule* findRule(std::string_view idOrName) const;
  /// First device with that LLVM target, or null.
  const Device* findDevice(std::string_view target) const;

 private:
  Knowledge();
  static Result<std::unique_ptr<Knowledge>> fromViews(std::vector<TextFile> files, std::deque<std::string> owned);
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace unwarp::knowledge
