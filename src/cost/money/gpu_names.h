// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which GPU a text means: "NVIDIA H200-SXM-141GB", "cluster:mi355x-amds", "AMD Instinct MI300X 192GB HBM3". A text is
// cut into words at everything that is no letter or digit, and a name is known by whole words, so that "GB200" never
// counts as "B200". Names with more words win ("H100 NVL" before "H100").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "knowledge/knowledge.h"

namespace unwarp::cost::money {

class GpuNames {
 public:
  /// Reads knowledge/cost/gpus.tsv and instances.tsv.
  static Result<GpuNames> load(const knowledge::Knowledge& knowledge);

  /// Every GPU that `text` names, in order of first mention in the table; two or more mean a mixed system.
  std::vector<std::string_view> in(std::string_view text) const;
  /// The one GPU that `text` names; empty when it names none or several.
  std::string_view find(std::string_view text) const;
  /// LLVM name of a GPU ("gfx942"), empty for an unknown one.
  std::string_view target(std::string_view gpu) const;
  /// "unknown GPU 'H10'; did you mean H100?"
  std::string unknown(std::string_view text) const;

  struct Instance {
    std::string name, gpu;
    int gpus = 0;
  };
  /// The cloud instance whose name stands in `text`, or null.
  const Instance* instance(std::string_view text) const;

 private:
  struct Entry {
    std::vector<std::string> words;
    std::string gpu, target;
  };
  std::vector<Entry> entries_;       ///< most words first
  std::vector<Instance> instances_;  ///< longest name first
};

}  // namespace unwarp::cost::money
