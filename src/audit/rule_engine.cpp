// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three ways a rule sees a file: a detector over tokens, a list of APIs whose use is the hazard, and patterns over
// flags, environment settings and Python names. The lists are turned into one look-up table each when the engine is
// made, so a file pays for what it contains, not for the number of rules.
#include "audit/rule_engine.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

#include "audit/rules/warp_model.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

using knowledge::Rule;
using knowledge::RuleStatus;

std::array<std::span<const Detector>, 10> allDetectors() {
  return {warpWidthDetectors(), laneMaskDetectors(), shuffleDetectors(), synchronyDetectors(), groupDetectors(),
          launchDetectors(),    assemblyDetectors(), runtimeDetectors(), numericsDetectors(),  libraryDetectors()};
}

bool names(const std::string& word, const Rule& rule) {
  return word == rule.id || word == rule.group || word == rule.name || word == "all";
}

/// The first word of `words` that names no rule, or empty.
std::string unknownRule(const knowledge::Knowledge& knowledge, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    bool known = std::any_of(knowledge.rules().begin(), knowledge.rules().end(),
                             [&](const Rule& rule) { return names(word, rule); });
    if (!known) return word;
  }
  return {};
}

/// "unknown rule 'm04'; did you mean M04?"
std::string unknownRuleText(const knowledge::Knowledge& knowledge, std::string_view word) {
  std::vector<std::string_view> known;
  for (const Rule& rule : knowledge.rules()) known.insert(known.end(), {rule.id, rule.name});
  std::string_view near = nearest(word, known);
  return "unknown rule '" + std::string(word) + "'" +
         (near.empty() ? "; `unwarp explain rules` lists them" : "; did you mean " + std::string(near) + "?");
}

/// The first of `words` that names nothing but rules of the depth analysis, or empty.
std::string onlyDepth(const knowledge::Knowledge& knowledge, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    bool other = std::any_of(knowledge.rules().begin(), knowledge.rules().end(),
                             [&](const Rule& rule) { return names(word, rule) && rule.status != RuleStatus::Depth; });
    if (!other) return word;
  }
  return {};
}

bool contains(const std::vector<std::string>& words, const Rule& rule) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return names(word, rule); });
}

/// "managed memory: cudaMallocManaged": the rule's title as the start of a message, so that acronyms keep their case.
std::string messageFor(const Rule& rule, std::string_view shown) {
  std::string message = rule.title;
  bool acronym = message.size() > 1 && (message[1] < 'a' || message[1] > 'z');
  if (!acronym) message[0] = toLower(message.substr(0, 1))[0];
  return message + ": " + std::string(shown);
}

/// Whether a condition of `applies` holds on a device.
bool holds(const std::string& condition, const knowledge::Device& device, std::int64_t sharedBytes) {
  if (condition == "all" || condition == device.target) return true;
  if (condition == "wave64") return device.width == 64;
  if (condition == "wave32") return device.width == 32;
  if (condition == "fp8-fnuz") return device.fp8 == "fnuz";
  if (condition == "fp8-none") return device.fp8 == "none";
  if (condition == "no-fp4") return device.fp4 != "yes";
  if (condition == "no-tf32") return device.tf32 != "yes";
  if (condition == "tf32") return device.tf32 == "yes";
  if (condition.starts_with("lds-below-")) {
    if (sharedBytes > 0) return device.ldsKb * 1024 < sharedBytes;
    auto kb = parseDecimal(std::string_view(condition).substr(10, condition.size() - 11));
    return kb && device.ldsKb < *kb;
  }
  return false;
}

/// Why the options leave a rule out, or nothing when it is applied.
std::optional<OffReason> whyOff(const Rule& rule, const Options& options) {
  if (rule.status == RuleStatus::Depth) return OffReason::Depth;
  if (contains(options.ignore, rule)) return OffReason::Ignored;
  if (!options.select.empty())
    return contains(options.select, rule) ? std::nullopt : std::optional(OffReason::NotSelected);
  if (rule.status == RuleStatus::Preview && !options.preview) return OffReason::Preview;
  return std::nullopt;
}

/// Whether a rule can report anything on a device. How much LDS a kernel needs is known only at a site.
bool mayConcern(const Rule& rule, const knowledge::Device& device) {
  return std::any_of(rule.applies.begin(), rule.applies.end(), [&](const std::string& condition) {
    return condition.starts_with("lds-below-") || holds(condition, device, 0);
  });
}

}  // namespace

std::vector<result::RuleOff> rulesOff(const knowledge::Knowledge& knowledge, const Options& options) {
  std::vector<result::RuleOff> result;
  for (const Rule& rule : knowledge.rules()) {
    std::optional<OffReason> reason = whyOff(rule, options);
    bool concerns = std::any_of(options.targets.begin(), options.targets.end(), [&](const std::string& target) {
      const knowledge::Device* device = knowledge.findDevice(target);
      return device != nullptr && mayConcern(rule, *device);
    });
    if (!reason && !concerns) reason = OffReason::Target;
    if (reason) result.push_back({rule.id, *reason});
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.rule < b.rule; });
  return result;
}

