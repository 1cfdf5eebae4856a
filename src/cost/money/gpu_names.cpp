// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/gpu_names.h"

#include <algorithm>

#include "base/text.h"
#include "knowledge/table.h"

namespace unwarp::cost::money {

namespace {

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words(1);
  for (char c : toLower(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace

Result<GpuNames> GpuNames::load(const knowledge::Knowledge& knowledge) {
  GpuNames names;
  knowledge::TextFile file = knowledge.costTable("knowledge/cost/gpus.tsv");
  auto table = knowledge::Table::parse(
      file.name, file.text,
      {{"word", true}, {"gpu", true}, {"target", true}, {"power_kw", false}, {"source", true}, {"as_of", true}});
  if (!table) return Error{table.error()};
  for (std::size_t row = 0; row < table->rows(); ++row) {
    Entry entry{{}, std::string(table->cell(row, 1)), std::string(table->cell(row, 2))};
    for (std::string_view word : split(table->cell(row, 0), '+')) entry.words.emplace_back(word);
    names.entries_.push_back(std::move(entry));
  }
  std::stable_sort(names.entries_.begin(), names.entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.words.size() > b.words.size(); });
  file = knowledge.costTable("knowledge/cost/instances.tsv");
  auto instances = knowledge::Table::parse(
      file.name, file.text, {{"instance", true}, {"gpu", true}, {"gpus", true}, {"source", true}, {"as_of", true}});
  if (!instances) return Error{instances.error()};
  for (std::size_t row = 0; row < instances->rows(); ++row) {
    auto count = parseDecimal(instances->cell(row, 2));
    if (!count || *count < 1 || *count > 1000) return Error{instances->where(row, 2) + "must be a count of GPUs"};
    names.instances_.push_back(
        {toLower(instances->cell(row, 0)), std::string(instances->cell(row, 1)), static_cast<int>(*count)});
  }
  std::stable_sort(names.instances_.begin(), names.instances_.end(),
                   [](const Instance& a, const Instance& b) { return a.name.size() > b.name.size(); });
  return names;
}

std::vector<std::string_view> GpuNames::in(std::string_view text) const {
  std::vector<std::string> words = wordsOf(text);
  std::vector<std::string> taken;  // first words of names found, so that "h100+nvl" hides "h100"
  std::vector<std::string_view> found;
  for (const Entry& entry : entries_) {
    bool all = std::all_of(entry.words.begin(), entry.words.end(), [&](const std::string& word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
    if (!all || std::find(taken.begin(), taken.end(), entry.words[0]) != taken.end()) continue;
    taken.push_back(entry.words[0]);
    if (std::find(found.begin(), found.end(), entry.gpu) == found.end()) found.push_back(entry.gpu);
  }
  return found;
}

std::string_view GpuNames::find(std::string_view text) const {
  std::vector<std::string_view> found = in(text);
  return found.size() == 1 ? found[0] : std::string_view();
}

std::string_view GpuNames::target(std::string_view gpu) const {
  for (const Entry& entry : entries_)
    if (entry.gpu == gpu) return entry.target;
  return {};
}

std::string GpuNames::unknown(std::string_view text) const {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries_) names.push_back(entry.gpu);
  std::string_view near = nearest(text, names);
  return "unknown GPU '" + std::string(text) + "'" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?");
}

const GpuNames::Instance* GpuNames::instance(std::string_view text) const {
  std::string lower = toLower(text);
  for (const Instance& instance : instances_)
    if (lower.find(instance.name) != std::string::npos) return &instance;
  return nullptr;
}

}  // namespace unwarp::cost::money
