// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R04, R05, R06: orderings that hold by luck. Streams are compared by their spelling inside one function; a
// synchronising call between two uses ends suspicion. Streams that arrive from elsewhere under one name are taken as
// one stream.
#include <algorithm>
#include <array>
#include <map>

#include "audit/rules/runtime.h"
#include "audit/rules/token_queries.h"

namespace unwarp::audit {

using scan::Call;
using scan::Function;
using scan::Launch;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

namespace {

/// Positions of calls that order streams, sorted.
std::vector<TokenIndex> orderingPoints(const SourceFacts& facts) {
  std::vector<TokenIndex> points;
  for (std::string_view word :
       {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaStreamWaitEvent", "cudaEventSynchronize",
        "cuStreamSynchronize", "cuStreamWaitEvent", "cuCtxSynchronize", "cudaMemcpy", "synchronize"}) {
    for (TokenIndex t : facts.named(word)) points.push_back(t);
  }
  std::sort(points.begin(), points.end());
  return points;
}

bool orderedBetween(const std::vector<TokenIndex>& points, TokenIndex a, TokenIndex b) {
  auto next = std::upper_bound(points.begin(), points.end(), a);
  return next != points.end() && *next < b;
}

bool isNullStream(const SourceFacts& facts, const Launch& launch) {
  if (launch.configuration.size() < 4) return true;
  std::string_view text = facts.textOf(launch.configuration[3]);
  return text == "0" || text == "NULL" || text == "nullptr" || text == "cudaStreamLegacy" ||
         text == "cudaStreamDefault";
}

/// Names of streams created as non-blocking in this file.
std::vector<std::string_view> nonBlockingStreams(const SourceFacts& facts) {
  std::vector<std::string_view> names;
  for (const Call& call : facts.calls({"cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority"})) {
    if (call.arguments.size() < 2 || !facts.mentions(call.arguments[1], {"cudaStreamNonBlocking"})) continue;
    std::string_view name = namedVariable(facts, call.arguments[0]);
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

/// A pointer passed to both launches, or empty.
std::string_view sharedPointer(const SourceFacts& facts, const Launch& a, const Launch& b) {
  for (TokenRange left : a.arguments) {
    std::string_view name = namedVariable(facts, left);
    if (name.empty() || left.end - left.begin != 1) continue;
    for (TokenRange right : b.arguments) {
      if (right.end - right.begin != 1 || facts.at(right.begin) != name) continue;
      TokenIndex declaration = declarationOf(facts, name, left.begin);
      if (declaration != noToken && facts.mentions(typeBefore(facts, declaration), {"__restrict__"})) return name;
      for (TokenIndex t = declaration == noToken ? 0 : typeBefore(facts, declaration).begin;
           declaration != noToken && t < declaration; ++t) {
        if (facts.is(t, "*")) return name;
      }
    }
  }
  return {};
}

}  // namespace

void detectStreamOrder(const SourceFacts& facts, Hits& hits) {
  for (TokenIndex t : facts.named("CUDA_API_PER_THREAD_DEFAULT_STREAM")) {
    if (t > 0 && facts.is(t - 1, "define") && isLive(facts, t)) {
      hits.add(t, "per-thread default stream asked for under a name that HIP does not read");
    }
  }
  std::vector<std::string_view> streams = nonBlockingStreams(facts);
  if (streams.empty()) return;
  std::vector<TokenIndex> points = orderingPoints(facts);
  const Launch* lastNull = nullptr;
  const Launch* lastStream = nullptr;
  std::uint32_t function = noToken;
  for (const Launch& launch : facts.launches) {
    std::uint32_t around = facts.functionOf[launch.open];
    if (around == noToken || facts.inDevice(launch.open) || !isLive(facts, launch.open)) continue;
    if (around != function) lastNull = lastStream = nullptr;
    function = around;
    bool onNull = isNullStream(facts, launch);
    std::string_view stream = onNull ? std::string_view() : namedVariable(facts, launch.configuration[3]);
    if (!onNull && std::find(streams.begin(), streams.end(), stream) == streams.end()) continue;
    const Launch* other = onNull ? lastStream : lastNull;
    if (other && !orderedBetween(points, other->open, launch.open)) {
      std::string_view pointer = sharedPointer(facts, *other, launch);
      if (!pointer.empty()) {
        hits.add(onNull ? launch.kernel : other->kernel, "null-stream launch shares '" + std::string(pointer) +
                                                             "' with a non-blocking stream and no event orders them");
      }
    }
    (onNull ? lastNull : lastStream) = &launch;
  }
}

namespace {

struct AsyncMemory {
  std::string_view stream;
  TokenIndex token;
};

/// One step of a function's timeline: what happens to stream-ordered memory, in token order.
struct Step {
  enum Kind { Allocate, Free, Use } kind;
  TokenIndex token;
  TokenRange pointer;
  TokenRange stream;
  const Launch* launch = nullptr;
};

std::vector<Step> timelineOf(const SourceFacts& facts) {
  std::vector<Step> steps;
  for (const Call& call : facts.calls({"cudaMallocAsync"})) {
    if (call.arguments.size() >= 3 && isLive(facts, call.name))
      steps.push_back({Step::Allocate, call.name, call.arguments[0], call.arguments.back()});
  }
  if (steps.empty()) return steps;
  for (const Call& call : facts.calls({"cudaFreeAsync"})) {
    if (call.arguments.size() >= 2 && isLive(facts, call.name))
      steps.push_back({Step::Free, call.name, call.arguments[0], call.arguments[1]});
  }
  for (const Launch& launch : facts.launches) {
    if (launch.configuration.size() >= 4 && isLive(facts, launch.open))
      steps.push_back({Step::Use, launch.kernel, {}, launch.configuration[3], &launch});
  }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.token < b.token; });
  return steps;
}

/// State of one function while its timeline is walked.
class AsyncWalk {
 public:
  AsyncWalk(const SourceFacts& facts, const std::vector<TokenIndex>& points, Hits& hits)
      : facts_(facts), points_(points), hits_(hits) {}

