// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/build_log.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::trial {
namespace {

constexpr std::size_t kShownLines = 3, kShownFailures = 200;

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  LineReader reader(text);
  for (std::string_view line; reader.next(line);) lines.push_back(line);
  return lines;
}

bool has(std::string_view line, std::string_view word) {
  return line.find(word) != std::string_view::npos;
}

// "make[2]: *** [Makefile:12: app] Error 1", also of CMake's makefiles.
bool isMakeStop(std::string_view line) {
  return line.starts_with("make") && has(line, "*** ");
}

bool isError(std::string_view line) {
  if (isMakeStop(line)) return false;
  for (std::string_view word :
       {"error:", "error :", "fatal error", "fatal   :", "undefined reference to", "undefined symbol", "cannot find -l",
        "command not found", "No such file or directory", "not found", "multiple definition of", "Error: "})
    if (has(line, word)) return true;
  return false;
}

// What failed: the part in brackets without the place of the recipe.
std::string targetOf(std::string_view stop) {
  std::size_t open = stop.find('['), close = stop.rfind(']');
  std::size_t stars = stop.find("*** ");
  if (stars != std::string_view::npos) open = stop.find('[', stars);
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::string(trim(stop.substr(std::min(stars + 4, stop.size()))));
  std::string_view inside = stop.substr(open + 1, close - open - 1);
  std::size_t colon = inside.rfind(": ");
  return std::string(colon == std::string_view::npos ? inside : inside.substr(colon + 2));
}

// A make that gave up because a make or target below did: it has no output of its own.
bool isFollower(std::string_view stop) {
  return has(stop, "/all] Error") || has(stop, "/rule] Error") || has(stop, ": all] Error") ||
         has(stop, "not remade because of errors") || has(stop, "[all] Error");
}

std::vector<std::string> shown(const std::vector<std::string_view>& lines) {
  std::vector<std::string> texts;
  for (std::string_view line : lines) {
    line = trim(line);
    if (!line.empty() && texts.size() < kShownLines) texts.emplace_back(line);
  }
  return texts;
}

// The lines from the first that is an error; without one, the last lines.
std::vector<std::string> firstErrors(const std::vector<std::string_view>& lines) {
  std::vector<std::string_view> errors;
  for (std::string_view line : lines)
    if (isError(line)) errors.push_back(line);
  if (!errors.empty()) return shown(errors);
  std::vector<std::string_view> said;
  for (std::string_view line : lines)
    if (!trim(line).empty()) said.push_back(line);
  if (said.size() > kShownLines) said.erase(said.begin(), said.end() - kShownLines);
  return shown(said);
}

constexpr std::string_view kCMakeError = "CMake Error";

// "CMakeLists.txt:12" of "CMakeLists.txt:12 (find_package):"; empty when no place is named.
std::string_view placeIn(std::string_view text) {
  std::size_t command = text.find(" (");
  return command == std::string_view::npos ? std::string_view() : text.substr(0, command);
}

// One error of CMake, which begins at `lines[at]`: its place and the first paragraph of its text. An error inside a
// module is the project's line that asked for the module, which is the last one of the call stack.
std::string cmakeError(const std::vector<std::string_view>& lines, std::size_t at) {
  std::string_view head = lines[at].substr(kCMakeError.size());
  std::string place(head.starts_with(" at ") ? placeIn(head.substr(4)) : "");
  std::string text(place.empty() ? trim(head.substr(std::min<std::size_t>(1, head.size()))) : "");
  bool inText = true, inStack = false;
  for (std::size_t i = at + 1; i < lines.size() && !lines[i].starts_with(kCMakeError); ++i) {
    std::string_view line = trim(lines[i]);
    if (line.starts_with("Call Stack")) {
      inStack = true;
    } else if (inStack && line.empty()) {
      break;
    } else if (inStack) {
      place = placeIn(line);
    } else if (line.starts_with("-- ")) {
      break;
    } else if (line.empty()) {
      inText = text.empty();
    } else if (inText) {
      text += (text.empty() ? "" : " ") + std::string(line);
    }
  }
  return place.empty() ? text : place + ": " + text;
}

}  // namespace

std::vector<std::string> configureErrors(std::string_view output) {
  std::vector<std::string_view> lines = linesOf(output);
  std::vector<std::string> why;
  for (std::size_t i = 0; i < lines.size() && why.size() < kShownLines; ++i)
    if (lines[i].starts_with(kCMakeError)) why.push_back(cmakeError(lines, i));
  return why.empty() ? firstErrors(lines) : why;
}

std::vector<result::BuildFailure> makeFailures(std::string_view output) {
  std::vector<result::BuildFailure> failures;
  std::vector<std::string_view> chunk;
  for (std::string_view line : linesOf(output)) {
    if (!isMakeStop(line)) {
      chunk.push_back(line);
      continue;
    }
    bool silent = std::none_of(chunk.begin(), chunk.end(), isError);
    if (!(isFollower(line) && silent) && failures.size() < kShownFailures)
      failures.push_back({targetOf(line), firstErrors(chunk)});
    chunk.clear();
  }
  return failures;
}

std::vector<std::string> compilerErrors(std::string_view output) {
  return firstErrors(linesOf(output));
}

}  // namespace unwarp::trial
