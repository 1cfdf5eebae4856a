#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/gen and docs/coverage.md from knowledge/ and from the program's own help, the example of README.md from a run, the table of keys
in docs/configuration.md, and the runtime's tables of devices and of functions that are not implemented.

Usage: gen.py [--unwarp BINARY] [--check]
Without --unwarp the pages that come from the program are left as they are. --check writes nothing, names what is not
current and exits with 1.
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from checks.tables import LAYERS, STATUSES, rows, rule_pages
from checks.tree import Tree

STATUS_TEXT = {"stable": "on", "preview": "preview", "depth": "needs depth"}


def first_lines(source: str, title: str) -> str:
    return f"<!-- Generated from {source} by tools/gen.py: edit that, then run ./dev gen. -->\n\n# {title}\n\n"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def rules_page(tree: Tree) -> str:
    pages = rule_pages(tree)
    text = first_lines("knowledge/rules", "Rules")
    counts = Counter(page.metadata["status"] for page in pages)
    text += (
        f"{len(pages)} rules: {counts['stable']} on by default, {counts['preview']} in preview (`--preview`), "
        f"{counts['depth']} need the depth analysis and report nothing yet. `unwarp explain ID` prints a page.\n\n"
        "| rule | severity | layer | state | precision | minutes a site |\n|---|---|---|---|---|---|\n"
    )
    for page in pages:
        data = page.metadata
        link = f"[{data['id']}](../../{page.path}) {cell(data['title'])}"
        state = STATUS_TEXT[data["status"]]
        text += f"| {link} | {data['severity']} | {data['layer']} | {state} | {data['precision']} | {data['minutes']} |\n"
    return text


def layers_page(tree: Tree) -> str:
    words: dict[str, list[str]] = {layer: [] for layer in LAYERS}
    for _, row in rows(tree, "knowledge/layers.tsv"):
        words.setdefault(row["layer"], []).append(row["word"])
    text = first_lines("knowledge/layers.tsv", "Words and layers")
    text += "Every record names the library or topic it belongs to; this table says which of the ten layers that is.\n\n"
    text += "| layer | words |\n|---|---|\n"
    for layer, names in words.items():
        text += f"| {layer if layer != '-' else '(none: no binding)'} | {', '.join(sorted(names))} |\n"
    return text


def coverage_page(tree: Tree) -> str:
    counts: dict[str, Counter] = {}
    for path in tree.under("knowledge/apis", ends=(".tsv",)):
        for _, row in rows(tree, path):
            counts.setdefault(row["library"], Counter())[row["status"]] += 1
    layer_of = {row["word"]: row["layer"] for _, row in rows(tree, "knowledge/layers.tsv")}
    total = Counter()
    text = first_lines("knowledge/apis", "APIs by library and status")
    text += f"| library | layer | {' | '.join(STATUSES)} | all |\n|---|---|{'---|' * len(STATUSES)}---|\n"
    for library in sorted(counts, key=lambda word: (LAYERS.index(layer_of[word]) if layer_of[word] in LAYERS else 99, word)):
        row = counts[library]
        total += row
        numbers = " | ".join(str(row[status]) for status in STATUSES)
        text += f"| {library} | {layer_of[library]} | {numbers} | {row.total()} |\n"
    numbers = " | ".join(str(total[status]) for status in STATUSES)
    return text + f"| all | | {numbers} | {total.total()} |\n"


def code_lines(source: str) -> str:
    return f"// Generated from {source} by tools/gen.py: edit that, then run ./dev gen.\n"


def capability(target: str) -> tuple[int, int]:
    """Compute capability as CUDA and HIP report it: sm_103 is 10.3, gfx1151 is 11.5, gfx90a is 9.0."""
    digits = target.split("_")[1] if target.startswith("sm_") else target[3:]
    if target.startswith("sm_"):
        return int(digits[:-1]), int(digits[-1])
    return int(digits[:-2]), int(digits[-2])


def device_profiles(tree: Tree) -> str:
    """The first product of each target with lanes, as the runtime's settings read it."""
    text = code_lines("knowledge/devices.tsv")
    seen: set[str] = set()
    for _, row in rows(tree, "knowledge/devices.tsv"):
        target = row["target"]
        if row["width"] == "0" or target in seen or not target.startswith(("gfx", "sm_")):
            continue
        seen.add(target)
        lockstep = "true" if row["vendor"] == "AMD" else "false"
        major, minor = capability(target)
        text += f'{{"{target}", "{row["name"]}", {row["width"]}, {row["lds_kb"]}, {row["memory_gb"]}, {lockstep}, {major}, {minor}}},\n'
    return text


# Records of kind function that are none: enumerators, and templates of the headers.
NO_FUNCTIONS = {"cudaErrorStreamDetached", "cudaMemAllocationTypeManaged"}
TEMPLATES = re.compile(r"cudaOccupancyMaxPotentialBlockSize|cudaLaunchKernelEx$")
DEFINITION = re.compile(r"^(?:cudaError_t|const char\*|struct cudaChannelFormatDesc) (cuda\w+)\([^;]*$", re.MULTILINE)


