// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detectors of group A: inline PTX, tensor-core interfaces, asynchronous copies, timers, architecture guards, compute
// capabilities and operators that HIP's vector types already have. One asm statement is reported by exactly one rule,
// the one whose translation it needs.
#include <algorithm>
#include <array>
#include <set>

#include "audit/rules/arch_arms.h"
#include "audit/rules/assembly.h"
#include "audit/rules/detector.h"
#include "audit/rules/token_queries.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

using scan::Function;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenKind;
using scan::TokenRange;

enum class AsmTopic { Plain, Matrix, Async, Timer };

AsmTopic topicOf(const AsmStatement& statement) {
  for (const std::string& m : statement.mnemonics) {
    if (startsWithAny(m, {"mma.", "wmma.", "wgmma.", "ldmatrix", "stmatrix", "movmatrix", "tcgen05."}))
      return AsmTopic::Matrix;
  }
  for (const std::string& m : statement.mnemonics) {
    if (startsWithAny(m, {"cp.async", "cp.reduce.async", "mbarrier.", "barrier.cluster", "mapa", "griddepcontrol",
                          "multimem.", "fence.proxy", "fence.mbarrier", "tensormap.", "clusterlaunchcontrol",
                          "setmaxnreg", "st.async", "red.async"})) {
      return AsmTopic::Async;
    }
  }
  bool timer = statement.code.find("globaltimer") != std::string::npos;
  for (const std::string& m : statement.mnemonics) timer |= m.starts_with("nanosleep");
  return timer ? AsmTopic::Timer : AsmTopic::Plain;
}

/// A mnemonic as shown: a part that a macro fills in is a star.
std::string shownMnemonic(std::string_view mnemonic) {
  std::string shown(mnemonic.substr(0, 44));
  for (std::size_t gap = shown.find(".."); gap != std::string::npos; gap = shown.find("..", gap + 2))
    shown.insert(gap + 1, "*");
  return shown.ends_with('.') ? shown + "*" : shown;
}

/// Distinct mnemonics for a message, at most three.
std::string mnemonicList(const AsmStatement& statement) {
  std::vector<std::string_view> distinct;
  for (const std::string& m : statement.mnemonics) {
    if (std::find(distinct.begin(), distinct.end(), m) == distinct.end()) distinct.push_back(m);
  }
  std::string list;
  for (std::size_t i = 0; i < distinct.size() && i < 3; ++i) list += (i ? ", " : "") + shownMnemonic(distinct[i]);
  return distinct.size() > 3 ? list + ", ..." : list;
}

bool onlySleeps(const AsmStatement& statement) {
  return std::all_of(statement.mnemonics.begin(), statement.mnemonics.end(),
                     [](const std::string& m) { return m.starts_with("nanosleep"); });
}

void reportAsm(const SourceFacts& facts, Hits& hits, AsmTopic topic, std::string_view consequence) {
  std::vector<AsmStatement> statements = asmStatements(facts);
  if (statements.empty()) return;
  ArchArms arms(facts);
  for (const AsmStatement& statement : statements) {
    if (!isLive(facts, statement.keyword) || !isPtx(statement) || topicOf(statement) != topic) continue;
    ArchArm arm = arms.of(statement.keyword);
    bool harmless = arm == ArchArm::Vanishes && topic == AsmTopic::Timer && onlySleeps(statement);
    if (arm == ArchArm::Replaced || harmless) continue;
    std::string what = "inline PTX " + (statement.mnemonics.empty() ? "from a macro" : mnemonicList(statement));
    bool denseSm = statement.code.find("%smid") != std::string::npos;
    if (denseSm)
      hits.add(statement.keyword, "inline PTX reads %smid: an AMD unit number can exceed the unit count");
    else if (arm == ArchArm::Vanishes)
      hits.add(statement.keyword, what + " stands under an NVIDIA architecture only: it vanishes on AMD unseen");
    else
      hits.add(statement.keyword, what + std::string(consequence));
  }
}

