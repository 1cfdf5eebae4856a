// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit JSON, its JSON Lines form and the result.json of `assess`. Everything is appended to one string, without a
// document tree: a result may hold a million sites. Members that would say nothing (column 0, count 1, not guarded) are
// left out of the sites, where they would be most of the bytes; everywhere else every member is always there.
//
// Limits: the text is held in memory whole; JSON Lines has the same objects as the document, each with its "type"
// first.
#include "report/json_parts.h"
#include "report/report.h"

namespace unwarp::report {
namespace {

void writeByStatus(JsonWriter& json, const std::uint64_t (&counts)[5]) {
  json.key("by_status");
  json.beginObject();
  for (std::size_t i = 0; i < statusNames.size(); ++i) json.member(statusNames[i], counts[i]);
  json.endObject();
}

void writeSites(JsonWriter& json, const AuditResult& audit, const std::vector<result::Site>& sites) {
  json.key("sites");
  json.beginArray();
  for (const result::Site& site : sites) {
    json.beginObject();
    json.member("path", audit.pathOf(site));
    json.member("line", site.line);
    if (site.column != 0) json.member("column", site.column);
    if (site.count != 1) json.member("count", site.count);
    if (site.guarded) json.member("guarded", true);
    json.endObject();
  }
  json.endArray();
}

/// One line per element: the same objects with their type first.
template <class Elements, class WriteOne>
void writeLines(JsonWriter& json, std::string_view type, const Elements& elements, const WriteOne& writeOne) {
  for (const auto& element : elements) {
    json.beginObject();
    json.member("type", type);
    writeOne(element);
    json.endObject();
    json.nextLine();
  }
}

}  // namespace

void writeStrings(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key);
  json.beginArray();
  for (const std::string& text : texts) json.value(text);
  json.endArray();
}

std::string fingerprintText(std::uint64_t fingerprint) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; fingerprint >>= 4) text[i] = digits[fingerprint & 0xf];
  return text;
}

void writeMeta(JsonWriter& json, const AuditResult& audit) {
  json.member("schema_version", result::schemaVersion);
  json.member("tool_version", audit.toolVersion);
  json.member("facts_date", audit.factsDate);
  json.member("root", audit.root);
  writeStrings(json, "targets", audit.targets);
}

void writeSetting(JsonWriter& json, const result::ChosenSetting& setting) {
  json.member("key", setting.key);
  writeStrings(json, "values", setting.values);
  json.member("origin", name(setting.origin));
}

void writeRuleOff(JsonWriter& json, const result::RuleOff& off) {
  json.member("rule", off.rule);
  json.member("reason", name(off.reason));
}

void writeFinding(JsonWriter& json, const AuditResult& audit, const result::Finding& finding) {
  json.member("rule", finding.rule);
  json.member("severity", name(finding.severity));
  json.member("status", name(finding.status));
  json.member("path", audit.pathOf(finding.site));
  json.member("line", finding.site.line);
  json.member("column", finding.site.column);
  json.member("count", finding.site.count);
  json.member("layer", name(finding.layer));
  writeStrings(json, "targets", finding.targets);
  json.member("evidence", name(finding.evidence));
  json.member("message", finding.message);
  json.member("fingerprint", fingerprintText(finding.fingerprint));
}

void writeApi(JsonWriter& json, const AuditResult& audit, const result::ApiEntry& api) {
  std::uint64_t guarded = 0;
  for (const result::Site& site : api.sites) guarded += site.guarded ? site.count : 0;
  json.member("name", api.name);
  json.member("kind", api.kind);
  json.member("layer", name(api.layer));
  json.memberOrNull("hip", api.hip);
  json.member("status", name(api.status));
  json.member("guarded", guarded);
  writeSites(json, audit, api.sites);
}

void writeDependency(JsonWriter& json, const AuditResult& audit, const result::DependencyEntry& dependency) {
  json.member("name", dependency.name);
  json.member("id", dependency.id);
  json.member("ecosystem", dependency.ecosystem);
  json.memberOrNull("version", dependency.version);
  json.member("layer", name(dependency.layer));
  json.member("status", name(dependency.status));
  json.key("by_target");
  json.beginObject();
  for (const auto& [target, status] : dependency.byTarget) json.member(target, name(status));
  json.endObject();
  json.member("counterpart", dependency.counterpart);
  json.member("confirmed", dependency.confirmed);
  json.member("note", dependency.note);
  json.member("source", dependency.source);
  json.member("as_of", dependency.asOf);
  writeSites(json, audit, dependency.sites);
}

void writeDecider(JsonWriter& json, const result::Decider& decider) {
  json.member("name", decider.name);
  json.member("kind", decider.kind);
  json.member("layer", name(decider.layer));
  json.member("status", name(decider.status));
  json.member("sites", decider.sites);
  json.member("counterpart", decider.counterpart);
  json.member("reason", decider.reason);
}

void writeLayer(JsonWriter& json, const result::LayerEntry& layer) {
  json.member("id", name(layer.layer));
  json.member("sites", layer.sites);
  writeByStatus(json, layer.byStatus);
}

