// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row per flag. A row's configuration key and environment variable are where the same setting may come from;
// `settings.cpp` merges them.
#include "cli/flags.h"

#include <algorithm>
#include <array>
#include <string>

#include "cli/command_list.h"

namespace unwarp::cli {

namespace {

constexpr Flag target{"--target",
                      't',
                      "GFX",
                      true,
                      "targets",
                      "UNWARP_TARGETS",
                      "gfx942 gfx1100",
                      "AMD GPU to judge against, by LLVM name; repeat for several"};
constexpr Flag select{
    "--select", 0, "RULE", true, "select", "", "all stable rules", "only these rules: id (W01), group (W) or name"};
constexpr Flag ignoreRule{"--ignore", 0, "RULE", true, "ignore", "", "", "leave these rules out"};
constexpr Flag preview{"--preview", 0,  "",    false,
                       "preview",   "", "off", "also rules whose measured precision is below 70 %"};
constexpr Flag exclude{"--exclude", 'x', "GLOB", true,
                       "exclude",   "",  "",     "leave out paths (relative to PATH; ** crosses folders)"};
constexpr Flag noIgnore{"--no-ignore", 0,  "",    false,
                        "no-ignore",   "", "off", "read files that .gitignore, .ignore or .unwarpignore hide"};
constexpr Flag failOn{
    "--fail-on", 0,  "SEVERITY", false,
    "fail-on",   "", "",         "exit 1 when a finding is at least that bad: silent crash hang compile perf info"};
constexpr Flag gate{"--gate", 0,  "EXPR", true,
                    "gate",   "", "",     "exit 1 unless all hold: 'silent==0, lds<=64k, mask_sites<=12'"};
constexpr Flag knowledge{"--knowledge",
                         0,
                         "DIR",
                         false,
                         "",
                         "UNWARP_KNOWLEDGE",
                         "built in",
                         "fact tables to use instead of the built-in ones"};
constexpr Flag config{"--config",          0, "FILE", false, "", "UNWARP_CONFIG", "nearest unwarp.toml above PATH",
                      "configuration file"};
constexpr Flag showConfig{
    "--show-config", 0, "", false, "", "", "off", "print every setting and where it comes from, then stop"};
constexpr Flag threads{"--threads",     'j', "N", false, "threads", "UNWARP_THREADS", "one per processor",
                       "worker threads"};
constexpr Flag color{"--color", 0, "WHEN", false, "color", "", "auto", "auto, always or never; NO_COLOR is honoured"};
constexpr Flag quiet{"--quiet", 'q', "", false, "", "", "off", "no progress on stderr"};
constexpr Flag help{"--help", 'h', "", false, "", "", "", "this text"};

constexpr std::array auditFlags{
    target,
    Flag{"--format", 'f', "F[=FILE]", true, "format", "", "terminal",
         "terminal json jsonl sarif markdown csv html; to stdout, or to FILE; repeat for several"},
    Flag{"--all", 'a', "", false, "", "", "off", "terminal: list every finding"},
    failOn,
    gate,
    select,
    ignoreRule,
    preview,
    exclude,
    noIgnore,
    config,
    showConfig,
    knowledge,
    Flag{"--schema", 0, "", false, "", "", "off", "print the JSON schema of the result, then stop"},
    threads,
    color,
    quiet,
    help};

constexpr std::array assessFlags{Flag{"--output", 'o', "DIR", false, "", "", "unwarp-report",
                                      "folder to write; an earlier report there is replaced as a whole"},
                                 target,
                                 failOn,
                                 gate,
                                 select,
                                 ignoreRule,
                                 preview,
                                 exclude,
                                 noIgnore,
                                 config,
                                 showConfig,
                                 knowledge,
                                 threads,
                                 color,
                                 quiet,
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
         "how kernels run: auto, 0 (loops), 3 (a fiber per thread)"},
    Flag{"--stats", 0, "FILE", false, "", "UNWARP_STATS", "off",
         "write launch counts as JSON; - for the end of stderr"},
    help};

constexpr std::array<std::string_view, 4> auditExamples{
    "unwarp audit .", "unwarp audit src --target gfx942 --target gfx1201",
    "unwarp audit . --format sarif=out.sarif --format json=out.json", "unwarp audit . --gate 'silent==0, lds<=64k'"};
constexpr std::array<std::string_view, 2> assessExamples{"unwarp assess .",
                                                         "unwarp assess ~/project -o report --fail-on silent"};
constexpr std::array<std::string_view, 3> explainExamples{
    "unwarp explain W01", "unwarp explain cudaMallocAsync flash-attn gfx942", "unwarp explain rules"};
constexpr std::array<std::string_view, 2> doctorExamples{"unwarp doctor", "unwarp doctor --app ./app"};
constexpr std::array<std::string_view, 2> runExamples{
    "unwarp run --width 64 ./app", "unwarp run --device gfx942 --stats counts.json ./app --size 100"};

constexpr std::span<const Flag> noFlags{};
constexpr std::array<std::string_view, 2> nvccExamples{"unwarp nvcc -O3 -o app app.cu", "unwarp nvcc --help"};
constexpr std::array<std::string_view, 1> toolkitPathExamples{"CUDA_HOME=$(unwarp toolkit-path) make"};

constexpr std::array commandTable{
    Command{"assess", "PATH", "the main job: run every stage on a project and write one report",
            "Runs the stages that exist (audit) and writes result.json, report.md, index.html and findings.sarif.\n"
            "Exit: 0 clean, 1 a gate is broken, 2 usage error or a stage failed.",
            assessFlags, assessExamples, runAssess},
    Command{"audit", "PATH", "what binds this code to CUDA: by layer, per AMD target, with file and line",
            "Reads sources, manifests and binaries of a folder or file. Executes nothing, opens no socket.\n"
            "Exit: 0 (also with unreadable files), 1 a gate is broken, 2 usage error or no PATH.",
            auditFlags, auditExamples, runAudit},
    Command{"explain", "TOPIC...",
            "the page of a rule, an API, a package or a GPU; or `rules`, `devices`, `layers`, `platforms`", "",
            explainFlags, explainExamples, runExplain},
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

/// Wraps `text` at `width` columns, continuation lines indented.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    std::size_t space = text.find(' ');
    std::string_view word = text.substr(0, space);
    if (column + word.size() > width && column > indent) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    result += word;
    column += word.size();
    if (space == std::string_view::npos) break;
    result += ' ';
    ++column;
    text.remove_prefix(space + 1);
  }
  return result;
}

}  // namespace

