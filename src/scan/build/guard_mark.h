// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers that share pieces (shell text, flags, embedded sources) cannot pass "guarded" through each of them; they mark
// afterwards.
#pragma once

#include <cstddef>

#include "scan/facts.h"

namespace unwarp::scan::build {

/// Marks what is appended to `out` during its life as guarded.
class GuardMark {
 public:
  GuardMark(FileFacts& out, bool guarded)
      : out_(out),
        guarded_(guarded),
        apis_(out.apis.size()),
        dependencies_(out.dependencies.size()),
        mentions_(out.mentions.size()) {}
  GuardMark(const GuardMark&) = delete;
  GuardMark& operator=(const GuardMark&) = delete;
  ~GuardMark() {
    if (!guarded_) return;
    for (std::size_t i = apis_; i < out_.apis.size(); ++i) out_.apis[i].guarded = true;
    for (std::size_t i = dependencies_; i < out_.dependencies.size(); ++i) out_.dependencies[i].guarded = true;
    for (std::size_t i = mentions_; i < out_.mentions.size(); ++i) out_.mentions[i].guarded = true;
  }

 private:
  FileFacts& out_;
  bool guarded_;
  std::size_t apis_, dependencies_, mentions_;
};

}  // namespace unwarp::scan::build
