#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that share a cold cache of compiled kernels, some of them killed while they compile.

Usage: run_shared_cache.py --nvcc TOOLKIT/bin/nvcc [--rounds N] [--seed S]

Each round starts eight processes of one program at once with an empty cache and kills three of them with SIGKILL, each
at a random moment of the time that a cold run takes. The others must end well and compute the right values; then one
more process must find every kernel in the cache, whole: an entry that is torn counts as a miss, and a second check of
the values would fail if it did not.
"""
from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROCESSES = 8
KILLED = 3
TIME_LIMIT_S = 120
SOURCE = Path(__file__).with_name("many_kernels.cu")


def start(program: Path, cache: Path, **more: str) -> subprocess.Popen[str]:
    environment = dict(os.environ, UNWARP_CACHE_DIR=str(cache), **more)
    return subprocess.Popen([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def one_round(program: Path, folder: Path, cold_s: float, chance: random.Random) -> tuple[list[str], int]:
    """What went wrong, and how many processes were still at work when they were killed."""
    cache = folder / "cache"
    processes = [start(program, cache) for _ in range(PROCESSES)]
    victims = processes[:KILLED]
    timers = [threading.Timer(chance.uniform(0, cold_s), victim.send_signal, [signal.SIGKILL]) for victim in victims]
    for timer in timers:
        timer.start()
    problems = []
    for process in processes:
        output, _ = process.communicate(timeout=TIME_LIMIT_S)
        allowed = (0, -signal.SIGKILL) if process in victims else (0,)
        if process.returncode not in allowed:
            problems.append(f"a process ended with {process.returncode}: {output[-500:]}")
    for timer in timers:
        timer.join()
    stats = folder / "stats.json"
    last = start(program, cache, UNWARP_STATS=f"json:{stats}")
    output, _ = last.communicate(timeout=TIME_LIMIT_S)
    if last.returncode != 0:
        problems.append(f"after the round a process ended with {last.returncode}: {output[-500:]}")
    else:
        missed = [k["name"] for k in json.loads(stats.read_text())["kernels"] if k["cache"] != "hit"]
        if missed:
            problems.append(f"not whole in the cache: {', '.join(missed)}")
    return problems, sum(victim.returncode == -signal.SIGKILL for victim in victims)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    problems: list[str] = []
    killed = 0
    with tempfile.TemporaryDirectory() as top:
        program = Path(top) / "program"
        subprocess.run([options.nvcc, "-o", program, SOURCE], check=True)
        for number in range(options.rounds):
            with tempfile.TemporaryDirectory(dir=top) as folder:
                if number == 0:  # how long eight processes take that compile everything
                    begun = time.monotonic()
                    for process in [start(program, Path(folder) / "first") for _ in range(PROCESSES)]:
                        process.communicate(timeout=TIME_LIMIT_S)
                    cold_s = time.monotonic() - begun
                found, hit = one_round(program, Path(folder), cold_s, chance)
                problems += [f"round {number + 1}: {problem}" for problem in found]
                killed += hit
    print("\n".join(problems))
    print(f"{options.rounds} rounds of {PROCESSES} processes on one cold cache, {cold_s:.1f} s each; {killed} killed while "
          f"they ran; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