Result<Done> checkRuleNames(const knowledge::Knowledge& knowledge, const Options& options) {
  for (const std::vector<std::string>* words : {&options.select, &options.ignore}) {
    std::string unknown = unknownRule(knowledge, *words);
    if (!unknown.empty()) return Error{unknownRuleText(knowledge, unknown)};
  }
  std::string depth = onlyDepth(knowledge, options.select);
  if (!depth.empty()) return Error{"rule '" + depth + "' needs the depth analysis, which this version does not have"};
  return Done{};
}

Result<RuleEngine> RuleEngine::create(const knowledge::Knowledge& knowledge, const Options& options) {
  if (auto checked = checkRuleNames(knowledge, options); !checked) return Error{checked.error()};
  RuleEngine engine(knowledge);
  std::span<const Rule> rules = knowledge.rules();
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    engine.enabled_.push_back(!whyOff(rules[i], options));
    if (engine.enabled_.back()) engine.indexFacts(i);
  }
  for (std::span<const Detector> group : allDetectors()) {
    for (const Detector& detector : group) {
      const Rule* rule = knowledge.findRule(detector.rule);
      if (rule == nullptr) continue;  // an older knowledge folder may lack a rule that the program knows
      std::uint32_t index = static_cast<std::uint32_t>(rule - rules.data());
      if (engine.enabled_[index]) engine.detectors_.emplace_back(index, detector);
    }
  }
  engine.repeat(options.ruleCopies);
  return engine;
}

void RuleEngine::repeat(unsigned copies) {
  const auto detectors = detectors_;
  const auto mentions = mentions_;
  const auto apiRules = apiRules_;
  for (unsigned copy = 1; copy < copies; ++copy) {
    detectors_.insert(detectors_.end(), detectors.begin(), detectors.end());
    mentions_.insert(mentions_.end(), mentions.begin(), mentions.end());
    for (const auto& [api, rules] : apiRules) apiRules_[api].insert(apiRules_[api].end(), rules.begin(), rules.end());
  }
}

void RuleEngine::indexFacts(std::uint32_t index) {
  const Rule& rule = knowledge_->rules()[index];
  for (const std::string& pattern : rule.apis) {
    if (pattern.find('*') == std::string::npos) {
      std::uint32_t api = knowledge_->findApi(pattern);
      if (api == knowledge::Knowledge::none) api = knowledge_->findHeader(pattern);
      if (api != knowledge::Knowledge::none) apiRules_[api].push_back(index);
      continue;
    }
    for (std::uint32_t i = 0; i < knowledge_->apis().size(); ++i)
      if (globMatch(pattern, knowledge_->apis()[i].name)) apiRules_[i].push_back(index);
  }
  for (const std::string& pattern : rule.flags) mentions_.push_back({scan::MentionKind::Flag, pattern, index});
  for (const std::string& pattern : rule.env) mentions_.push_back({scan::MentionKind::Env, pattern, index});
  for (const std::string& pattern : rule.python) mentions_.push_back({scan::MentionKind::Python, pattern, index});
}

bool RuleEngine::runs(std::string_view word) const {
  const std::string name(word);
  for (std::size_t i = 0; i < enabled_.size(); ++i)
    if (enabled_[i] && names(name, knowledge_->rules()[i])) return true;
  return false;
}

std::string RuleEngine::whyUnknown(std::string_view word) const {
  const std::string unknown = unknownRule(*knowledge_, {std::string(word)});
  return unknown.empty() ? std::string() : unknownRuleText(*knowledge_, unknown);
}

std::vector<RawHit> RuleEngine::apply(const scan::FileFacts& facts) const {
  std::vector<RawHit> hits;
  applyMentions(facts, hits);
  applyApis(facts, hits);
  if (facts.source != nullptr) applyDetectors(*facts.source, hits);
  for (const scan::EmbeddedSource& embedded : facts.embedded) {
    std::size_t before = hits.size();
    applyDetectors(*embedded.facts, hits);
    for (std::size_t i = before; i < hits.size(); ++i) hits[i].line = embedded.fileLine(hits[i].line);
  }
  std::sort(hits.begin(), hits.end(), [](const RawHit& a, const RawHit& b) {
    return std::tie(a.line, a.column, a.rule, *a.message) < std::tie(b.line, b.column, b.rule, *b.message);
  });
  // One finding per rule, place and kind of device: two ways to the same hit count once.
  hits.erase(std::unique(hits.begin(), hits.end(),
                         [](const RawHit& a, const RawHit& b) {
                           return a.line == b.line && a.column == b.column && a.rule == b.rule &&
                                  a.condition == b.condition;
                         }),
             hits.end());
  return hits;
}

