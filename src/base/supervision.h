// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running programs that nobody vouches for: the checks of a project. A program may hang, fork, detach, print without
// end or fill the disk; each run therefore has a time, an output and a file limit, reads nothing, and when it is over
// nothing of it is left.
//
// What a program leaves running is found because this process adopts orphans (PR_SET_CHILD_SUBREAPER): a process that
// has left its group by setsid is still a child in the end. Linux only, as the rest of the toolkit.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <vector>

namespace unwarp {

/// How long and how much. A stream that grows beyond `outputBytes` ends the run.
struct RunLimits {
  std::chrono::steady_clock::duration time{};
  std::size_t outputBytes = std::size_t{16} << 20;
};

struct SupervisedCommand {
  std::vector<std::string> words;        ///< program and arguments; the program is looked up in the caller's PATH
  std::string folder;                    ///< where it runs
  std::vector<std::string> environment;  ///< whole: NAME=VALUE
};

struct Ended {
  enum class How { Exited, Signalled, TimedOut, TooMuchOutput, NotStarted, Interrupted };
  How how = How::NotStarted;
  int status = 0;  ///< exit status, signal, or the error number when it was not started
  std::string out, err;
  bool succeeded() const { return how == How::Exited && status == 0; }
};

/// While it lives, runs are possible: an interrupt (INT, TERM, HUP) ends the run at hand and is delivered when this
/// object goes, after the scratch folder has been removed; processes without a parent become ours and are ended.
class Supervision {
 public:
  Supervision();
  ~Supervision();
  Supervision(const Supervision&) = delete;
  Supervision& operator=(const Supervision&) = delete;

  /// Runs to the end or a limit. Whatever it started is gone when this returns.
  Ended run(const SupervisedCommand& command, const RunLimits& limits) const;
  /// Whether the user wants the runs to stop.
  bool interrupted() const;

 private:
  void endStrays() const;
  sigset_t before_{};
  bool adopts_ = false;
  std::set<pid_t> spared_;  ///< children from before, which are not ours to end
};

/// Our environment with `changes` (NAME=VALUE) put over it.
std::vector<std::string> environmentWith(const std::vector<std::string>& changes);

}  // namespace unwarp
