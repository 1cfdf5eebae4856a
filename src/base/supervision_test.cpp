// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that misbehave: each run ends within its limits and leaves no process behind.
#include "base/supervision.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

namespace unwarp {
namespace {

using How = Ended::How;
using std::chrono::milliseconds;

Ended runShell(const std::string& script, milliseconds time = milliseconds(10'000), std::size_t bytes = 1 << 20) {
  Supervision supervision;
  return supervision.run({{"sh", "-c", script}, "/", environmentWith({"WORD=set"})}, {time, bytes});
}

// Whether the process that printed its number still runs.
bool runs(const std::string& number) {
  std::ifstream state("/proc/" + number.substr(0, number.find('\n')) + "/stat");
  std::string text;
  std::getline(state, text);
  return !text.empty() && text.find(") Z ") == std::string::npos;
}

TEST(Supervision, GivesStatusAndBothStreams) {
  Ended ended = runShell("echo out $WORD; echo err >&2; exit 3");
  EXPECT_EQ(ended.how, How::Exited);
  EXPECT_EQ(ended.status, 3);
  EXPECT_EQ(ended.out, "out set\n");
  EXPECT_EQ(ended.err, "err\n");
}

TEST(Supervision, ReadsNothing) {
  EXPECT_EQ(runShell("cat; echo end").out, "end\n");
}

TEST(Supervision, ASignalIsNamed) {
  Ended ended = runShell("kill -SEGV $$");
  EXPECT_EQ(ended.how, How::Signalled);
  EXPECT_EQ(ended.status, SIGSEGV);
}

TEST(Supervision, AProgramThatHangsIsEnded) {
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(runShell("echo begun; sleep 60", milliseconds(300)).how, How::TimedOut);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Supervision, OutputWithoutEndIsEnded) {
  Ended ended = runShell("yes", milliseconds(60'000), 100'000);
  EXPECT_EQ(ended.how, How::TooMuchOutput);
  EXPECT_LT(ended.out.size(), 300'000u);
}

TEST(Supervision, WhatItLeavesRunningIsEnded) {
  for (const char* script : {"sleep 60 & echo $!", "setsid sh -c 'echo $$; exec sleep 60' & sleep 0.3",
                             "sh -c 'setsid sleep 60 & echo $!' ; exit 0"}) {
    Ended ended = runShell(script);
    EXPECT_EQ(ended.how, How::Exited) << script;
    ASSERT_FALSE(ended.out.empty()) << script;
    EXPECT_FALSE(runs(ended.out)) << script;
  }
}

TEST(Supervision, AProgramThatIsMissingIsNotStarted) {
  Supervision supervision;
  Ended ended = supervision.run({{"no-such-program-here"}, "/", environmentWith({})}, {milliseconds(1000)});
  EXPECT_EQ(ended.how, How::NotStarted);
  EXPECT_EQ(ended.status, ENOENT);
}

TEST(Supervision, AnInterruptEndsTheRunAndIsDeliveredAfterwards) {
  EXPECT_EXIT(
      {
        Supervision supervision;
        std::thread([] {
          std::this_thread::sleep_for(milliseconds(100));
          kill(getpid(), SIGTERM);
        }).detach();
        Ended ended = supervision.run({{"sleep", "60"}, "/", environmentWith({})}, {milliseconds(30'000)});
        if (ended.how != How::Interrupted) _exit(9);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace unwarp
