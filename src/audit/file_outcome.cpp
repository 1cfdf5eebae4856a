// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From facts to what is kept. The fingerprint of a finding is the hash of rule, path, the trimmed text of its line and
// the how-many-th equal line of the file it is: moving code up or down does not change it.
#include "audit/file_outcome.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "audit/rules/shared_memory.h"
#include "audit/shown_name.h"
#include "audit/suppression.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

/// Line starts, made only when a finding needs the text of its line.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  std::string_view at(std::uint32_t line) {
    if (starts_.empty()) {
      starts_.push_back(0);
      for (std::size_t i = text_.find('\n'); i != std::string_view::npos; i = text_.find('\n', i + 1))
        starts_.push_back(i + 1);
    }
    if (line == 0 || line > starts_.size()) return {};
    std::size_t from = starts_[line - 1];
    std::string_view start = text_.substr(from, 400);  // a line may have megabytes
    return trim(start.substr(0, start.find('\n')));
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// Sorts by place and folds beyond `sitesPerFile` of one record; guarded sites fold into guarded ones only.
void fold(std::vector<FoldedUse>& uses) {
  std::sort(uses.begin(), uses.end(), [](const FoldedUse& a, const FoldedUse& b) {
    return std::tie(a.record, a.name, a.version, a.line, a.column) <
           std::tie(b.record, b.name, b.version, b.line, b.column);
  });
  auto same = [](const FoldedUse& a, const FoldedUse& b) {
    return a.record == b.record && a.line == b.line && a.column == b.column && a.version == b.version &&
           a.name == b.name;
  };
  uses.erase(std::unique(uses.begin(), uses.end(), same), uses.end());
  std::vector<FoldedUse> kept;
  kept.reserve(uses.size());
  std::array<std::uint32_t, 2> run{};
  std::array<std::size_t, 2> last{};
  for (FoldedUse& use : uses) {
    bool repeats = !kept.empty() && kept.back().record == use.record && kept.back().version == use.version &&
                   kept.back().name == use.name;
    if (!repeats) run = {};
    if (++run[use.guarded] > sitesPerFile) {
      kept[last[use.guarded]].count += use.count;
    } else {
      last[use.guarded] = kept.size();
      kept.push_back(std::move(use));
    }
  }
  uses = std::move(kept);
}

/// Marks of a text file. Binaries have no comments, a source's comments are known exactly, a notebook has code in
/// quotes.
Suppressions readSuppressions(const scan::FileFacts& facts, std::string_view bytes) {
  if (facts.source != nullptr) return Suppressions(facts.source->text, facts.source->markedComments);
  if (facts.kind == scan::FileKind::Notebook) return Suppressions(facts.markedLines);
  bool text = facts.how != "bytes" && facts.how != "binary" && facts.how != "members" && facts.how != "tokens";
  return text ? Suppressions(bytes) : Suppressions();
}

std::vector<result::Finding> makeFindings(const RuleEngine& engine, const knowledge::Knowledge& knowledge,
                                          const std::vector<std::string>& targets, const scan::FileFacts& facts,
                                          std::string_view bytes, std::vector<result::Suppressed>& suppressed,
                                          std::vector<std::string>& notes) {
  std::vector<result::Finding> findings;
  Suppressions suppressions = readSuppressions(facts, bytes);
  std::vector<RawHit> hits = engine.apply(facts);
  Lines lines(bytes);
  std::unordered_map<std::uint64_t, std::uint32_t> equalLines;
  struct Run {
    std::uint32_t count = 0;
    std::size_t last = 0;
  };
  std::map<std::pair<std::uint32_t, std::vector<std::string>>, Run> runs;  // by rule and targets
  for (const RawHit& hit : hits) {
    const knowledge::Rule& rule = knowledge.rules()[hit.rule];
    std::vector<std::string> concerned = engine.targetsOf(hit, targets);
    const std::string* reason = suppressions.find(rule.id, rule.name, rule.group, hit.line);
    if (concerned.empty()) continue;
    if (reason != nullptr) {
      suppressed.push_back({rule.id, pathText(facts.path), *reason, hit.line});
      continue;
    }
    Run& run = runs[{hit.rule, concerned}];
    if (++run.count > sitesPerFile) {
      ++findings[run.last].site.count;
      continue;
    }
    std::uint64_t key = stableHash(rule.id + "\n" + facts.path + "\n" + std::string(lines.at(hit.line)));
    std::uint32_t occurrence = equalLines[key]++;
    result::Finding finding;
    finding.rule = rule.id;
    finding.severity = engine.severityOf(hit);
    finding.status = rule.findingStatus;
    finding.layer = rule.layer;
    finding.evidence = hit.evidence;
    finding.message = toValidUtf8(engine.messageOf(hit, concerned));
    finding.targets = std::move(concerned);
    finding.fingerprint = stableHash(std::to_string(key) + "/" + std::to_string(occurrence));
    finding.site = {0, hit.line, hit.column, 1, false};
    run.last = findings.size();
    findings.push_back(std::move(finding));
  }
  if (suppressions.empty()) return findings;
  auto ran = [&](std::string_view rule) { return engine.runs(rule); };
  auto whyUnknown = [&](std::string_view rule) { return engine.whyUnknown(rule); };
  for (std::string& complaint : suppressions.complaints(ran, whyUnknown)) notes.push_back(std::move(complaint));
  return findings;
}

