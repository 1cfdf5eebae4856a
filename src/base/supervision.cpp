// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/supervision.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "base/process.h"

extern char** environ;

namespace unwarp {
namespace {

using Clock = std::chrono::steady_clock;
using How = Ended::How;

constexpr rlim_t kFileBytes = rlim_t{8} << 30;
constexpr int kTickMilliseconds = 50;  // how late a limit or an interrupt may be noticed
constexpr int kEndMilliseconds = 2;    // how late an end, once both streams are closed

struct ChildSetup {
  const char* folder;
  char** words;
  char** environment;
  int out, err, failed;
  sigset_t mask;
  pid_t parent;
};

// Between fork and exec: only what may be called there.
[[noreturn]] void becomeProgram(const ChildSetup& setup) {
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  rlimit noCore{0, 0}, file{kFileBytes, kFileBytes};
  bool ready = setpgid(0, 0) == 0 && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
               dup2(setup.out, STDOUT_FILENO) >= 0 && dup2(setup.err, STDERR_FILENO) >= 0 && chdir(setup.folder) == 0;
  if (ready) {
    setrlimit(RLIMIT_CORE, &noCore);
    setrlimit(RLIMIT_FSIZE, &file);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &setup.mask, nullptr);
    if (getppid() == setup.parent) execvpe(setup.words[0], setup.words, setup.environment);
  }
  int error = errno;
  ssize_t ignored = write(setup.failed, &error, sizeof error);
  static_cast<void>(ignored);
  _exit(127);
}

// Takes what is there. False at the end of the stream.
bool drain(int from, std::string& text, std::size_t limitBytes) {
  char buffer[65536];
  while (text.size() <= limitBytes) {
    ssize_t size = read(from, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    text.append(buffer, static_cast<std::size_t>(size));
  }
  return true;
}

bool hasEnded(pid_t child) {
  siginfo_t state{};
  return waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOHANG | WNOWAIT) != 0 || state.si_pid == child;
}

std::set<pid_t> childrenNow() {
  std::set<pid_t> children;
  std::error_code failed;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", failed)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) children.insert(child);
  }
  return children;
}

sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

// The child's end as the run's, unless a limit has ended it.
void take(int status, Ended& ended) {
  if (ended.how != How::Exited) return;
  ended.how = WIFSIGNALED(status) ? How::Signalled : How::Exited;
  ended.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Supervision::Supervision() {
  sigset_t wanted = interrupts();
  sigprocmask(SIG_BLOCK, &wanted, &before_);
  spared_ = childrenNow();
  adopts_ = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

Supervision::~Supervision() {
  if (adopts_) prctl(PR_SET_CHILD_SUBREAPER, 0);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool Supervision::interrupted() const {
  sigset_t pending;
  sigpending(&pending);
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    if (sigismember(&pending, signal) == 1 && sigismember(&before_, signal) == 0) return true;
  return false;
}

void Supervision::endStrays() const {
  // A stray may fork while it is being ended; each round ends all that are there.
  for (int round = 0; round < 1000; ++round) {
    bool any = false;
    for (pid_t child : childrenNow()) {
      if (spared_.contains(child)) continue;
      any = true;
      kill(child, SIGKILL);
      waitFor(child);
    }
    if (!any) return;
  }
}

Ended Supervision::run(const SupervisedCommand& command, const RunLimits& limits) const {
  Ended ended;
  Pipe out, err, failed;
  if (out.readEnd < 0 || err.readEnd < 0 || failed.readEnd < 0) {
    ended.status = errno;
    return ended;
  }
  std::vector<char*> words = pointersTo(command.words), environment = pointersTo(command.environment);
  ChildSetup setup{command.folder.c_str(),
                   words.data(),
                   environment.data(),
                   out.writeEnd,
                   err.writeEnd,
                   failed.writeEnd,
                   before_,
                   getpid()};
  pid_t child = fork();
  if (child == 0) becomeProgram(setup);
  if (child < 0) {
    ended.status = errno;
    return ended;
  }
  for (Pipe* pipe : {&out, &err, &failed}) pipe->closeWriteEnd();
  int error = 0;
  if (read(failed.readEnd, &error, sizeof error) == sizeof error) {
    waitpid(child, nullptr, 0);
    ended.status = error;
    return ended;
  }
  ended.how = How::Exited;
  for (int end : {out.readEnd, err.readEnd}) fcntl(end, F_SETFL, O_NONBLOCK);
  const Clock::time_point deadline = Clock::now() + limits.time;
  pollfd streams[2] = {{out.readEnd, POLLIN, 0}, {err.readEnd, POLLIN, 0}};
  std::string* texts[2] = {&ended.out, &ended.err};
  for (bool over = false; !over;) {
    poll(streams, 2, streams[0].fd < 0 && streams[1].fd < 0 ? kEndMilliseconds : kTickMilliseconds);
    over = hasEnded(child);  // asked before the last look at the streams: what it printed is all there
    for (int i = 0; i < 2; ++i)
      if (streams[i].fd >= 0 && !drain(streams[i].fd, *texts[i], limits.outputBytes)) streams[i].fd = -1;
    if (std::max(ended.out.size(), ended.err.size()) > limits.outputBytes) ended.how = How::TooMuchOutput;
    if (!over && Clock::now() >= deadline) ended.how = How::TimedOut;
    if (interrupted()) ended.how = How::Interrupted;
    over |= ended.how != How::Exited;
  }
  kill(-child, SIGKILL);  // the whole group; its leader, when it has ended, is not reaped yet and keeps the number
  take(waitFor(child), ended);
  endStrays();
  return ended;
}

std::vector<std::string> environmentWith(const std::vector<std::string>& changes) {
  auto nameOf = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> all = changes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool changed = std::any_of(changes.begin(), changes.end(),
                               [&](const std::string& change) { return nameOf(change) == nameOf(*entry); });
    if (!changed) all.emplace_back(*entry);
  }
  return all;
}

}  // namespace unwarp
