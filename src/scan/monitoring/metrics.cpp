// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A query is split into identifiers; each is looked up as a metric. Quoted texts are label values and skipped, but for
// the value of
// `__name__`, whose pattern is cut at its first wildcard, and the
// resource name `nvidia_com_gpu` of kube-state-metrics. Query languages differ (PromQL, MetricsQL, Flux): names do
// not.
#include "scan/monitoring/metrics.h"

#include <algorithm>

#include "base/text.h"
#include "scan/deploy/sites.h"

namespace unwarp::scan {
namespace {

bool isMetricPart(char c) {
  return isIdentifierPart(c) || c == ':' || c == '.';
}

/// Behind the quoted text that starts at `open`.
std::size_t endOfLabel(std::string_view query, std::size_t open) {
  for (std::size_t i = open + 1; i < query.size(); ++i) {
    if (query[i] == '\\')
      ++i;
    else if (query[i] == query[open])
      return i + 1;
  }
  return query.size();
}

}  // namespace

void addMetrics(const ReadContext& context, std::string_view query, std::uint32_t line, FileFacts& out) {
  std::string_view last;
  for (std::size_t i = 0; i < query.size();) {
    const char c = query[i];
    if (c == '"' || c == '\'' || c == '`') {
      const std::size_t end = std::max(endOfLabel(query, i), i + 1);
      const std::string_view label = query.substr(i + 1, end - i - 1);
      if (label.find("nvidia_com_") != std::string_view::npos) addKubernetes(context, "", "nvidia.com/gpu", line, out);
      if (last == "__name__")
        addSite(context, knowledge::Ecosystem::Metric, {label.substr(0, label.find_first_of(".*\"'`|()[]"))}, line, {},
                out);
      i = end;
    } else if (isIdentifierStart(c)) {
      std::size_t end = i + 1;
      while (end < query.size() && isMetricPart(query[end])) ++end;
      last = query.substr(i, end - i);
      addSite(context, knowledge::Ecosystem::Metric, {last, last.substr(0, last.find('.'))}, line, {}, out);
      i = end;
    } else {
      ++i;
    }
  }
}

}  // namespace unwarp::scan
