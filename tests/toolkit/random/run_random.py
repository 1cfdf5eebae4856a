#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differential test of the toolkit: random kernels, compiled and run, against an interpreter of their trees.

Usage: run_random.py --nvcc TOOLKIT/bin/nvcc [--seed S] [--count N] [--per-file K] [--jobs J] [--keep FOLDER] [--kernel SEED]

Kernel number i has seed S + i. Every program runs at 32 and 64 lanes, with lanes that run on their own and with lanes in
lockstep, in the tier that the runtime chooses and in the one that can run everything. A kernel whose output differs is generated alone, made smaller as long as it stays wrong,
and its program is left in FOLDER. Exit status 1: a difference, or a program that did not compile or run.
"""
from __future__ import annotations

import argparse
import os
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cuda_text
from generator import Generator
from interpreter import expected
from program_tree import Kernel, Stmt

TIME_LIMIT_S = 120
WIDTHS = (32, 64)
TIERS = ("auto", "3")
DEVICES = {"independent": "", "lockstep": "gfx942"}  # UNWARP_DEVICE for each progress model


@dataclass(frozen=True)
class Setting:
    """How a program is run."""

    width: int
    tier: str
    model: str

    def __str__(self) -> str:
        return f"width {self.width}, tier {self.tier}, {self.model}"


SETTINGS = [Setting(width, tier, model) for model in DEVICES for width in WIDTHS for tier in TIERS]


class Toolkit:
    def __init__(self, nvcc: str):
        self.nvcc = nvcc

    def outputs(self, kernels: list[Kernel], folder: Path) -> dict[Setting, list[int] | str]:
        """What the program of these kernels stores in each setting, or why it stored nothing."""
        source, program = folder / "random.cu", folder / "random"
        source.write_text(cuda_text.program(kernels))
        built = subprocess.run([self.nvcc, "-w", "-fmad=false", "-o", program, source], capture_output=True, text=True)
        if built.returncode != 0:
            return {SETTINGS[0]: f"nvcc: {built.stderr[-1500:]}"}
        return {setting: self.run(program, folder, setting) for setting in SETTINGS}

    def run(self, program: Path, folder: Path, setting: Setting) -> list[int] | str:
        environment = dict(os.environ, UNWARP_WIDTH=str(setting.width), UNWARP_TIER=setting.tier,
                           UNWARP_DEVICE=DEVICES[setting.model], UNWARP_CACHE_DIR=str(folder / "cache"))
        output = folder / "output"
        output.unlink(missing_ok=True)
        try:
            lockstep = str(int(setting.model == "lockstep"))
            done = subprocess.run([program, output, str(setting.width), lockstep], env=environment,
                                  capture_output=True, text=True, timeout=TIME_LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"still running after {TIME_LIMIT_S} s"
        if done.returncode != 0:
            return f"status {done.returncode}: {done.stderr[-1000:]}"
        data = output.read_bytes()
        return list(struct.unpack(f"<{len(data) // 4}I", data))


def differences(toolkit: Toolkit, kernels: list[Kernel]) -> dict[str, list[str]]:
    """The kernels that went wrong, by name, and what was seen; the name '' stands for the program."""
    wrong: dict[str, list[str]] = {}
    # What is defined in both models is the same in both.
    wanted = {width: {k.name: expected(k, width) for k in kernels if k.runs(width, lockstep=True)} for width in WIDTHS}
    with tempfile.TemporaryDirectory() as folder:
        for where, got in toolkit.outputs(kernels, Path(folder)).items():
            if isinstance(got, str):
                wrong.setdefault("", []).append(f"{where}: {got}")
                continue
            at = 0
            for kernel in kernels:
                if not kernel.runs(where.width, where.model == "lockstep"):
                    continue
                name, words = kernel.name, wanted[where.width][kernel.name]
                mine = got[at:at + len(words)]
                at += len(words)
                if mine != words:
                    bad = [i for i, (x, y) in enumerate(zip(mine, words)) if x != y]
                    first = f"word {bad[0]} is {mine[bad[0]]:#x}, not {words[bad[0]]:#x}" if bad else "words are missing"
                    wrong.setdefault(name, []).append(f"{where}: {len(bad)} of {len(words)} differ; {first}")
    return wrong


def bodies(kernel: Kernel) -> list[list[Stmt]]:
    found = [kernel.body] + [f.body for f in kernel.functions]
    for body in found:
        for s in body:
            found += [inner for inner in (s.body, s.other) if inner]
    return found


def shrink(toolkit: Toolkit, kernel: Kernel, budget: int = 150) -> None:
    """Removes statements, largest first, as long as the kernel stays wrong."""
    changed = True
    while changed and budget > 0:
        changed = False
        for body in bodies(kernel):
            i = len(body) - 1
            while i >= 0 and budget > 0:
                removed = body.pop(i)
                budget -= 1
                if kernel.name in differences(toolkit, [kernel]):
                    changed = True
                else:
                    body.insert(i, removed)
                i -= 1


def check(toolkit: Toolkit, seeds: list[int], keep: Path | None) -> int:
    kernels = [Generator(seed).kernel(f"k{seed}") for seed in seeds]
    wrong = differences(toolkit, kernels)
    if "" in wrong and len(kernels) > 1:  # find out which kernel it is
        return sum(check(toolkit, [seed], keep) for seed in seeds)
    for name, seen in wrong.items():
        print(f"{name or kernels[0].name}: " + "\n  ".join(seen), flush=True)
        if keep and name:
            kernel = next(k for k in kernels if k.name == name)
            shrink(toolkit, kernel)
            (keep / f"{name}.cu").write_text(cuda_text.program([kernel]))
    return len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--per-file", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    toolkit = Toolkit(options.nvcc)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    seeds = list(range(options.seed, options.seed + options.count))
    files = [seeds[i:i + options.per_file] for i in range(0, len(seeds), options.per_file)]
    wrong = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for number, found in enumerate(pool.map(lambda some: check(toolkit, some, options.keep), files), 1):
            wrong += found
            if number % 50 == 0:
                print(f"{number * options.per_file} kernels, {wrong} wrong", file=sys.stderr, flush=True)
    print(f"{len(seeds)} kernels from seed {options.seed}, widths 32 and 64, both progress models, tiers auto and 3: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
