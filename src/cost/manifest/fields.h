// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A TOML or YAML file as fields: dotted path, value, line. A manifest means the same in both; what reads the meaning
// sees neither.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace unwarp::cost {

struct Field {
  std::string path;   ///< `workload.chat.hot_path`; elements of a list repeat the list's path
  std::string value;  ///< text, or a number or truth as written
  bool quoted = false;
  bool inList = false;
  bool emptyList = false;  ///< `key = []`
  std::uint32_t line = 0;
};

/// YAML when `file` ends in .yaml or .yml, else TOML. Fails with file and line on what is neither, and on a key that
/// stands twice.
Result<std::vector<Field>> readFields(const std::string& file, std::string_view text);

}  // namespace unwarp::cost
