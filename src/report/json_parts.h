// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per kind of object of the audit JSON, so that the single document and the JSON Lines stream cannot drift
// apart. Each writes the members of an object that the caller has begun and will end. The names and their order are the
// published contract (docs/schema/audit.schema.json); within a schema major they are only added to.
#pragma once

#include "base/json_writer.h"
#include "result/assessment.h"

namespace unwarp::report {

using result::AuditResult;

/// An array of texts under `key`.
void writeStrings(JsonWriter&, std::string_view key, const std::vector<std::string>& texts);

/// An array of objects under `key`, one per element, written by `writeOne`.
template <class Elements, class WriteOne>
void writeList(JsonWriter& json, std::string_view key, const Elements& elements, const WriteOne& writeOne) {
  json.key(key);
  json.beginArray();
  for (const auto& element : elements) {
    json.beginObject();
    writeOne(element);
    json.endObject();
  }
  json.endArray();
}

/// schema_version, tool_version, facts_date, root, targets.
void writeMeta(JsonWriter&, const AuditResult&);
void writeSetting(JsonWriter&, const result::ChosenSetting&);
void writeRuleOff(JsonWriter&, const result::RuleOff&);
void writeFinding(JsonWriter&, const AuditResult&, const result::Finding&);
void writeApi(JsonWriter&, const AuditResult&, const result::ApiEntry&);
void writeDependency(JsonWriter&, const AuditResult&, const result::DependencyEntry&);
void writeDecider(JsonWriter&, const result::Decider&);
void writeLayer(JsonWriter&, const result::LayerEntry&);
void writeTotals(JsonWriter&, const result::Totals&);
void writeFile(JsonWriter&, const result::FileEntry&);
void writeSkipped(JsonWriter&, const result::Skipped&);
void writeSuppressed(JsonWriter&, const result::Suppressed&);
void writeStages(JsonWriter&, const std::vector<result::Stage>&);
/// The object of the stage "build and run", braces included.
void writeTrial(JsonWriter&, const result::TrialResult&);
/// The whole audit object, braces included.
void writeAudit(JsonWriter&, const AuditResult&);
/// A first guess at the bytes of the audit JSON, so that the text grows without copying itself over and over.
std::size_t expectedJsonBytes(const AuditResult&);

/// The fingerprint as JSON, SARIF and baselines spell it: 16 hexadecimal digits.
std::string fingerprintText(std::uint64_t fingerprint);

}  // namespace unwarp::report