void detectInlinePtx(const SourceFacts& facts, Hits& hits) {
  reportAsm(facts, hits, AsmTopic::Plain, ": does not assemble for AMD");
}

bool isQualifiedBy(const SourceFacts& facts, TokenIndex t, std::string_view scope) {
  return t >= 2 && facts.is(t - 1, "::") && facts.is(t - 2, scope);
}

/// Names of variables declared as wmma fragments: `fragment<...> a, b[2];`.
void collectFragments(const SourceFacts& facts, TokenIndex fragment, std::set<std::string_view>& names) {
  int angles = 0;
  bool afterType = false;
  for (TokenIndex t = fragment + 1; t < facts.tokens.size() && t < fragment + 200; ++t) {
    std::string_view text = facts.at(t);
    if (text == ";" || text == "{" || text == ")") return;
    if (text == "<") ++angles;
    if (text == ">" || text == ">>") angles -= static_cast<int>(text.size());
    if (angles == 0 && afterType && facts.isIdentifier(t)) names.insert(text);
    afterType = afterType || (angles == 0 && text.front() == '>');
  }
}

void detectMatrix(const SourceFacts& facts, Hits& hits) {
  reportAsm(facts, hits, AsmTopic::Matrix, ": AMD matrix units have other shapes and lane layouts");
  bool portable = !facts.named("rocwmma").empty() || !facts.named("hipwmma").empty();
  bool imported = !facts.named("nvcuda").empty();
  if (portable) return;
  std::set<std::string_view> fragments;
  for (TokenIndex t : facts.named("fragment")) {
    bool wmma =
        isQualifiedBy(facts, t, "wmma") || (imported && facts.is(t + 1, "<") && !isQualifiedBy(facts, t, "cutlass"));
    if (!wmma || !facts.is(t + 1, "<") || !isLive(facts, t)) continue;
    hits.add(t, "warp-matrix fragment: HIP has no such type and rocWMMA lays its elements out differently");
    collectFragments(facts, t, fragments);
  }
  for (std::string_view word : {"mma_sync", "bmma_sync"}) {
    for (TokenIndex t : facts.named(word)) {
      if ((isQualifiedBy(facts, t, "wmma") || imported) && facts.is(t + 1, "(") && isLive(facts, t)) {
        hits.add(t, "warp-matrix multiply of nvcuda::wmma: needs rocWMMA or MFMA built-ins on AMD");
      }
    }
  }
  for (std::string_view name : fragments) {
    for (TokenIndex t : facts.named(name)) {
      TokenIndex dot = t + 1;
      while (facts.is(dot, "[") && facts.match[dot] != noToken) dot = facts.match[dot] + 1;
      if (facts.is(dot, ".") && facts.is(dot + 1, "x") && facts.is(dot + 2, "[") && isLive(facts, t)) {
        hits.add(t, "element access to a matrix fragment: the lane that holds an element differs on AMD");
      }
    }
  }
}

constexpr std::array<std::string_view, 24> asyncNames{"__pipeline_memcpy_async",
                                                      "__pipeline_commit",
                                                      "__pipeline_wait_prior",
                                                      "__pipeline_arrive_on",
                                                      "__cluster_dims__",
                                                      "cuTensorMapEncodeTiled",
                                                      "cuTensorMapEncodeIm2col",
                                                      "CUtensorMap",
                                                      "cudaLaunchAttributeClusterDimension",
                                                      "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION",
                                                      "cudaFuncAttributeNonPortableClusterSizeAllowed",
                                                      "cudaGridDependencySynchronize",
                                                      "cudaTriggerProgrammaticLaunchCompletion",
                                                      "cudaLaunchAttributeProgrammaticStreamSerialization",
                                                      "this_cluster",
                                                      "cp_async_bulk",
                                                      "cp_async_bulk_tensor",
                                                      "cp_async_bulk_tensor_2d_global_to_shared",
                                                      "mbarrier_arrive_expect_tx",
                                                      "mbarrier_try_wait",
                                                      "mbarrier_try_wait_parity",
                                                      "__mbarrier_init",
                                                      "__mbarrier_arrive",
                                                      "__mbarrier_test_wait"};

