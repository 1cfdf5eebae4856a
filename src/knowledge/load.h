// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the text of knowledge/ to records.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "knowledge/knowledge.h"

namespace unwarp::knowledge {

/// Every record of every table, in file order (files are ordered by path, rows are sorted).
struct Records {
  std::string_view factsDate;
  std::vector<std::pair<std::string_view, std::string_view>> layerWords;
  std::vector<Api> apis;
  std::vector<Dependency> dependencies;
  std::vector<Device> devices;
  std::vector<Platform> platforms;
  std::vector<Change> changes;
  std::vector<Semantic> semantics;
  std::vector<Family> families;
  std::vector<Rule> rules;
  std::vector<TextFile> costTables;  ///< read by `src/cost` when it needs them
};

/// Whether a file of knowledge/ is a table or page (README.md files are not).
bool isKnowledgeFile(std::string_view name);
/// `files` by name; the first bad record stops the load with file, line and column.
Result<Records> loadRecords(const std::vector<TextFile>& files);
/// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
bool isDate(std::string_view text);
/// One rule page (load_rule.cpp).
Result<Rule> loadRule(const TextFile& file);

}  // namespace unwarp::knowledge
