// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of text templates (Go's, as Helm has them, and Jinja's) inside deployment files: the values they fall
// back to. Nothing is evaluated; what a template gets from its values stays unknown.
#pragma once

#include <string_view>

#include "scan/facts.h"

namespace unwarp::scan {

/// What an expression without its braces gives when nothing is set: `x` of `default "x" .Values.a`,
/// `.Values.a | default "x"` and `a | default('x')`. Empty without a literal default.
std::string_view templateDefault(std::string_view expression);

/// Images written out in lines that are all template, which the YAML parser skips:
/// `{{- $image := .Values.image | default "nvidia/cuda:12.4.1" }}`.
void readTemplateLines(const ReadContext& context, std::string_view text, FileFacts& out);

}  // namespace unwarp::scan
