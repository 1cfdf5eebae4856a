// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detectors of group B: calls of math and communication libraries whose arguments do not mean the same on AMD. A call
// with default algorithms and matching compute types is left alone; only what names an algorithm, a layout, a search or
// a tuning variable is reported.
#include <algorithm>
#include <array>

#include "audit/rules/detector.h"
#include "audit/rules/token_queries.h"

namespace unwarp::audit {

namespace {

using scan::Call;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenKind;
using scan::TokenRange;

/// CUBLAS_GEMM_ALGO7, CUBLAS_GEMM_ALGO3_TENSOR_OP, or a cast of a number to cublasGemmAlgo_t.
bool namesAlgorithm(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.at(t).starts_with("CUBLAS_GEMM_ALGO")) return true;
    if (!facts.is(t, "cublasGemmAlgo_t")) continue;
    TokenIndex value = t + 1;
    while (value < range.end && (facts.is(value, ")") || facts.is(value, "(") || facts.is(value, ">"))) ++value;
    auto number = facts.evaluate({value, value + 1});
    return number && *number != 99;  // the default algorithms are -1 and 99
  }
  return false;
}

/// An `#if` for HIP inside the argument list: the author has chosen types and algorithms for AMD.
bool choosesForHip(const SourceFacts& facts, const Call& call) {
  for (TokenIndex t = call.name; t < call.end && t < facts.tokens.size(); ++t) {
    if (facts.branch[t] == scan::Branch::HipOnly) return true;
  }
  return false;
}

void detectGemmCalls(const SourceFacts& facts, Hits& hits) {
  for (const Call& call : facts.calls({"cublasGemmEx", "cublasGemmBatchedEx", "cublasGemmStridedBatchedEx",
                                       "cublasGemmEx_64", "cublasGemmStridedBatchedEx_64", "cublasGemmBatchedEx_64"})) {
    if (call.arguments.size() < 15 || !isLive(facts, call.name) || facts.tokens[call.name].directive) continue;
    if (choosesForHip(facts, call)) continue;
    TokenRange compute = call.arguments[call.arguments.size() - 2], algorithm = call.arguments.back();
    bool computeIsData = false, int8 = false;
    for (TokenIndex t = compute.begin; t < compute.end; ++t) computeIsData |= facts.at(t).starts_with("CUDA_R_");
    for (TokenRange argument : call.arguments) int8 |= facts.mentions(argument, {"CUDA_R_8I"});
    if (namesAlgorithm(facts, algorithm)) {
      hits.add(call.name,
               std::string(facts.at(call.name)) + " names a cuBLAS algorithm: the number means nothing to hipBLAS");
    } else if (computeIsData) {
      hits.add(call.name, std::string(facts.at(call.name)) +
                              " passes a data type as compute type: hipBLAS 3 takes hipblasComputeType_t only");
    } else if (int8) {
      hits.add(call.name,
               std::string(facts.at(call.name)) + " on int8 data: layout and alignment rules differ in hipBLAS");
    }
  }
}

void detectBlas(const SourceFacts& facts, Hits& hits) {
  detectGemmCalls(facts, hits);
  for (std::string_view word :
       {"cublasLtMatmulAlgoInit", "cublasLtMatmulAlgoGetIds", "cublasLtMatmulAlgoConfigSetAttribute"}) {
    for (TokenIndex t : facts.named(word)) {
      if (isLive(facts, t) && facts.is(t + 1, "(") && !facts.tokens[t].directive)
        hits.add(t, std::string(word) + ": algorithm ids and their settings are private to cuBLASLt");
    }
  }
  for (std::string_view word : {"CUBLASLT_ORDER_COL32", "CUBLASLT_ORDER_COL4_4R2_8C", "CUBLASLT_ORDER_COL32_2R_4R4"}) {
    for (TokenIndex t : facts.named(word)) {
      if (isLive(facts, t) && !facts.is(t - 1, "case"))
        hits.add(t, std::string(word) + ": packed int8 layout without a hipBLASLt counterpart");
    }
  }
}

void detectDnn(const SourceFacts& facts, Hits& hits) {
  for (std::string_view word : {"CUDNN_TENSOR_NHWC", "CUDNN_TENSOR_NCHW_VECT_C"}) {
    for (TokenIndex t : facts.named(word)) {
      bool argument =
          t > 0 && (facts.is(t - 1, ",") || facts.is(t - 1, "(")) && (facts.is(t + 1, ",") || facts.is(t + 1, ")"));
      if (argument && isLive(facts, t) && !facts.tokens[t].directive)
        hits.add(t, std::string(word) + " descriptor: MIOpen does not support this layout everywhere");
    }
  }
  for (const Call& call :
       facts.calls({"cudnnFindConvolutionForwardAlgorithm", "cudnnFindConvolutionForwardAlgorithmEx",
                    "cudnnFindConvolutionBackwardDataAlgorithm", "cudnnFindConvolutionBackwardDataAlgorithmEx",
                    "cudnnFindConvolutionBackwardFilterAlgorithm", "cudnnFindConvolutionBackwardFilterAlgorithmEx"})) {
    if (!isLive(facts, call.name) || call.arguments.size() < 6 || facts.tokens[call.name].directive) continue;
    hits.add(call.name,
             "algorithm search of cuDNN: MIOpen must search before the first run and its solvers round differently");
  }
}

constexpr std::array<std::string_view, 17> tuningVariables{
    "NCCL_PROTO",         "NCCL_ALGO",          "NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS", "NCCL_NTHREADS",
    "NCCL_BUFFSIZE",      "NCCL_P2P_LEVEL",     "NCCL_NVLS_ENABLE",   "NCCL_TOPO_FILE",     "NCCL_GRAPH_FILE",
    "NCCL_TUNER_PLUGIN",  "NCCL_CROSS_NIC",     "NCCL_LL_THRESHOLD",  "NCCL_MIN_CTAS",      "NCCL_MAX_CTAS",
    "NCCL_NET_GDR_LEVEL", "NCCL_COLLNET_ENABLE"};

void detectCommunication(const SourceFacts& facts, Hits& hits) {
  for (const Call& call : facts.calls({"setenv", "putenv", "_putenv_s", "SetEnvironmentVariableA"})) {
    if (call.arguments.empty() || !isLive(facts, call.name)) continue;
    std::string_view text;
    for (TokenIndex t = call.arguments[0].begin; t < call.arguments[0].end && text.empty(); ++t)
      text = literalText(facts, t);
    text = text.substr(0, text.find('='));
    if (std::find(tuningVariables.begin(), tuningVariables.end(), text) == tuningVariables.end()) continue;
    hits.add(call.name, std::string(text) + " tunes NCCL: RCCL has other protocols, channels and topologies");
  }
  std::vector<TokenRange> captures = captureRanges(facts);
  if (captures.empty()) return;
  for (const Call& call : facts.calls({"ncclAllReduce", "ncclBroadcast", "ncclBcast", "ncclReduce", "ncclAllGather",
                                       "ncclReduceScatter", "ncclSend", "ncclRecv", "ncclAlltoAll"})) {
    bool captured = std::any_of(captures.begin(), captures.end(), [&](TokenRange r) { return r.contains(call.name); });
    if (captured && isLive(facts, call.name))
      hits.add(call.name,
               std::string(facts.at(call.name)) + " during stream capture: RCCL has returned wrong sums in graph mode");
  }
}

constexpr std::array<Detector, 3> detectors{{{"B01", detectBlas}, {"B02", detectDnn}, {"B03", detectCommunication}}};

}  // namespace

std::span<const Detector> libraryDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
