// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/fleet/fleet_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/json_tree.h"
#include "base/json_writer.h"
#include "base/output_text.h"
#include "base/text.h"
#include "cost/quantity.h"

namespace unwarp::cost::fleet {

namespace {

/// Reads the file's members; the first fault stays.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  const std::optional<BadInput>& fault() const { return fault_; }

  void read(const JsonNode& root) {
    doubledMembers(root);
    unknownMembers(root, "",
                   {"hours", "discount_factor", "utilisation", "pools", "workloads", "together", "apart", "port_budget",
                    "total_budget"});
    for (Problem& p : problems) {
      p.hours = amount(root, "hours", 0, true);
      p.discountFactor = amount(root, "discount_factor", 1);
      p.utilisation = amount(root, "utilisation", 1);
      if (root.has("port_budget")) p.portBudget = amount(root, "port_budget", 0);
      if (root.has("total_budget")) p.totalBudget = amount(root, "total_budget", 0);
    }
    if (const JsonNode* pools = root.find("pools"))
      for (const JsonNode& pool : pools->children) readPool(pool);
    if (const JsonNode* workloads = root.find("workloads"))
      for (const JsonNode& workload : workloads->children) readWorkload(workload);
    for (Problem& p : problems) {
      p.together = pairs(root, "together");
      p.apart = pairs(root, "apart");
    }
    if (!three_) problems.resize(1);
  }

  std::vector<Problem> problems{3};

