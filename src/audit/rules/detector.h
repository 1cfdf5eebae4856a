// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author's surface of a token rule: a function that looks at one file's facts and reports hits. Everything else
// (severity, layer, targets, status, documentation) comes from the rule's page under knowledge/rules.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scan/source_facts.h"

namespace unwarp::audit {

/// Collects hits of one rule in one file.
class Hits {
 public:
  struct Hit {
    scan::TokenIndex token;
    std::string message;
    std::int64_t sharedBytes = 0;  ///< LDS bytes the site asks for, when known: decides "lds-below-NNk" per target
  };
  /// `message`: lower-case, says what stands there and why it matters on AMD, no final stop, at most 160 characters.
  void add(scan::TokenIndex token, std::string message, std::int64_t sharedBytes = 0) {
    hits_.push_back({token, std::move(message), sharedBytes});
  }
  const std::vector<Hit>& all() const { return hits_; }
  void clear() { hits_.clear(); }

 private:
  std::vector<Hit> hits_;
};

struct Detector {
  std::string_view rule;  ///< "W01"
  void (*detect)(const scan::SourceFacts&, Hits&);
};

/// One list per rule group; the registry joins them.
std::span<const Detector> warpWidthDetectors();  // W
std::span<const Detector> laneMaskDetectors();   // M
std::span<const Detector> shuffleDetectors();    // S
std::span<const Detector> synchronyDetectors();  // Y
std::span<const Detector> groupDetectors();      // C
std::span<const Detector> launchDetectors();     // L
std::span<const Detector> assemblyDetectors();   // A
std::span<const Detector> runtimeDetectors();    // R
std::span<const Detector> numericsDetectors();   // N
std::span<const Detector> libraryDetectors();    // B

}  // namespace unwarp::audit