constexpr std::array<std::string_view, 30> dpxNames{
    "__viaddmax_s32",      "__viaddmax_s16x2",      "__viaddmax_u32",   "__viaddmax_u16x2",    "__viaddmin_s32",
    "__viaddmin_s16x2",    "__viaddmin_u32",        "__viaddmin_u16x2", "__viaddmax_s32_relu", "__viaddmax_s16x2_relu",
    "__viaddmin_s32_relu", "__viaddmin_s16x2_relu", "__vimax3_s32",     "__vimax3_s16x2",      "__vimax3_u32",
    "__vimax3_u16x2",      "__vimin3_s32",          "__vimin3_s16x2",   "__vimin3_u32",        "__vimin3_u16x2",
    "__vimax3_s32_relu",   "__vimin3_s32_relu",     "__vimax_s32_relu", "__vimin_s32_relu",    "__vibmax_s32",
    "__vibmin_s32",        "__vibmax_u32",          "__vibmin_u32",     "__vibmax_s16x2",      "__vibmin_s16x2"};

void reportWord(const SourceFacts& facts, const ArchArms& arms, Hits& hits, std::string_view word,
                std::string_view consequence) {
  for (TokenIndex t : facts.named(word)) {
    bool listed = t > 0 && (facts.is(t - 1, "case") || facts.is(t - 1, "define"));
    if (isLive(facts, t) && !listed && arms.of(t) != ArchArm::Replaced)
      hits.add(t, std::string(word) + std::string(consequence));
  }
}

/// What a function of `cuda::ptx` stands for, when it is an asynchronous one, and why it matters; else empty. The
/// wrappers of plain loads, stores and registers are not this rule's business, nor are the tag types of their
/// arguments.
std::string_view ptxConsequence(std::string_view name) {
  if (name.starts_with("multimem")) return "operations on multicast memory have no AMD counterpart";
  if (name.ends_with("_t")) return {};
  if (startsWithAny(name, {"tcgen05", "wgmma", "setmaxnreg", "elect_sync"}))
    return "instructions of one NVIDIA generation have no AMD counterpart";
  if (startsWithAny(name, {"barrier_cluster", "clusterlaunchcontrol", "mapa", "getctarank", "get_sreg_cluster"}))
    return "thread-block clusters have no AMD counterpart before gfx1250";
  bool async = startsWithAny(name, {"cp_async", "cp_reduce_async", "mbarrier", "tensormap", "fence_proxy",
                                    "fence_mbarrier", "st_async", "red_async", "griddepcontrol"});
  return async ? "asynchronous copies and their barriers have no portable AMD counterpart" : std::string_view();
}

void detectPtxWrappers(const SourceFacts& facts, Hits& hits) {
  TokenIndex last = noToken;
  for (TokenIndex t : facts.named("ptx")) {
    bool wrapper = isQualifiedBy(facts, t, "cuda") && facts.is(t + 1, "::");
    if (!wrapper || !isLive(facts, t) || facts.tokens[t].directive) continue;
    std::string_view consequence = ptxConsequence(facts.at(t + 2));
    TokenIndex statement = facts.statement(t).begin;
    if (consequence.empty() || statement == last) continue;
    last = statement;
    hits.add(t, "cuda::ptx::" + std::string(facts.at(t + 2).substr(0, 40)) + ": " + std::string(consequence));
  }
}

