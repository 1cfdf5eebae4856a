// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Container build files as instructions, before anything is looked up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan {

/// One instruction of a Dockerfile. `arguments` keeps its line breaks (as `\` continuations), so lines can be counted
/// in it.
struct DockerInstruction {
  std::string name;  ///< upper case
  std::string arguments;
  std::uint32_t line = 0;
  std::string_view hereDocument;  ///< body of the first <<
  std::uint32_t hereDocumentLine = 0;
};

/// Splits a Dockerfile: comments and blank lines inside an instruction are dropped, the escape directive is honoured.
std::vector<DockerInstruction> splitDockerfile(std::string_view text);

}  // namespace unwarp::scan
