// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain (`if ... elif ... else`) is guarded as a whole when any of its conditions mentions HIP: the author has
// thought about AMD there, whichever branch the CUDA name stands in. Indentation decides what belongs to a branch. An
// early return under such a condition does not guard what follows it: that would hide too much.
//
// A test is guarded as a whole when a mark leaves it out by platform: `@pytest.mark.skipif(is_hip(), ...)`,
// `@requires_cuda`, `pytestmark = ...` for the rest of its class or file. `torch.cuda.is_available()` is true on ROCm
// and is no such mark.
#include "scan/python/python_guards.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "scan/build/hip_words.h"

namespace unwarp::scan::python {
namespace {

/// An open branch chain: the `if` line's indentation, the first line of the chain, whether a condition mentioned HIP.
struct Chain {
  std::uint32_t indent;
  std::size_t firstLine;
  bool hip;
  bool decorates = false;  ///< marks in front of a function or class, whose head has not come yet
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

bool containsAny(std::string_view text, std::initializer_list<std::string_view> pieces) {
  return std::any_of(pieces.begin(), pieces.end(),
                     [text](std::string_view piece) { return text.find(piece) != std::string_view::npos; });
}

/// `sm_89`, `is_sm_at_least_89`, `SM90OrLater`, `get_device_capability`: generations of NVIDIA's GPUs.
bool isGenerationWord(std::string_view name) {
  std::string lower = toLower(name);
  if (lower.find("capability") != std::string::npos) return true;
  for (std::size_t at = lower.find("sm"); at != std::string::npos; at = lower.find("sm", at + 1)) {
    bool starts = at == 0 || lower[at - 1] == '_';
    bool numbered = lower.find_first_of("0123456789", at + 2) != std::string::npos;
    bool goesOn = at + 2 < lower.size() && lower[at + 2] >= 'a' && lower[at + 2] <= 'z';
    if (starts && numbered && !goesOn) return true;
  }
  return false;
}

/// A line that leaves a test out on AMD: a mark of skipping with a word of the platform in it, or one that is called by
/// the platform it wants.
bool isPlatformMark(const PyFile& file, const PyLine& line) {
  bool skips = false, platform = false;
  for (std::uint32_t i = line.first; i < line.last; ++i) {
    if (!file.isName(i)) continue;
    std::string lower = toLower(file.at(i));
    skips |= containsAny(lower, {"skip", "require", "only"});
    platform |= isPlatformWord(file, i) || isGenerationWord(lower) || lower.find("nvidia") != std::string::npos ||
                containsAny(lower, {"requires_cuda", "require_cuda", "onlycuda", "only_cuda"});
  }
  return skips && platform;
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
    while (count_ < file_.lines.size() && file_.lines[count_].parent == count_) ++count_;
    for (std::size_t i = 0; i < count_; ++i) line(i);
    while (!chains_.empty()) close(count_);
    int open = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      open += guarded_[i];
      file_.lines[i].guarded |= open > 0;
    }
    for (std::size_t i = count_; i < file_.lines.size(); ++i)
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
    const bool mark = word == "@";
    while (!chains_.empty() && (current.indent < chains_.back().indent ||
                                (current.indent == chains_.back().indent && !continues && !chains_.back().decorates)))
      close(index);
    if (!chains_.empty() && chains_.back().decorates && current.indent == chains_.back().indent) {
      chains_.back().decorates = mark;  // the head of what is marked is the last line of this indentation
      if (mark) chains_.back().hip |= isPlatformMark(file_, current);
    } else if (mark) {
      chains_.push_back({current.indent, index, isPlatformMark(file_, current), true});
    }
    if (word == "pytestmark" && isPlatformMark(file_, current)) guardRest(current.indent, index);
    if (opens) chains_.push_back({current.indent, index, false});
    if ((opens || elif) && !chains_.empty() && chains_.back().indent == current.indent)
      chains_.back().hip |= mentionsHip(file_, current.first, conditionEnd(file_, current));
    if (hasGuardedExpression(file_, current)) current.guarded = true;
  }

  /// To the end of the class or file that a line of this indentation stands in.
  void guardRest(std::uint32_t indent, std::size_t index) {
    std::size_t end = index;
    while (end < count_ && file_.lines[end].indent >= indent) ++end;
    ++guarded_[index];
    --guarded_[end];
  }

  void close(std::size_t endLine) {
    const Chain chain = chains_.back();
    chains_.pop_back();
    if (!chain.hip) return;
    ++guarded_[chain.firstLine];
    --guarded_[endLine];
  }

  PyFile& file_;
  std::size_t count_ = 0;  ///< lines of the file itself; those of strings with code in them come behind
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