 private:
  void fail(const JsonNode& at, const std::string& field, std::string what, std::string fix) {
    if (!fault_) fault_ = BadInput{file_, at.line, field, std::move(what), std::move(fix)};
  }
  /// The tree keeps both of a key that stands twice; which one was meant nobody can tell.
  void doubledMembers(const JsonNode& node) {
    std::set<std::string_view> seen;
    for (const JsonNode& child : node.children) {
      if (!seen.insert(child.key).second) fail(child, child.key, "stands twice in one object", "keep one of them");
      doubledMembers(child);
    }
  }
  void unknownMembers(const JsonNode& node, const std::string& where, const std::vector<std::string_view>& known) {
    for (const JsonNode& child : node.children) {
      if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
      std::string_view near = nearest(child.key, known);
      fail(child, where + child.key, "is not known here",
           near.empty() ? "see docs/cost-money.md" : "did you mean " + std::string(near) + "?");
    }
  }
  double amount(const JsonNode& parent, std::string_view name, double fallback, bool required = false) {
    const JsonNode* node = parent.find(name);
    if (node == nullptr && required) fail(parent, std::string(name), "is missing", "write a number of at least 0");
    if (node == nullptr) return fallback;
    return checked(*node, std::string(name));
  }
  double checked(const JsonNode& node, const std::string& field) {
    auto value = node.number();
    if (!value || *value < 0) {
      fail(node, field, "'" + node.text + "' is no number of at least 0", "write one");
      return 0;
    }
    return *value;
  }
  std::int64_t count(const JsonNode& parent, std::string_view name, double fallback, bool required = false) {
    double value = amount(parent, name, fallback, required);
    if (value != std::floor(value) || value > 1e9)
      fail(*parent.find(name), std::string(name), "is no count of GPUs", "write a whole number");
    return static_cast<std::int64_t>(std::min(value, 1e9));
  }
  std::string name(const JsonNode& node, const std::string& what) {
    const JsonNode* name = node.find("name");
    if (name == nullptr || name->text.empty())
      fail(node, what + ".name", "is missing", "give each " + what + " a name");
    return name == nullptr ? std::string() : name->text;
  }
  void readPool(const JsonNode& node) {
    unknownMembers(node, "pool.",
                   {"name", "region", "price_per_hour", "capacity", "committed", "minimum_order", "stack_cost"});
    Pool pool;
    pool.name = name(node, "pool");
    if (const JsonNode* region = node.find("region")) pool.region = region->text;
    pool.pricePerHour = amount(node, "price_per_hour", 0, true);
    pool.capacity = count(node, "capacity", 0, true);
    pool.committed = count(node, "committed", 0);
    pool.minimumOrder = count(node, "minimum_order", 0);
    pool.stackCost = amount(node, "stack_cost", 0);
    for (Problem& p : problems) p.pools.push_back(pool);
  }
  /// Index of the pool or workload of that name.
  template <class Named>
  std::size_t indexOf(const std::vector<Named>& items, const JsonNode& node, const std::string& field,
                      const std::string& wanted) {
    auto found = std::find_if(items.begin(), items.end(), [&](const Named& item) { return item.name == wanted; });
    if (found != items.end()) return static_cast<std::size_t>(found - items.begin());
    std::vector<std::string_view> names;
    for (const Named& item : items) names.push_back(item.name);
    std::string_view near = nearest(wanted, names);
    fail(node, field, "'" + wanted + "' is not there",
         near.empty() ? "name one that is" : "did you mean " + std::string(near) + "?");
    return 0;
  }
  void readWorkload(const JsonNode& node) {
    unknownMembers(node, "workload.",
                   {"name", "demand_per_hour", "home", "regions", "not_on", "rate_per_hour", "port_cost"});
    const std::vector<Pool>& pools = problems[0].pools;
    Workload workload;
    workload.name = name(node, "workload");
    const std::string own = "workload " + workload.name + " ";
    workload.demandPerHour = amount(node, "demand_per_hour", 0, true);
    const JsonNode* home = node.find("home");
    if (home == nullptr) return fail(node, own + "home", "is missing", "name the pool where it runs now");
    workload.home = indexOf(pools, *home, own + "home", home->text);
    if (const JsonNode* regions = node.find("regions"))
      for (const JsonNode& region : regions->children) workload.regions.push_back(region.text);
    workload.places.resize(pools.size());
    if (fault_) return;
    if (const JsonNode* rates = node.find("rate_per_hour"))
      for (const JsonNode& rate : rates->children)
        workload.places[indexOf(pools, rate, own + "rate_per_hour", rate.key)].ratePerHour =
            checked(rate, own + "rate_per_hour." + rate.key);
    if (const JsonNode* barred = node.find("not_on"))
      for (const JsonNode& pool : barred->children)
        workload.places[indexOf(pools, pool, own + "not_on", pool.text)].allowed = false;
    for (Problem& p : problems) p.workloads.push_back(workload);
    if (const JsonNode* costs = node.find("port_cost"))
      for (const JsonNode& cost : costs->children) readPortCost(cost, own);
  }
  void readPortCost(const JsonNode& cost, const std::string& own) {
    std::size_t pool = indexOf(problems[0].pools, cost, own + "port_cost", cost.key);
    std::string field = own + "port_cost." + cost.key;
    if (!cost.children.empty() && cost.children.size() != 3)
      return fail(cost, field, "has " + std::to_string(cost.children.size()) + " figures",
                  "write one, or three: P20, P50, P80");
    three_ = three_ || !cost.children.empty();
    for (std::size_t s = 0; s < problems.size(); ++s)
      problems[s].workloads.back().places[pool].portCost =
          checked(cost.children.empty() ? cost : cost.children[s], field);
    auto at = [&](std::size_t s) { return problems[s].workloads.back().places[pool].portCost; };
    if (at(0) > at(1) || at(1) > at(2))
      fail(cost, field, "falls from quantile to quantile", "write P20, P50, P80 in this order: each at least the last");
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs(const JsonNode& root, std::string_view name) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    const JsonNode* list = root.find(name);
    if (list == nullptr) return found;
    for (const JsonNode& pair : list->children) {
      if (pair.children.size() != 2) {
        fail(pair, std::string(name), "is no pair of workloads", "write [\"a\", \"b\"]");
        continue;
      }
      const auto& workloads = problems[0].workloads;
      found.emplace_back(indexOf(workloads, pair, std::string(name), pair.children[0].text),
                         indexOf(workloads, pair, std::string(name), pair.children[1].text));
    }
    return found;
  }

  const std::string& file_;
  std::optional<BadInput> fault_;
  bool three_ = false;
};

std::string padded(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 1, ' ');
  return text;
}

