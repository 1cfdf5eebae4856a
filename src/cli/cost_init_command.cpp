// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp cost init PATH`: a manifest with every question as a comment and what the audit already knows filled in.
#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "cli/audit_command.h"
#include "cli/command_list.h"
#include "cli/output.h"
#include "cost/manifest/manifest.h"
#include "cost/verdict/verdict.h"

namespace unwarp::cli {

int runCostInit(int argc, char** argv) {
  auto prepared = prepare(*findCommand("cost init"), argc, argv);
  if (!prepared) return fail(prepared.error());
  if (prepared->finished) return 0;
  std::string file = prepared->settings.text("--output");
  std::error_code error;
  if (!file.empty() && std::filesystem::exists(file, error))
    return fail(file + " exists already; give another file with -o, or edit that one");
  auto audit = auditWithProgress(*prepared);
  if (!audit) return fail(audit.error());
  auto defaults = cost::Defaults::load(*prepared->knowledge);
  if (!defaults) return fail(defaults.error());
  cost::Project project =
      cost::projectOf(*audit, *prepared->knowledge, audit->targets.front(), defaults->median("effort.bytes_per_line"));
  cost::Evidence evidence = cost::evidenceOf(project, cost::Workload(), cost::Manifest());
  cost::KnownFacts known;
  for (const cost::LibraryEvidence& library : evidence.libraries)
    if (library.hotPath) known.libraries.push_back(library.name);
  known.spread = cost::spreadNames[static_cast<std::size_t>(evidence.spread)];
  known.hasKernels = project.kernels > 0;
  std::string text = cost::manifestTemplate(known);
  if (file.empty()) return printOut(text) ? 0 : 2;
  auto written = writeFileAtomic(file, text);
  return written ? 0 : fail(written.error());
}

}  // namespace unwarp::cli
