// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a build checks itself. In this order: each test that ctest knows; `make check`, else `make test`; each
// program with device code that no ctest test names, run without arguments.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trial/build.h"

namespace unwarp::trial {

enum class CheckKind { Ctest, Make, Program };

struct PlannedCheck {
  std::string name;
  CheckKind kind = CheckKind::Program;
  std::string path;                ///< of the build, as results spell it
  std::vector<std::string> words;  ///< the command
  std::filesystem::path folder;    ///< where it runs
  std::size_t number = 0;          ///< of a ctest test, from 1
};

std::vector<PlannedCheck> findChecks(const Session& session, const Built& built);

}  // namespace unwarp::trial