/// Names that are common words: reported only behind `cuda::`, or when the function calls a group's memcpy_async.
void detectAsyncLibrary(const SourceFacts& facts, Hits& hits) {
  for (std::string_view word :
       {"pipeline", "make_pipeline", "pipeline_shared_state", "barrier", "memcpy_async", "device"}) {
    for (TokenIndex t : facts.named(word)) {
      if (!isQualifiedBy(facts, t, "cuda") || !isLive(facts, t) || facts.tokens[t].directive) continue;
      if (facts.is(t - 2, "cuda") && t >= 3 && facts.is(t - 3, "=")) continue;  // a namespace alias
      if (t >= 3 && (facts.is(t - 3, "namespace") || facts.is(t - 3, "using"))) continue;
      if (word == "device" && !facts.is(t + 2, "experimental")) continue;
      hits.add(t, "cuda::" + std::string(word) +
                      ": asynchronous copies and their barriers have no portable AMD counterpart");
    }
  }
}

void detectAsyncCopy(const SourceFacts& facts, Hits& hits) {
  reportAsm(facts, hits, AsmTopic::Async, ": no counterpart on AMD before gfx1250");
  ArchArms arms(facts);
  for (std::string_view word : asyncNames)
    reportWord(facts, arms, hits, word, ": no counterpart on AMD before gfx1250");
  for (std::string_view word : dpxNames)
    reportWord(facts, arms, hits, word, ": DPX instructions have no AMD counterpart");
  detectAsyncLibrary(facts, hits);
  detectPtxWrappers(facts, hits);
}

bool isClock(std::string_view name) {
  return name == "clock64" || name == "clock";
}

bool callsClock(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.isIdentifier(t) && isClock(facts.at(t)) && facts.is(t + 1, "(")) return true;
  }
  return false;
}

/// The tokens a control statement governs: its braces or its single statement.
TokenRange governed(const SourceFacts& facts, const Condition& condition) {
  TokenIndex first = condition.inside.end + 1;
  if (facts.is(first, "{") && facts.match[first] != noToken) return {first, facts.match[first] + 1};
  TokenIndex last = first;
  while (last < facts.tokens.size() && !facts.is(last, ";")) ++last;
  return {first, last};
}

/// Loop bodies of a function, do-while included.
Regions loopBodies(const SourceFacts& facts, const Function& function, const std::vector<Condition>& conditions) {
  Regions loops;
  for (const Condition& condition : conditions) {
    if (condition.isLoop) loops.add(governed(facts, condition));
  }
  auto words = facts.named("do");
  for (auto word = std::lower_bound(words.begin(), words.end(), function.body.begin);
       word != words.end() && *word < function.body.end; ++word) {
    if (facts.is(*word + 1, "{") && facts.match[*word + 1] != noToken) loops.add({*word + 1, facts.match[*word + 1]});
  }
  loops.close();
  return loops;
}

/// Indexes of the conditions that hold one of the `uses`.
void markConditions(const std::vector<Condition>& conditions, std::span<const TokenIndex> uses,
                    std::vector<bool>& marked) {
  for (TokenIndex t : uses) {
    auto after = std::upper_bound(conditions.begin(), conditions.end(), t,
                                  [](TokenIndex token, const Condition& c) { return token < c.inside.begin; });
    if (after != conditions.begin() && std::prev(after)->inside.contains(t))
      marked[static_cast<std::size_t>(std::prev(after) - conditions.begin())] = true;
  }
}

void detectClockLoops(const SourceFacts& facts, const Function& function, Hits& hits) {
  std::vector<Condition> conditions = conditionsIn(facts, function.body);
  std::vector<bool> timed(conditions.size());
  std::set<std::string_view> times;
  for (std::string_view word : {"clock64", "clock"}) {
    auto uses = facts.named(word);
    auto first = std::lower_bound(uses.begin(), uses.end(), function.body.begin);
    for (auto use = first; use != uses.end() && *use < function.body.end; ++use) {
      if (!facts.is(*use + 1, "(")) continue;
      markConditions(conditions, std::span(use, 1), timed);
      std::string_view name = assignedName(facts, *use);
      if (!name.empty()) times.insert(name);
    }
  }
  for (std::string_view name : times) {
    auto uses = facts.named(name);
    auto first = std::lower_bound(uses.begin(), uses.end(), function.body.begin);
    auto last = std::lower_bound(first, uses.end(), function.body.end);
    markConditions(conditions, std::span(first, last), timed);
  }
  Regions loops = loopBodies(facts, function, conditions);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const Condition& condition = conditions[i];
    if (!timed[i] || !isLive(facts, condition.keyword)) continue;
    bool leaves = occursIn(facts, governed(facts, condition), {"break", "return"}) && loops.contain(condition.keyword);
    if (condition.isLoop || leaves) {
      hits.add(condition.keyword, "loop bounded by a cycle counter: its rate differs on AMD and it can stand still");
    }
  }
}

