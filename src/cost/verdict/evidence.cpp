// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what an audit counted and a buyer said to what the rules look at; and which routes fit.
#include <algorithm>

#include "base/text.h"
#include "cost/quantity.h"
#include "cost/verdict/verdict.h"

namespace unwarp::cost {

namespace {

bool isAmd(std::string_view target) {
  return target.starts_with("gfx");
}

/// Libraries that stop a move wherever they are reached, unless the manifest says what the hot path is: TensorRT and
/// the FlashAttention generations that have no counterpart. What serves beside others (FlashInfer in vLLM) stops none.
bool isHotByDefault(const Library& library) {
  std::string name = toLower(library.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return library.layer == Layer::Specialised && library.status == Status::None &&
         (name.find("tensorrt") != std::string::npos || name.starts_with("flash_attn"));
}

bool onHotPath(const Library& library, const Workload& workload) {
  if (workload.hotPath.empty()) return isHotByDefault(library);
  return std::any_of(workload.hotPath.begin(), workload.hotPath.end(),
                     [&](const std::string& name) { return equalsIgnoreCase(name, library.name); });
}

double sitesOf(const Project& project, std::initializer_list<std::string_view> rules) {
  double sites = 0;
  for (const RuleSites& rule : project.rules)
    if (std::find(rules.begin(), rules.end(), rule.rule) != rules.end()) sites += rule.sites;
  return sites;
}

struct Fit {
  bool fits;
  std::string why;
};

/// Kernels that are worth writing anew rather than porting.
constexpr double mostRewritten = 20;

/// The conditions of the routes' page, each on what the audit counted.
Fit fitOf(const Route& route, const Project& project, const Evidence& evidence, const Manifest& manifest) {
  double heavy = sitesOf(project, {"A01", "A02", "A03"});
  std::string kernels = compact(project.kernels, 4) + (project.kernels == 1 ? " kernel" : " kernels");
  if (route.name == "stay") return {true, "needs nothing"};
  if (!route.targets.empty() &&
      std::find(route.targets.begin(), route.targets.end(), project.target) == route.targets.end())
    return {false, project.target + " is not among its targets"};
  if (route.name == "gaudi") return {project.kernels == 0, kernels};
  bool jax = std::any_of(project.libraries.begin(), project.libraries.end(),
                         [](const Library& library) { return toLower(library.name).starts_with("jax"); });
  if (route.name == "jax" && (isAmd(project.target) || project.target.starts_with("tpu")))
    return {jax, jax ? "uses JAX already" : "does not use JAX"};
  if (!isAmd(project.target)) return {false, project.target + " is no AMD target"};
  if (route.name == "rocm-native")
    return project.kernels == 0 ? Fit{evidence.frameworkSupported, "no kernels of its own"}
                                : Fit{false, kernels + " of its own"};
  if (project.kernels == 0) return {false, "no kernels to port"};
  if (route.name == "hipify")
    return {heavy <= 2 * project.kernels, compact(heavy, 4) + " sites of PTX, wmma or TMA in " + kernels};
  if (route.name == "scale") return {true, "its table has " + project.target};
  if (route.name == "triton")
    return {project.usesPython && project.kernels <= mostRewritten, kernels + " to rewrite, at most " +
                                                                        compact(mostRewritten) + " are few" +
                                                                        (project.usesPython ? "" : "; no Python")};
  if (route.name == "sycl")
    return {manifest.horizonYears >= 3, "horizon of " + compact(manifest.horizonYears, 2) + " years"};
  if (route.name == "opencl")
    return {!project.usesPython, project.usesPython ? "holds Python, so deep learning is assumed" : "compute only"};
  return {evidence.harness, evidence.harness ? "a harness stands behind it" : "no regression harness"};
}

}  // namespace

Evidence evidenceOf(const Project& project, const Workload& workload, const Manifest& manifest) {
  Evidence evidence;
  evidence.greenfield = workload.greenfield;
  bool facts = isAmd(project.target);
  if (!facts) evidence.factlessTarget = project.target.empty() ? "this target" : project.target;
  evidence.spread = workload.spread;
  // Collectives of its own need more than one GPU; whether more than one node, no source tells: only the manifest does.
  if (!workload.spreadGiven && project.ownNcclCalls) evidence.spread = Spread::OneNode;
  for (const Library& library : project.libraries) {
    Status status = facts ? library.status : Status::Unknown;
    evidence.libraries.push_back({library.name, status, onHotPath(library, workload)});
    if (library.layer == Layer::Framework && status == Status::None) evidence.frameworkSupported = false;
  }
  // What the buyer names and the audit has not seen is not known; guessing it away would be a verdict from nothing.
  for (const std::string& name : workload.hotPath) {
    bool seen = std::any_of(project.libraries.begin(), project.libraries.end(),
                            [&](const Library& library) { return equalsIgnoreCase(library.name, name); });
    if (!seen) evidence.libraries.push_back({name, Status::Unknown, true});
  }
  evidence.acceptsOtherEngine = workload.acceptsOtherEngine;
  evidence.kernels = project.kernels;
  evidence.untranslatable = sitesOf(project, {"A03", "R01"});
  for (const RuleSites& rule : project.rules) evidence.hazards += rule.hazard ? rule.sites : 0;
  evidence.coverage = project.coverage();
  evidence.harness = manifest.harness.value_or(false);
  return evidence;
}

std::vector<RouteFit> routeFits(const std::vector<Route>& routes, const Project& project, const Evidence& evidence,
                                const Manifest& manifest) {
  std::vector<RouteFit> fits;
  for (const Route& route : routes) {
    Fit fit = fitOf(route, project, evidence, manifest);
    fits.push_back({route, fit.fits, fit.why});
  }
  return fits;
}

}  // namespace unwarp::cost
