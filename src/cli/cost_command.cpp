// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp cost PATH|MANIFEST`: an audit, then the account of it; `--compare` of two manifests.
#include <algorithm>
#include <filesystem>

#include "base/embedded.h"
#include "base/file.h"
#include "cli/command_list.h"
#include "cli/cost_account.h"
#include "cli/output.h"

namespace unwarp::cli {

namespace {

namespace fs = std::filesystem;

bool isManifest(const std::string& path) {
  return path.ends_with(".toml") || path.ends_with(".yaml") || path.ends_with(".yml");
}

Result<cost::TranslatorResults> translatedOf(const std::string& file, const knowledge::Knowledge& knowledge) {
  if (file.empty()) return cost::TranslatorResults();
  auto bytes = FileBytes::open(file);
  if (!bytes) return Error{bytes.error()};
  return cost::readTranslatorResults(file, bytes->view(), knowledge);
}

struct Judged {
  cost::Account account;
  int status = 0;  ///< 1: a gate of the audit is broken
};

Result<Judged> accountOf(const Command& command, const Arguments& arguments, const std::string& given) {
  std::string folder = isManifest(given) ? fs::path(given).parent_path().string() : given;
  if (folder.empty()) folder = ".";
  auto prepared = prepareFor(command, arguments, folder);
  if (!prepared) return Error{prepared.error()};
  AccountRequest request;
  request.manifestFile = isManifest(given)                     ? given
                         : prepared->settings.on("--manifest") ? prepared->settings.text("--manifest")
                                                               : manifestBeside(folder);
  request.gpus = prepared->settings.list("--gpu");
  auto accountant = cost::Accountant::load(*prepared->knowledge);
  if (!accountant) return Error{accountant.error()};
  auto manifest = manifestOf(**accountant, request.manifestFile);
  if (!manifest) return Error{manifest.error()};
  auto targets = gpuTargets(**accountant, *manifest, request, prepared->settings.list("--target"));
  if (!targets) return Error{targets.error()};
  auto translated = translatedOf(prepared->settings.text("--translated"), *prepared->knowledge);
  if (!translated) return Error{translated.error()};
  prepared->options.targets.clear();
  for (const cost::GpuTarget& target : *targets)
    if (std::find(prepared->options.targets.begin(), prepared->options.targets.end(), target.target) ==
        prepared->options.targets.end())
      prepared->options.targets.push_back(target.target);
  if (auto readable = gatesReadable(*prepared); !readable) return Error{readable.error()};
  auto audit = auditWithProgress(*prepared);
  if (!audit) return Error{audit.error()};
  auto account = (*accountant)->account(*audit, *manifest, *targets, *translated);
  if (!account) return Error{account.error()};
  auto status = checkGates(prepared->settings, *audit, GateReport::Print);
  if (!status) return Error{status.error()};
  return Judged{std::move(*account), *status};
}

Result<std::string> print(const std::string& format, const cost::Account& account) {
  if (format == "fleet") {
    auto problem = cost::accountFleet(account);
    return problem ? Result<std::string>(*problem + "\n") : problem;
  }
  if (format == "json") return cost::accountJson(account) + "\n";
  if (format == "markdown") return cost::accountMarkdown(account);
  if (format == "csv") return cost::accountCsv(account);
  if (format == "focus") return cost::accountFocus(account);
  return cost::accountText(account);
}

std::string_view schema() {
  for (const auto& [path, text] : embedded::schemaFiles())
    if (path.ends_with("cost.schema.json")) return text;
  return {};
}

}  // namespace

int runCost(int argc, char** argv) {
  const Command& command = *findCommand("cost");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  if (arguments->has("--schema")) return printOut(schema()) ? 0 : 2;
  auto given = arguments->flags.find("--format");
  std::string format = given == arguments->flags.end() ? "terminal" : given->second.back();
  constexpr std::array<std::string_view, 6> formats{"terminal", "json", "markdown", "csv", "focus", "fleet"};
  if (std::find(formats.begin(), formats.end(), format) == formats.end())
    return fail("--format must be terminal, json, markdown, csv, focus or fleet, not '" + format + "'");
  bool compare = arguments->has("--compare");
  std::size_t wanted = compare ? 2 : 1;
  if (arguments->positionals.size() != wanted)
    return fail(compare ? "--compare needs two manifests"
                        : "needs one PATH or manifest; `unwarp cost .` reads this folder");
  std::vector<cost::Account> accounts;
  int status = 0;
  for (const std::string& path : arguments->positionals) {
    auto judged = accountOf(command, *arguments, path);
    if (!judged) return fail(judged.error());
    accounts.push_back(std::move(judged->account));
    status = std::max(status, judged->status);
  }
  auto text = compare ? Result<std::string>(cost::compareText(accounts[0], accounts[1])) : print(format, accounts[0]);
  if (!text) return fail(text.error());
  return printOut(*text) ? status : 2;
}

}  // namespace unwarp::cli