/// Includes in quotes that made a site.
std::vector<std::pair<std::uint32_t, std::string>> quotedHeaders(const scan::FileFacts& facts) {
  std::vector<std::pair<std::uint32_t, std::string>> result;
  if (facts.source == nullptr) return result;
  const scan::SourceFacts& source = *facts.source;
  for (const scan::Directive& directive : source.directives) {
    scan::TokenIndex header = directive.first + 2;
    if (header >= directive.last || source.tokens[header].kind != scan::TokenKind::HeaderName) continue;
    std::uint32_t offset = source.tokens[header].offset, line = source.line(header);
    if (offset == 0 || source.text[offset - 1] != '"') continue;
    auto here = [line](const auto& use) { return use.line == line; };
    if (std::any_of(facts.apis.begin(), facts.apis.end(), here) ||
        std::any_of(facts.dependencies.begin(), facts.dependencies.end(), here))
      result.emplace_back(line, source.at(header));
  }
  return result;
}

/// `constexpr unsigned warpSize = 32;` or `#define warpSize 32` for whoever includes this file.
bool ownsWarpSize(const scan::SourceFacts& source) {
  if (!source.constants.contains("warpSize")) return false;
  auto mentions = source.named("warpSize");
  return std::any_of(mentions.begin(), mentions.end(), [&](scan::TokenIndex t) {
    bool defined = source.is(t + 1, "=") || source.is(t + 1, "{") || (t > 0 && source.is(t - 1, "define"));
    return defined && source.functionOf[t] == scan::noToken;
  });
}

void addShared(const scan::SourceFacts& source, FileOutcome& outcome) {
  const SharedDemand demand = sharedDemand(source);
  outcome.largestSharedBytes = std::max(outcome.largestSharedBytes, demand.bytes);
  outcome.unknownShared += demand.unknowns;
}

}  // namespace

FileOutcome judgeFile(const RuleEngine& engine, const knowledge::Knowledge& knowledge,
                      const std::vector<std::string>& targets, scan::FileFacts&& facts, std::string_view bytes) {
  FileOutcome outcome;
  bytes = facts.utf8Text ? std::string_view(*facts.utf8Text) : withoutByteOrderMark(bytes);
  outcome.findings = makeFindings(engine, knowledge, targets, facts, bytes, outcome.suppressed, facts.notes);

  if (facts.source != nullptr) {
    addShared(*facts.source, outcome);
    outcome.ownsWarpSize = ownsWarpSize(*facts.source);
  }
  for (const scan::EmbeddedSource& embedded : facts.embedded) addShared(*embedded.facts, outcome);
  outcome.apis.reserve(facts.apis.size());
  for (const scan::ApiUse& use : facts.apis)
    outcome.apis.push_back({use.record, use.line, use.column, use.count, use.guarded, {}, {}});
  for (scan::DependencyUse& use : facts.dependencies)
    outcome.dependencies.push_back({use.record, use.line, use.column, 1, use.guarded, toValidUtf8(use.version),
                                    shownName(knowledge.dependencies()[use.record], use.name)});
  outcome.quotedHeaders = quotedHeaders(facts);
  outcome.clues = std::move(facts.clues);
  fold(outcome.apis);
  fold(outcome.dependencies);
  std::vector<std::string> notes;
  for (const std::string& note : facts.notes) notes.push_back(toValidUtf8(note));
  outcome.entry = {pathText(facts.path), std::string(kindName(facts.kind)), std::string(facts.how), std::move(notes),
                   facts.bytes};
  return outcome;
}

}  // namespace unwarp::audit
