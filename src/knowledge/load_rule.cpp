// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule page: TOML between `+++` lines, then Markdown. Keys outside the schema are errors, so that a misspelled key
// cannot silently switch a rule off.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/toml.h"
#include "knowledge/load.h"

namespace unwarp::knowledge {

namespace {

constexpr std::array<std::string_view, 23> knownKeys{
    "id",        "name", "title",   "group",  "status", "severity", "layer",      "finding_status",
    "applies",   "fix",  "minutes", "detect", "apis",   "flags",    "env",        "python",
    "precision", "refs", "source",  "as_of",  "since",  "keywords", "facts_apply"};
constexpr std::array<std::string_view, 7> sections{"What it finds", "Why it matters", "Flagged",   "Translation",
                                                   "Not flagged",   "Limits",         "References"};

/// Reads keys and remembers the first thing that is wrong.
class Page {
 public:
  explicit Page(const std::vector<TomlEntry>& entries) : entries_(entries) {}

  std::string text(std::string_view key, bool required = true) {
    const TomlEntry* entry = find(key);
    if (entry != nullptr && !entry->isString()) fail(key, "must be a string");
    const bool given = entry != nullptr && entry->isString();
    if (required && (!given || entry->values[0].text.empty())) fail(key, "is missing or empty");
    return given ? entry->values[0].text : std::string();
  }
  std::vector<std::string> list(std::string_view key) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return {};
    if (!entry->isList && !entry->isString())
      return fail(key, "must be a string or a list"), std::vector<std::string>();
    std::vector<std::string> result;
    for (const TomlEntry::Value& value : entry->values) {
      if (value.kind != TomlKind::String) fail(key, "must hold strings");
      result.push_back(value.text);
    }
    return result;
  }
  template <class Enum, std::size_t N>
  Enum word(std::string_view key, const std::array<std::string_view, N>& names, Enum fallback, bool required = true) {
    std::string value = text(key, required);
    if (value.empty()) return fallback;
    if (auto found = fromName<Enum>(names, value)) return *found;
    fail(key, "unknown word '" + value + "'");
    return fallback;
  }
  int number(std::string_view key) {
    const TomlEntry* entry = find(key);
    const bool plain = entry != nullptr && !entry->isList && entry->values[0].kind == TomlKind::Plain;
    const auto value = plain ? parseDecimal(entry->values[0].text) : std::nullopt;
    const bool fits = value && *value >= 0 && *value <= 100'000;
    if (!fits) fail(key, "must be a whole number from 0 to 100000");
    return fits ? static_cast<int>(*value) : 0;
  }
  /// Fails unless `value` is one of `words`.
  void oneOf(std::string_view key, const std::string& value, std::initializer_list<std::string_view> words) {
    if (std::find(words.begin(), words.end(), value) == words.end()) fail(key, "unknown word '" + value + "'");
  }
  /// The first failure counts; it stands at the line of its key, or at the page's first line when the key is missing.
  void fail(std::string_view key, const std::string& message) {
    if (!error_.empty()) return;
    const TomlEntry* entry = find(key);
    error_ = std::to_string(entry == nullptr ? 1 : entry->line + 1) + ": " + std::string(key) + " " + message;
  }
  const std::string& error() const { return error_; }

 private:
  const TomlEntry* find(std::string_view key) const {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [key](const TomlEntry& one) { return one.key == key; });
    return entry == entries_.end() ? nullptr : &*entry;
  }

  const std::vector<TomlEntry>& entries_;
  std::string error_;
};

void checkSections(std::string_view body, Page& page) {
  std::size_t next = 0;
  LineReader lines(body);
  std::string_view line;
  bool inCode = false;
  while (lines.next(line)) {
    if (line.starts_with("```")) inCode = !inCode;
    if (inCode || !line.starts_with("## ")) continue;
    if (next >= sections.size() || trim(line.substr(3)) != sections[next]) {
      page.fail("body", "has section '" + std::string(trim(line.substr(3))) + "' where '" +
                            std::string(next < sections.size() ? sections[next] : "none") + "' is expected");
      return;
    }
    ++next;
  }
  if (next != sections.size()) page.fail("body", "lacks section '" + std::string(sections[next]) + "'");
}

