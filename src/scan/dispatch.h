// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file's kind to its reader.
#pragma once

#include <functional>
#include <string>

#include "scan/facts.h"

namespace unwarp::scan {

/// Reads `input` with the reader of `kind`. Sets out.kind, out.bytes and, unless the reader set it, out.how.
void readByKind(const ReadContext&, FileKind kind, const Input&, FileFacts& out);

/// Reads one file, archives with their members: one FileFacts each. `realPath` is where the bytes lie.
void readFile(const ReadContext&, const std::string& realPath, const Input&,
              const std::function<void(FileFacts&&)>& emit);

}  // namespace unwarp::scan