void writeTotals(JsonWriter& json, const result::Totals& totals) {
  json.member("files", totals.files);
  json.member("bytes", totals.bytes);
  json.member("sites", totals.sites);
  json.member("guarded", totals.guarded);
  json.member("suppressed", totals.suppressed);
  writeByStatus(json, totals.byStatus);
  json.key("portable_share");
  json.beginObject();
  for (const auto& [target, share] : totals.portableShare) json.member(target, share);
  json.endObject();
}

void writeFile(JsonWriter& json, const result::FileEntry& file) {
  json.member("path", file.path);
  json.member("kind", file.kind);
  json.member("how", file.how);
  writeStrings(json, "notes", file.notes);
}

void writeSkipped(JsonWriter& json, const result::Skipped& skipped) {
  json.member("path", skipped.path);
  json.member("reason", skipped.reason);
}

void writeSuppressed(JsonWriter& json, const result::Suppressed& suppressed) {
  json.member("rule", suppressed.rule);
  json.member("path", suppressed.path);
  json.member("line", suppressed.line);
  json.member("reason", suppressed.reason);
}

void writeStages(JsonWriter& json, const std::vector<result::Stage>& stages) {
  writeList(json, "stages", stages, [&](const result::Stage& stage) {
    json.member("id", stage.id);
    json.member("state", stage.state);
    json.member("reason", stage.reason);
  });
}

void writeAudit(JsonWriter& json, const AuditResult& audit) {
  json.beginObject();
  writeMeta(json, audit);
  writeList(json, "settings", audit.settings, [&](const auto& one) { writeSetting(json, one); });
  writeList(json, "rules_off", audit.rulesOff, [&](const auto& one) { writeRuleOff(json, one); });
  writeList(json, "findings", audit.findings, [&](const auto& one) { writeFinding(json, audit, one); });
  writeList(json, "apis", audit.apis, [&](const auto& one) { writeApi(json, audit, one); });
  writeList(json, "dependencies", audit.dependencies, [&](const auto& one) { writeDependency(json, audit, one); });
  writeList(json, "deciders", audit.deciders, [&](const auto& one) { writeDecider(json, one); });
  writeList(json, "layers", audit.layers, [&](const auto& one) { writeLayer(json, one); });
  json.key("totals");
  json.beginObject();
  writeTotals(json, audit.totals);
  json.endObject();
  json.key("coverage");
  json.beginObject();
  writeList(json, "files", audit.files, [&](const auto& one) { writeFile(json, one); });
  writeList(json, "skipped", audit.skipped, [&](const auto& one) { writeSkipped(json, one); });
  json.endObject();
  writeList(json, "suppressed", audit.suppressed, [&](const auto& one) { writeSuppressed(json, one); });
  json.endObject();
}

std::size_t expectedJsonBytes(const AuditResult& audit) {
  std::size_t sites = 0;
  for (const result::ApiEntry& api : audit.apis) sites += api.sites.size();
  for (const result::DependencyEntry& dependency : audit.dependencies) sites += dependency.sites.size();
  return 4096 + 90 * sites + 400 * audit.findings.size() + 160 * (audit.files.size() + audit.skipped.size());
}

std::string json(const AuditResult& audit) {
  std::string out;
  out.reserve(expectedJsonBytes(audit));
  JsonWriter json(out);
  writeAudit(json, audit);
  out += '\n';
  return out;
}

std::string jsonLines(const AuditResult& audit) {
  std::string out;
  out.reserve(expectedJsonBytes(audit));
  JsonWriter json(out);
  const auto single = [&](std::string_view type, const auto& writeOne) {
    writeLines(json, type, std::array{0}, [&](int) { writeOne(); });
  };
  single("meta", [&] { writeMeta(json, audit); });
  writeLines(json, "setting", audit.settings, [&](const auto& one) { writeSetting(json, one); });
  writeLines(json, "rule_off", audit.rulesOff, [&](const auto& one) { writeRuleOff(json, one); });
  writeLines(json, "finding", audit.findings, [&](const auto& one) { writeFinding(json, audit, one); });
  writeLines(json, "api", audit.apis, [&](const auto& one) { writeApi(json, audit, one); });
  writeLines(json, "dependency", audit.dependencies, [&](const auto& one) { writeDependency(json, audit, one); });
  writeLines(json, "decider", audit.deciders, [&](const auto& one) { writeDecider(json, one); });
  writeLines(json, "layer", audit.layers, [&](const auto& one) { writeLayer(json, one); });
  single("totals", [&] { writeTotals(json, audit.totals); });
  writeLines(json, "file", audit.files, [&](const auto& one) { writeFile(json, one); });
  writeLines(json, "skipped", audit.skipped, [&](const auto& one) { writeSkipped(json, one); });
  writeLines(json, "suppressed", audit.suppressed, [&](const auto& one) { writeSuppressed(json, one); });
  return out;
}

std::string assessJson(const result::Assessment& assessment) {
  const AuditResult& audit = assessment.audit;
  std::string out;
  out.reserve(expectedJsonBytes(audit));
  JsonWriter json(out);
  json.beginObject();
  json.member("schema_version", result::schemaVersion);
  writeStages(json, assessment.stages);
  if (assessment.run) {
    json.key("run");
    writeTrial(json, *assessment.run);
  }
  json.key("audit");
  writeAudit(json, audit);
  json.endObject();
  out += '\n';
  return out;
}

}  // namespace unwarp::report
