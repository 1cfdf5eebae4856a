// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What most targets do: audit bytes as a file of a name that the first byte chooses ('A' the first, 'B' the second,
// ...). Goes the whole way of one file: classification, reader, rules, suppressions. A finding is a crash, a sanitizer
// report, a time-out or memory far above the input's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "audit/audit.h"
#include "audit/file_outcome.h"
#include "audit/rule_engine.h"
#include "scan/dispatch.h"

namespace unwarp::fuzz {

/// The tables and all rules, made at the first call.
struct Scene {
  std::unique_ptr<knowledge::Knowledge> knowledge;
  audit::RuleEngine engine;
};

inline const Scene& scene() {
  static const Scene made = [] {
    auto knowledge = knowledge::Knowledge::load("");
    if (!knowledge) std::abort();
    audit::Options options;
    options.preview = true;
    auto engine = audit::RuleEngine::create(**knowledge, options);
    if (!engine) std::abort();
    return Scene{std::move(*knowledge), std::move(*engine)};
  }();
  return made;
}

inline int auditAs(std::initializer_list<std::string_view> names, const std::uint8_t* data, std::size_t sizeBytes) {
  if (sizeBytes == 0) return 0;
  const std::string_view name = names.begin()[static_cast<std::uint8_t>(data[0] - 'A') % names.size()];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, sizeBytes - 1);
  const scan::ReadContext context{*scene().knowledge};
  const std::vector<std::string> targets{"gfx942", "gfx1100", "gfx1250"};
  scan::readFile(context, std::string(name), {name, bytes}, [&](scan::FileFacts&& facts) {
    audit::judgeFile(scene().engine, *scene().knowledge, targets, std::move(facts), bytes);
  });
  return 0;
}

}  // namespace unwarp::fuzz