std::string helpText(const Command* command) {
  std::string text;
  if (command == nullptr) {
    text =
        "unwarp: what would it take to leave CUDA, and is the moved code right?\n\nUsage: unwarp COMMAND "
        "[ARGUMENTS]\n\nExamples:\n  unwarp assess .\n  unwarp audit . --target gfx942\n  unwarp explain "
        "W01\n\nCommands:\n";
    for (const Command& c : commandTable) text += "  " + pad(std::string(c.name), 13) + wrap(c.summary, 15, 100) + "\n";
    return text + "\n`unwarp COMMAND --help` shows a command's flags. `unwarp --version` shows versions.\n";
  }
  text = "unwarp " + std::string(command->name) + ": " + std::string(command->summary) + "\n\nUsage: unwarp " +
         std::string(command->name) + " " + std::string(command->arguments) +
         (command->arguments.starts_with("[FLAGS]") ? "" : " [FLAGS]") + "\n\nExamples:\n";
  for (std::string_view example : command->examples) text += "  " + std::string(example) + "\n";
  text += "\nFlags:\n";
  for (const Flag& flag : command->flags) {
    std::string left = flag.letter != 0 ? std::string("  -") + flag.letter + ", " : "      ";
    left += std::string(flag.name) + (flag.argument.empty() ? "" : " " + std::string(flag.argument));
    std::string right(flag.help);
    if (!flag.fallback.empty() && flag.fallback != "off") right += " [" + std::string(flag.fallback) + "]";
    text += pad(left, 26) + wrap(right, 26, 100) + "\n";
  }
  if (!command->details.empty()) text += "\n" + std::string(command->details) + "\n";
  return text;
}

}  // namespace unwarp::cli
