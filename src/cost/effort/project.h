// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an audit tells the cost model, as counts: sites by rule, APIs by status, libraries with their status per
// target, kernels, size, images and pipelines, and how much was read. The model sees nothing else of the project, so
// that each line of an account can be traced to a count.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "knowledge/knowledge.h"
#include "result/audit_result.h"

namespace unwarp::cost {

struct RuleSites {
  std::string rule, title;
  double sites = 0;
  double minutes = 0;   ///< of the rule's page, per site
  bool hazard = false;  ///< wrong results or a hang, not a message
};

struct Library {
  std::string name, counterpart, source, asOf;
  Layer layer = Layer::Framework;
  Status status = Status::Unknown;  ///< on the target
  bool confirmed = true;
  double sites = 0;
};

/// For one target (LLVM name).
struct Project {
  std::string root, target, factsDate;
  std::vector<RuleSites> rules;      ///< ordered by rule
  std::array<double, 5> apiSites{};  ///< by Status; libraries not among them
  std::vector<Library> libraries;    ///< ordered by name
  double kernels = 0, gpuLines = 0;
  double images = 0, pipelines = 0, tools = 0;
  double filesRead = 0, filesSkipped = 0;
  bool usesPython = false, ownNcclCalls = false;
  /// Share of the files that could be read.
  double coverage() const { return filesRead + filesSkipped == 0 ? 1 : filesRead / (filesRead + filesSkipped); }
};

/// `bytesPerLine`: GPU sources are counted in bytes by the audit.
Project projectOf(const result::AuditResult& audit, const knowledge::Knowledge& knowledge, std::string_view target,
                  double bytesPerLine);

}  // namespace unwarp::cost
