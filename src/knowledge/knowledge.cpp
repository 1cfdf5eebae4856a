// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the tables and answers look-ups. Records are views into the tables' text (embedded in the binary, or owned here
// when a folder is given), so that loading 10,000 records costs a few milliseconds and audits of small folders stay
// instant.
#include "knowledge/knowledge.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <unordered_map>

#include "base/embedded.h"
#include "base/file.h"
#include "base/text.h"
#include "knowledge/dependency_index.h"
#include "knowledge/load.h"
#include "knowledge/name_index.h"

namespace unwarp::knowledge {

struct Knowledge::Tables {
  std::deque<std::string> owned;  ///< text of tables that came from a folder
  Records records;
  NameIndex apis, headers, instructions;
  DependencyIndex dependencies;
  std::unordered_map<std::string_view, std::uint32_t> dependencyIds, devices;
  std::unordered_map<std::string_view, std::uint32_t> rules;
};

Status Dependency::statusOn(std::string_view target) const {
  for (const auto& [name, value] : byTarget)
    if (name == target) return value;
  return status;
}

namespace {

/// Reads every table and page of `folder`. Names in the result start with `knowledge/` as the embedded ones do.
Result<std::vector<std::pair<std::string, std::string>>> readFolder(const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> files;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return Error{"knowledge folder " + folder + " does not exist"};
  for (auto it = std::filesystem::recursive_directory_iterator(folder, error);
       it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
    if (error) break;
    if (!it->is_regular_file(error)) continue;
    std::string name = "knowledge/" + it->path().lexically_relative(folder).generic_string();
    if (!isKnowledgeFile(name)) continue;
    Result<FileBytes> bytes = FileBytes::open(it->path().string());
    if (!bytes) return Error{bytes.error()};
    files.emplace_back(name, std::string(bytes->view()));
  }
  if (error) return Error{"cannot read knowledge folder " + folder + ": " + error.message()};
  std::sort(files.begin(), files.end());
  return files;
}

/// The first table that a folder must have and has not, or empty: without one, whole kinds of sites would be missed.
std::string lackingTable(const std::vector<std::pair<std::string, std::string>>& files) {
  for (std::string_view prefix : {"knowledge/FACTS_DATE", "knowledge/layers.tsv", "knowledge/apis/",
                                  "knowledge/dependencies.tsv", "knowledge/devices.tsv", "knowledge/rules/"}) {
    bool there =
        std::any_of(files.begin(), files.end(), [&](const auto& file) { return file.first.starts_with(prefix); });
    if (!there) return std::string(prefix.substr(std::string_view("knowledge/").size()));
  }
  return {};
}

}  // namespace

Knowledge::Knowledge() : tables_(std::make_unique<Tables>()) {}
Knowledge::~Knowledge() = default;

Result<std::unique_ptr<Knowledge>> Knowledge::load(const std::string& folder) {
  std::vector<TextFile> views;
  for (const auto& [name, text] : embedded::knowledgeFiles()) views.push_back({name, text});
  if (folder.empty()) return fromViews(std::move(views), {});
  auto files = readFolder(folder);
  if (!files) return Error{files.error()};
  std::string lacking = lackingTable(*files);
  if (!lacking.empty()) return Error{"knowledge folder " + folder + " lacks " + lacking};
  auto given = parse(std::move(*files));
  if (!given) return given;
  for (const TextFile& file : views) {
    if (file.name == "knowledge/FACTS_DATE" && (*given)->factsDate() < trim(file.text)) {
      return Error{"knowledge folder " + folder + " is of " + std::string((*given)->factsDate()) +
                   ", older than the built-in one of " + std::string(trim(file.text)) +
                   ": remove --knowledge or give a newer folder"};
    }
  }
  return given;
}

Result<std::unique_ptr<Knowledge>> Knowledge::parse(std::vector<std::pair<std::string, std::string>> files) {
  std::deque<std::string> owned;
  std::vector<TextFile> views;
  for (auto& [name, text] : files) {
    owned.push_back(std::move(name));
    std::string_view nameView = owned.back();
    owned.push_back(std::move(text));
    views.push_back({nameView, owned.back()});
  }
  return fromViews(std::move(views), std::move(owned));
}

Result<std::unique_ptr<Knowledge>> Knowledge::fromViews(std::vector<TextFile> files, std::deque<std::string> owned) {
  std::unique_ptr<Knowledge> knowledge(new Knowledge());
  Tables& tables = *knowledge->tables_;
  tables.owned = std::move(owned);
  Result<Records> records = loadRecords(files);
  if (!records) return Error{records.error()};
  tables.records = std::move(*records);
  const Records& r = tables.records;
  tables.apis.reserve(r.apis.size());
  tables.headers.reserve(r.apis.size());
  tables.instructions.reserve(r.apis.size());
  for (std::uint32_t i = 0; i < r.apis.size(); ++i) {
    NameIndex& index = r.apis[i].context == Context::Include ? tables.headers
                       : r.apis[i].context == Context::Asm   ? tables.instructions
                                                             : tables.apis;
    index.add(r.apis[i].name, i);
  }
  tables.dependencies.build(r.dependencies);
  for (std::uint32_t i = 0; i < r.dependencies.size(); ++i) {
    if (!tables.dependencyIds.emplace(r.dependencies[i].id, i).second)
      return Error{"knowledge/dependencies.tsv: id '" + std::string(r.dependencies[i].id) + "' twice"};
  }
  for (std::uint32_t i = 0; i < r.devices.size(); ++i) tables.devices.emplace(r.devices[i].target, i);
  for (std::uint32_t i = 0; i < r.rules.size(); ++i) {
    if (!tables.rules.emplace(r.rules[i].id, i).second)
      return Error{r.rules[i].file + ": id '" + r.rules[i].id + "' twice"};
    if (!tables.rules.emplace(r.rules[i].name, i).second)
      return Error{r.rules[i].file + ": name '" + r.rules[i].name + "' is taken by another rule"};
  }
  return knowledge;
}

std::string_view Knowledge::factsDate() const {
  return tables_->records.factsDate;
}
std::span<const Api> Knowledge::apis() const {
  return tables_->records.apis;
}
std::span<const Dependency> Knowledge::dependencies() const {
  return tables_->records.dependencies;
}
std::span<const Device> Knowledge::devices() const {
  return tables_->records.devices;
}
std::span<const Platform> Knowledge::platforms() const {
  return tables_->records.platforms;
}
std::span<const Change> Knowledge::changes() const {
  return tables_->records.changes;
}
std::span<const Semantic> Knowledge::semantics() const {
  return tables_->records.semantics;
}
std::span<const Family> Knowledge::families() const {
  return tables_->records.families;
}
TextFile Knowledge::costTable(std::string_view name) const {
  for (const TextFile& file : tables_->records.costTables)
    if (file.name == name) return file;
  return {};
}
std::span<const Rule> Knowledge::rules() const {
  return tables_->records.rules;
}
std::span<const std::pair<std::string_view, std::string_view>> Knowledge::layerWords() const {
  return tables_->records.layerWords;
}

std::uint32_t Knowledge::findApi(std::string_view name) const {
  return tables_->apis.find(name);
}
std::uint32_t Knowledge::findHeader(std::string_view path) const {
  return tables_->headers.find(path);
}
std::uint32_t Knowledge::findInstruction(std::string_view mnemonic) const {
  for (;;) {
    std::uint32_t found = tables_->instructions.find(mnemonic);
    std::size_t dot = mnemonic.rfind('.');
    if (found != none || dot == std::string_view::npos || dot == 0) return found;
    mnemonic = mnemonic.substr(0, dot);
  }
}

std::uint32_t Knowledge::findDependency(Ecosystem ecosystem, std::string_view name) const {
  return tables_->dependencies.find(ecosystem, name);
}
std::uint32_t Knowledge::findDependencyById(std::string_view id) const {
  auto it = tables_->dependencyIds.find(id);
  return it == tables_->dependencyIds.end() ? none : it->second;
}
const Rule* Knowledge::findRule(std::string_view idOrName) const {
  auto it = tables_->rules.find(idOrName);
  return it == tables_->rules.end() ? nullptr : &tables_->records.rules[it->second];
}
const Device* Knowledge::findDevice(std::string_view target) const {
  auto it = tables_->devices.find(target);
  return it == tables_->devices.end() ? nullptr : &tables_->records.devices[it->second];
}

}  // namespace unwarp::knowledge
