// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build descriptions.
#include "audit_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  return unwarp::fuzz::auditAs(
      {"CMakeLists.txt", "CMakePresets.json", "Makefile", "configure.ac", "BUILD.bazel", ".bazelrc", "meson.build",
       "build.ninja", "vcpkg.json", "conanfile.txt", "conanfile.py", "package.py", "justfile", "xmake.lua"},
      data, sizeBytes);
}
