# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts: required cells, closed vocabularies, provenance, order, uniqueness; rule pages with all sections and examples."""
from __future__ import annotations

import re
from collections.abc import Iterator

from .tables import LAYERS, SEVERITIES, STATUSES, RulePage, rows, rule_pages, table_of
from .tree import Complaint, Tree

DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
SECTIONS = ["What it finds", "Why it matters", "Flagged", "Translation", "Not flagged", "Limits", "References"]
REQUIRED_KEYS = "id name title group status severity layer applies fix minutes detect precision source as_of".split()
RULE_WORDS = {
    "status": ["stable", "preview", "depth"],
    "severity": SEVERITIES,
    "layer": LAYERS,
    "finding_status": STATUSES,
    "fix": ["safe", "review", "manual"],
    "detect": ["code", "facts", "depth"],
}
EXPECTATION = re.compile(r"(?://|#|--)\s*expect:\s*(\w+)\s*$")


def check(tree: Tree) -> Iterator[Complaint]:
    tables = [path for path in tree.under("knowledge", ends=(".tsv",))]
    for path in tables:
        yield from check_table(tree, path)
    yield from check_links(tree, [path for path in tables if path.startswith("knowledge/apis/")])
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}\n", tree.text("knowledge/FACTS_DATE")):
        yield Complaint("knowledge/FACTS_DATE", 1, "must be one date, YYYY-MM-DD")
    seen: dict[str, str] = {}
    for page in rule_pages(tree):
        if page.error:
            yield Complaint(page.path, 1, page.error)
            continue
        yield from check_rule(page, seen)


def check_table(tree: Tree, path: str) -> Iterator[Complaint]:
    table = table_of(path)
    if table is None:
        yield Complaint(path, 0, "a table without a schema (tools/checks/tables.py)")
        return
    lines = tree.lines(path)
    names = [name for name, _ in table.columns]
    if lines[0].split("\t") != names:
        yield Complaint(path, 1, f"header must be: {' '.join(names)}")
        return
    for number, line in enumerate(lines[1:], 2):
        if line.count("\t") != len(names) - 1 and (line or number < len(lines)):
            yield Complaint(path, number, f"{line.count(chr(9)) + 1} cells, not {len(names)}")
    seen: dict[tuple[str, ...], int] = {}
    previous: tuple[str, ...] = ()
    for number, row in rows(tree, path):
        yield from check_row(path, number, row, table)
        key = tuple(row[name] for name in table.unique)
        if key and key in seen:
            yield Complaint(path, number, f"{' '.join(key)} is also in line {seen[key]}")
        seen[key] = number
        order = tuple(row[name] for name in names[:2])
        if order < previous:
            yield Complaint(path, number, f"not sorted: {order[0]} comes after {previous[0]}")
        previous = order


def check_row(path: str, number: int, row: dict[str, str], table) -> Iterator[Complaint]:
    for name, required in table.columns:
        if required and not row[name].strip():
            yield Complaint(path, number, f"{name} is empty")
        if row[name] != row[name].strip():
            yield Complaint(path, number, f"{name} has blanks around it")
    for name, words in table.words.items():
        if row[name] not in words and row[name]:
            yield Complaint(path, number, f"{name} '{row[name]}' is none of {' '.join(words)}")
    if not DATE.fullmatch(row["as_of"]):
        yield Complaint(path, number, f"as_of '{row['as_of']}' is no date (YYYY, YYYY-MM or YYYY-MM-DD)")


def check_links(tree: Tree, api_tables: list[str]) -> Iterator[Complaint]:
    """Words of one table that must exist in another; a name and kind in two API tables."""
    words = {row["word"] for _, row in rows(tree, "knowledge/layers.tsv")}
    names: dict[tuple[str, str], str] = {}
    for path in api_tables:
        for number, row in rows(tree, path):
            if row["library"] not in words:
                yield Complaint(path, number, f"library '{row['library']}' is not in layers.tsv")
            other = names.setdefault((row["name"], row["kind"]), path)
            if other != path:
                yield Complaint(path, number, f"{row['name']} ({row['kind']}) is also in {other}")
    for number, row in rows(tree, "knowledge/dependencies.tsv"):
        if row["word"] not in words:
            yield Complaint("knowledge/dependencies.tsv", number, f"word '{row['word']}' is not in layers.tsv")
    known = {name for name, _ in names}
    for number, row in rows(tree, "knowledge/semantics.tsv"):
        if row["api"] not in known:
            yield Complaint("knowledge/semantics.tsv", number, f"api '{row['api']}' is in no table of apis/")


def check_rule(page: RulePage, seen: dict[str, str]) -> Iterator[Complaint]:
    data = page.metadata
    for key in REQUIRED_KEYS:
        if data.get(key) in (None, "", []):
            yield Complaint(page.path, 1, f"{key} is missing")
    for key, words in RULE_WORDS.items():
        if key in data and data[key] not in words:
            yield Complaint(page.path, 1, f"{key} '{data[key]}' is none of {' '.join(words)}")
    if data.get("status") == "depth" and data.get("detect") != "depth":
        yield Complaint(page.path, 1, "status depth goes with detect depth")
    name, identifier = str(data.get("name", "")), str(data.get("id", ""))
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        yield Complaint(page.path, 1, f"name '{name}' is not kebab-case")
    expected = f"knowledge/rules/{data.get('group')}/{identifier}-{name}.md"
    if page.path != expected:
        yield Complaint(page.path, 1, f"should be {expected}")
    for key in (identifier, name):
        if seen.setdefault(key, page.path) != page.path:
            yield Complaint(page.path, 1, f"{key} is also used by {seen[key]}")
    if not DATE.fullmatch(str(data.get("as_of", ""))):
        yield Complaint(page.path, 1, "as_of is no date")
    yield from check_body(page, identifier)


def check_body(page: RulePage, identifier: str) -> Iterator[Complaint]:
    section, in_code, found = "", False, []
    text: dict[str, str] = {}
    expectations: dict[str, int] = {}
    for line in page.body.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
        elif not in_code and line.startswith("## "):
            section = line[3:].strip()
            found.append(section)
        text[section] = text.get(section, "") + line + "\n"
        marked = EXPECTATION.search(line)
        if in_code and marked:
            expectations[section] = expectations.get(section, 0) + (marked.group(1) == identifier)
    if found != SECTIONS:
        yield Complaint(page.path, 0, f"sections must be {', '.join(SECTIONS)}")
    if in_code:
        yield Complaint(page.path, 0, "a code block is not closed")
    for name in found:
        if len(text[name].strip().split("\n")) < 2:
            yield Complaint(page.path, 0, f"section '{name}' is empty")
    if page.metadata.get("detect") != "depth":
        if not expectations.get("Flagged"):
            yield Complaint(page.path, 0, f"no line under Flagged ends in '// expect: {identifier}'")
        if "```" not in text.get("Not flagged", ""):
            yield Complaint(page.path, 0, "no near miss under Not flagged")
