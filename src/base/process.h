// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting programs and waiting for them: the one place that does, together with supervision.h, which adds limits and
// leaves nothing behind. No shell is between, so that file names mean what they say. Only the compiler driver, the
// trial and the command line may include these (tools/checks/directions.py): the audit executes nothing.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace unwarp {

/// Status of a program that could not be started, as shells have it.
inline constexpr int notStartedStatus = 127;

enum class Stream { output, errors };

struct Printed {
  int status = 0;      ///< its exit status, 128 and the signal, or notStartedStatus
  int startError = 0;  ///< error number when it could not be started
  std::string text;
};

/// Runs a program, looked up in PATH, with our streams and environment; waits for it. `text` stays empty.
Printed runProgram(const std::vector<std::string>& command);

/// The same, and what it prints on one stream. With `enough`, the program is ended once that text has been printed.
Printed printedBy(const std::vector<std::string>& command, Stream stream, std::string_view enough = {});

/// Both ends of a pipe that programs do not inherit; negative when it could not be made.
class Pipe {
 public:
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void closeWriteEnd();
  void closeReadEnd();
  int readEnd = -1, writeEnd = -1;
};

/// Words as exec wants them; they point into `texts`.
std::vector<char*> pointersTo(const std::vector<std::string>& texts);

/// Waits for a child and gives its status as waitpid does.
int waitFor(pid_t child);

}  // namespace unwarp
