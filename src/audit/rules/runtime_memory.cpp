// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R03, R08, R10, R12: pointer attributes, textures, argument structs, copies from local memory. Struct definitions and
// callers are seen in the same file only.
#include <algorithm>
#include <set>

#include "audit/rules/arch_arms.h"
#include "audit/rules/runtime.h"
#include "audit/rules/token_queries.h"

namespace unwarp::audit {

using scan::Call;
using scan::Function;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenKind;
using scan::TokenRange;

namespace {

/// True when the call stands inside a macro or function that stops on errors: CHECK(cudaPointerGetAttributes(...)).
bool isInErrorCheck(const SourceFacts& facts, TokenIndex call) {
  if (call < 2 || !facts.is(call - 1, "(") || !facts.isIdentifier(call - 2)) return false;
  std::string_view wrapper = facts.at(call - 2);
  for (std::string_view part : {"check", "safe", "assert", "verify", "error", "throw"}) {
    if (containsIgnoreCase(wrapper, part)) return true;
  }
  return false;
}

/// `if (cudaPointerGetAttributes(...) != cudaSuccess) <stop>`.
bool isFatalTest(const SourceFacts& facts, const Call& call) {
  if (call.end == noToken || !facts.is(call.end + 1, "!=") || !facts.is(call.end + 2, "cudaSuccess")) return false;
  TokenIndex close = call.end + 3;
  if (!facts.is(close, ")")) return false;
  TokenIndex last = close + 1;
  if (facts.is(last, "{") && facts.match[last] != noToken)
    last = facts.match[last];
  else
    while (last < facts.tokens.size() && !facts.is(last, ";")) ++last;
  return facts.mentions({close, last}, {"abort", "exit", "throw", "terminate"});
}

/// All that is read of the attributes is the device, to make it current: a plain host pointer fails on CUDA as well.
bool onlySelectsDevice(const SourceFacts& facts, const Call& call, std::string_view name) {
  const Function* function = facts.enclosing(call.name);
  bool selects = false;
  for (TokenIndex t : facts.named(name)) {
    if (!function || !function->body.contains(t) || t <= call.end || !facts.is(t + 1, ".")) continue;
    if (!facts.is(t + 2, "device")) return false;
    bool argument = t >= 2 && facts.is(t - 1, "(") && facts.is(t - 2, "cudaSetDevice") && facts.is(t + 3, ")");
    std::string_view copy = assignedName(facts, t);  // `int device = where.device; cudaSetDevice(device);`
    for (const Call& current : facts.calls({"cudaSetDevice"})) {
      bool here = !copy.empty() && function->body.contains(current.name) && !current.arguments.empty();
      argument = argument || (here && facts.textOf(current.arguments[0]) == copy);
    }
    if (!argument) return false;
    selects = true;
  }
  return selects;
}

}  // namespace

void detectPointerAttributes(const SourceFacts& facts, Hits& hits) {
  ArchArms arms(facts);
  std::set<std::pair<std::string_view, std::uint32_t>> variables;
  for (const Call& call : facts.calls({"cudaPointerGetAttributes"})) {
    if (call.arguments.empty() || !isLive(facts, call.name) || facts.tokens[call.name].directive) continue;
    std::string_view name = namedVariable(facts, call.arguments[0]);
    if (!name.empty()) variables.insert({name, facts.functionOf[call.name]});
    if (arms.wantsCudart(call.name) || onlySelectsDevice(facts, call, name)) continue;
    if (isInErrorCheck(facts, call.name) || isFatalTest(facts, call)) {
      hits.add(call.name,
               "failure of cudaPointerGetAttributes is fatal here: ROCm has returned errors for plain host pointers");
    }
  }
  if (variables.empty()) return;
  for (std::string_view member : {"type", "memoryType"}) {
    for (TokenIndex t : facts.named(member)) {
      bool isMember = t >= 2 && (facts.is(t - 1, ".") || facts.is(t - 1, "->"));
      if (!isMember || !variables.contains({facts.at(t - 2), facts.functionOf[t]}) || !isLive(facts, t)) continue;
      bool right =
          isComparison(facts.at(t + 1)) && t + 2 < facts.tokens.size() && facts.tokens[t + 2].kind == TokenKind::Number;
      bool left = t >= 4 && isComparison(facts.at(t - 3)) && facts.tokens[t - 4].kind == TokenKind::Number;
      if (right || left) hits.add(t, "memory type compared with a number: HIP's enumerators have other values");
    }
  }
}

namespace {

void reportTextureReferences(const SourceFacts& facts, Hits& hits) {
  for (TokenIndex t : facts.named("texture")) {
    bool declares = facts.is(t + 1, "<") && facts.functionOf[t] == noToken && !facts.tokens[t].directive;
    bool qualified = t > 0 && (facts.is(t - 1, "::") || facts.is(t - 1, ".") || facts.is(t - 1, "class") ||
                               facts.is(t - 1, "struct"));
    if (declares && !qualified && isLive(facts, t))
      hits.add(t, "texture reference: removed from CUDA 12 and deprecated in HIP");
  }
}

}  // namespace

void detectTextures(const SourceFacts& facts, Hits& hits) {
  for (TokenIndex t : facts.named("cudaFilterModeLinear")) {
    if (!isLive(facts, t) || facts.is(t - 1, "case") || isComparison(facts.at(t - 1)) || facts.tokens[t].directive)
      continue;
    const Function* function = facts.enclosing(t);
    bool normalised = function && occursIn(facts, function->body, {"cudaReadModeNormalizedFloat"});
    if (!normalised) hits.add(t, "linear filter on an element-read texture: rejected by AMD data-centre GPUs");
  }
  for (TokenIndex t : facts.named("cudaResourceTypePitch2D")) {
    const Function* function = facts.enclosing(t);
    if (!isLive(facts, t) || facts.is(t - 1, "case") || isComparison(facts.at(t - 1)) || !function) continue;
    bool aligned = occursIn(facts, function->body,
                            {"cudaMallocPitch", "texturePitchAlignment", "cudaDevAttrTexturePitchAlignment"});
    if (!aligned) hits.add(t, "pitched texture over own memory: AMD wants a pitch that is a multiple of 256 bytes");
  }
  for (std::string_view word : {"tex2Dgather", "cudaArrayTextureGather", "cudaArrayLayered"}) {
    for (TokenIndex t : facts.named(word)) {
      bool used = word != "tex2Dgather" || (facts.inDevice(t) && (facts.is(t + 1, "(") || facts.is(t + 1, "<")));
      if (used && isLive(facts, t) && !facts.is(t - 1, "case"))
        hits.add(t, std::string(word) + ": missing or wrong on several AMD GPUs");
    }
  }
  bool cuda =
      facts.includesCuda || facts.path.ends_with(".cu") || facts.path.ends_with(".cuh") || !facts.launches.empty();
  if (cuda) reportTextureReferences(facts, hits);
}

namespace {

/// What makes a struct's layout differ between passes, or empty.
std::string_view layoutHazard(const SourceFacts& facts, TokenRange body) {
  for (TokenIndex t = body.begin; t + 2 < body.end; ++t) {
    if (facts.is(t, "long") && facts.is(t + 1, "double")) return "long double";
    bool field = facts.isIdentifier(t) && facts.is(t + 1, ":") && facts.tokens[t + 2].kind == TokenKind::Number &&
                 t > body.begin;
    if (field && (facts.is(t + 3, ";") || facts.is(t + 3, ",")) && facts.isIdentifier(t - 1)) return "a bit-field";
  }
  return {};
}

}  // namespace

void detectArgumentStructs(const SourceFacts& facts, Hits& hits) {
  std::set<std::pair<std::string_view, std::string_view>> hazards;
  for (TokenIndex t : facts.named("struct")) {
    TokenIndex open = t + 2;
    if (!facts.isIdentifier(t + 1) || !facts.is(open, "{") || facts.match[open] == noToken || !isLive(facts, t))
      continue;
    std::string_view hazard = layoutHazard(facts, {open + 1, facts.match[open]});
    if (!hazard.empty()) hazards.insert({facts.at(t + 1), hazard});
  }
  if (hazards.empty()) return;
  for (const auto& [name, hazard] : hazards) {
    for (TokenIndex t : facts.named(name)) {
      const Function* function = facts.enclosing(t);
      if (!function || !function->isKernel || !function->parameters.contains(t) || function->body.empty()) continue;
      bool byValue = facts.isIdentifier(t + 1);
      if (!byValue || !isLive(facts, t)) continue;
      hits.add(t, "kernel argument '" + std::string(name.substr(0, 40)) + "' holds " + std::string(hazard) +
                      ": its layout may differ between host and device");
    }
  }
}

void detectPageableCopy(const SourceFacts& facts, Hits& hits) {
  for (const Call& call : facts.calls({"cudaMemcpyAsync"})) {
    const Function* function = facts.enclosing(call.name);
    if (call.arguments.size() < 4 || !function || function->isDevice || !isLive(facts, call.name)) continue;
    if (!facts.mentions(call.arguments[3], {"cudaMemcpyHostToDevice"})) continue;
    // `v.data()`, `&v[0]` or `v.data() + n` of a container that this function owns.
    TokenIndex first = call.arguments[1].begin;
    if (facts.is(first, "&")) ++first;
    bool ofContainer = facts.isIdentifier(first) &&
                       ((facts.is(first + 1, ".") && facts.is(first + 2, "data")) || facts.is(first + 1, "["));
    TokenIndex declaration = ofContainer ? declarationOf(facts, facts.at(first), first) : noToken;
    if (declaration == noToken || !function->body.contains(declaration)) continue;
    TokenRange type = typeBefore(facts, declaration);
    if (!facts.mentions(type, {"vector"}) || facts.mentions(type, {"static", "thread_local"}) ||
        facts.is(declaration - 1, "&"))
      continue;
    bool waits = occursIn(facts, {call.end, function->body.end},
                          {"cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize", "synchronize",
                           "cudaMemcpy", "Synchronize"});
    if (!waits) hits.add(call.name, "asynchronous copy from a local vector that dies before the stream is waited for");
  }
}

}  // namespace unwarp::audit