def unimplemented(tree: Tree) -> str:
    """Runtime functions that knowledge/ names and no source of the runtime defines."""
    defined: set[str] = set()
    for path in tree.under("toolkit/runtime", ends=(".cpp",)):
        defined |= set(DEFINITION.findall(tree.text(path)))
    names = set()
    for _, row in rows(tree, "knowledge/apis/cuda-runtime.tsv"):
        name = row["name"]
        if row["kind"] == "function" and row["library"] == "runtime" and name.startswith("cuda") and name not in NO_FUNCTIONS:
            names.add(name)
    missing = sorted(name for name in names - defined if not TEMPLATES.match(name))
    return code_lines("knowledge/apis/cuda-runtime.tsv") + "".join(f"UW_UNIMPLEMENTED({name})\n" for name in missing)


def program_output(unwarp: Path, *arguments: str, folder: Path | None = None) -> str:
    """What the program prints, without blanks at line ends; independent of the caller's environment."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [unwarp, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True, env=environment, cwd=folder
    )
    return "\n".join(line.rstrip() for line in done.stdout.split("\n"))


def cli_page(unwarp: Path) -> str:
    overview = program_output(unwarp, "help")
    text = first_lines("`unwarp help`", "Commands")
    text += f"```\n{overview.rstrip()}\n```\n"
    inside = overview.split("Commands:\n", 1)[1].split("\n\n", 1)[0]
    # Names stand in the first 14 columns behind the indent; some are two words.
    commands = [line[2:16].strip() for line in inside.split("\n") if line.startswith("  ") and line[2:3] != " "]
    for command in commands:
        text += f"\n## unwarp {command}\n\n```\n{program_output(unwarp, 'help', *command.split()).rstrip()}\n```\n"
    return text


def between(text: str, name: str, block: str) -> str:
    """`text` with what stands between the marks of `name` replaced by `block` as code."""
    begin, end = f"<!-- {name}: written by ./dev gen -->", f"<!-- end of {name} -->"
    before, rest = text.split(begin, 1)
    return before + begin + "\n```\n" + block.rstrip() + "\n```\n" + end + rest.split(end, 1)[1]


def configuration_page(root: Path, unwarp: Path) -> str:
    text = (root / "docs/configuration.md").read_text()
    return between(text, "keys", program_output(unwarp, "help", "configuration"))


def readme_page(root: Path, unwarp: Path) -> str:
    """README.md with its example replaced: the sentence and the verdict of the first screen, the table left out."""
    text = (root / "README.md").read_text()
    lines = program_output(unwarp.resolve(), "audit", "examples/particles", folder=root).split("\n")
    sentence = lines[: lines.index("")]
    start = next(number for number, line in enumerate(lines) if line.startswith("Portable now"))
    end = next(number for number, line in enumerate(lines) if line.startswith("Next"))
    shown = ["$ unwarp audit examples/particles", *sentence, "[a table: ten layers by status]", *lines[start:end]]
    return between(text, "example", "\n".join(shown))


def cost_coverage_page(tree: Tree) -> str:
    text = first_lines("knowledge/cost/coverage.tsv", "What the source articles name, and what answers it")
    text += "| name | command | test, or \"nothing yet\" |\n|---|---|---|\n"
    for _, row in rows(tree, "knowledge/cost/coverage.tsv"):
        text += f"| {cell(row['name'])} | {cell(row['command'])} | {cell(row['test'])} |\n"
    return text


def pages(root: Path, unwarp: Path | None) -> dict[str, str]:
    """Path and text of every generated page."""
    tree = Tree(root)
    result = {
        "docs/gen/rules.md": rules_page(tree),
        "docs/gen/layers.md": layers_page(tree),
        "docs/coverage.md": cost_coverage_page(tree),
        "docs/gen/apis-coverage.md": coverage_page(tree),
        "toolkit/runtime/device_profiles.inc": device_profiles(tree),
        "toolkit/runtime/api/unimplemented.inc": unimplemented(tree),
    }
    if unwarp is not None:
        result["docs/gen/cli.md"] = cli_page(unwarp)
        result["docs/configuration.md"] = configuration_page(root, unwarp)
        result["README.md"] = readme_page(root, unwarp)
    return result


def stale(root: Path, unwarp: Path | None) -> list[str]:
    """Pages that differ from what would be written now."""
    current = pages(root, unwarp)
    return [path for path, text in current.items() if not (root / path).exists() or (root / path).read_text() != text]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--unwarp", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    old = stale(arguments.root, arguments.unwarp)
    current = pages(arguments.root, arguments.unwarp)
    for path in old:
        print(f"{path}: not current; run ./dev gen" if arguments.check else f"wrote {path}")
        if not arguments.check:
            (arguments.root / path).parent.mkdir(parents=True, exist_ok=True)
            (arguments.root / path).write_text(current[path])
    return 1 if arguments.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
