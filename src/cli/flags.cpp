// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row per flag. A row's configuration key and environment variable are where the same setting may come from;
// `settings.cpp` merges them.
#include "cli/flags.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/command_list.h"
#include "cli/output.h"

namespace unwarp::cli {

namespace {

constexpr Flag knowledge{
    "--knowledge", 0, "DIR", false, "", "UNWARP_KNOWLEDGE", "", "fact tables to use instead of the built-in ones"};
constexpr Flag config{"--config",          0, "FILE", false, "", "UNWARP_CONFIG", "nearest at or above PATH",
                      "unwarp.toml to use"};
constexpr Flag help{"--help", 'h', "", false, "", "", "", "this text"};

/// What every command that reads a project takes.
constexpr std::array readFlags{
    Flag{"--target", 't', "GFX", true, "targets", "UNWARP_TARGETS", "gfx942 gfx1100",
         "AMD GPU to judge against, by LLVM name; repeat for several"},
    Flag{"--select", 0, "RULE", true, "select", "", "all stable", "only these rules: id (W01), group (W) or name"},
    Flag{"--ignore", 0, "RULE", true, "ignore", "", "", "leave these rules out"},
    Flag{"--preview", 0, "", false, "preview", "", "off", "also rules whose measured precision is below 70 %"},
    Flag{"--exclude", 'x', "GLOB", true, "exclude", "", "", "leave out paths (relative to PATH; ** crosses folders)"},
    Flag{"--no-ignore", 0, "", false, "no-ignore", "", "off",
         "read files that .gitignore, .ignore or .unwarpignore hide"},
    config,
    Flag{"--show-config", 0, "", false, "", "", "off", "print every setting and where it comes from, then stop"},
    knowledge,
    Flag{"--threads", 'j', "N", false, "threads", "UNWARP_THREADS", "one per processor", "worker threads"},
    Flag{"--color", 0, "WHEN", false, "color", "", "auto", "auto, always or never; NO_COLOR is honoured"},
    Flag{"--quiet", 'q', "", false, "", "", "off", "no progress on stderr"},
    help};

/// A command's own flags, then the shared ones.
template <std::size_t N, std::size_t M>
constexpr std::array<Flag, N + M> joined(const std::array<Flag, N>& own, const std::array<Flag, M>& shared) {
  std::array<Flag, N + M> all{};
  std::copy(own.begin(), own.end(), all.begin());
  std::copy(shared.begin(), shared.end(), all.begin() + N);
  return all;
}

/// And what those take that judge it.
constexpr auto projectFlags =
    joined(std::array{Flag{"--fail-on", 0, "SEVERITY", false, "fail-on", "", "",
                           "exit 1 when a finding is at least that bad: silent crash hang compile perf info"},
                      Flag{"--gate", 0, "EXPR", true, "gate", "", "",
                           "exit 1 unless all hold: 'silent==0, lds<=64k, mask_sites<=12'"}},
           readFlags);

constexpr auto auditFlags =
    joined(std::array{Flag{"--format", 'f', "F[=FILE]", true, "format", "", "terminal",
                           "terminal json jsonl sarif markdown csv html; to stdout, or to FILE; repeat for several"},
                      Flag{"--all", 'a', "", false, "", "", "off", "terminal: list every finding"},
                      Flag{"--schema", 0, "", false, "", "", "off", "print the schema of the JSON, then stop"}},
           projectFlags);
// No keys of unwarp.toml: a file that comes with a project must not choose to execute it.
constexpr auto assessFlags =
    joined(std::array{Flag{"--output", 'o', "DIR", false, "", "", "unwarp-report",
                           "folder to write; an earlier report there is replaced as a whole"},
                      Flag{"--run", 0, "", false, "", "", "off",
                           "also build a copy and run its checks at 32 and 64 lanes; executes the project's code"},
                      Flag{"--build-limit", 0, "SECONDS", false, "", "", "600", "--run: longest time of one build"},
                      Flag{"--run-limit", 0, "SECONDS", false, "", "", "60", "--run: longest time of one run"},
                      Flag{"--total-limit", 0, "SECONDS", false, "", "", "1800", "--run: longest time of everything"}},
           projectFlags);

/// What every command about money takes.
constexpr std::array moneyFlags{
    Flag{"--price", 0, "GPU=PRICE", true, "", "", "",
         "price per GPU and hour, MI355X=2.10 or MI355X=196INR (basis: given)"},
    Flag{"--rate", 0, "CUR=N@DATE", true, "", "", "", "exchange rate, units per US dollar: INR=93.8@2026-03-17"},
    Flag{"--currency", 0, "CUR", false, "", "", "USD", "currency of the answer"}, knowledge, help};
constexpr std::array costFleetFlags{
    Flag{"--lp", 0, "FILE", false, "", "", "", "write the program as LP text for any other solver"},
    Flag{"--format", 'f', "F", false, "", "", "terminal", "terminal or json"}, help};
constexpr auto costGateFlags = joined(
    std::array{
        Flag{"--margin", 0, "SHARE", false, "", "", "3%", "differences of rates and costs up to this do not matter"},
        Flag{"--latency-margin", 0, "SHARE", false, "", "", "5%", "the same for the middle of latencies"},
        Flag{"--tail-margin", 0, "SHARE", false, "", "", "10%", "and for their 99 % point"},
        Flag{"--alpha", 0, "SHARE", false, "", "", "5%", "chance of a false alarm of the whole gate"},
        Flag{"--effect", 0, "SHARE", false, "", "", "5%", "the slowdown for which the power is told"},
        Flag{"--metric", 0, "NAME", true, "", "", "all", "judge only: throughput ttft_p50 ttft_p99 tpot_p50 ... cost"},
        Flag{"--basis", 0, "BASIS", false, "", "", "rental-3y", "price basis of cost per token"},
        Flag{"--history", 0, "FILE", false, "", "", "", "append the result as one JSON line"},
        Flag{"--format", 'f', "F", false, "", "", "terminal", "terminal or json"}},
    moneyFlags);
constexpr auto costMoneyFlags = joined(
    std::array{
        Flag{"--basis", 0, "BASIS", true, "", "", "all", "price basis; repeat for several"},
        Flag{"--tokens", 0, "WHICH", false, "", "", "output", "tokens that count: output, total or input"},
        Flag{"--utilisation", 0, "SHARE", false, "", "", "100%", "share of a paid hour that serves"},
        Flag{"--overhead", 0, "SHARE", false, "", "", "0", "storage, network, egress on top of the price"},
        Flag{"--tax", 0, "SHARE", false, "", "", "18% for INR, else 0", "tax on top"},
        Flag{"--subsidy", 0, "SHARE", false, "", "", "0", "granted share taken off the price before tax"},
        Flag{"--spread", 0, "SHARE", false, "", "", "0", "half width of a single run's rate"},
        Flag{"--drift", 0, "SHARE", false, "", "", "0", "change of rented prices per year: --drift=-15%"},
        Flag{"--months", 0, "N", false, "", "", "36", "--drift: over how many months the mean price is taken"},
        Flag{"--interactivity", 0, "N", false, "", "", "",
             "compare sweeps at N tokens/s per user: each GPU's best trade-off, between its runs"},
        Flag{"--prices", 0, "", false, "", "", "off", "list every price and rate with source and date, then stop"},
        Flag{"--format", 'f', "F", false, "", "", "terminal", "terminal, json or csv"}},
    moneyFlags);
constexpr auto costFlags =
    joined(std::array{Flag{"--gpu", 'g', "NAME", true, "", "", "the manifest's, else MI300X",
                           "GPU in question, by product: MI300X, MI355X; repeat for several"},
                      Flag{"--manifest", 'm', "FILE", false, "", "", "unwarp.toml in PATH",
                           "what only you know: workloads, demand, prices (TOML or YAML; `unwarp cost init`)"},
                      Flag{"--translated", 0, "FILE", false, "", "", "",
                           "what a translator did: table with key (rule or api.STATUS), clean, review, failed"},
                      Flag{"--compare", 0, "", false, "", "", "off", "two manifests beside each other"},
                      Flag{"--format", 'f', "F", false, "", "", "terminal",
                           "terminal json markdown csv focus, or fleet: a problem for `unwarp cost fleet`"},
                      Flag{"--schema", 0, "", false, "", "", "off", "print the schema of the JSON, then stop"}},
           projectFlags);
constexpr auto costInitFlags = joined(
    std::array{Flag{"--output", 'o', "FILE", false, "", "", "standard output", "file to write; must not exist yet"}},
    readFlags);
constexpr std::array costBacktestFlags{
    Flag{"--train", 0, "FILE", false, "", "", "", "table of finished ports that calibrates; nothing else then does"},
    Flag{"--score", 0, "FILE", false, "", "", "", "table of ports to predict"},
    Flag{"--format", 'f', "F", false, "", "", "terminal", "terminal or json"}, knowledge, help};
constexpr std::array costMineFlags{
    Flag{"--subject", 0, "WORD", true, "", "", "every commit",
         "count commits whose subject has this word; repeat: any"},
    Flag{"--size", 0, "PATH", true, "", "", "PATHS", "where the CUDA code stood before the port; repeat for several"},
    Flag{"--months", 0, "N", false, "", "", "18", "the port is what happened this long from its first commit on"},
    Flag{"--project", 0, "NAME", false, "", "", "REPO", "project column of the row"},
    Flag{"--direction", 0, "TEXT", false, "", "", "", "direction column of the row: 'CUDA->HIP (hipify)'"},
    Flag{"--format", 'f', "F", false, "", "", "terminal", "terminal, or tsv: the row of a table of case studies"},
    help};
constexpr std::array explainFlags{knowledge, help};
constexpr std::array doctorFlags{Flag{"--app", 0, "PROGRAM", false, "", "", "",
                                      "list the CUDA functions a built program uses that Unwarp lacks; exit 1 if any"},
                                 knowledge, config, help};

// Not `threads` from above: these are the runtime's, and its environment decides about their values.
constexpr std::array runFlags{
    Flag{"--width", 'w', "LANES", false, "", "UNWARP_WIDTH", "the device's", "lanes per warp: 32 or 64"},
    Flag{"--device", 'd', "NAME", false, "", "UNWARP_DEVICE", "sm_80", "device profile: sm_80, gfx942, gfx1100, ..."},
    Flag{"--devices", 0, "N", false, "", "UNWARP_DEVICES", "1", "how many devices the program sees"},
    Flag{"--threads", 'j', "N", false, "", "UNWARP_THREADS", "one per processor", "threads that run blocks"},
    Flag{"--tier", 0, "T", false, "", "UNWARP_TIER", "auto",
         "how kernels run: auto, 0 (loops), 1 (loops between meetings), 3 (a fiber per thread)"},
    Flag{"--stats", 0, "FILE", false, "", "UNWARP_STATS", "off",
         "write launch counts as JSON; - for the end of stderr"},
    help};

constexpr std::array<std::string_view, 4> auditExamples{
    "unwarp audit .", "unwarp audit src --target gfx942 --target gfx1201",
    "unwarp audit . --format sarif=out.sarif --format json=out.json", "unwarp audit . --gate 'silent==0, lds<=64k'"};
constexpr std::array<std::string_view, 3> assessExamples{"unwarp assess .", "unwarp assess . --run",
                                                         "unwarp assess ~/project -o report --fail-on silent"};
constexpr std::array<std::string_view, 2> costFleetExamples{"unwarp cost fleet fleet.json",
                                                            "unwarp cost fleet fleet.json --lp fleet.lp --format json"};
constexpr std::array<std::string_view, 2> costGateExamples{
    "unwarp cost gate main.json branch.json",
    "unwarp cost gate runs/main runs/branch --margin 2% --history gate.jsonl"};
constexpr std::array<std::string_view, 2> costMoneyExamples{
    "unwarp cost money results.json --basis rental-3y",
    "unwarp cost money runs --currency INR --rate INR=93.8@2026-03-17"};
constexpr std::array<std::string_view, 3> costExamples{"unwarp cost .", "unwarp cost workloads.yaml --format markdown",
                                                       "unwarp cost --compare today.toml plan.toml"};
constexpr std::array<std::string_view, 1> costInitExamples{"unwarp cost init . -o workloads.toml"};
constexpr std::array<std::string_view, 2> costBacktestExamples{
    "unwarp cost backtest", "unwarp cost backtest --train ports.tsv --score mine.tsv --format json"};
constexpr std::array<std::string_view, 2> costMineExamples{
    "unwarp cost mine ../stdgpu src/stdgpu/hip --size src/stdgpu/cuda",
    "unwarp cost mine . src --subject hip --subject rocm --format tsv"};
constexpr std::array<std::string_view, 3> explainExamples{
    "unwarp explain W01", "unwarp explain cudaMallocAsync flash-attn gfx942", "unwarp explain rules"};
constexpr std::array<std::string_view, 2> doctorExamples{"unwarp doctor", "unwarp doctor --app ./app"};
constexpr std::array<std::string_view, 2> runExamples{
    "unwarp run --width 64 ./app", "unwarp run --device gfx942 --stats counts.json ./app --size 100"};

constexpr std::span<const Flag> noFlags{};
constexpr std::array<std::string_view, 2> nvccExamples{"unwarp nvcc -O3 -o app app.cu", "unwarp nvcc --help"};
constexpr std::array<std::string_view, 1> toolkitPathExamples{"CUDA_HOME=$(unwarp toolkit-path) make"};

constexpr std::array commandTable{
    Command{
        "assess", "PATH", "the main job: run every stage on a project and write one report",
        "Runs the stages that exist (audit, cost and verdict; with --run also build and run) and writes result.json, "
        "report.md, cost.md, cost.json, index.html and findings.sarif. Exit: 0 no gate is broken, 1 one is (--gate, "
        "--fail-on), 2 usage error or "
        "a stage failed.",
        assessFlags, assessExamples, runAssess},
    Command{"audit", "PATH", "what binds this code to CUDA: by layer, per AMD target, with file and line",
            "Reads sources, manifests and binaries of a folder or file; executes nothing, opens no socket. "
            "Exit: 0 no gate is broken (unreadable files are named and no failure), 1 one is (--gate, --fail-on), "
            "2 usage error, no such PATH, or an output that could not be written.",
            auditFlags, auditExamples, runAudit},
    Command{"cost fleet", "FILE", "which workload runs on which pool of GPUs, at least cost",
            "Solves the split-fleet program of a JSON file (docs/cost-money.md); port costs given as P20, P50, P80 are "
            "three scenarios, and only moves that appear in all are planned. Exit: 0, or 2 for a failure or no plan.",
            costFleetFlags, costFleetExamples, runCostFleet},
    Command{
        "cost gate", "BASE CANDIDATE", "is the candidate slower? compares two sets of benchmark results",
        "Each side is a file or folder of vLLM, AIPerf, MLPerf, InferenceX or CSV results; repeated runs belong in one "
        "folder. Exit: 0 equal or faster, 1 slower, 2 usage error or not comparable, 3 inconclusive.",
        costGateFlags, costGateExamples, runCostGate},
    Command{"cost money", "FILE...", "tokens per unit of money from benchmark results, bills and price lists",
            "Reads vLLM, AIPerf, MLPerf, InferenceX and CSV results, FOCUS bills, infracost and gpuhunt prices, each "
            "known by its content. Exit: 0, or 2 for an input that cannot be used.",
            costMoneyFlags, costMoneyExamples, runCostMoney},
    Command{"cost", "PATH|MANIFEST", "what leaving CUDA costs: effort, money, and a verdict per workload",
            "Audits PATH (or the manifest's folder) and accounts for each workload and GPU: routes with effort, the "
            "verdict with what would turn it, money and payback where prices, demand and a benchmark are stated. "
            "Every number is printed with its source. Exit: 0 no gate is broken, 1 one is (--gate, --fail-on: of the "
            "audit's findings, for the account's targets), 2 usage error or failure.",
            costFlags, costExamples, runCost},
    Command{"cost init", "PATH", "write a manifest for PATH: every question as a comment",
            "Exit: 0, or 2 for a failure.", costInitFlags, costInitExamples, runCostInit},
    Command{"cost backtest", "", "how far the effort model is off on finished ports",
            "Without files each project of the built-in case studies is predicted from all others. Tables have the "
            "columns project, direction, effort_person_weeks, and where known loc_gpu, loc_total, kernels, "
            "effort_basis (with 'lower bound' in it for a lower bound). Exit: 0, or 2 for a failure.",
            costBacktestFlags, costBacktestExamples, runCostBacktest},
    Command{"cost mine", "REPO PATHS...", "what a finished port cost, read from a git history",
            "Distinct (author, day) pairs that touched the paths, merges left out, divided by 5. Squashed changes make "
            "it a lower bound; a replayed history is refused. Runs git, which must be installed. Exit: 0, or 2 for a "
            "failure.",
            costMineFlags, costMineExamples, runCostMine},
    Command{"explain", "TOPIC...",
            "the page of a rule, an API, a package or a GPU; or a list: rules, devices, layers, platforms, statuses, "
            "severities",
            "Exit: 0 every topic is known, 2 one is not.", explainFlags, explainExamples, runExplain},
    Command{"nvcc", "ARGS...", "compile CUDA C++ for this CPU; takes nvcc's arguments verbatim",
            "The same program as toolkit/bin/nvcc. What it builds runs on this CPU; UNWARP_WIDTH=32|64 chooses the "
            "lanes per warp.",
            noFlags, nvccExamples, runNvcc},
    Command{"run", "[FLAGS] PROGRAM ARGUMENTS...", "run a program that our nvcc built, at a width or as a device",
            "Becomes the program: its output, its signals, its exit status. 127: no such program, 126: it cannot run.",
            runFlags, runExamples, runRun},
    Command{"toolkit-path", "", "print the folder that stands in for a CUDA toolkit (CUDA_HOME)", "", noFlags,
            toolkitPathExamples, runToolkitPath},
    Command{"doctor", "", "what this installation is, knows and would use", "", doctorFlags, doctorExamples, runDoctor},
};

}  // namespace

std::span<const Command> commands() {
  return commandTable;
}

const Command* findCommand(std::string_view name) {
  auto it = std::find_if(commandTable.begin(), commandTable.end(), [&](const Command& c) { return c.name == name; });
  return it == commandTable.end() ? nullptr : &*it;
}

namespace {

std::string pad(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

constexpr std::string_view alsoFrom =
    "Settings also come from unwarp.toml: `unwarp help configuration` and docs/configuration.md. A comment "
    "`unwarp: ignore[RULE] why` silences a line: docs/suppressions.md.";

/// A row of two columns; the right one is wrapped.
std::string helpRow(const std::string& left, const std::string& right, std::size_t indent) {
  return pad(left, indent) + wrapped(right, indent) + "\n";
}

/// What a flag does, with its default in brackets.
std::string meaningOf(const Flag& flag) {
  std::string text(flag.help);
  if (flag.fallback.empty() || flag.fallback == "off") return text;
  return text + " [" + std::string(flag.fallback) + "]";
}

/// How the value of a key is written: `["GFX", ...]`, `true`, `"WHEN"`.
std::string valueForm(const Flag& flag) {
  if (flag.argument.empty()) return "true";
  std::string value = "\"" + std::string(flag.argument) + "\"";
  return flag.repeats ? "[" + value + ", ...]" : value;
}

}  // namespace

std::string helpText(const Command* command) {
  std::string text;
  if (command == nullptr) {
    text =
        "unwarp: what would it take to leave CUDA, and is the moved code right?\n\nUsage: unwarp COMMAND "
        "[ARGUMENTS]\n\nExamples:\n  unwarp assess .\n  unwarp audit . --target gfx942\n  unwarp explain "
        "W01\n\nCommands:\n";
    for (const Command& c : commandTable) text += helpRow("  " + std::string(c.name), std::string(c.summary), 16);
    return text +
           "\n`unwarp COMMAND --help` shows a command's flags, `unwarp help configuration` the\n"
           "keys of unwarp.toml, `unwarp --version` the version.\n";
  }
  std::string title = "unwarp " + std::string(command->name) + ": ";
  text = helpRow(title, std::string(command->summary), title.size()) + "\nUsage: unwarp " + std::string(command->name) +
         (command->arguments.empty() ? "" : " ") + std::string(command->arguments) +
         (command->arguments.starts_with("[FLAGS]") ? "" : " [FLAGS]") + "\n\nExamples:\n";
  for (std::string_view example : command->examples) text += "  " + std::string(example) + "\n";
  text += "\nFlags:\n";
  for (const Flag& flag : command->flags) {
    std::string left = flag.letter != 0 ? std::string("  -") + flag.letter + ", " : "      ";
    left += std::string(flag.name) + (flag.argument.empty() ? "" : " " + std::string(flag.argument));
    text += helpRow(left, meaningOf(flag), 26);
  }
  if (!command->details.empty()) text += "\n" + wrapped(command->details, 0) + "\n";
  bool configurable = std::any_of(command->flags.begin(), command->flags.end(),
                                  [](const Flag& flag) { return !flag.configKey.empty(); });
  if (configurable) text += "\n" + wrapped(alsoFrom, 0) + "\n";
  return text;
}

std::string configurationText() {
  std::string text =
      "Keys of unwarp.toml. Each does what the flag named with it does; a variable of\nthe environment overrides a "
      "key, a flag overrides both.\n\n";
  std::vector<std::string_view> shown;
  for (const Command& command : commandTable) {
    for (const Flag& flag : command.flags) {
      if (flag.configKey.empty() || std::find(shown.begin(), shown.end(), flag.configKey) != shown.end()) continue;
      shown.push_back(flag.configKey);
      text += helpRow("  " + std::string(flag.configKey) + " = " + valueForm(flag), meaningOf(flag), 30);
      text += std::string(30, ' ') + std::string(flag.name) +
              (flag.environment.empty() ? "" : ", " + std::string(flag.environment)) + "\n";
    }
  }
  return text;
}

}  // namespace unwarp::cli
