#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds an API record in its sorted place: `./dev new-api NAME --table cuda-runtime --library memory --source "..."`.

Without --hip the status is `none`, with it `drop-in` when the names are equal and `port` otherwise; --status overrides.
"""
from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

from checks.tables import API_TABLE, CONTEXTS, KINDS, STATUSES


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev new-api", description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("name")
    parser.add_argument("--table", required=True, help="file of knowledge/apis without .tsv")
    parser.add_argument("--library", required=True, help="word of knowledge/layers.tsv")
    parser.add_argument("--kind", choices=KINDS, default="function")
    parser.add_argument("--context", choices=CONTEXTS, default="any")
    parser.add_argument("--hip", default="")
    parser.add_argument("--roc", default="")
    parser.add_argument("--status", choices=STATUSES)
    parser.add_argument("--since", default="", help="CUDA version")
    parser.add_argument("--note", default="")
    parser.add_argument("--source", required=True, help="public document with version")
    arguments = parser.parse_args()
    path = arguments.root / "knowledge" / "apis" / f"{arguments.table}.tsv"
    if not path.exists():
        parser.error(f"no table {arguments.table}; there are {' '.join(sorted(p.stem for p in path.parent.glob('*.tsv')))}")
    words = {line.split("\t")[0] for line in (arguments.root / "knowledge/layers.tsv").read_text().splitlines()[1:]}
    if arguments.library not in words:
        parser.error(f"library '{arguments.library}' is no word of knowledge/layers.tsv")
    counterpart = arguments.hip or arguments.roc
    guess = "none" if not counterpart else "drop-in" if counterpart == arguments.name else "port"
    record = {
        "name": arguments.name, "kind": arguments.kind, "library": arguments.library, "hip": arguments.hip, "roc": arguments.roc,
        "status": arguments.status or guess, "context": arguments.context, "cuda_since": arguments.since, "note": arguments.note,
        "source": arguments.source, "as_of": datetime.date.today().isoformat(),
    }
    for value in record.values():
        if "\t" in value or "\n" in value:
            parser.error("no cell may hold a tab or a line break")
    row = "\t".join(record.get(name, "") for name, _ in API_TABLE.columns)
    header, *lines = path.read_text().splitlines()
    if any(line.split("\t")[:2] == row.split("\t")[:2] for line in lines):
        parser.error(f"{arguments.name} ({arguments.kind}) is already in {path.name}")
    lines = sorted([*lines, row], key=lambda line: line.split("\t")[:2])
    path.write_text("\n".join([header, *lines]) + "\n")
    print(f"added to {path.relative_to(arguments.root)}: {arguments.name} {record['status']}")
    print("then: set knowledge/FACTS_DATE to today, ./dev gen, ./dev test")
    return 0


if __name__ == "__main__":
    sys.exit(main())
