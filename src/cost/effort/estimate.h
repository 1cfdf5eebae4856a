// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Person-time of a move, line by line, in six classes. Porting is summed over the sites of an audit by a function per
// rule (once per project, per site, or both), lowered where a translator does the edit and raised by what it leaves to
// review; the sum is then drawn half way (in logarithms) to the class of finished ports, because sums over sites forget
// what nobody listed. More sites never cost less: every line grows with its count, and the class depends on size alone.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/defaults.h"
#include "cost/effort/project.h"
#include "cost/effort/reference_class.h"
#include "cost/manifest/manifest.h"

namespace unwarp::cost {

enum class EffortClass : std::uint8_t { Retooling, Porting, Revalidation, Pipelines, Libraries, Organisation };
inline constexpr std::array<std::string_view, 6> effortClassNames{"re-tooling and ramp-up",  "porting",
                                                                  "numerical revalidation",  "CI/CD and containers",
                                                                  "third-party replacement", "organisation"};

struct EffortLine {
  EffortClass kind = EffortClass::Porting;
  std::string what;    ///< "A01 Inline PTX"
  double count = 0;    ///< sites, images, models
  Distribution hours;  ///< person-hours of the whole line
  std::string how;     ///< the sum in words: "120 min once + 9^0.8 x 60 min, 20 % by a translator"
};

/// What a translator did on the sites of a rule: clean, to be reviewed, failed.
struct TranslatorResult {
  double clean = 0, review = 0, failed = 0;
};
/// By rule id or `api.STATUS`. Table columns: key, clean, review, failed. A key that is neither, or stands twice, is an
/// error.
using TranslatorResults = std::map<std::string, TranslatorResult, std::less<>>;
Result<TranslatorResults> readTranslatorResults(std::string_view file, std::string_view text,
                                                const knowledge::Knowledge& knowledge);

/// How sites of one key are remedied (knowledge/cost/remediation.tsv).
struct Remediation {
  double fixedMinutes = 0;
  std::optional<double> siteMinutes;  ///< none: the rule page's
  bool perSite = true;
  bool rename = false;  ///< a translator's plain work
};
using Remediations = std::map<std::string, Remediation, std::less<>>;
Result<Remediations> loadRemediations(const knowledge::Knowledge& knowledge);

/// A way off CUDA, a row of knowledge/cost/routes.tsv.
struct Route {
  std::string name, title, routeClass, fits, notWhen, costShape;
  std::vector<std::string> targets;  ///< the only ones it serves; empty: any
};
Result<std::vector<Route>> loadRoutes(const knowledge::Knowledge& knowledge);

struct EffortQuestion {
  const Project& project;
  const Manifest& manifest;
  const Workload& workload;
  const Route& route;
  const TranslatorResults& translated;
};

class EffortModel {
 public:
  EffortModel(Defaults& defaults, const Remediations& remediations, const RouteClasses& classes,
              const ReferenceClass& reference)
      : defaults_(defaults), remediations_(remediations), classes_(classes), reference_(reference) {}
  /// Lines of the six classes; none at all for the route `stay`.
  std::vector<EffortLine> lines(const EffortQuestion& question);
  /// Person-weeks that finished ports of the route's class took at this size.
  PortPrediction classOf(const EffortQuestion& question) const;

 private:
  std::vector<EffortLine> portLines(const EffortQuestion& question);
  EffortLine siteLine(const std::string& key, const std::string& what, double sites, double pageMinutes,
                      const TranslatorResults& translated);
  void drawToClass(std::vector<EffortLine>& port, const EffortQuestion& question);
  void addRevalidation(std::vector<EffortLine>& lines, const EffortQuestion& question);
  void addPipelines(std::vector<EffortLine>& lines, const EffortQuestion& question);
  void addLibraries(std::vector<EffortLine>& lines, const EffortQuestion& question);
  void addPeople(std::vector<EffortLine>& lines, const EffortQuestion& question);
  EffortLine times(EffortClass kind, std::string what, double count, std::string_view quantity, double hoursPerUnit);

  Defaults& defaults_;
  const Remediations& remediations_;
  const RouteClasses& classes_;
  const ReferenceClass& reference_;
};

/// The first `most` names, and how many more there are.
std::string listed(const std::vector<std::string>& names, std::size_t most);

/// Quantiles of a sum of lines, in person-weeks of 40 hours: lines are drawn independently, skill once for all
/// porting, from a fixed seed.
struct EffortSummary {
  double p10 = 0, p50 = 0, p80 = 0, p90 = 0;
  std::array<double, 6> medians{};  ///< by class
};
EffortSummary summarise(const std::vector<EffortLine>& lines, Defaults& defaults);

}  // namespace unwarp::cost
