// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fault_report.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "runtime/settings.h"

namespace uw {
namespace {

using unwarp::abi::LineTable;
using unwarp::abi::SourceLine;

// How long the search for a thread may take, compiling included.
constexpr int kSearchMilliseconds = 10000;

std::string textOf(const LineTable& table, const SourceLine* line) {
  return line ? table.files[line->file] + ":" + std::to_string(line->line) : std::string();
}

std::string triple(const uint32_t (&id)[3]) {
  return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
}

// In the copy of the process: runs the faulting block again, a fiber per thread, and tells which one faults.
[[noreturn]] void search(const GridLaunch& launch, const Fault& fault, int answer) {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  KernelShape shape;
  shape.width = launch.width;
  std::copy_n(launch.blockDim, 3, shape.blockDim);
  shape.tier = Tier::fiber;
  shape.lockstep = settings().profile.lockstep;
  shape.device = launch.device;
  std::string error;
  GridLaunch again = launch;
  again.code = launch.module->code(*launch.kernel, shape, error);
  if (!again.code) _exit(1);
  const uint32_t (&block)[3] = fault.context.ctaid;
  again.onlyBlock = (uint64_t{block[2]} * launch.gridDim[1] + block[1]) * launch.gridDim[0] + block[0];
  Fault found;
  again.witness = &found;
  runGrid(again);
  bool same = found.signal == fault.signal && found.knowsThread;
  if (same && write(answer, &found.context.linear, sizeof found.context.linear) < 0) _exit(1);
  _exit(same ? 0 : 1);
}

// Fills in the thread, if it can be found.
void findThread(const GridLaunch& launch, Fault& fault) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  pid_t copy = fork();
  if (copy == 0) search(launch, fault, ends[1]);
  close(ends[1]);
  uint32_t linear = 0;
  pollfd answer{ends[0], POLLIN, 0};
  bool told = copy > 0 && poll(&answer, 1, kSearchMilliseconds) == 1 &&
              read(ends[0], &linear, sizeof linear) == static_cast<ssize_t>(sizeof linear);
  close(ends[0]);
  if (copy > 0) {
    kill(copy, SIGKILL);
    while (waitpid(copy, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (!told) return;
  fault.context.tid[0] = linear % launch.blockDim[0];
  fault.context.tid[1] = linear / launch.blockDim[0] % launch.blockDim[1];
  fault.context.tid[2] = linear / launch.blockDim[0] / launch.blockDim[1];
  fault.knowsThread = true;
}

}  // namespace

std::string placeOfAddress(const KernelCode& code, const void* instruction) {
  if (auto offset = code.object->codeOffset(instruction))
    return textOf(code.lines, unwarp::abi::lineOfCode(code.lines, *offset));
  if (!code.shared) return {};
  auto offset = code.shared->codeOffset(instruction);
  return offset ? textOf(*code.sharedLines, unwarp::abi::lineOfCode(*code.sharedLines, *offset)) : std::string();
}

std::string placeOfSite(const KernelCode& code, uint32_t site) {
  const LineTable* table = site > unwarp::abi::kSharedSites ? code.sharedLines : &code.lines;
  return table ? textOf(*table, unwarp::abi::lineOfSite(*table, site)) : std::string();
}

void reportFault(const GridLaunch& launch, Fault fault) {
  const char* what = fault.signal == SIGFPE   ? "arithmetic fault"
                     : fault.signal == SIGILL ? "illegal instruction"
                                              : "bad memory access";
  if (fault.knowsBlock && !fault.knowsThread) findThread(launch, fault);
  char address[32];
  std::snprintf(address, sizeof address, "%p", fault.address);
  std::string text = "unwarp: kernel " + launch.kernel->name + ": " + what + " at address " + address;
  if (fault.knowsBlock) text += ", block " + triple(fault.context.ctaid);
  if (fault.knowsThread) text += ", thread " + triple(fault.context.tid);
  std::string source = placeOfAddress(*launch.code, fault.instruction);
  if (!source.empty()) text += ", " + source;
  text += "\n";
  std::fflush(stdout);
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

}  // namespace uw
