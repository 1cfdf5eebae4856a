# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who may include whom, and what no part may do. The table repeats the picture of ARCHITECTURE.md."""
from __future__ import annotations

import re
from collections.abc import Iterator

from .cpp import blank
from .tree import Complaint, Tree

MAY_INCLUDE = {
    "base": {"base"},
    "knowledge": {"base", "knowledge"},
    "result": {"base", "result"},
    "scan": {"base", "knowledge", "scan"},
    "audit": {"base", "knowledge", "scan", "result", "audit"},
    "cost": {"base", "knowledge", "scan", "result", "cost"},
    "report": {"base", "result", "report"},
    "trial": {"base", "knowledge", "scan", "result", "trial"},
    "compiler": {"base", "compiler"},
    "cli": {"base", "knowledge", "scan", "result", "audit", "cost", "report", "trial", "compiler", "cli"},
}
# Third-party headers and the folders that may see them; tests may see all.
THIRD_PARTY = {
    "archive": ("src/scan/binary/",),
    "Cbc": ("src/cost/fleet/",),
    "Coin": ("src/cost/fleet/",),
    "Osi": ("src/cost/fleet/",),
    "nlohmann/": (),
    "gtest/": (),
    "llvm/": ("src/compiler/simt/",),
    "clang/": (),
}
# Programs are started by two files of base, which only those may see who run any: the driver its compilers, the trial a project, `unwarp cost
# mine` git. `unwarp run` becomes the user's program.
RUNS_PROGRAMS = ("src/base/process.cpp", "src/base/supervision.cpp", "src/cli/run_command.cpp")
RUNNERS = {"base/process.h", "base/supervision.h"}
MAY_RUN = {"base", "compiler", "trial", "cli"}
# The runtime reads the formats that it shares with the compiler, and nothing of the audit.
TOOLKIT_MAY_INCLUDE = ("runtime/", "compiler/abi/", "cuda", "libraries/")
# Calls that would break "executes nothing, opens no socket, loads nothing".
FORBIDDEN = re.compile(
    r"(?<![\w.>:])(?:::|std::)?(system|popen|fork|vfork|execv|execve|execvp|execl|execlp|posix_spawn|posix_spawnp|socket|connect|"
    r"getaddrinfo|gethostbyname|dlopen)\s*\("
)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def check(tree: Tree) -> Iterator[Complaint]:
    for path in tree.under("src", ends=(".cpp", ".h")):
        test = path.endswith("_test.cpp")
        folder = path.split("/")[1]
        if folder not in MAY_INCLUDE:
            yield Complaint(path, 0, f"folder src/{folder} is not in the table of directions (tools/checks/directions.py)")
            continue
        for number, line in enumerate(tree.lines(path), 1):
            found = INCLUDE.match(line)
            if found:
                yield from check_include(tree, path, number, folder, found.group(1), found.group(2), test)
        if test or path in RUNS_PROGRAMS:
            continue
        for number, line in enumerate(blank(tree.text(path)).split("\n"), 1):
            call = FORBIDDEN.search(line)
            if call:
                yield Complaint(path, number, f"calls {call.group(1)}: unwarp executes nothing and opens no socket")


    for path in tree.under("toolkit/runtime", "toolkit/libraries", ends=(".cpp", ".h")):
        for number, line in enumerate(tree.lines(path), 1):
            found = INCLUDE.match(line)
            if found and found.group(1) == '"' and not found.group(2).startswith(TOOLKIT_MAY_INCLUDE):
                yield Complaint(path, number, f'"{found.group(2)}" is not for the toolkit')


def check_include(tree: Tree, path: str, line: int, folder: str, mark: str, name: str, test: bool) -> Iterator[Complaint]:
    if mark == '"':
        target = name.split("/")[0]
        if "/" not in name or target not in MAY_INCLUDE:
            if not test:
                yield Complaint(path, line, f'"{name}" is not a path from src/')
        elif target not in MAY_INCLUDE[folder] and not test:
            yield Complaint(path, line, f"src/{folder} may not include src/{target}")
        elif name in RUNNERS and folder not in MAY_RUN:
            yield Complaint(path, line, f"src/{folder} runs no programs: \"{name}\" is not for it")
        elif f"src/{name}" not in tree.paths:
            yield Complaint(path, line, f'"{name}" does not exist')
        return
    for start, folders in THIRD_PARTY.items():
        if name.startswith(start) and not test and not path.startswith(folders):
            yield Complaint(path, line, f"<{name}> is not for this folder")