bool isCondition(const std::string& word) {
  static constexpr std::array<std::string_view, 8> words{"all",      "wave64", "wave32",  "fp8-fnuz",
                                                         "fp8-none", "no-fp4", "no-tf32", "tf32"};
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  if (word.starts_with("gfx") && word.size() > 3) return true;
  constexpr std::string_view lds = "lds-below-";
  if (!word.starts_with(lds) || !word.ends_with("k")) return false;
  return parseDecimal(std::string_view(word).substr(lds.size(), word.size() - lds.size() - 1)).has_value();
}

/// What the types of the keys do not say.
void checkWords(const Rule& rule, Page& page) {
  if (rule.applies.empty()) page.fail("applies", "is missing or empty");
  for (const std::string& word : rule.applies)
    if (!isCondition(word)) page.fail("applies", "unknown word '" + word + "'");
  for (const std::string& word : rule.factsApply)
    if (!isCondition(word)) page.fail("facts_apply", "unknown word '" + word + "'");
  page.oneOf("fix", rule.fix, {"safe", "review", "manual"});
  page.oneOf("detect", rule.detect, {"code", "facts", "depth"});
  if ((rule.status == RuleStatus::Depth) != (rule.detect == "depth"))
    page.fail("detect", "and status must both be depth, or neither");
  bool facts = !rule.apis.empty() || !rule.flags.empty() || !rule.env.empty() || !rule.python.empty();
  if (rule.detect == "facts" && !facts) page.fail("detect", "is facts, but none of apis, flags, env, python is given");
  if (!rule.id.starts_with(rule.group)) page.fail("id", "must start with the group");
  if (!isDate(rule.asOf)) page.fail("as_of", "must be YYYY, YYYY-MM or YYYY-MM-DD");
}

}  // namespace

Result<Rule> loadRule(const TextFile& file) {
  std::string where = std::string(file.name) + ":";
  std::size_t end = file.text.find("\n+++");
  if (!file.text.starts_with("+++\n") || end == std::string_view::npos)
    return Error{where + "1: must start with TOML between +++ lines"};
  std::string_view metadata = file.text.substr(4, end - 3);
  if (toValidUtf8(metadata) != metadata) return Error{where + "1: metadata is not valid UTF-8"};
  std::vector<TomlEntry> entries;
  if (const auto fault = readTomlEntries(metadata, entries))
    return Error{where + std::to_string(fault->line + 1) + ": " + fault->what};
  Page page(entries);
  for (const TomlEntry& entry : entries)
    if (std::find(knownKeys.begin(), knownKeys.end(), entry.key) == knownKeys.end())
      page.fail(entry.key, "is no key of a rule page");
  Rule rule;
  rule.id = page.text("id");
  rule.name = page.text("name");
  rule.title = page.text("title");
  rule.group = page.text("group");
  rule.status = page.word<RuleStatus>("status", ruleStatusNames, RuleStatus::Preview);
  rule.severity = page.word<Severity>("severity", severityNames, Severity::Info);
  rule.layer = page.word<Layer>("layer", layerNames, Layer::Kernels);
  rule.findingStatus = page.word<Status>("finding_status", statusNames, Status::Port, false);
  rule.applies = page.list("applies");
  rule.factsApply = page.list("facts_apply");
  rule.fix = page.text("fix");
  rule.minutes = page.number("minutes");
  rule.detect = page.text("detect");
  rule.apis = page.list("apis");
  rule.flags = page.list("flags");
  rule.env = page.list("env");
  rule.python = page.list("python");
  rule.precision = page.text("precision");
  rule.refs = page.list("refs");
  rule.source = page.text("source");
  rule.asOf = page.text("as_of");
  rule.file = std::string(file.name);
  rule.page = file.text.substr(std::min(file.text.size(), file.text.find('\n', end + 1) + 1));
  checkWords(rule, page);
  checkSections(rule.page, page);
  if (!page.error().empty()) return Error{where + page.error()};
  return rule;
}

}  // namespace unwarp::knowledge
