// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between a file and toml++. toml++ 3.3 (Debian 12's) has undefined behaviour when it asks whether some
// characters beyond ASCII are blanks, and asks that of broken documents in many places. So it never sees one: each byte
// beyond ASCII goes in as a private-use character, for which the question is answered properly, and comes back out of
// the strings as it was. Lines stay, columns do not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace unwarp {

/// `text` for toml++, or nothing when it is not valid UTF-8.
std::optional<std::string> shieldToml(std::string_view text);
/// A key or string of a shielded document as it was written.
std::string unshieldToml(std::string_view text);

}  // namespace unwarp
