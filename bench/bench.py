#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times `unwarp audit` on folders, with ripgrep and cloc beside it in the same run. Fetches nothing.

Each command first runs once to warm the page cache, then --runs times; the table shows the fastest run's wall time, its
processor time and the peak memory over all runs. Every folder is one row; several folders also get a row for all.
"""
from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

LITERALS = ["cudaMalloc", "__shfl", "cublas"]


@dataclass
class Timing:
    wall: float
    processor: float
    peak_mb: float
    status: int


def run_once(command: list[str]) -> Timing:
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        sink = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(sink, descriptor)
        try:
            os.execvp(command[0], command)
        except OSError:
            os._exit(127)
    _, status, usage = os.wait4(child, 0)
    wall = time.monotonic() - start
    return Timing(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status))


def best_of(command: list[str], runs: int) -> Timing:
    """The fastest of `runs` after one run that only warms the cache."""
    run_once(command)
    timings = [run_once(command) for _ in range(max(runs, 1))]
    best = min(timings, key=lambda timing: timing.wall)
    return Timing(best.wall, best.processor, max(timing.peak_mb for timing in timings), best.status)


def size_of(folder: Path) -> tuple[int, int]:
    """Regular files and their bytes, links not followed."""
    files = size = 0
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            if os.path.isfile(path) and not os.path.islink(path):
                files += 1
                size += os.path.getsize(path)
    return files, size


def commands_for(folder: str, arguments: argparse.Namespace) -> dict[str, list[str]]:
    threads = str(arguments.threads)
    result = {"unwarp audit": [str(arguments.unwarp.resolve()), "audit", folder, "--no-ignore", "--threads", threads, "--quiet", "--format", "json"]}
    if shutil.which("rg"):
        patterns = [word for literal in LITERALS for word in ("-e", literal)]
        result["ripgrep, 3 literals"] = ["rg", "-uu", "--text", "--count", "--threads", threads, "--fixed-strings", *patterns, folder]
    if shutil.which("cloc"):
        result["cloc"] = ["cloc", "--quiet", f"--processes={threads}", folder]
    for extra in arguments.also:
        name, _, text = extra.partition("=")
        result[name] = [folder if word == "{}" else word for word in shlex.split(text)]
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--unwarp", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--also", action="append", default=[], metavar="NAME=COMMAND", help="one more command; {} is the folder")
    parser.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    for folder in arguments.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is no folder")
    for tool in ("rg", "cloc"):
        if not shutil.which(tool):
            print(f"bench: {tool} is not installed, no row for it", file=sys.stderr)
    print(f"{arguments.runs} runs after a warm-up, {arguments.threads} threads, fastest run; peak over all runs\n")
    print("| folder | files | MB | command | wall s | CPU s | peak MB | MB/s | exit |\n|---|---|---|---|---|---|---|---|---|")
    for folder in arguments.folders:
        files, size = size_of(folder)
        for name, command in commands_for(str(folder), arguments).items():
            timing = best_of(command, arguments.runs)
            if timing.status == 127:
                print(f"bench: cannot run {command[0]}", file=sys.stderr)
                return 2
            speed = size / 1e6 / timing.wall if timing.wall > 0 else 0
            print(
                f"| {folder.name} | {files} | {size / 1e6:.1f} | {name} | {timing.wall:.2f} | {timing.processor:.2f} "
                f"| {timing.peak_mb:.0f} | {speed:.0f} | {timing.status} |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
