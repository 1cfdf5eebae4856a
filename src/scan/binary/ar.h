// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of an `ar` archive (static libraries, Debian packages) as views into the bytes: nothing is copied.
// GNU and BSD long names are understood. Limits: thin archives name files outside and are never followed; symbol
// tables are skipped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan {

/// One member; `bytes` is cut where the archive ends.
struct ArMember {
  std::string_view name;
  std::string_view bytes;
};

/// True for both the ordinary and the thin magic.
bool isAr(std::string_view bytes);

/// All members in file order; what could not be read goes to `problems`.
std::vector<ArMember> readAr(std::string_view bytes, std::vector<std::string>& problems);

}  // namespace unwarp::scan
