// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running compilers and linkers: the one place of the driver that starts programs. No shell is between, so that file
// names mean what they say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unwarp::nvcc {

/// Waits for the program. Its status, 128 and the signal, or 127 after a message when it cannot be started.
int runProgram(const std::vector<std::string>& command);

enum class Stream { output, errors };

struct Printed {
  int status = 0;
  std::string text;
};

/// The same, and what it prints on one stream. With `enough`, the program is ended once that text has been printed.
Printed printedBy(const std::vector<std::string>& command, Stream stream, std::string_view enough = {});

}  // namespace unwarp::nvcc
