#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The speed baseline: fourteen kernels as CUDA built by our nvcc, as native OpenMP loops and as OpenCL on pocl.

Usage: run.py --nvcc TOOLKIT/bin/nvcc --built BUILD/bench [--rounds N] [--threads N] [KERNEL...]

Each round runs every kernel in each program, one after the other, a process for each, so that other work on the machine
hits all three alike. `best` compares the fastest runs of all rounds, `median` is the median over rounds of the ratio of
the round's fastest runs. Prints Markdown. Exit status 1: results differ, or a program failed.
"""
from __future__ import annotations

import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = 4.0  # times native, geometric mean of the kernels without synchronisation
TOLERANCE = 1e-4  # of the sum of absolute results: fused and unfused products differ by less
RUN_LIMIT_S = 300
THREADS = 256  # of a block, in every kernel


class Failure(Exception):
    pass


def call(command: list[str | Path], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=RUN_LIMIT_S)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr[-800:].strip()}")
    return done.stdout


@dataclass
class Peer:
    """One of the programs; `absent` says why there is none."""

    name: str
    program: Path
    absent: str = ""
    fastest: dict[str, list[float]] = field(default_factory=dict)  # ms, one for each round
    digest: dict[str, list[float]] = field(default_factory=dict)

    def run(self, kernel: str, environment: dict[str, str]) -> None:
        seen = json.loads(call([self.program, kernel], environment))
        self.fastest.setdefault(kernel, []).append(min(seen["ms"]))
        self.digest[kernel] = seen["digest"]


def programs(nvcc: str, built: Path, folder: Path) -> list[Peer]:
    native = Peer("native", built / "speed_native")
    ours = Peer("unwarp", folder / "unwarp")
    pocl = Peer("pocl", built / "speed_opencl")
    call([nvcc, "-std=c++17", "-O3", "-o", ours.program, HERE / "kernels.cu"])
    try:
        call([pocl.program, "saxpy"])
    except (Failure, OSError) as why:
        pocl.absent = str(why).replace("\n", " ")
    return [native, ours, pocl]


def environment_for(threads: int, folder: Path) -> dict[str, str]:
    count = str(threads)
    # Idle OpenMP threads that spin would take time from whoever runs next to them.
    return dict(os.environ, OMP_NUM_THREADS=count, OMP_WAIT_POLICY="passive", UNWARP_THREADS=count,
                POCL_MAX_PTHREAD_COUNT=count, UNWARP_CACHE_DIR=str(folder / "cache"),
                POCL_CACHE_DIR=str(folder / "pocl-cache"))


def compile_cold(ours: Peer, kernel: str, environment: dict[str, str], folder: Path) -> tuple[str, float]:
    """Tier and milliseconds of compilation, from the statistics of a run that finds no cache entry."""
    stats = folder / "stats.json"
    call([ours.program, kernel], dict(environment, UNWARP_STATS=f"json:{stats}"))
    kernels = json.loads(stats.read_text())["kernels"]
    return "+".join(sorted({k["tier"] for k in kernels})), sum(k["jit_ms"] for k in kernels)


def agree(kernel: str, peers: list[Peer]) -> bool:
    first, *others = [p.digest[kernel] for p in peers if kernel in p.digest]
    scale = max(abs(first[2]), 1e-30)
    return all(abs(x - y) <= TOLERANCE * scale for other in others for x, y in zip(first, other))


def ratios(over: Peer, under: Peer, kernel: str) -> tuple[float, float] | None:
    """Best and median ratio of two programs' times; None when one of them has no such kernel."""
    if kernel not in over.fastest or kernel not in under.fastest:
        return None
    a, b = over.fastest[kernel], under.fastest[kernel]
    return min(a) / min(b), statistics.median(x / y for x, y in zip(a, b))


def shown(pair: tuple[float, float] | None) -> str:
    return f"{pair[0]:.2f} / {pair[1]:.2f}" if pair else "-"


def geomean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def measure(peers: list[Peer], kernels: list[dict[str, str]], rounds: int, environment: dict[str, str]) -> None:
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        for row in kernels:
            for peer in peers:
                if peer.absent or (peer.name == "pocl" and row["sync"] == "warp"):
                    continue
                peer.run(row["kernel"], environment)


