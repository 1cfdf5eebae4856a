#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one CUDA program with the toolkit's nvcc and runs it at both widths and in every tier that can run it.

Usage: run.py --nvcc TOOLKIT/bin/nvcc PROGRAM.cu
The program checks itself and exits with 0. Comment lines on its top say what differs from the usual:
  // flags: -fmad=false -rdc=true      further arguments of nvcc ({dir}: the program's folder)
  // widths: 32                         widths to run at (default: 32 64)
  // tiers: auto                        tiers to run in (default: auto 3)
  // env: UNWARP_DEVICES=2              further environment
  // status: 70                         expected exit status
  // stderr: text                       must occur on stderr
  // stdout: text                       must occur on stdout
  // fails: text                        nvcc must refuse the program with this text
Compiled kernels go to a fresh cache folder, so every run also covers a cold compile.
"""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TIME_LIMIT_S = 60


def directives(source: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in source.read_text().splitlines():
        if not line.startswith("//"):
            break
        key, colon, value = line[2:].strip().partition(":")
        if colon and key in ("flags", "widths", "tiers", "env", "status", "stderr", "stdout", "fails"):
            found.setdefault(key, []).append(value.strip())
    return found


def words(told: dict[str, list[str]], key: str, usual: str) -> list[str]:
    return " ".join(told.get(key, [usual])).split()


def run_once(program: Path, told: dict[str, list[str]], width: str, tier: str, folder: str) -> list[str]:
    environment = dict(os.environ, UNWARP_WIDTH=width, UNWARP_TIER=tier, UNWARP_CACHE_DIR=f"{folder}/cache")
    environment.pop("UNWARP_STATS", None)
    for setting in words(told, "env", ""):
        name, _, value = setting.partition("=")
        environment[name] = value
    try:
        done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=TIME_LIMIT_S, errors="replace")
    except subprocess.TimeoutExpired:
        return [f"still running after {TIME_LIMIT_S} s"]
    problems = []
    expected = int(words(told, "status", "0")[0])
    if done.returncode != expected:
        problems.append(f"status {done.returncode}, expected {expected}")
    for stream, text in (("stderr", done.stderr), ("stdout", done.stdout)):
        problems += [f"'{wanted}' is not in {stream}" for wanted in told.get(stream, []) if wanted not in text]
    if problems:
        problems.append(f"stdout:\n{done.stdout[-2000:]}\nstderr:\n{done.stderr[-2000:]}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("program", type=Path)
    options = parser.parse_args()
    told = directives(options.program)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        flags = [flag.replace("{dir}", str(options.program.parent)) for flag in words(told, "flags", "")]
        built = subprocess.run([options.nvcc, *flags, "-o", program, options.program], capture_output=True, text=True)
        if "fails" in told:
            good = built.returncode != 0 and all(text in built.stderr for text in told["fails"])
            print("refused as expected" if good else f"nvcc gave {built.returncode}:\n{built.stderr}")
            return 0 if good else 1
        if built.returncode != 0:
            print(f"nvcc gave {built.returncode}:\n{built.stderr}")
            return 1
        failed = False
        for width in words(told, "widths", "32 64"):
            for tier in words(told, "tiers", "auto 3"):
                problems = run_once(program, told, width, tier, folder)
                failed |= bool(problems)
                print(f"width {width}, tier {tier}: " + ("; ".join(problems) or "right"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
