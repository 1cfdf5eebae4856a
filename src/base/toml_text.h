// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A look at TOML text before toml++ gets it. toml++ 3.3 (Debian 12's) has undefined behaviour when it asks whether some
// characters beyond ASCII are blanks, which happens wherever such a character stands outside strings and comments. TOML
// allows none there, so the text is refused first.
#pragma once

#include <cstdint>
#include <string_view>

namespace unwarp {

/// Line (from 1) of the first character beyond ASCII outside strings and comments, 0 when there is none. A byte order
/// mark at the start is allowed.
std::uint32_t lineOfForeignCharacter(std::string_view toml);

}  // namespace unwarp
