# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes, names and headers of our C++ sources.

Function lengths come from a brace scanner, not a parser: comments and literals are blanked, then each `{` is judged by
the text before it. A brace after `)` (perhaps with const, noexcept, a return type or an initialiser list) opens a
function, one after namespace, class, struct, union, enum or extern a container. Good enough for code that clang-format
has laid out; a misjudged brace can be waived on its line.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from .tree import Complaint, Tree

MAX_SOURCE_LINES = 500
MAX_HEADER_LINES = 200
MAX_FUNCTION_LINES = 70
MAX_COLUMNS = 120
BANNED = ("Manager", "Helper", "Util", "Utils", "Info")
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
FOLDERS = ("src", "toolkit/runtime", "toolkit/libraries", "tests", "bench", "fuzz")
WAIVER = re.compile(r"//\s*tidy-allow:\s*(\w[\w-]*)\s+\S+")

_LITERALS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'""",
    re.S,
)
_CONTAINER = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
_FUNCTION = re.compile(r"\)\s*(const|noexcept|override|final|mutable|->[^;{}]*|:(?!:)[^;]*|\s)*$", re.S)
# A constructor's `: member_{`: a value, not yet the body.
_MEMBER_VALUE = re.compile(r"\)\s*(noexcept\s*)?:(?!:)[^;]*[\w>]\s*$", re.S)
_TYPE = re.compile(r"\b(?:class|struct|enum class|enum|using)\s+([A-Za-z_]\w*)")


def waived(line: str, what: str) -> bool:
    """A line may carry `// tidy-allow: WHAT REASON`."""
    found = WAIVER.search(line)
    return found is not None and found.group(1) == what


def blank(text: str) -> str:
    """The text with comments and literals replaced by blanks; line breaks stay."""
    return _LITERALS.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def functions(text: str) -> Iterator[tuple[int, int, str]]:
    """(first line, number of lines, header) of each outermost function body."""
    code = blank(text)
    stack: list[str] = []
    header_start = 0
    opened: tuple[int, int, str] | None = None  # depth, first line, header
    line = 1
    header_line = 1
    for position, character in enumerate(code):
        if character == "\n":
            line += 1
        elif character == "{":
            header = code[header_start:position]
            if opened is None and _MEMBER_VALUE.search(header):
                stack.append("value")
                continue
            kind = "block"
            if opened is None:
                if _FUNCTION.search(header) and not re.search(r"=\s*$", header):
                    kind = "function"
                    first = header_line + header[: len(header) - len(header.lstrip())].count("\n")
                    opened = (len(stack), first, " ".join(header.split()))
                elif _CONTAINER.search(header):
                    kind = "container"
            stack.append(kind)
        elif character == "}" and stack:
            if stack.pop() == "value":
                continue
            if opened is not None and len(stack) == opened[0]:
                yield opened[1], line - opened[1] + 1, opened[2]
                opened = None
        if character in "{};":
            header_start, header_line = position + 1, line


def essay_lines(lines: list[str]) -> int:
    """Length of the comment below the SPDX line."""
    count = 0
    for line in lines[1:40]:
        if not line.startswith("//"):
            break
        count += len(line.strip("/ ")) > 0
    return count


def check(tree: Tree) -> Iterator[Complaint]:
    for path in tree.under(*FOLDERS, ends=(".cpp", ".h")):
        yield from check_file(tree, path)


def check_file(tree: Tree, path: str) -> Iterator[Complaint]:
    lines = tree.lines(path)
    header = path.endswith(".h")
    limit = MAX_HEADER_LINES if header and path.startswith("src/") else MAX_SOURCE_LINES
    if len(lines) - 1 > limit and not any(waived(line, "file-length") for line in lines[:30]):
        yield Complaint(path, 0, f"{len(lines) - 1} lines, at most {limit}")
    if not lines[0].endswith(SPDX):
        yield Complaint(path, 1, "first line is not the SPDX line")
    twin = path[:-4] + ".h"
    excused = path.endswith("_test.cpp") or (path.endswith(".cpp") and twin in tree.paths)
    if essay_lines(lines) == 0 and not excused:
        yield Complaint(path, 2, "no essay below the SPDX line (what, why, limits)")
    if header and not any(line == "#pragma once" for line in lines):
        yield Complaint(path, 1, "header without #pragma once")
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS and not waived(line, "long-line") and "http" not in line:
            yield Complaint(path, number, f"{len(line)} columns, at most {MAX_COLUMNS}")
    code = blank(tree.text(path)).split("\n")
    for number, line in enumerate(code, 1):
        for name in _TYPE.findall(line):
            if name.endswith(BANNED) and not waived(lines[number - 1], "name"):
                yield Complaint(path, number, f"type name {name}: Manager, Helper, Util and Info say nothing")
        if re.search(r"\busing\s+namespace\b", line) and header:
            yield Complaint(path, number, "using namespace in a header")
    for first, length, head in functions(tree.text(path)):
        if length > MAX_FUNCTION_LINES and not any(waived(line, "function-length") for line in lines[max(0, first - 2) : first + 3]):
            yield Complaint(path, first, f"function of {length} lines, at most {MAX_FUNCTION_LINES}: {head[-60:]}")
