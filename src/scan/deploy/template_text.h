// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of text templates (Go's, as Helm has them, and Jinja's) inside deployment files. What an expression gives is
// the business of template_values.h.
#pragma once

#include <string_view>

#include "scan/facts.h"

namespace unwarp::scan {

/// Images written out in lines that are all template, which the YAML parser skips:
/// `{{- $image := .Values.image | default "nvidia/cuda:12.4.1" }}`.
void readTemplateLines(const ReadContext& context, std::string_view text, FileFacts& out);

}  // namespace unwarp::scan
