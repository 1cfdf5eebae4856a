// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace unwarp::cli {

namespace {

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != 0;
}

bool localeIsUtf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!isSet(variable)) continue;
    std::string value = toLower(std::getenv(variable));
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

int fail(std::string_view message) {
  std::string line = "unwarp: " + std::string(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  return 2;
}

bool printOut(std::string_view text) {
  while (!text.empty()) {
    ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      if (errno != EPIPE) fail(std::string("cannot write to standard output: ") + std::strerror(errno));
      return errno == EPIPE;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::string wrapped(std::string_view text, std::size_t indent) {
  constexpr std::size_t width = 80;
  std::string result;
  std::size_t column = indent;
  for (std::string_view word : words(text)) {
    if (column > indent && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

Result<report::TerminalOptions> terminalOptions(std::string_view when) {
  report::TerminalOptions options;
  bool terminal = isatty(STDOUT_FILENO) != 0;
  winsize size{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) options.width = size.ws_col;
  if (when == "always")
    options.color = true;
  else if (when == "never")
    options.color = false;
  else if (when.empty() || when == "auto")
    options.color =
        (terminal && !isSet("NO_COLOR") && std::string_view(isSet("TERM") ? std::getenv("TERM") : "") != "dumb") ||
        isSet("CLICOLOR_FORCE");
  else
    return Error{"--color must be auto, always or never, not '" + std::string(when) + "'"};
  options.ascii = !localeIsUtf8();
  return options;
}

ProgressLine::ProgressLine(const audit::Progress& progress, bool quiet) : progress_(progress) {
  if (quiet || isatty(STDERR_FILENO) == 0 || isSet("CI")) return;
  thread_ = std::thread([this] { show(); });
}

ProgressLine::~ProgressLine() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void ProgressLine::show() {
  bool shown = false;
  for (int tick = 0; !stop_; ++tick) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (tick < 20 || tick % 4 != 0) continue;
    std::fprintf(stderr, "\r  read %llu of %llu files", static_cast<unsigned long long>(progress_.filesDone.load()),
                 static_cast<unsigned long long>(progress_.filesTotal.load()));
    std::fflush(stderr);
    shown = true;
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

}  // namespace unwarp::cli