void detectTimers(const SourceFacts& facts, Hits& hits) {
  reportAsm(facts, hits, AsmTopic::Timer, ": no such timer or sleep on AMD");
  ArchArms arms(facts);
  for (TokenIndex t : facts.named("__nanosleep")) {
    bool defined = t > 0 && (facts.is(t - 1, "define") || facts.is(t - 1, "void"));
    // Left out on AMD, the wait works without it.
    if (isLive(facts, t) && !defined && arms.of(t) == ArchArm::Compiled)
      hits.add(t, "__nanosleep: HIP has no sleep measured in nanoseconds");
  }
  if (facts.named("clock64").empty() && facts.named("clock").empty()) return;
  for (const Function& function : facts.functions) {
    if (function.isDevice && callsClock(facts, function.body)) detectClockLoops(facts, function, hits);
  }
  for (const scan::Call& call : facts.calls({"curand_init"})) {
    if (!call.arguments.empty() && isLive(facts, call.name) && callsClock(facts, call.arguments[0])) {
      hits.add(call.name, "random seed taken from a cycle counter: rate and start value differ on AMD");
    }
  }
}

/// The CUDA vector type named in `parameter`, or empty.
std::string_view vectorTypeIn(const SourceFacts& facts, TokenRange parameter) {
  for (TokenIndex t = parameter.begin; t < parameter.end; ++t) {
    std::string_view word = facts.at(t);
    bool numbered = word.size() > 3 && word.back() >= '1' && word.back() <= '4';
    if (!numbered) continue;
    std::string_view base = word.substr(0, word.size() - 1);
    for (std::string_view known : {"float", "double", "int", "uint", "char", "uchar", "short", "ushort", "long",
                                   "ulong", "longlong", "ulonglong"}) {
      if (base == known) return word;
    }
  }
  return {};
}

void detectVectorOperators(const SourceFacts& facts, Hits& hits) {
  for (TokenIndex t : facts.named("operator")) {
    std::string_view op = facts.at(t + 1);
    bool compound = op == "+=" || op == "-=" || op == "*=" || op == "/=";
    bool binary = op == "*" || op == "/";  // + and - are templates there: a plain function wins
    if ((!compound && !binary) || !facts.is(t + 2, "(") || facts.match[t + 2] == noToken || !isLive(facts, t)) continue;
    std::vector<TokenRange> parameters = facts.splitArguments({t + 3, facts.match[t + 2]});
    std::string_view left = parameters.empty() ? std::string_view() : vectorTypeIn(facts, parameters[0]);
    bool same = parameters.size() == 2 && vectorTypeIn(facts, parameters[1]) == left;
    if (left.empty() || !same) continue;
    hits.add(t, "operator" + std::string(op) + " for " + std::string(left) +
                    ": HIP's vector types already have it, the call becomes ambiguous");
  }
}

constexpr std::array<Detector, 7> detectors{{{"A01", detectInlinePtx},
                                             {"A02", detectMatrix},
                                             {"A03", detectAsyncCopy},
                                             {"A04", detectTimers},
                                             {"A05", detectArchGuards},
                                             {"A06", detectCapability},
                                             {"A07", detectVectorOperators}}};

}  // namespace

std::span<const Detector> assemblyDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
