// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline suppressions: a comment of any language that says `unwarp: ignore[W01, M02] reason`, on the line itself or on a line of its own above;
// `unwarp: ignore-file[...] reason`; `unwarp: begin-ignore[...] reason` to `unwarp: end-ignore`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::audit {

class Suppressions {
 public:
  /// Reads all marks of a text; cheap when there is none.
  explicit Suppressions(std::string_view text);
  bool empty() const { return marks_.empty(); }
  /// The reason when `rule` (id, name or group) is silenced on `line`, else null.
  const std::string* find(std::string_view id, std::string_view name, std::string_view group, std::uint32_t line);
  /// Marks without a reason or that silenced nothing: one message each.
  std::vector<std::string> complaints() const;

 private:
  struct Mark {
    std::vector<std::string> rules;
    std::uint32_t line, first, last;
    std::string reason;
    bool used = false;
  };
  std::vector<Mark> marks_;
};

}  // namespace unwarp::audit