def table(peers: list[Peer], kernels: list[dict[str, str]], cold: dict[str, tuple[str, float]]) -> bool:
    """Prints all ratios; True when all results agree."""
    native, ours, pocl = peers
    print("| kernel | sync | tier | JIT ms | native ms | ours ms | ours/native best / median | ours/pocl best / median "
          "| HIP-CPU/native | results |\n|---|---|---|---|---|---|---|---|---|---|")
    good = True
    slower: list[str] = []
    for row in kernels:
        name = row["kernel"]
        equal = agree(name, peers)
        good &= equal
        mine = ratios(ours, native, name)
        if min(mine) >= float(row["hip_cpu"]):
            slower.append(name)
        print(f"| {name} | {row['sync']} | {cold[name][0]} | {cold[name][1]:.0f} | {min(native.fastest[name]):.2f} "
              f"| {min(ours.fastest[name]):.2f} | {shown(mine)} | {shown(ratios(ours, pocl, name))} | {row['hip_cpu']} "
              f"| {'agree' if equal else 'DIFFER'} |")
    print()
    for title, wanted in (("without synchronisation", {"none"}), ("with barriers", {"barrier"}),
                          ("all", {"none", "barrier", "warp"})):
        pairs = [ratios(ours, native, row["kernel"]) for row in kernels if row["sync"] in wanted]
        if pairs:
            both = [geomean([pair[i] for pair in pairs]) for i in (0, 1)]
            target = f"; target {TARGET:g}: {'met' if both[1] <= TARGET else 'MISSED'}" if wanted == {"none"} else ""
            print(f"- Geometric mean of ours/native, {title} ({len(pairs)}): best {both[0]:.2f}, median {both[1]:.2f}{target}")
    print(f"- Not faster than HIP-CPU's measured ratio: {', '.join(slower) or 'none'}")
    if pocl.absent:
        print(f"- pocl is absent: {pocl.absent}")
    return good


def print_costs(program: Path, ours: Peer, kernels: list[dict[str, str]], threads: int,
                environment: dict[str, str]) -> None:
    """What a launch and its parts cost, and from that where each kernel's time goes; shares of the workers' time."""
    cost = json.loads(call([program, str(threads)], environment))
    print(f"""
## Where the time goes

Measured one by one: a launch and its wait {cost["launch"] / 1000:.1f} µs with one block, {cost["launch_parallel"] / 1000:.1f} µs with all
workers; a block in a loop over threads {cost["block"]:.0f} ns, a block whose threads meet {cost["meeting_block"]:.0f} ns; a barrier
{cost["barrier"]:.1f} ns and a shuffle {cost["shuffle"]:.1f} ns for each thread; poison of shared memory {cost["shared_kib"]:.1f} ns a KiB; device
memory, allocated, poisoned and given back {cost["allocate_kib"]:.0f} ns a KiB.

| kernel | tier's blocks % | launch % | barriers % | shuffles % | shared memory % | the kernel's own work % |
|---|---|---|---|---|---|---|""")
    for row in kernels:
        count = {key: float(row[key]) for key in ("launches", "blocks", "shared_kib", "barriers", "shuffles")}
        total = min(ours.fastest[row["kernel"]]) * 1e6 * threads
        block = cost["block" if row["sync"] == "none" else "meeting_block"]
        parts = [count["blocks"] * block, count["launches"] * cost["launch_parallel"] * threads,
                 count["blocks"] * THREADS * count["barriers"] * cost["barrier"],
                 count["blocks"] * THREADS * count["shuffles"] * cost["shuffle"],
                 count["blocks"] * count["shared_kib"] * cost["shared_kib"]]
        shares = [100 * part / total for part in parts]
        cells = " | ".join(f"{share:.0f}" for share in [*shares, max(0.0, 100 - sum(shares))])
        print(f"| {row['kernel']} | {cells} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--built", required=True, type=Path, help="where speed_native and speed_opencl are")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    lines = [line for line in (HERE / "kernels.tsv").read_text().splitlines() if not line.startswith("#")]
    kernels = list(csv.DictReader(lines, delimiter="\t"))
    if unknown := set(options.kernels) - {row["kernel"] for row in kernels}:
        parser.error(f"no kernel {', '.join(sorted(unknown))}; there are {', '.join(r['kernel'] for r in kernels)}")
    kernels = [row for row in kernels if not options.kernels or row["kernel"] in options.kernels]
    try:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            peers = programs(options.nvcc, options.built, folder)
            environment = environment_for(options.threads, folder)
            cold = {row["kernel"]: compile_cold(peers[1], row["kernel"], environment, folder) for row in kernels}
            measure(peers, kernels, options.rounds, environment)
            good = table(peers, kernels, cold)
            call([options.nvcc, "-std=c++17", "-O3", "-o", folder / "costs", HERE / "costs.cu"])
            print_costs(folder / "costs", peers[1], kernels, options.threads, environment)
            return 0 if good else 1
    except (Failure, subprocess.TimeoutExpired) as why:
        print(f"run.py: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
