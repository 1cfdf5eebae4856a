// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shell text as simple commands: what a reader needs to know which programs run, with which words, on which lines.
// Tolerant on purpose: it accepts sh, bash, csh, most of PowerShell and cmd, Make recipes and templated text, and never
// fails. It expands nothing; `$(...)`, backticks and process substitutions are parsed as commands of their own. Limits:
// no aliases, no functions, no evaluation of conditions; nesting stops at a fixed depth and says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan {

/// One word after quote removal. Expansions stay as written.
struct ShellWord {
  std::string text;
  std::uint32_t line = 0;
  bool quoted = false;  ///< began with a quote, so it is no keyword and no assignment
};

/// One simple command: words up to `;`, `&&`, `|`, a line break or a bracket.
struct ShellCommand {
  std::vector<ShellWord> words;
  std::vector<std::string> redirects;  ///< targets of > >> < &>
  std::string_view hereDocument;       ///< body of the first <<, or empty
  std::uint32_t hereDocumentLine = 0;
  bool pipedFrom = false;  ///< reads the output of the command before it
  bool guarded = false;    ///< inside an if or case one of whose conditions asks for ROCm
};

/// A scheduler directive in a comment: `#SBATCH --gres=gpu:1`.
struct SchedulerDirective {
  std::string_view scheduler;  ///< SBATCH, PBS, BSUB, $, FLUX
  std::string_view text;       ///< what follows
  std::uint32_t line = 0;
};

struct ShellScript {
  std::vector<ShellCommand> commands;
  std::vector<SchedulerDirective> directives;
  bool tooDeep = false;  ///< something nested deeper than the limit was left out
};

/// Parses `text`, whose first line has number `firstLine`. Views in the result point into `text`. Linear time.
ShellScript parseShell(std::string_view text, std::uint32_t firstLine);

/// Whether `text` names ROCm, HIP or AMD GPUs as a word: what a condition of a portable script asks for.
bool mentionsRocm(std::string_view text);

/// `NAME` of `NAME=value` or `NAME+=value`, or empty when the text is no assignment.
std::string_view assignmentName(std::string_view text);
/// `value` of an assignment.
std::string_view assignmentValue(std::string_view text);

}  // namespace unwarp::scan
