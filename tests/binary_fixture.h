// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small fact table of their own for the tests of src/scan/binary, so that they stay true when knowledge/ grows.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "knowledge/knowledge.h"
#include "scan/facts.h"

namespace unwarp::tests {

inline std::string dependencyRow(const std::string& id, const std::string& ecosystem, const std::string& match) {
  return id + '\t' + ecosystem + '\t' + match + "\tbinary\t\tport\t\tyes\t\ttest\t2026\n";
}

inline std::unique_ptr<knowledge::Knowledge> binaryKnowledge() {
  std::string rows = "id\tecosystem\tmatch\tword\tcounterpart\tstatus\tby_target\tconfirmed\tnote\tsource\tas_of\n" +
                     dependencyRow("cubin", "file", "*.cubin") + dependencyRow("ptx", "file", "*.ptx") +
                     dependencyRow("cublas", "lib", "libcublas.so") + dependencyRow("driver", "lib", "libcuda.so") +
                     dependencyRow("cudart", "lib", "libcudart.so") + dependencyRow("cupy", "pypi", "cupy-cuda12x") +
                     dependencyRow("cudart-static", "lib", "libcudart_static.a") +
                     dependencyRow("nvml", "lib", "libnvidia-ml.so") + dependencyRow("fatbin", "section", ".nv_fatbin");
  const std::string apis =
      "name\tkind\tlibrary\thip\troc\tstatus\tcontext\tcuda_since\tcuda_deprecated\tcuda_removed\thip_since\t"
      "hip_removed\tnote\tsource\tas_of\n"
      "cudaMalloc\tfunction\tbinary\thipMalloc\t\tport\tany\t\t\t\t\t\t\ttest\t2026\n"
      "cuInit\tfunction\tbinary\thipInit\t\tport\tany\t\t\t\t\t\t\ttest\t2026\n";
  auto loaded = knowledge::Knowledge::parse(
      {{"knowledge/FACTS_DATE", "2026-01-01\n"},
       {"knowledge/layers.tsv", "word\tlayer\tsource\tas_of\nbinary\tkernels\ttest\t2026\n"},
       {"knowledge/apis/test.tsv", apis},
       {"knowledge/dependencies.tsv", rows}});
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error());
  return loaded ? std::move(*loaded) : nullptr;
}

/// "cudart 12.0.107, fatbin sm_80": the uses in order of their ids.
inline std::string usesOf(const knowledge::Knowledge& knowledge, const scan::FileFacts& facts) {
  std::vector<std::string> uses;
  for (const scan::DependencyUse& use : facts.dependencies) {
    std::string text(knowledge.dependencies()[use.record].id);
    if (!use.version.empty()) text += ' ' + use.version;
    uses.push_back(text);
  }
  std::sort(uses.begin(), uses.end());
  std::string out;
  for (const std::string& use : uses) out += (out.empty() ? "" : ", ") + use;
  return out;
}

/// True when some note contains `text`.
inline bool noted(const std::vector<std::string>& notes, std::string_view text) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return note.find(text) != note.npos; });
}

}  // namespace unwarp::tests