void writePlan(JsonWriter& json, const Problem& problem, const Plan& plan) {
  json.beginObject();
  json.member("cost", plan.cost());
  json.member("port_cost", plan.portCost);
  json.member("run_cost", plan.runCost);
  json.member("stack_cost", plan.stackCost);
  json.key("workloads");
  json.beginArray();
  for (std::size_t w = 0; w < plan.pool.size(); ++w) {
    json.beginObject();
    json.member("name", problem.workloads[w].name);
    json.member("pool", problem.pools[plan.pool[w]].name);
    json.member("gpus", plan.gpus[w]);
    json.member("moves", plan.pool[w] != problem.workloads[w].home);
    json.endObject();
  }
  json.endArray();
  json.key("pools");
  json.beginArray();
  for (std::size_t g = 0; g < problem.pools.size(); ++g) {
    json.beginObject();
    json.member("name", problem.pools[g].name);
    json.member("gpus", plan.poolGpus[g]);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

}  // namespace

Result<std::vector<Problem>> readFleet(const std::string& file, std::string_view text) {
  auto root = parseJson(text);
  if (!root) return toError({file, 0, "", root.error(), "write a JSON object (docs/cost-money.md)"});
  Reader reader(file);
  reader.read(*root);
  if (reader.fault()) return toError(*reader.fault());
  for (const Problem& problem : reader.problems)
    if (std::string why = check(problem); !why.empty()) return toError({file, 0, "", why, ""});
  return std::move(reader.problems);
}

namespace {

constexpr std::array<std::string_view, 3> scenarioNames{"P20", "P50", "P80"};

/// What each scenario would do, where they disagree, and what the plan makes of it.
std::string scenarioText(const std::vector<Problem>& scenarios, const Robust& robust) {
  if (robust.scenarios.size() < 2) return {};
  const Problem& problem = scenarios.back();
  std::string text = robust.commonMovesOnly
                         ? "\nscenarios of port cost; only moves that appear in all are planned\n"
                         : "\nscenarios of port cost; the moves that appear in all leave no plan that keeps capacities "
                           "and rules,\nso it is the scenario's plan with the least regret\n";
  for (std::size_t s = 0; s < robust.scenarios.size(); ++s) {
    std::string moved;
    for (std::size_t w : robust.scenarios[s].moves(scenarios[s]))
      moved += (moved.empty() ? "" : ", ") + printable(scenarios[s].workloads[w].name);
    text += "  " + std::string(scenarioNames[s]) + "  cost " + significant(robust.scenarios[s].cost(), 7) +
            "; moves: " + (moved.empty() ? "none" : moved) + "\n";
  }
  for (std::size_t w : robust.differs) {
    text += "  differs: " + printable(problem.workloads[w].name);
    for (std::size_t s = 0; s < robust.scenarios.size(); ++s)
      text += (s == 0 ? " in " : ", ") + printable(problem.pools[robust.scenarios[s].pool[w]].name) + " at " +
              std::string(scenarioNames[s]);
    text += "; planned " + printable(problem.pools[robust.plan.pool[w]].name) + "\n";
  }
  return text + "  regret: at most " + significant(robust.regret, 7) + " above the best plan of any scenario\n";
}

}  // namespace

std::string terminalText(const std::vector<Problem>& scenarios, const Robust& robust) {
  const Problem& problem = scenarios.back();
  const Plan& plan = robust.plan;
  std::string text = "cost " + significant(plan.cost(), 7) + ": running " + significant(plan.runCost, 7) +
                     ", porting " + significant(plan.portCost, 7) + ", stacks " + significant(plan.stackCost, 7) +
                     "\n\n";
  for (std::size_t w = 0; w < plan.pool.size(); ++w) {
    bool moves = plan.pool[w] != problem.workloads[w].home;
    text += "  " + padded(printable(problem.workloads[w].name), 20) +
            padded(printable(problem.pools[plan.pool[w]].name), 14) +
            padded(std::to_string(plan.gpus[w]) + " GPUs", 12) + (moves ? "moves" : "stays") + "\n";
  }
  text += "\n";
  for (std::size_t g = 0; g < problem.pools.size(); ++g)
    text += "  " + padded(printable(problem.pools[g].name), 34) + std::to_string(plan.poolGpus[g]) + " of " +
            std::to_string(problem.pools[g].capacity) + " GPUs\n";
  return text + scenarioText(scenarios, robust);
}

std::string jsonText(const std::vector<Problem>& scenarios, const Robust& robust) {
  std::string text;
  JsonWriter json(text);
  json.beginObject();
  json.member("schema_version", "1.0.0");
  json.key("plan");
  writePlan(json, scenarios.back(), robust.plan);
  json.key("scenarios");
  json.beginArray();
  for (std::size_t s = 0; s < robust.scenarios.size(); ++s) writePlan(json, scenarios[s], robust.scenarios[s]);
  json.endArray();
  json.key("differs");
  json.beginArray();
  for (std::size_t w : robust.differs) json.value(scenarios.back().workloads[w].name);
  json.endArray();
  json.member("common_moves_only", robust.commonMovesOnly);
  json.member("max_regret", robust.regret);
  json.endObject();
  return text;
}

}  // namespace unwarp::cost::fleet
