// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host function that launches an instance of a kernel template is weak in clang's objects: of several files' equal
// ones the linker keeps one, and a launch in one file could then run another file's device code, with that file's
// constants. nvcc 13 makes these functions static (--static-global-template-stub=true). Here each file's gets a name of
// its own, and the common name stays as a weak alias for files that only declare the template.
//
// With relocatable device code the list of a file's kernels and variables must survive --gc-sections of linkers that do
// not count its start and stop symbols as uses (lld): the section gets the flag that says so.
#pragma once

#include <string>

namespace unwarp::nvcc {

/// Changes `object` in place. `unit` tells this file from all others of a program. Returns 0, or 1 after a message.
int separateStubs(const std::string& object, const std::string& unit);

/// Likewise.
int retainEntries(const std::string& object);

}  // namespace unwarp::nvcc
