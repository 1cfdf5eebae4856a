// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain (`if ... elif ... else`) is guarded as a whole when any of its conditions mentions HIP: the author has
// thought about AMD there, whichever branch the CUDA name stands in. Indentation decides what belongs to a branch. An
// early return under such a condition does not guard what follows it: that would hide too much.
#include "scan/python/python_guards.h"

#include <vector>

#include "scan/build/hip_words.h"

namespace unwarp::scan::python {
namespace {

/// An open branch chain: the `if` line's indentation, the first line of the chain, whether a condition mentioned HIP.
struct Chain {
  std::uint32_t indent;
  std::size_t firstLine;
  bool hip;
};

bool mentionsHip(const PyFile& file, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    if (file.isName(i) && build::isHipWord(file.at(i))) return true;
    if (!file.isString(i)) continue;
    const std::string_view body = openString(file.at(i)).body;
    if (body.size() <= 40 && body.find(' ') == std::string_view::npos && build::isHipWord(body)) return true;
  }
  return false;
}

/// The end of the condition in `if CONDITION:`, so that a body on the same line does not count.
std::uint32_t conditionEnd(const PyFile& file, const PyLine& line) {
  int depth = 0;
  for (std::uint32_t i = line.first; i < line.last; ++i) {
    const std::string_view text = file.at(i);
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}") --depth;
    if (text == ":" && depth == 0) return i;
  }
  return line.last;
}

/// `a if CONDITION else b` with HIP in it.
bool hasGuardedExpression(const PyFile& file, const PyLine& line) {
  for (std::uint32_t i = line.first + 1; i + 1 < line.last; ++i)
    if (file.isName(i) && file.is(i, "if")) return mentionsHip(file, i, line.last);
  return false;
}

class Marker {
 public:
  explicit Marker(PyFile& file) : file_(file) {}

  void run() {
    guarded_.assign(file_.lines.size() + 1, 0);
    std::size_t count = 0;
    while (count < file_.lines.size() && file_.lines[count].parent == count) ++count;
    for (std::size_t i = 0; i < count; ++i) line(i);
    while (!chains_.empty()) close(count);
    int open = 0;
    for (std::size_t i = 0; i < count; ++i) {
      open += guarded_[i];
      file_.lines[i].guarded |= open > 0;
    }
    for (std::size_t i = count; i < file_.lines.size(); ++i)
      file_.lines[i].guarded = file_.lines[file_.lines[i].parent].guarded;
  }

 private:
  void line(std::size_t index) {
    PyLine& current = file_.lines[index];
    const std::string_view word = file_.at(current.first);
    const bool continues = word == "elif" || word == "else";
    while (!chains_.empty() &&
           (current.indent < chains_.back().indent || (current.indent == chains_.back().indent && !continues)))
      close(index);
    if (word == "if") chains_.push_back({current.indent, index, false});
    if ((word == "if" || word == "elif") && !chains_.empty() && chains_.back().indent == current.indent)
      chains_.back().hip |= mentionsHip(file_, current.first, conditionEnd(file_, current));
    if (hasGuardedExpression(file_, current)) current.guarded = true;
  }

  void close(std::size_t endLine) {
    const Chain chain = chains_.back();
    chains_.pop_back();
    if (!chain.hip) return;
    ++guarded_[chain.firstLine];
    --guarded_[endLine];
  }

  PyFile& file_;
  std::vector<Chain> chains_;
  std::vector<int> guarded_;  ///< +1 where a guarded chain begins, -1 behind its end
};

}  // namespace

void markGuardedLines(PyFile& file) {
  Marker(file).run();
}

}  // namespace unwarp::scan::python
