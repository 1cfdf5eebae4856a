// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read-only mappings that survive the file being cut short. Reading a page of a mapping that lies behind the new end of
// its file raises SIGBUS and would end an audit of hours because somebody rebuilds one library meanwhile.
#pragma once

#include <cstddef>
#include <optional>

namespace unwarp {

/// A guarded mapping; give it back with unmapGuarded().
struct GuardedMapping {
  const char* data = nullptr;
  std::size_t size = 0;
  std::size_t slot = 0;
};

/// Maps the first `size` (> 0) bytes of `fd`. Nothing when the system refuses or too many mappings are open at once.
std::optional<GuardedMapping> mapGuarded(int fd, std::size_t size);
/// Whether bytes were asked for that the file no longer had; they read as zeros.
bool isTorn(const GuardedMapping& mapping);
void unmapGuarded(const GuardedMapping& mapping);

}  // namespace unwarp
