// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that are a whole scalar type; types of more words, vectors and structs are SourceFacts::layoutOf's.
#pragma once

#include <string_view>

namespace unwarp::scan {

/// `int`, `uint32_t`, `half`, `double` and the like.
bool isScalarType(std::string_view word);

}  // namespace unwarp::scan
