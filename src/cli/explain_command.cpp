// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp explain TOPIC...`: what the tables know about a rule, an API, a dependency or a GPU, offline.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command_list.h"
#include "cli/device_topics.h"
#include "cli/output.h"
#include "knowledge/dependency_index.h"
#include "knowledge/knowledge.h"
#include "report/wording.h"

namespace unwarp::cli {

namespace {

using knowledge::Knowledge;

std::string row(std::string_view label, std::string_view value) {
  if (value.empty()) return {};
  std::string text(label);
  text.append(label.size() < 14 ? 14 - label.size() : 1, ' ');
  return "  " + text + wrapped(value, 16) + "\n";
}

std::string provenance(const knowledge::Provenance& p) {
  return row("source", std::string(p.source) + " (" + std::string(p.asOf) + ")");
}

/// A word of a closed vocabulary with what it means.
template <class Word>
std::string explained(Word word) {
  return std::string(name(word)) + ": " + std::string(report::meaning(word));
}

std::string layerText(Layer layer, std::string_view word) {
  return std::string(name(layer)) + (word == name(layer) ? "" : " (" + std::string(word) + ")");
}

template <class Spell>
std::string joined(const std::vector<std::string>& words, std::string_view between, const Spell& spell) {
  std::string text;
  for (const std::string& word : words) text += std::string(text.empty() ? "" : between) + spell(word);
  return text;
}

/// What the conditions of a rule's `applies` mean.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> conditionTexts{
    {{"all", "every AMD GPU"},
     {"wave64", "GPUs with 64 lanes"},
     {"wave32", "GPUs with 32 lanes"},
     {"fp8-fnuz", "GPUs whose FP8 is the FNUZ kind"},
     {"fp8-none", "GPUs without FP8"},
     {"no-fp4", "GPUs without FP4"},
     {"no-tf32", "GPUs without TF32"},
     {"tf32", "GPUs with TF32"}}};

std::string conditionText(const std::string& condition) {
  for (const auto& [word, text] : conditionTexts)
    if (word == condition) return std::string(text);
  constexpr std::string_view lds = "lds-below-";
  if (condition.starts_with(lds))
    return "GPUs with less LDS than the kernel takes, or than " +
           condition.substr(lds.size(), condition.size() - lds.size() - 1) + " KB where that is unknown";
  return condition;
}

std::string rulePage(const knowledge::Rule& rule) {
  std::string text = rule.id + "  " + rule.title + "\n";
  text += row("name", rule.name) + row("severity", explained(rule.severity)) + row("layer", name(rule.layer)) +
          row("applies to", joined(rule.applies, ", ", conditionText));
  std::string status(nameOf(knowledge::ruleStatusNames, rule.status));
  if (rule.status == knowledge::RuleStatus::Depth)
    status += ": needs the depth analysis, which is not built yet; no site is reported";
  if (rule.status == knowledge::RuleStatus::Preview) status += ": off by default, --preview turns it on";
  text += row("status", status) + row("fix", rule.fix + ", about " + std::to_string(rule.minutes) + " minutes a site") +
          row("precision", rule.precision);
  text += row("source", rule.source + " (" + rule.asOf + ")");
  text += row("refs", joined(rule.refs, ", ", [](const std::string& ref) { return ref; }));
  return text + "\n" + std::string(trim(rule.page)) + "\n";
}

std::string apiPage(const Knowledge& knowledge, const knowledge::Api& api) {
  std::string text = std::string(api.name) + "  CUDA " + std::string(api.kind) + "\n";
  text += row("layer", layerText(api.layer, api.library)) + row("status on AMD", explained(api.status));
  text += row("HIP name", api.hip) + row("ROCm name", api.roc) + row("CUDA since", api.cudaSince) +
          row("deprecated", api.cudaDeprecated) + row("removed", api.cudaRemoved) + row("HIP since", api.hipSince) +
          row("HIP removed", api.hipRemoved) + row("note", api.note) + provenance(api.provenance);
  for (const knowledge::Semantic& s : knowledge.semantics()) {
    if (s.api == api.name)
      text +=
          row("differs", std::string(s.topic) + " (rule " + std::string(s.rule) + "): " + std::string(s.difference));
  }
  for (const knowledge::Change& c : knowledge.changes()) {
    if (c.name == api.name || (!api.hip.empty() && c.name == api.hip))
      text += row("change", std::string(c.name) + " " + std::string(c.change) + " in " + std::string(c.since) +
                                (c.replacement.empty() ? "" : "; " + std::string(c.replacement)) + " (" +
                                std::string(c.provenance.source) + ")");
  }
  return text;
}

/// The pattern of a record that covers `topic` when no name of the record is the topic itself, else empty.
std::string_view onlyPattern(const knowledge::Dependency& d, std::string_view topic) {
  const auto normal = [&](std::string_view name) {
    return knowledge::DependencyIndex::normalise(d.ecosystem, trim(name));
  };
  std::string_view covering;
  for (std::string_view pattern : split(d.match, '|')) {
    if (normal(pattern) == normal(topic)) return {};
    if (covering.empty() && globMatch(normal(pattern), normal(topic))) covering = trim(pattern);
  }
  return covering;
}

std::string dependencyPage(const knowledge::Dependency& d, std::string_view topic) {
  std::string text;
  if (const std::string_view pattern = onlyPattern(d, topic); !pattern.empty())
    text = std::string(topic) + " has no record of its own; the pattern " + std::string(pattern) + " of " +
           std::string(d.id) + " covers it:\n";
  text += std::string(d.id) + "  " + std::string(nameOf(knowledge::ecosystemNames, d.ecosystem)) + " dependency\n";
  text += row("found as", d.match) + row("layer", layerText(d.layer, d.word));
  text += row("status on AMD",
              d.falsePositive ? "not counted as a binding (a look-alike, or AMD's own)" : explained(d.status));
  for (const auto& [target, status] : d.byTarget) text += row("on " + std::string(target), name(status));
  return text + row("counterpart", d.counterpart) + row("note", d.note) +
         row("confirmed", d.confirmed ? "" : "no: unconfirmed, check before you rely on it") + provenance(d.provenance);
}

/// "memory  192 GB" of the column `memory_gb`.
std::string figureRow(std::string_view column, std::string_view value) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> units{
      {{"_gb", "GB"}, {"_tbs", "TB/s"}, {"_tflops", "TFLOPS"}, {"_w", "W"}}};
  for (const auto& [ending, unit] : units)
    if (column.ends_with(ending) && !value.empty())
      return row(column.substr(0, column.size() - ending.size()), std::string(value) + " " + std::string(unit));
  return row(column, value);
}