void RuleEngine::applyMentions(const scan::FileFacts& facts, std::vector<RawHit>& hits) const {
  for (const scan::Mention& mention : facts.mentions) {
    // A Python switch set to False is the safe setting of what its rule warns about.
    bool off = mention.kind == scan::MentionKind::Python && trim(mention.value) == "False";
    if ((mention.guarded && !mention.forAmd) || off) continue;
    std::string withValue = mention.text + "=" + mention.value;
    for (const MentionPattern& pattern : mentions_) {
      if (pattern.kind != mention.kind) continue;
      bool match =
          globMatch(pattern.pattern, mention.text) || (!mention.value.empty() && globMatch(pattern.pattern, withValue));
      if (!match) continue;
      std::string shown = mention.value.empty() || mention.value.size() > 60 ? mention.text : withValue;
      hits.push_back({pattern.rule,
                      mention.line,
                      mention.column,
                      std::make_shared<const std::string>(messageFor(knowledge_->rules()[pattern.rule], shown)),
                      Evidence::Manifest,
                      0,
                      0,
                      {},
                      true});
    }
  }
}

void RuleEngine::applyApis(const scan::FileFacts& facts, std::vector<RawHit>& hits) const {
  if (apiRules_.empty()) return;
  for (const scan::ApiUse& use : facts.apis) {
    auto it = apiRules_.find(use.record);
    if (it == apiRules_.end() || use.guarded) continue;
    for (std::uint32_t rule : it->second) {
      auto message = std::make_shared<const std::string>(
          messageFor(knowledge_->rules()[rule], knowledge_->apis()[use.record].name));
      hits.push_back({rule, use.line, use.column, std::move(message), Evidence::Lexical, 0, 0, {}, true});
    }
  }
}

void RuleEngine::applyDetectors(const scan::SourceFacts& source, std::vector<RawHit>& hits) const {
  Hits found;
  std::optional<patterns::WarpModel> warps;  // shared: most rules of the groups W, M and S ask it
  for (const auto& [rule, detector] : detectors_) {
    if (detector.overWarps != nullptr) {
      if (!warps) warps.emplace(source);
      detector.overWarps(*warps, found);
    } else {
      detector.overTokens(source, found);
    }
    std::unordered_map<std::string, std::shared_ptr<const std::string>> messages;
    for (Hits::Hit& hit : found.take()) {
      if (hit.token >= source.tokens.size() || source.branch[hit.token] == scan::Branch::Dead) continue;
      auto& message = messages[hit.message];
      if (!message) message = std::make_shared<const std::string>(std::move(hit.message));
      hits.push_back({rule, source.line(hit.token), source.column(hit.token), message, Evidence::Lexical,
                      hit.sharedBytes, hit.lanes, hit.condition});
    }
  }
}

Severity RuleEngine::severityOf(const RawHit& hit) const {
  const bool isMissingFormat = hit.condition == "fp8-none" || hit.condition == "no-fp4";
  return isMissingFormat ? Severity::Perf : knowledge_->rules()[hit.rule].severity;
}

std::string RuleEngine::messageOf(const RawHit& hit, const std::vector<std::string>& concerned) const {
  const std::vector<std::string>& applies = knowledge_->rules()[hit.rule].applies;
  const bool asksForLds = std::any_of(applies.begin(), applies.end(),
                                      [](const std::string& word) { return word.starts_with("lds-below-"); });
  if (!asksForLds) return *hit.message;
  constexpr std::size_t mostNames = 4;  // a message has at most 160 characters
  std::map<int, std::string> bySize;
  for (const std::string& target : concerned) {
    std::string& names = bySize[knowledge_->findDevice(target)->ldsKb];
    names += (names.empty() ? " KB on " : ", ") + target;
  }
  std::string sizes;
  for (const auto& [kb, names] : bySize)
    sizes += (sizes.empty() ? "; LDS: " : ", ") + std::to_string(kb) + (concerned.size() > mostNames ? " KB" : names);
  return *hit.message + sizes;
}

std::vector<std::string> RuleEngine::targetsOf(const RawHit& hit, const std::vector<std::string>& wanted) const {
  std::vector<std::string> result;
  const Rule& rule = knowledge_->rules()[hit.rule];
  const std::vector<std::string> own{std::string(hit.condition)};
  const std::vector<std::string>& conditions = !hit.condition.empty()                   ? own
                                               : hit.isFact && !rule.factsApply.empty() ? rule.factsApply
                                                                                        : rule.applies;
  for (const std::string& target : wanted) {
    const knowledge::Device* device = knowledge_->findDevice(target);
    if (device == nullptr || (hit.lanes != 0 && hit.lanes != device->width)) continue;
    if (std::any_of(conditions.begin(), conditions.end(),
                    [&](const std::string& c) { return holds(c, *device, hit.sharedBytes); }))
      result.push_back(target);
  }
  return result;
}

}  // namespace unwarp::audit
