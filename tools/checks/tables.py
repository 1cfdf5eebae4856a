# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads knowledge/: the schema of each table as data, rows as dictionaries, rule pages as metadata and text.

The program loads the same files with its own strict loader; this copy of the schema exists so that a table can be
checked, and documents made, without a build.
"""
from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from .tree import Tree

STATUSES = "drop-in port partial none unknown".split()
LAYERS = "runtime dnn math algorithms communication kernels framework specialised deployment tooling".split()
KINDS = "function type enum define header namespace class keyword intrinsic instruction".split()
CONTEXTS = "any gpu device include qualified asm".split()
ECOSYSTEMS = (
    "pypi python conda apt header lib env image k8s cmake cli file metric ci cloud config section other-pkg".split()
)
SEVERITIES = "silent crash hang compile perf info".split()
TOPICS = (
    "default-stream enum-values mask-width rounding layout limits ordering errors memory width progress types".split()
)


@dataclass(frozen=True)
class Table:
    """`columns`: name and whether it is required. `words`: closed vocabularies. `unique`: columns that name a record."""

    columns: tuple[tuple[str, bool], ...]
    words: dict[str, list[str]]
    unique: tuple[str, ...]


def columns(text: str) -> tuple[tuple[str, bool], ...]:
    """`name! other` -> (("name", True), ("other", False))"""
    return tuple((word.rstrip("!"), word.endswith("!")) for word in text.split())


API_TABLE = Table(
    columns(
        "name! kind! library! hip roc status! context! cuda_since cuda_deprecated cuda_removed hip_since hip_removed note "
        "source! as_of!"
    ),
    {"kind": KINDS, "status": STATUSES, "context": CONTEXTS},
    ("name", "kind"),
)
TABLES = {
    "layers.tsv": Table(columns("word! layer! source! as_of!"), {"layer": [*LAYERS, "-"]}, ("word",)),
    "families.tsv": Table(columns("word! label! counterpart! source! as_of!"), {}, ("word",)),
    "dependencies.tsv": Table(
        columns("id! ecosystem! match! word! counterpart status! by_target confirmed! note source! as_of!"),
        {"ecosystem": ECOSYSTEMS, "status": STATUSES, "confirmed": ["yes", "no"]},
        ("id",),
    ),
    "devices.tsv": Table(
        columns(
            "target! name! vendor! arch! width! lds_kb! fp8! fp4! tf32! memory_gb bandwidth_tbs fp64_tflops fp32_tflops "
            "fp16_tflops fp8_tflops fp4_tflops tdp_w evidence! disputed source! as_of!"
        ),
        {
            "width": ["0", "32", "64"],
            "fp8": ["fnuz", "ocp", "none", "unknown"],
            "fp4": ["yes", "no", "unknown"],
            "tf32": ["yes", "no", "unknown"],
            "evidence": ["read", "recalled", "mixed"],
        },
        ("target", "name"),
    ),
    "platforms.tsv": Table(columns("name! released line! status! hip note source! as_of!"), {}, ("name",)),
    "changes.tsv": Table(columns("kind! name! change! since! replacement source! as_of!"), {}, ()),
    "cost/claims.tsv": Table(columns("claim! who! used_as! source! as_of!"), {}, ("claim",)),
    "cost/coverage.tsv": Table(columns("row! name! command! test! source! as_of!"), {}, ("row",)),
    "cost/defaults.tsv": Table(
        columns("name! unit! shape! a! b c basis! note source! as_of!"),
        {
            "shape": ["fixed", "log-normal", "normal", "triangular", "uniform", "beta"],
            "basis": ["measured", "read", "derived", "judgement"],
        },
        ("name",),
    ),
    "cost/migration-steps.tsv": Table(columns("step! what! exit_test! source! as_of!"), {}, ("step",)),
    "cost/mitigations.tsv": Table(
        columns("mitigation! title! applies_when! hours_quantity! benefit! trade_off! source! as_of!"),
        {"applies_when": ["images", "kernels", "no-harness", "python", "several-workloads"]},
        ("mitigation",),
    ),
    "cost/remediation.tsv": Table(
        columns("key! shape! fixed_minutes! site_minutes translator! note! source! as_of!"),
        {"shape": ["constant", "linear", "offset"], "translator": ["hazard", "rename"]},
        ("key",),
    ),
    "cost/route-targets.tsv": Table(columns("route! target! note source! as_of!"), {}, ("route", "target")),
    "cost/routes.tsv": Table(
        columns("route! title! route_class! fits! not_when! cost_shape! source! as_of!"), {}, ("route",)
    ),
    "cost/verdicts.tsv": Table(columns("rule! verdict! condition! note! source! as_of!"), {}, ("rule",)),
    "cost/case-studies.tsv": Table(
        columns(
            "project! direction! loc_total loc_gpu kernels pct_auto effort_person_weeks effort_basis year perf_after note "
            "source! as_of!"
        ),
        {},
        ("project", "direction"),
    ),
    "cost/directions.tsv": Table(
        columns("rank! part! word! route_class! source! as_of!"), {"part": ["any", "target"]}, ("part", "word")
    ),
    "cost/mining-plan.tsv": Table(
        columns("project! repository! paths! subjects size_paths! direction! source! as_of!"), {}, ("project",)
    ),
    "cost/formats.tsv": Table(columns("format! known_by! units! traps! source! as_of!"), {}, ("format",)),
    "cost/gpus.tsv": Table(columns("word! gpu! target! power_kw source! as_of!"), {}, ("word",)),
    "cost/instances.tsv": Table(columns("instance! gpu! gpus! source! as_of!"), {}, ("instance",)),
    "cost/port-model.tsv": Table(columns("parameter! value! note! source! as_of!"), {}, ("parameter",)),
    "cost/prices.tsv": Table(
        columns("gpu! basis! low! high! currency! status! note source! as_of!"),
        {"status": ["agreed", "disputed", "placeholder"]},
        (),
    ),
    "cost/rates.tsv": Table(
        columns("currency! per_usd! status! note source! as_of!"),
        {"status": ["agreed", "disputed"]},
        ("currency", "per_usd"),
    ),
    "cost/route-classes.tsv": Table(
        columns("route_class! family! meaning! source! as_of!"), {"family": ["mechanical", "rewrite"]}, ("route_class",)
    ),
    "cost/terms.tsv": Table(columns("term! currency! share! note source! as_of!"), {}, ("term", "currency")),
    "semantics.tsv": Table(
        columns("api! topic! difference! rule! source! as_of!"), {"topic": TOPICS}, ("api", "topic", "difference")
    ),
}


def table_of(path: str) -> Table | None:
    """The schema of a table by its path in the repository."""
    if path.startswith("knowledge/apis/"):
        return API_TABLE
    return TABLES.get(path.removeprefix("knowledge/"))


def rows(tree: Tree, path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """(line number, cells by column) of each record; rows of the wrong width are the check's business and left out."""
    lines = tree.lines(path)
    names = lines[0].split("\t")
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) == len(names):
            yield number, dict(zip(names, cells))


@dataclass(frozen=True)
class RulePage:
    path: str
    metadata: dict
    body: str
    error: str = ""


def rule_pages(tree: Tree) -> list[RulePage]:
    """All rule pages, ordered by id; one that cannot be read has an error."""
    pages = []
    for path in tree.under("knowledge/rules", ends=(".md",)):
        if path.endswith("README.md"):
            continue
        parts = tree.text(path).split("+++\n", 2)
        if len(parts) != 3 or parts[0]:
            pages.append(RulePage(path, {}, "", "must start with TOML between +++ lines"))
            continue
        try:
            pages.append(RulePage(path, tomllib.loads(parts[1]), parts[2]))
        except tomllib.TOMLDecodeError as error:
            pages.append(RulePage(path, {}, "", f"metadata: {error}"))
    return sorted(pages, key=lambda page: page.metadata.get("id", page.path))
