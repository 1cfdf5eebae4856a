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

}  // namespace

std::vector<std::string> configureErrors(std::string_view output) {
  std::vector<std::string_view> lines = linesOf(output);
  auto isStart = [](std::string_view line) { return line.starts_with("CMake Error"); };
  auto start = std::find_if(lines.begin(), lines.end(), isStart);
  if (start == lines.end()) return firstErrors(lines);
  std::vector<std::string> why;
  // "CMake Error at CMakeLists.txt:12 (find_package):" or "CMake Error: text"
  std::string_view head = start->substr(std::string_view("CMake Error").size());
  std::string place(head.starts_with(" at ") ? head.substr(4, head.find(" (") - 4) : trim(head.substr(1)));
  bool placed = head.starts_with(" at ");
  if (!placed && !place.empty()) why.push_back(place);
  for (auto line = start + 1; line != lines.end() && why.size() < kShownLines; ++line) {
    if (isStart(*line) || line->starts_with("Call Stack") || line->starts_with("-- ")) break;
    std::string_view text = trim(*line);
    if (text.empty()) continue;
    why.push_back(why.empty() && placed ? place + ": " + std::string(text) : std::string(text));
  }
  if (why.empty()) why.push_back(place);
  return why;
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
