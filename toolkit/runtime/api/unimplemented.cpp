// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of the runtime API that is known by name and not implemented. A program that names one links, and is
// told by name when it calls it. The list is made from knowledge/ by tools/gen.py, which leaves out what the other
// sources of this folder define. No declarations are included: arguments are not looked at.
#include "runtime/stats.h"

namespace {

constexpr int kErrorNotSupported = 801;  // cudaErrorNotSupported

int refuse(const char* name) {
  uw::recordUnimplemented(name);
  return kErrorNotSupported;
}

}  // namespace

#define UW_UNIMPLEMENTED(NAME) \
  int NAME() {                 \
    return refuse(#NAME);      \
  }

#pragma GCC visibility push(default)
extern "C" {
#include "runtime/api/unimplemented.inc"
}
#pragma GCC visibility pop
