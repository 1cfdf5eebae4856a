// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline suppressions: a comment of any language that says `unwarp: ignore[W01, M02] reason`, on the line itself or on
// a line of its own above; `unwarp: ignore-file[...] reason`; `unwarp: begin-ignore[...] reason` to `unwarp:
// end-ignore`. A rule is named by id, name or group; `all` names every rule.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scan/facts.h"

namespace unwarp::audit {

class Suppressions {
 public:
  /// No marks.
  Suppressions() = default;
  /// Reads the marks of a text of any language; cheap when there is none. What stands inside quotes is no comment.
  explicit Suppressions(std::string_view text);
  /// Reads the marks of code inside another file; each line says which line of the file is its own and which is next.
  explicit Suppressions(std::span<const scan::MarkedLine> lines);
  /// Reads the marks inside `comments` (offset and length in `text`, ascending) only.
  Suppressions(std::string_view text, std::span<const std::pair<std::uint32_t, std::uint32_t>> comments);

  bool empty() const { return marks_.empty() && complaints_.empty(); }
  /// The reason when a rule (id, name or group) is silenced on `line`, else null. To be asked once for each finding, in
  /// the order of lines: what was not silenced is named by the complaints about marks that missed it.
  const std::string* find(std::string_view id, std::string_view name, std::string_view group, std::uint32_t line);
  /// Marks that are malformed, without a reason, that name a rule that does not exist (`whyUnknown` then says which may
  /// be meant), or that silenced nothing although one of their rules ran.
  std::vector<std::string> complaints(const std::function<bool(std::string_view rule)>& ran,
                                      const std::function<std::string(std::string_view rule)>& whyUnknown) const;

 private:
  struct Mark {
    std::vector<std::string> rules;
    std::uint32_t line, next, first, last;
    std::string reason;
    bool used = false, alone = false;
  };
  /// The mark at `at` of a line; `next` is the line that a mark of its own means.
  void readMark(std::string_view line, std::size_t at, std::uint32_t number, std::uint32_t next);
  void finish();
  void complain(std::uint32_t line, std::string_view what);
  const std::string* use(std::size_t mark, std::string_view id, std::string_view name, std::string_view group);
  /// What an unused mark that is not too far from a finding of its rule is told, else that it is to be removed.
  std::string advice(const Mark& mark) const;

  std::vector<Mark> marks_;
  std::vector<std::string> complaints_;
  std::vector<std::size_t> open_;    ///< begin-ignore without its end so far
  std::vector<std::size_t> ranges_;  ///< marks of more than one line
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> byLine_;
  struct Missed {
    std::string name, group;
    std::vector<std::uint32_t> lines;  ///< ascending
  };
  std::map<std::string, Missed, std::less<>> missed_;  ///< findings that no mark silenced, by the id of their rule
};

}  // namespace unwarp::audit