std::string devicePage(const knowledge::Device& d) {
  std::string text = std::string(d.target) + "  " + std::string(d.name) + " (" + std::string(d.vendor) + ", " +
                     std::string(d.arch) + ")\n";
  text += row("lanes", d.width == 0 ? "" : std::to_string(d.width)) +
          row("LDS per block", d.ldsKb == 0 ? "" : std::to_string(d.ldsKb) + " KB") + row("FP8", d.fp8) +
          row("FP4", d.fp4) + row("TF32", d.tf32);
  for (const auto& [column, value] : d.figures) text += figureRow(column, value);
  return text + row("evidence", d.evidence) + row("disputed", d.disputed) + provenance(d.provenance);
}

/// The numbers of "ROCm 10.1.0", so that 10 stands behind 7.
std::vector<std::int64_t> versionOf(const knowledge::Platform& platform) {
  std::vector<std::int64_t> numbers;
  for (std::string_view part : split(platform.name.substr(platform.name.rfind(' ') + 1), '.'))
    numbers.push_back(parseDecimal(part).value_or(0));
  return numbers;
}

std::string platformList(const Knowledge& knowledge) {
  std::vector<knowledge::Platform> platforms(knowledge.platforms().begin(), knowledge.platforms().end());
  std::stable_sort(platforms.begin(), platforms.end(),
                   [](const auto& a, const auto& b) { return versionOf(a) < versionOf(b); });
  std::string text;
  for (const knowledge::Platform& p : platforms)
    text += std::string(p.name) + "  " + std::string(p.released) + "  " + std::string(p.line) + ", " +
            std::string(p.status) + (p.hip.empty() ? "" : ", HIP " + std::string(p.hip)) + "\n";
  return text;
}

