#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program with one kernel costs over an empty one when the kernel is cached.

Usage: start_up.py --nvcc TOOLKIT/bin/nvcc [--runs N]

Three programs run in turn, N times each: one with a kernel, compiled and cached before; an empty `main` built by nvcc;
an empty `main` of C, linked by the C compiler with what nvcc links. The medians of the whole run of a process are
compared. Exit status 1: the kernel costs more than the target over one of the empty programs.
"""
from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGET_MS = 20.0
KERNEL = """#include <cstdio>
__global__ void twice(int* values) { values[threadIdx.x] *= 2; }
int main() {
  int host[64], *device;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<1, 64>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) if (host[i] != 2 * i) return 1;
  return cudaFree(device);
}
"""
EMPTY = "int main(void) { return 0; }\n"


def built(nvcc: str, folder: Path, name: str, text: str, compiler: list[str]) -> Path:
    source = folder / name
    source.write_text(text)
    subprocess.run([*compiler, "-o", source.with_suffix(""), source, *linked(nvcc) * (compiler[0] != nvcc)], check=True)
    return source.with_suffix("")


def linked(nvcc: str) -> list[str]:
    """The libraries that nvcc names on its link line."""
    dry = subprocess.run([nvcc, "--dryrun", "-o", "program", "program.o"], capture_output=True, text=True, check=True)
    line = (dry.stdout + dry.stderr).strip().splitlines()[-1].removeprefix("#$ ")
    return [word for word in shlex.split(line)[1:] if word.startswith(("-l", "-L"))]


def run_ms(program: Path, environment: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run([program], env=environment, check=True)
    return (time.perf_counter() - begun) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--runs", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        environment = dict(os.environ, UNWARP_CACHE_DIR=str(folder / "cache"))
        programs = {"one kernel, cached": built(options.nvcc, folder, "kernel.cu", KERNEL, [options.nvcc]),
                    "empty main of nvcc": built(options.nvcc, folder, "empty.cu", EMPTY, [options.nvcc]),
                    "empty main of C": built(options.nvcc, folder, "plain.c", EMPTY, ["cc"])}
        cold = run_ms(programs["one kernel, cached"], environment)
        times: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(options.runs):
            for name, program in programs.items():
                times[name].append(run_ms(program, environment))
    medians = {name: statistics.median(values) for name, values in times.items()}
    mine, *empty = medians.values()
    print(f"| program | median of {options.runs}, ms | fastest, ms |\n|---|---|---|")
    for name, median in medians.items():
        print(f"| {name} | {median:.1f} | {min(times[name]):.1f} |")
    over = max(mine - other for other in empty)
    print(f"\nThe first run, which compiles: {cold:.0f} ms. A cached start costs {over:.1f} ms over an empty program; "
          f"target {TARGET_MS:g} ms: {'met' if over <= TARGET_MS else 'MISSED'}")
    return 0 if over <= TARGET_MS else 1


if __name__ == "__main__":
    sys.exit(main())