  void enter(std::uint32_t function) {
    if (function == function_) return;
    function_ = function;
    memory_.clear();
    lastFree_ = {};
  }
  void step(const Step& step) {
    std::string_view stream = facts_.textOf(step.stream);
    if (step.kind == Step::Use) return use(step, stream);
    std::string_view pointer = namedVariable(facts_, step.pointer);
    if (pointer.empty()) return;
    if (step.kind == Step::Allocate) {
      if (differs(lastFree_, stream, step.token)) {
        hits_.add(step.token,
                  "stream-ordered allocation right after a free on another stream: the pool may hand out live memory");
      }
      memory_[pointer] = {stream, step.token};
      return;
    }
    auto known = memory_.find(pointer);
    if (known != memory_.end() && differs(known->second, stream, step.token)) {
      hits_.add(step.token, "stream-ordered memory freed on another stream than it was allocated on, without an event");
    }
    lastFree_ = {stream, step.token};
  }

 private:
  bool differs(const AsyncMemory& memory, std::string_view stream, TokenIndex now) const {
    return !memory.stream.empty() && memory.stream != stream && !orderedBetween(points_, memory.token, now);
  }
  void use(const Step& step, std::string_view stream) {
    for (TokenRange argument : step.launch->arguments) {
      auto known = memory_.find(namedVariable(facts_, argument));
      if (known == memory_.end() || !differs(known->second, stream, step.token)) continue;
      hits_.add(step.token, "stream-ordered memory used on another stream than it was allocated on, without an event");
      return;
    }
  }

  const SourceFacts& facts_;
  const std::vector<TokenIndex>& points_;
  Hits& hits_;
  std::uint32_t function_ = noToken;
  std::map<std::string_view, AsyncMemory> memory_;
  AsyncMemory lastFree_{};
};

constexpr std::array<std::string_view, 22> refusedInCapture{"cudaMalloc",
                                                            "cudaMallocManaged",
                                                            "cudaMallocHost",
                                                            "cudaMallocPitch",
                                                            "cudaMalloc3D",
                                                            "cudaHostAlloc",
                                                            "cudaFree",
                                                            "cudaFreeHost",
                                                            "cudaHostRegister",
                                                            "cudaHostUnregister",
                                                            "cudaMemcpy",
                                                            "cudaMemcpy2D",
                                                            "cudaMemset",
                                                            "cudaDeviceSynchronize",
                                                            "cudaStreamSynchronize",
                                                            "cudaEventSynchronize",
                                                            "cudaEventQuery",
                                                            "cudaStreamQuery",
                                                            "cudaLaunchHostFunc",
                                                            "cudaStreamAddCallback",
                                                            "cudaMemcpyToSymbol",
                                                            "cudaMemcpyFromSymbol"};

}  // namespace

void detectAsyncAllocator(const SourceFacts& facts, Hits& hits) {
  std::vector<Step> steps = timelineOf(facts);
  if (steps.empty()) return;
  std::vector<TokenIndex> points = orderingPoints(facts);
  AsyncWalk walk(facts, points, hits);
  for (const Step& step : steps) {
    std::uint32_t function = facts.functionOf[step.token];
    if (function == noToken) continue;
    walk.enter(function);
    walk.step(step);
  }
}

namespace {

/// A node without dependencies in a graph that its function makes, throws away and never launches: a probe.
bool isProbeNode(const SourceFacts& facts, TokenIndex t) {
  auto call = facts.callAt(t);
  const Function* function = facts.enclosing(t);
  if (!call || !function || call->arguments.size() < 4 || facts.textOf(call->arguments[3]) != "0") return false;
  return occursIn(facts, function->body, {"cudaGraphDestroy"}) &&
         !occursIn(facts, function->body, {"cudaGraphLaunch", "cudaGraphAddDependencies"});
}

}  // namespace

void detectCapture(const SourceFacts& facts, Hits& hits) {
  for (std::string_view word : {"cudaGraphAddMemcpyNode", "cudaGraphAddMemcpyNode1D", "cudaGraphNodeSetEnabled",
                                "cudaGraphConditionalHandleCreate"}) {
    for (TokenIndex t : facts.named(word)) {
      if (!isLive(facts, t) || !facts.is(t + 1, "(") || facts.tokens[t].directive) continue;
      if (word == "cudaGraphConditionalHandleCreate")
        hits.add(t, "conditional graph nodes have no counterpart in HIP");
      else if (word == "cudaGraphNodeSetEnabled")
        hits.add(t, "a disabled graph node has lost its dependencies on ROCm: followers may start early");
      else if (!isProbeNode(facts, t))
        hits.add(t, "hand-made memcpy node: its dependency has been ignored on the first launch on ROCm");
    }
  }
  for (TokenRange capture : captureRanges(facts)) {
    for (std::string_view word : refusedInCapture) {
      auto uses = facts.named(word);
      for (auto use = std::lower_bound(uses.begin(), uses.end(), capture.begin);
           use != uses.end() && *use < capture.end; ++use) {
        if (!facts.is(*use + 1, "(") || !isLive(facts, *use)) continue;
        hits.add(*use, std::string(word) + " between begin and end of a stream capture: refused on ROCm 7 and later");
      }
    }
  }
}

}  // namespace unwarp::audit