std::string listing(const Knowledge& knowledge, std::string_view topic) {
  std::string text;
  if (topic == "rules") {
    for (const knowledge::Rule& r : knowledge.rules())
      text += r.id + "  " + std::string(name(r.severity)) + std::string(9 - name(r.severity).size(), ' ') +
              std::string(nameOf(knowledge::ruleStatusNames, r.status)) +
              std::string(9 - nameOf(knowledge::ruleStatusNames, r.status).size(), ' ') + r.title + "\n";
  } else if (topic == "devices") {
    for (const knowledge::Device& d : knowledge.devices())
      text += std::string(d.target) + std::string(d.target.size() < 10 ? 10 - d.target.size() : 1, ' ') +
              (d.width == 0 ? std::string("       - ") : std::to_string(d.width) + " lanes") + "  " +
              std::string(d.name) + "\n";
  } else if (topic == "layers") {
    for (std::string_view layer : layerNames) {
      std::string words;
      for (const auto& [word, layerOfWord] : knowledge.layerWords())
        if (layerOfWord == layer) words += (words.empty() ? "" : ", ") + std::string(word);
      text += row(layer, words);
    }
  } else if (topic == "platforms") {
    text = platformList(knowledge);
  } else if (topic == "statuses") {
    for (std::size_t i = 0; i < statusNames.size(); ++i)
      text += row(statusNames[i], report::meaning(static_cast<Status>(i)));
  } else if (topic == "severities") {
    for (std::size_t i = 0; i < severityNames.size(); ++i)
      text += row(severityNames[i], report::meaning(static_cast<Severity>(i)));
  }
  return text;
}

std::string layerPage(const Knowledge& knowledge, Layer layer) {
  std::string words, families;
  for (const auto& [word, layerOfWord] : knowledge.layerWords()) {
    if (layerOfWord != name(layer)) continue;
    words += (words.empty() ? "" : ", ") + std::string(word);
    for (const knowledge::Family& family : knowledge.families())
      if (family.word == word)
        families += row("family", std::string(family.label) + "; on AMD: " + std::string(family.counterpart));
  }
  return std::string(name(layer)) + "  layer\n" + row("words", words) + families;
}

/// What `topic` may have meant: the page when only one chip begins so, else the names to choose from.
std::string begunDevices(const std::string& topic, const std::vector<const knowledge::Device*>& begun) {
  std::string pages, names;
  for (const knowledge::Device* device : begun) {
    pages += (pages.empty() ? "" : "\n") + devicePage(*device);
    names += row(device->target, device->name);
  }
  const bool one = std::all_of(begun.begin(), begun.end(), [&](const knowledge::Device* device) {
    return device->target == begun.front()->target;
  });
  return one ? pages : topic + " begins the names of several GPUs; explain one of them\n" + names;
}

/// `use cudafor`, `jcuda`: the words that a report names without the language that the table puts in front. A package
/// (`java:jcuda.*`) goes by its own name.
std::string languageWord(const Knowledge& knowledge, const std::string& topic) {
  std::string text;
  for (const knowledge::Dependency& d : knowledge.dependencies()) {
    if (d.ecosystem != knowledge::Ecosystem::OtherPkg) continue;
    for (std::string_view pattern : split(d.match, '|')) {
      pattern = trim(pattern);
      const std::size_t colon = pattern.find(':');
      const std::string_view word = colon == std::string_view::npos ? "" : pattern.substr(colon + 1);
      if (word != topic && word != topic + ".*") continue;
      text += (text.empty() ? "" : "\n") + dependencyPage(d, pattern);
      break;
    }
  }
  return text;
}

