// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of the source reader: a small knowledge base of C++ names, the sites of one text as short lines
// ("cudaMalloc@3:5"), tokens by spelling, and texts that are long on purpose. `!` marks a guarded site.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "scan/readers.h"
#include "scan/source_facts.h"

namespace unwarp::scan::testing {

/// name, kind, status, context, name in HIP; HIP has drop-in names under the same name.
inline std::string sourceApis() {
  std::string rows =
      "name\tkind\tlibrary\thip\troc\tstatus\tcontext\tcuda_since\tcuda_deprecated\tcuda_removed\thip_since\t"
      "hip_removed\tnote\tsource\tas_of\n";
  struct Row {
    std::string_view name, kind, status, context, hip = "hipX";
  };
  for (const Row& row : {Row{"<<<>>>", "keyword", "drop-in", "any"},
                         Row{"__global__", "keyword", "drop-in", "any"},
                         Row{"__launch_bounds__", "keyword", "partial", "any", "__launch_bounds__"},
                         Row{"atomicAdd", "function", "drop-in", "gpu"},
                         Row{"cub", "namespace", "port", "qualified"},
                         Row{"cub::BlockReduce", "class", "port", "qualified"},
                         Row{"cuda_runtime.h", "header", "port", "include"},
                         Row{"cooperative_groups", "namespace", "partial", "qualified"},
                         Row{"cooperative_groups::this_grid", "function", "partial", "qualified"},
                         Row{"cooperative_groups::thread_block", "class", "partial", "qualified"},
                         Row{"cudaError_t", "type", "port", "any"},
                         Row{"cudaFree", "function", "port", "any"},
                         Row{"cudaMalloc", "function", "port", "any"},
                         Row{"cudaSuccess", "enum", "port", "any"},
                         Row{"dim3", "type", "drop-in", "gpu"},
                         Row{"half", "type", "drop-in", "gpu"},
                         Row{"max", "function", "drop-in", "device"},
                         Row{"mma.sync", "instruction", "none", "asm"},
                         Row{"thrust", "namespace", "drop-in", "qualified"},
                         Row{"thrust/sort.h", "header", "drop-in", "include"},
                         Row{"thrust::sort", "function", "drop-in", "qualified"},
                         Row{"warpSize", "keyword", "partial", "gpu", "warpSize"}}) {
    rows += std::string(row.name) + "\t" + std::string(row.kind) + "\truntime\t" +
            (row.status == "drop-in" ? std::string(row.name) : std::string(row.hip)) + "\t\t" +
            std::string(row.status) + "\t" + std::string(row.context) + "\t\t\t\t\t\t\ttest\t2026\n";
  }
  return rows;
}

inline const knowledge::Knowledge& sourceKnowledge() {
  static const std::unique_ptr<knowledge::Knowledge> tables = [] {
    auto parsed = knowledge::Knowledge::parse(
        {{"knowledge/FACTS_DATE", "2026-11-30\n"},
         {"knowledge/layers.tsv", "word\tlayer\tsource\tas_of\nruntime\truntime\ttest\t2026\n"},
         {"knowledge/apis/test.tsv", sourceApis()}});
    if (!parsed) ADD_FAILURE() << parsed.error();
    return parsed ? std::move(*parsed) : nullptr;
  }();
  return *tables;
}

inline LexedFile lexed(std::string_view text) {
  LexedFile file;
  lex(text, sourceKnowledge(), file);
  return file;
}

/// Spellings of all tokens, joined by blanks.
inline std::string spellings(std::string_view text) {
  std::string out;
  for (const Token& token : lexed(text).tokens) {
    if (!out.empty()) out += ' ';
    out += text.substr(token.offset, token.length);
  }
  return out;
}

inline SourceFacts factsOf(std::string_view text, std::string_view path = "a.cu") {
  return SourceFacts(path, text, lexed(text), sourceKnowledge());
}

/// API sites as "name@line:column", in order of place.
inline std::string sites(std::string_view text, std::string_view path = "a.cu") {
  FileFacts facts;
  facts.path = path;
  readSource(ReadContext{sourceKnowledge()}, {path, text}, facts);
  std::sort(facts.apis.begin(), facts.apis.end(),
            [](const ApiUse& a, const ApiUse& b) { return std::tie(a.line, a.column) < std::tie(b.line, b.column); });
  std::string out;
  for (const ApiUse& use : facts.apis) {
    if (!out.empty()) out += ' ';
    out += std::string(sourceKnowledge().apis()[use.record].name) + "@" + std::to_string(use.line) + ":" +
           std::to_string(use.column) + (use.guarded ? "!" : "");
  }
  return out;
}

inline std::string repeated(std::string_view piece, std::size_t times) {
  std::string out;
  out.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

/// Seconds that `work` takes. Quadratic work on the sizes used here takes minutes, so a generous limit tells the two
/// apart.
template <class Work>
double secondsOf(Work work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
inline constexpr double generousSeconds = 20;

}  // namespace unwarp::scan::testing
