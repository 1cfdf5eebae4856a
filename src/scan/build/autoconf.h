// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// configure.ac and m4 macros: part of readMake.
#pragma once

#include "scan/facts.h"

namespace unwarp::scan::build {

/// Reads checks (AC_CHECK_LIB, AC_CHECK_HEADER, AC_PATH_PROG and kin) and settings of a configure script's source.
void readAutoconf(const ReadContext& context, std::string_view text, FileFacts& out);

}  // namespace unwarp::scan::build
