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

/// IS_NVIDIA, _is_nvidia, is_nvidia_gpu.
bool isNvidiaWord(std::string_view name) {
  while (name.starts_with('_')) name.remove_prefix(1);
  return name.starts_with("is_nvidia") || name.starts_with("IS_NVIDIA");
}

/// A name that tells NVIDIA from AMD: those above, `torch.version.cuda`, a call `is_cuda()`. The attribute `is_cuda` of
/// a tensor is true on both.
bool isPlatformWord(const PyFile& file, std::uint32_t token) {
  const std::string_view name = file.at(token);
  if (build::isHipWord(name) || isNvidiaWord(name)) return true;
  if (name == "cuda") return token >= 2 && file.is(token - 1, ".") && file.is(token - 2, "version");
  return name == "is_cuda" && file.is(token + 1, "(") && file.is(token + 2, ")");
}

bool mentionsHip(const PyFile& file, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    if (file.isName(i) && (build::isHipWord(file.at(i)) || isNvidiaWord(file.at(i)))) return true;
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
    // Cython decides IF, ELIF and ELSE when it compiles.
    const bool opens = word == "if" || word == "IF";
    const bool elif = word == "elif" || word == "ELIF";
    const bool continues = elif || word == "else" || word == "ELSE";
    while (!chains_.empty() &&
           (current.indent < chains_.back().indent || (current.indent == chains_.back().indent && !continues)))
      close(index);
    if (opens) chains_.push_back({current.indent, index, false});
    if ((opens || elif) && !chains_.empty() && chains_.back().indent == current.indent)
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

bool isBehindPlatformTest(const PyFile& file, const PyLine& line, std::uint32_t token) {
  constexpr std::uint32_t farthest = 64;
  int depth = 0;  // of brackets that the walk has gone into; 0 is the level that holds `token`
  bool behindAnd = false, blocked = false;
  for (std::uint32_t i = token; i > line.first && token - i < farthest;) {
    --i;
    const std::string_view text = file.at(i);
    if (text == ")" || text == "]" || text == "}") {
      ++depth;
    } else if (text == "(" || text == "[" || text == "{") {
      if (depth > 0)
        --depth;
      else
        blocked = behindAnd = false;  // out of the innermost bracket: the operators of the next level decide
    } else if (depth == 0 && text == "and") {
      behindAnd = behindAnd || !blocked;
    } else if (depth == 0 && (text == "or" || text == "," || text == "if" || text == "else" || text == "=" ||
                              text == ":" || text == "return")) {
      blocked = true;
      behindAnd = false;
    } else if (behindAnd && file.isName(i) && isPlatformWord(file, i)) {
      return true;
    }
  }
  return false;
}

}  // namespace unwarp::scan::python
