// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author's surface of a token rule: a function that looks at one file's facts and reports hits. Everything else
// (severity, layer, targets, status, documentation) comes from the rule's page under knowledge/rules.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scan/source_facts.h"

namespace unwarp::audit {

namespace patterns {
class WarpModel;
}

/// Collects hits of one rule in one file.
class Hits {
 public:
  struct Hit {
    scan::TokenIndex token;
    std::string message;
    std::int64_t sharedBytes = 0;  ///< LDS bytes the site asks for, when known: decides "lds-below-NNk" per target
    int lanes = 0;                 ///< 32 or 64: only devices with waves of that many lanes are concerned
    std::string_view condition;    ///< a word of a page's `applies` that decides instead of the page; empty: the page
  };
  /// `message`: lower-case, says what stands there and why it matters on AMD, no final stop, at most 160 characters.
  void add(scan::TokenIndex token, std::string message, std::int64_t sharedBytes = 0) {
    hits_.push_back({token, std::move(message), sharedBytes, 0, {}});
  }
  /// A site that goes wrong only where a wave has that many lanes.
  void addForWaves(int lanes, scan::TokenIndex token, std::string message) {
    hits_.push_back({token, std::move(message), 0, lanes, {}});
  }
  /// A site that concerns only the devices for which `condition` holds: a literal, one of the words of `applies`.
  void addWhere(std::string_view condition, scan::TokenIndex token, std::string message) {
    hits_.push_back({token, std::move(message), 0, 0, condition});
  }
  const std::vector<Hit>& all() const { return hits_; }
  /// Hands the hits over and starts anew.
  std::vector<Hit> take() { return std::exchange(hits_, {}); }

 private:
  std::vector<Hit> hits_;
};

/// What a rule looks at: the file's tokens, or the model of its warps as well. The model is built once for all rules of
/// a file, so a rule that asks for it costs no more than its own questions.
struct Detector {
  using OverTokens = void (*)(const scan::SourceFacts&, Hits&);
  using OverWarps = void (*)(const patterns::WarpModel&, Hits&);
  constexpr Detector(std::string_view id, OverTokens detect) : rule(id), overTokens(detect) {}
  constexpr Detector(std::string_view id, OverWarps detect) : rule(id), overWarps(detect) {}

  std::string_view rule;  ///< "W01"
  OverTokens overTokens = nullptr;
  OverWarps overWarps = nullptr;  ///< exactly one of the two is set
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
