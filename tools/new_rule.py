#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts a rule page: `./dev new-rule GROUP name` or, with code, `./dev new-rule GROUP name --code`.

The id is the group's next number; numbers are never used again. The page does not load until its TODO marks are gone,
because the loader refuses empty metadata and the rule test wants examples.
"""
from __future__ import annotations

import argparse
import datetime
import re
import sys
from pathlib import Path

GROUPS = {
    "W": "warp_width", "M": "lane_mask", "S": "shuffle", "Y": "synchrony", "C": "groups", "L": "launch", "A": "assembly",
    "R": "runtime", "N": "numerics", "B": "libraries",
}

PAGE = """+++
id = "{id}"
name = "{name}"
title = ""  # TODO: one line, what stands there
group = "{group}"
status = "preview"
severity = "silent"  # TODO: silent crash hang compile perf info
layer = "kernels"
applies = ["all"]  # TODO: all, wave64, wave32, lds-below-NNk, fp8-fnuz, fp8-none, no-fp4, no-tf32 or gfx names
fix = "review"  # TODO: safe review manual
minutes = 15
detect = "{detect}"
{facts}precision = "not measured"
refs = []
source = ""  # TODO: public document or issue
as_of = "{today}"
+++

## What it finds

TODO

## Why it matters

TODO

## Flagged

```cuda
TODO  // expect: {id}
```

## Translation

TODO

## Not flagged

```cuda
TODO: the nearest thing that is right
```

## Limits

TODO

## References

TODO
"""


def next_id(folder: Path, group: str) -> str:
    numbers = [int(found.group(1)) for path in folder.glob("*.md") if (found := re.match(rf"{group}(\d+)-", path.name))]
    return f"{group}{max(numbers, default=0) + 1:02d}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev new-rule", description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--code", action="store_true", help="the rule looks at tokens (a function in src/audit/rules)")
    parser.add_argument("group", choices=sorted(GROUPS))
    parser.add_argument("name", help="kebab-case; reads as 'allow NAME'")
    arguments = parser.parse_args()
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", arguments.name):
        parser.error(f"'{arguments.name}' is not kebab-case")
    folder = arguments.root / "knowledge" / "rules" / arguments.group
    if any(path.name.split("-", 1)[-1] == f"{arguments.name}.md" for path in folder.parent.glob("*/*.md")):
        parser.error(f"a rule named {arguments.name} exists")
    identifier = next_id(folder, arguments.group)
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / f"{identifier}-{arguments.name}.md"
    page.write_text(
        PAGE.format(
            id=identifier, name=arguments.name, group=arguments.group, today=datetime.date.today().isoformat(),
            detect="code" if arguments.code else "facts",
            facts="" if arguments.code else "apis = []  # TODO: or flags, env, python; patterns with *\n",
        )
    )
    print(f"wrote {page.relative_to(arguments.root)}: fill the TODO marks")
    if arguments.code:
        verb = "".join(part.capitalize() for part in arguments.name.split("-"))
        print(f"then in src/audit/rules/{GROUPS[arguments.group]}.cpp:")
        print(f"  void detect{verb}(const scan::SourceFacts& facts, Hits& hits) {{ ... hits.add(token, \"...\"); }}")
        print(f'  and a row {{"{identifier}", detect{verb}}} in the table of that file')
    print(f"then: ./dev test {identifier}, ./dev gen, ./dev tidy")
    return 0


if __name__ == "__main__":
    sys.exit(main())
