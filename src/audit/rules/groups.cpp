// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules C01, C02, C03, C05 and C06: cooperative groups, CUB's warp-level collectives, warp-aggregated atomics and
// cooperative launches. Names are resolved as far as one file says: `cg::` through its namespace alias, CUB by its
// class names. C04 (reuse of temporary storage, block shapes) needs data flow and is left to depth analysis.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "audit/rules/detector.h"
#include "audit/rules/lane_flow.h"
#include "audit/rules/launch_calls.h"
#include "audit/rules/patterns.h"
#include "audit/rules/token_queries.h"
#include "audit/rules/warp_model.h"

namespace unwarp::audit {

namespace {

using patterns::Collective;
using patterns::Control;
using patterns::isAny;
using patterns::Place;
using patterns::WarpModel;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// A variable that holds a coalesced group, and the function it belongs to.
struct GroupName {
  std::string_view name;
  std::uint32_t function;
  bool operator==(const GroupName&) const = default;
};

std::uint32_t functionWithParameter(const SourceFacts& facts, TokenIndex t) {
  for (std::uint32_t f = 0; f < facts.functions.size(); ++f) {
    if (facts.functions[f].parameters.contains(t)) return f;
  }
  return facts.functionOf[t];
}

/// `auto g = cg::coalesced_threads()`, and parameters and variables of type coalesced_group.
std::vector<GroupName> coalescedNames(const SourceFacts& facts) {
  std::vector<GroupName> names;
  auto add = [&](GroupName name) {
    if (name.function != noToken && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (TokenIndex t : facts.named("coalesced_threads")) {
    auto assignment = patterns::assignmentAround(facts, t);
    if (assignment && assignment->name != noToken) add({facts.at(assignment->name), facts.functionOf[t]});
  }
  for (TokenIndex t : facts.named("coalesced_group")) {
    TokenIndex name = t + 1;
    while (facts.is(name, "&") || facts.is(name, "const")) ++name;
    if (facts.isIdentifier(name) && names.size() < 256) add({facts.at(name), functionWithParameter(facts, name)});
  }
  return names;
}

void detectCoalescedGroup(const SourceFacts& facts, Hits& hits) {
  for (const GroupName& group : coalescedNames(facts)) {
    for (TokenIndex t : facts.named(group.name)) {
      if (!facts.is(t + 1, ".") || !patterns::isPlain(facts, t) || facts.functionOf[t] != group.function) continue;
      std::string_view member = facts.at(t + 2);
      if (isAny(member, {"ballot", "match_any", "match_all"})) {
        bool counted = facts.is(t - 1, "(") && isAny(facts.at(t - 2), {"__popc", "__ffs", "__clz"});
        bool narrow = false;
        auto assignment = patterns::assignmentAround(facts, t);
        if (assignment && assignment->name != noToken && assignment->right.begin == t) {
          narrow = patterns::isInt32Type(
              facts, patterns::declaredType(facts, *facts.enclosing(t), facts.at(assignment->name), t));
        }
        if (counted || narrow) hits.add(t, "vote of a coalesced group kept in 32 bits: the group can hold 64 threads");
      }
      if (isAny(member, {"size", "num_threads"}) && facts.is(t + 3, "(")) {
        bool compared =
            isAny(facts.at(t + 5), {"==", "!=", "<", ">=", "<=", ">"}) && patterns::valueOf(facts, t + 6) == 32;
        if (compared) hits.add(t, "size of a coalesced group compared with 32: it can be up to 64");
      }
    }
  }
}

bool isGroupsNamespace(const SourceFacts& facts, TokenIndex name) {
  if (name < 2 || !facts.is(name - 1, "::")) return false;
  std::string_view space = facts.at(name - 2);
  if (space == "experimental")
    return !facts.is(name - 3, "::") || isAny(facts.at(name - 4), {"cg", "cooperative_groups"});
  return space == "cg" || space == "cooperative_groups" || space == "cgx";
}

/// `tiled_partition` of cooperative groups, not another library's: qualified, handed a group, or in a file that
/// includes them.
bool isGroupTile(const SourceFacts& facts, TokenIndex name) {
  if (name > 1 && facts.is(name - 1, "::")) return isGroupsNamespace(facts, name);
  if (!facts.named("cooperative_groups").empty()) return true;
  auto call = facts.callAt(name);
  return call && !call->arguments.empty() && !call->arguments[0].empty();
}

void detectCudaOnlyGroups(const SourceFacts& facts, Hits& hits) {
  struct Feature {
    std::string_view name;
    bool qualifiedOnly;  ///< the word is common elsewhere, so it needs its namespace
    std::string_view message;
  };
  constexpr std::array<Feature, 11> features{{
      {"reduce", true,
       "cooperative_groups::reduce exists in HIP since ROCm 7.13 only and failed for 2-D blocks until 10.0"},
      {"inclusive_scan", true, "cooperative_groups scans exist in HIP since ROCm 10.0 only"},
      {"exclusive_scan", true, "cooperative_groups scans exist in HIP since ROCm 10.0 only"},
      {"memcpy_async", true,
       "cooperative_groups::memcpy_async has no announced HIP release; on most AMD parts it is a plain copy"},
      {"invoke_one", true, "cooperative_groups::invoke_one has no HIP counterpart"},
      {"invoke_one_broadcast", true, "cooperative_groups::invoke_one_broadcast has no HIP counterpart"},
      {"labeled_partition", false, "labeled_partition has no HIP counterpart"},
      {"this_cluster", true, "thread block clusters exist on gfx1250 only"},
      {"cluster_group", true, "thread block clusters exist on gfx1250 only"},
      {"reduce_update_async", true, "cooperative_groups asynchronous reductions have no HIP counterpart"},
      {"reduce_store_async", true, "cooperative_groups asynchronous reductions have no HIP counterpart"},
  }};
  for (const Feature& feature : features) {
    for (TokenIndex t : facts.named(feature.name)) {
      bool call = facts.is(t + 1, "(") || facts.is(t + 1, "<") || feature.name == "cluster_group";
      if (!call || facts.tokens[t].directive || !patterns::isPlain(facts, t) || facts.functionOf[t] == noToken)
        continue;
      if (isAny(facts.at(t - 1), {".", "->"}) || (feature.qualifiedOnly && !isGroupsNamespace(facts, t))) continue;
      hits.add(t, std::string(feature.message));
    }
  }
  for (std::string_view name : {"tiled_partition", "thread_block_tile"}) {
    for (TokenIndex t : facts.named(name)) {
      if (!facts.is(t + 1, "<") || !patterns::isPlain(facts, t)) continue;
      auto size = patterns::valueOf(facts, t + 2);
      if (size && *size > 64 && isGroupTile(facts, t))
        hits.add(t, "tile of more than 64 threads: a HIP tile cannot be larger than a wave");
    }
  }
}

/// The device code of the file indexes something by warps of 32.
bool countsWarpsBy32(const SourceFacts& facts, const WarpModel& model) {
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    if (!model.of(f).warp32.empty() || !model.of(f).lane32.empty()) return true;
  }
  return std::any_of(
      facts.sharedVariables.begin(), facts.sharedVariables.end(), [&](const scan::SharedVariable& array) {
        if (facts.textOf(array.type).find("TempStorage") == std::string_view::npos || array.extents.empty())
          return false;
        for (TokenIndex t = array.extents[0].begin; t < array.extents[0].end; ++t) {
          if (facts.is(t, "/") && patterns::valueOf(facts, t + 1) == 32) return true;
        }
        return false;
      });
}

void detectDefaultLogicalWidth(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  struct Collection {
    std::string_view name;
    std::size_t withoutWidth;  ///< most template arguments that leave the logical width at its default
  };
  constexpr std::array<Collection, 3> collections{{{"WarpReduce", 1}, {"WarpScan", 1}, {"WarpMergeSort", 2}}};
  bool asked = false, by32 = false;
  for (const Collection& collection : collections) {
    for (TokenIndex t : facts.named(collection.name)) {
      if (!patterns::isPlain(facts, t) || facts.tokens[t].directive) continue;
      bool cub = facts.is(t - 1, "::") && isAny(facts.at(t - 2), {"cub", "hipcub"});
      std::vector<TokenRange> arguments = facts.templateArguments(t);
      if (!cub || arguments.empty() || arguments.size() > collection.withoutWidth) continue;
      if (!asked) by32 = countsWarpsBy32(facts, model);
      asked = true;
      if (!by32) return;
      hits.add(t, std::string(collection.name) +
                      " without logical width: 64 on AMD data-centre parts, while storage here is per 32 threads");
    }
  }
}

/// Numbers of voting lanes: popc of a vote, or a name that was assigned one before in the same function.
class LaneCounts {
 public:
  LaneCounts(const WarpModel& model, const std::vector<scan::Call>& counts) : masks_(model), facts_(model.facts()) {
    next_ = counts.begin();
    end_ = counts.end();
  }
  /// Whether one stands in `amount`, of those up to token `last`. Questions come in token order.
  bool standIn(std::uint32_t function, TokenRange amount, TokenIndex last) {
    if (function != function_) names_.clear();
    function_ = function;
    bool direct = false;
    for (; next_ != end_ && next_->name <= last; ++next_) {
      if (facts_.functionOf[next_->name] != function || next_->arguments.empty()) continue;
      if (!masks_.standIn(function, next_->arguments[0])) continue;
      direct |= amount.contains(next_->name);
      auto assignment = patterns::assignmentAround(facts_, next_->name);
      if (assignment && assignment->name != noToken) names_.insert(facts_.at(assignment->name));
    }
    for (TokenIndex t = amount.begin; t < amount.end && !direct; ++t)
      direct = facts_.isIdentifier(t) && names_.contains(facts_.at(t));
    return direct;
  }

 private:
  patterns::LaneMasks masks_;
  const SourceFacts& facts_;
  std::vector<scan::Call>::const_iterator next_, end_;
  std::uint32_t function_ = noToken;
  std::unordered_set<std::string_view> names_;
};

void detectAggregatedAtomic(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  std::vector<scan::Call> atomics = facts.calls({"atomicAdd", "atomicSub", "atomicAdd_block", "atomicAdd_system"});
  if (atomics.empty()) return;
  std::vector<scan::Call> counts = facts.calls({"__popc"});
  if (counts.empty()) return;
  LaneCounts laneCounts(model, counts);
  for (const scan::Call& atomic : atomics) {
    std::uint32_t f = facts.functionOf[atomic.name];
    if (f == noToken || !patterns::isPlain(facts, atomic.name) || atomic.arguments.size() < 2) continue;
    if (!laneCounts.standIn(f, atomic.arguments[1], atomic.end)) continue;
    bool elected = false;
    for (const Control& control : patterns::controlsAround(facts, atomic.name)) {
      for (TokenIndex t = control.condition.begin; t < control.condition.end; ++t)
        elected |= facts.is(t, "==") || facts.is(t, "!");
    }
    if (elected)
      hits.add(atomic.name,
               "one atomic per 32 lanes by a 32-bit vote: on 64 lanes the count misses half and leaders double");
  }
}

/// A parameter that the function leaves as it is, `launch.dimensions.grid` where `launch` is a parameter, with casts
/// before it, and names that a structured binding takes from elsewhere: `auto [grid, block] = dimensions(...)`.
bool isHandedIn(const SourceFacts& facts, TokenRange grid) {
  while (facts.is(grid.begin, "(") && facts.match[grid.begin] != noToken && facts.match[grid.begin] + 1 < grid.end)
    grid.begin = facts.match[grid.begin] + 1;
  const scan::Function* function = facts.enclosing(grid.begin);
  if (grid.empty() || !facts.isIdentifier(grid.begin) || function == nullptr) return false;
  for (TokenIndex t = grid.begin + 1; t < grid.end; ++t)
    if (!facts.isIdentifier(t) && !isAny(facts.at(t), {".", "->"})) return false;
  if (grid.end > grid.begin + 1) return patterns::usesName(facts, function->parameters, facts.at(grid.begin));
  constexpr int maxMentions = 64, longestBinding = 32;
  auto mentions = facts.named(facts.at(grid.begin));
  auto last = std::lower_bound(mentions.begin(), mentions.end(), grid.begin);
  for (int steps = 0; last != mentions.begin() && steps < maxMentions; ++steps) {
    TokenIndex t = *--last;
    if (!function->body.contains(t)) break;
    if (isAny(facts.at(t + 1), {"=", "+=", "-=", "*=", "/="})) return false;
    TokenIndex open = t;
    while (open > function->body.begin && t - open < longestBinding &&
           (facts.isIdentifier(open - 1) || facts.is(open - 1, ",")))
      --open;
    if (open < 2 || !facts.is(open - 1, "[")) continue;
    TokenIndex type = open - 2;
    while (type > 0 && isAny(facts.at(type), {"&", "&&"})) --type;
    if (facts.is(type, "auto")) return true;
  }
  return patterns::usesName(facts, function->parameters, facts.at(grid.begin));
}

/// What the file tells of a cooperative launch's grid: nothing (it comes in as a parameter, a member or an element), or
/// a few blocks that fit on every part.
bool isUnknownOrSmallGrid(const SourceFacts& facts, TokenRange grid, TokenIndex launch) {
  constexpr std::int64_t fitsAnywhere = 8;
  grid = patterns::stripped(facts, grid);
  if (facts.is(grid.end - 1, "]")) return true;  // an element of some configuration
  if (isHandedIn(facts, grid)) return true;
  if (grid.end == grid.begin + 1 && facts.isIdentifier(grid.begin)) {
    auto mentions = facts.named(facts.at(grid.begin));
    auto last = std::lower_bound(mentions.begin(), mentions.end(), launch);
    for (int steps = 0; last != mentions.begin() && steps < 64; ++steps) {
      TokenIndex t = *--last;
      if (facts.functionOf[t] != facts.functionOf[launch]) break;
      bool constructed = facts.is(t - 1, "dim3") && isAny(facts.at(t + 1), {"(", "{"});
      if (!constructed && !facts.is(t + 1, "=")) continue;
      if (constructed && facts.match[t + 1] != noToken) {
        grid = {t + 2, facts.match[t + 1]};
      } else if (auto assignment = patterns::assignmentAround(facts, t + 2)) {
        grid = assignment->right;
      }
      break;
    }
  }
  bool wrapped = facts.is(grid.begin, "dim3") && isAny(facts.at(grid.begin + 1), {"(", "{"});
  if (wrapped && facts.match[grid.begin + 1] != noToken) grid = {grid.begin + 2, facts.match[grid.begin + 1]};
  std::int64_t blocks = 1;
  for (TokenRange extent : facts.splitArguments(grid)) {
    if (isHandedIn(facts, extent)) return true;
    auto value = patterns::valueOf(facts, extent);
    if (!value || *value < 1 || *value > fitsAnywhere) return false;
    blocks *= *value;
  }
  return blocks <= fitsAnywhere;
}

void detectCooperativeLaunch(const SourceFacts& facts, Hits& hits) {
  auto asks = [&](std::string_view name) { return !facts.named(name).empty(); };
  bool sized = asks("cudaOccupancyMaxActiveBlocksPerMultiprocessor") || asks("cudaOccupancyMaxPotentialBlockSize") ||
               asks("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags") ||
               asks("hipOccupancyMaxActiveBlocksPerMultiprocessor") ||
               asks("cuOccupancyMaxActiveBlocksPerMultiprocessor") ||
               asks("cudaOccupancyMaxPotentialBlockSizeVariableSMem");
  if (sized) return;
  for (const LaunchCall& launch : launchCalls(facts)) {
    if (!launch.cooperative || launch.grid.empty() || !patterns::isPlain(facts, launch.name)) continue;
    if (isUnknownOrSmallGrid(facts, launch.grid, launch.name)) continue;
    hits.add(launch.name,
             "cooperative launch whose grid does not come from the occupancy query: on AMD it may not fit at once");
  }
}

constexpr std::array<Detector, 5> detectors{{{"C01", detectCoalescedGroup},
                                             {"C02", detectCudaOnlyGroups},
                                             {"C03", detectDefaultLogicalWidth},
                                             {"C05", detectAggregatedAtomic},
                                             {"C06", detectCooperativeLaunch}}};

}  // namespace

std::span<const Detector> groupDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
