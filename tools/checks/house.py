# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The house around the code: folder READMEs, CMake lists, white space, paths of one machine, documents' sizes."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from .cpp import SPDX
from .tree import Complaint, Tree

TEXT = (".cpp", ".h", ".cu", ".cuh", ".py", ".md", ".txt", ".cmake", ".tsv", ".json", ".toml", ".yml", ".yaml", ".css", ".js", ".sh")
WITH_SPDX = (".cpp", ".h", ".cu", ".cuh", ".py", ".cmake", "CMakeLists.txt", "Makefile", "/dev", ".ci/run", ".css", ".js", ".slurm")
README_FOLDERS = ("knowledge", "examples", "tools", "bench", "fuzz", "tests", "docs")
README_WORDS = ("inputs", "outputs", "may depend on", "never")
# Split, so that this file does not name them itself.
MACHINE_PATHS = ("/wo" + "rk/", "/tmp/cor" + "pus", "/tmp/bui" + "ld")
MAX_ARCHITECTURE_LINES = 250


def check(tree: Tree) -> Iterator[Complaint]:
    for path in tree.paths:
        if path.startswith("fuzz/corpus/"):
            continue
        if path.endswith(WITH_SPDX) and not any(SPDX in line for line in tree.lines(path)[:4]):
            yield Complaint(path, 1, "no SPDX line")
        if path.endswith(TEXT) or path.endswith(WITH_SPDX):
            yield from check_text(tree, path)
    yield from check_readmes(tree)
    yield from check_cmake(tree)
    if len(tree.lines("ARCHITECTURE.md")) - 1 > MAX_ARCHITECTURE_LINES:
        yield Complaint("ARCHITECTURE.md", 0, f"more than {MAX_ARCHITECTURE_LINES} lines")


def check_text(tree: Tree, path: str) -> Iterator[Complaint]:
    text = tree.text(path)
    if text and not text.endswith("\n"):
        yield Complaint(path, 0, "no line break at the end")
    tabs = path.endswith((".tsv", "Makefile", ".mk"))
    block = ""
    for number, line in enumerate(tree.lines(path), 1):
        if line.startswith("```"):
            block = "" if block else line[3:] or "text"
        if line != line.rstrip(" \t\r") and not path.endswith(".tsv"):
            yield Complaint(path, number, "trailing blanks")
        if "\t" in line and not tabs and not (path.endswith(".md") and "ake" in block):
            yield Complaint(path, number, "tab")
        for machine in MACHINE_PATHS:
            if machine in line:
                yield Complaint(path, number, f"names a path of one machine: {machine}")


def check_readmes(tree: Tree) -> Iterator[Complaint]:
    folders = {f"src/{path.split('/')[1]}" for path in tree.under("src") if path.count("/") >= 2} | set(README_FOLDERS)
    for folder in sorted(folders):
        readme = f"{folder}/README.md"
        if readme not in tree.paths:
            yield Complaint(folder, 0, "no README.md")
            continue
        text = tree.text(readme).lower()
        for word in README_WORDS:
            if word not in text:
                yield Complaint(readme, 0, f"does not say '{word}'")


def check_cmake(tree: Tree) -> Iterator[Complaint]:
    """Sources are listed by name: a file in no list would silently not be built."""
    lists = {path: tree.text(path) for path in tree.paths if path.endswith("CMakeLists.txt")}
    for path in tree.under("src", "tests", "bench", "fuzz", ends=(".cpp",)):
        named = False
        folder = PurePosixPath(path).parent
        while not named:
            text = lists.get(f"{folder}/CMakeLists.txt")
            relative = str(PurePosixPath(path).relative_to(folder))
            stem = relative[: -len(".cpp")]
            if text is not None and re.search(rf"(?<![\w/.-])({re.escape(relative)}|{re.escape(stem)})(?![\w.-])", text):
                named = True
            if folder == PurePosixPath("."):
                break
            folder = folder.parent
        if not named:
            yield Complaint(path, 0, "in no CMakeLists.txt")
