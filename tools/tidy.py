#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Enforces what STYLE.md and ARCHITECTURE.md promise. Prints one line per complaint and exits with 1 when there is one.

Usage: tidy.py [--unwarp BINARY] [CHECK...]
With --unwarp the generated documents that come from the program are compared too.
"""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

from checks import cpp, directions, house, knowledge
from checks.tree import Complaint, Tree

import gen

CHECKS = {"cpp": cpp.check, "directions": directions.check, "house": house.check, "knowledge": knowledge.check}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--unwarp", type=Path, help="the built program, to compare docs/gen/cli.md")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"only these: {' '.join(CHECKS)} gen")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.checks if name not in CHECKS and name != "gen"]
    if unknown:
        parser.error(f"no check {unknown[0]}; there are {' '.join(CHECKS)} gen")
    tree = Tree(arguments.root)
    wanted = arguments.checks or [*CHECKS, "gen"]
    complaints: list[Complaint] = []
    for name in wanted:
        if name == "gen":
            stale = gen.stale(arguments.root, arguments.unwarp)
            complaints += [Complaint(path, 0, "not current; run ./dev gen") for path in stale]
        else:
            complaints += CHECKS[name](tree)
    for complaint in sorted(set(complaints)):
        print(complaint)
    print(f"tidy: {len(set(complaints))} complaints in {len(tree.paths)} files ({', '.join(wanted)})")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
