// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expression between `{{` and `}}` gives as far as its own literals tell: `printf`, `ternary`, `default` and
// their like of Helm, filters, joining and `a if b else c` of Jinja. Nothing is looked up: what comes from values stays
// in the text as `{{ .Values.tag }}`, so that the patterns of the tables match around it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace unwarp::scan {

/// No more alternatives than this are followed.
inline constexpr std::size_t mostTemplateValues = 8;

/// What the variables of a template were given above: `$image` of `{{ $image := printf "%s:%s" "a" "b" }}`.
using TemplateVariables = std::unordered_map<std::string, std::vector<std::string>>;

/// The texts that `expression` may give; several where a condition chooses, none where no literal has a part in it.
std::vector<std::string> templateValues(std::string_view expression, const TemplateVariables& variables = {});

/// Puts every text of `second` behind every one of `first`, as long as there are few.
std::vector<std::string> joinedValues(const std::vector<std::string>& first, const std::vector<std::string>& second);

}  // namespace unwarp::scan
