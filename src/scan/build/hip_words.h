// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that say "this branch is about AMD", for the languages whose conditions are not the C preprocessor's.
#pragma once

#include <string_view>

namespace unwarp::scan::build {

/// True for `torch.version.hip`'s last part, `is_hip`, `IS_HIP_EXTENSION`, `USE_ROCM`, `HIP_FOUND`, `isRocm`, `hipcc`;
/// not for `chip`, `ship`.
bool isHipWord(std::string_view identifier);

/// True when any identifier of `text` is such a word.
bool mentionsHip(std::string_view text);

}  // namespace unwarp::scan::build
