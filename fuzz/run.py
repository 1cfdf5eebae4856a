#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the libFuzzer programs of a build folder, some at a time, over copies of the committed corpora.

Prints a line per target: runs, coverage, outcome. A crash leaves its input in --artifacts and the exit status is 1; copy
the input to fuzz/corpus/NAME once it is understood, so that every build replays it.
"""
from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"


def fuzz(program: Path, seconds: int, artifacts: Path) -> tuple[str, bool, str]:
    """(name, whether it is clean, a line about it)."""
    name = program.name.removeprefix("fuzz_")
    with tempfile.TemporaryDirectory(prefix=f"fuzz-{name}-") as folder:
        work = Path(folder) / "corpus"
        shutil.copytree(CORPUS / name, work)
        command = [
            str(program), str(work), f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", "-max_len=20000",
            "-print_final_stats=1", f"-artifact_prefix={artifacts}/{name}-",
        ]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
        )
        grown = sum(1 for _ in work.iterdir())
    log = done.stderr.decode("utf-8", "replace")
    runs = re.findall(r"number_of_executed_units: (\d+)", log)
    coverage = re.findall(r"cov: (\d+)", log)
    line = f"{runs[-1] if runs else '?'} runs, {coverage[-1] if coverage else '?'} edges, {grown} inputs"
    if done.returncode == 0:
        return name, True, line
    return name, False, f"{line}: FAILED (exit {done.returncode})\n" + "\n".join(log.split("\n")[-60:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="folder with fuzz_* programs")
    parser.add_argument("--seconds", type=int, required=True, help="per target")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--artifacts", type=Path, help="where crashing inputs go (default: the build folder)")
    parser.add_argument("names", nargs="*", help="only these targets")
    arguments = parser.parse_args()
    artifacts = (arguments.artifacts or arguments.build).resolve()
    names = arguments.names or sorted(path.name for path in CORPUS.iterdir() if path.is_dir())
    programs = [arguments.build.resolve() / f"fuzz_{name}" for name in names]
    for program in programs:
        if not program.exists():
            print(f"fuzz: {program} is not built (target fuzz_targets)", file=sys.stderr)
            return 2
    clean = True
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for name, good, line in pool.map(lambda program: fuzz(program, arguments.seconds, artifacts), programs):
            print(f"fuzz {name:12} {line}", flush=True)
            clean &= good
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
