// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per kind of object of the audit JSON, so that the single document and the JSON Lines stream cannot drift
// apart. Each writes the members of an object that the caller has begun and will end. The names and their order are the
// published contract (docs/schema/audit.schema.json); within a schema major they are only added to.
#pragma once

#include "base/json_writer.h"
#include "result/audit_result.h"

namespace unwarp::report {

using result::AuditResult;

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
/// The whole audit object, braces included.
void writeAudit(JsonWriter&, const AuditResult&);
/// A first guess at the bytes of the audit JSON, so that the text grows without copying itself over and over.
std::size_t expectedJsonBytes(const AuditResult&);

/// The fingerprint as JSON, SARIF and baselines spell it: 16 hexadecimal digits.
std::string fingerprintText(std::uint64_t fingerprint);

}  // namespace unwarp::report