/// The pages of a group of rules, one line each.
std::string ruleGroup(const Knowledge& knowledge, std::string_view group) {
  std::string text;
  for (const knowledge::Rule& r : knowledge.rules())
    if (r.group == group) text += r.id + "  " + r.title + "\n";
  return text.empty() ? text : std::string(group) + "  group of rules; explain one of them\n" + text;
}

std::string explain(const Knowledge& knowledge, const std::string& topic) {
  std::string text = listing(knowledge, topic);
  if (!text.empty()) return text;
  if (const knowledge::Rule* rule = knowledge.findRule(topic)) return rulePage(*rule);
  if (text = ruleGroup(knowledge, topic); !text.empty()) return text;
  for (const knowledge::Api& api : knowledge.apis())
    if (api.name == topic) text += (text.empty() ? "" : "\n") + apiPage(knowledge, api);
  if (const auto layer = fromName<Layer>(layerNames, topic))
    text += (text.empty() ? "" : "\n") + layerPage(knowledge, *layer);
  const DeviceTopic devices = findDevices(knowledge, topic);
  for (const knowledge::Device* device : devices.named) text += (text.empty() ? "" : "\n") + devicePage(*device);
  if (text.empty()) text = begunDevices(topic, devices.begun);
  // The name of a GPU also matches patterns of runner labels and images, which nobody means who asks for it.
  if (!devices.named.empty() || !devices.begun.empty()) return text;
  for (std::size_t e = 0; e < knowledge::ecosystemNames.size(); ++e) {
    std::uint32_t found = knowledge.findDependency(static_cast<knowledge::Ecosystem>(e), topic);
    if (found != Knowledge::none)
      text += (text.empty() ? "" : "\n") + dependencyPage(knowledge.dependencies()[found], topic);
  }
  if (text.empty()) text = languageWord(knowledge, topic);
  std::uint32_t byId = knowledge.findDependencyById(topic);
  if (byId != Knowledge::none && text.empty()) text = dependencyPage(knowledge.dependencies()[byId], topic);
  return text;
}

std::string unknownTopic(const Knowledge& knowledge, const std::string& topic) {
  std::vector<std::string_view> names{"rules", "devices", "layers", "platforms", "statuses", "severities"};
  for (const auto& r : knowledge.rules()) names.insert(names.end(), {r.id, r.name});
  for (const auto& a : knowledge.apis()) names.push_back(a.name);
  for (const auto& d : knowledge.dependencies()) names.push_back(d.id);
  for (const auto& d : knowledge.devices()) names.push_back(d.target);
  std::string_view near = nearest(topic, names);
  return "nothing known about '" + topic + "'" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?");
}

}  // namespace

int runExplain(int argc, char** argv) {
  const Command& command = *findCommand("explain");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  if (arguments->positionals.empty())
    return fail(
        "explain needs a topic: a rule (W01), an API (cudaMalloc), a package (flash-attn), a GPU (gfx942), or `rules`");
  auto folder = arguments->flags.find("--knowledge");
  auto knowledge = Knowledge::load(folder == arguments->flags.end() ? "" : folder->second.front());
  if (!knowledge) return fail(knowledge.error());
  int status = 0;
  bool first = true;
  for (const std::string& topic : arguments->positionals) {
    std::string text = explain(**knowledge, topic);
    if (text.empty()) {
      status = fail(unknownTopic(**knowledge, topic));
      continue;
    }
    if (!printOut((first ? "" : "\n") + text)) return 2;
    first = false;
  }
  return status;
}

}  // namespace unwarp::cli
