#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`unwarp assess --run` from outside: `assess_run_test.py UNWARP [unittest arguments]`. Small projects with a build of
their own are built and run; compiled kernels go to a fresh cache. Each test also sees to it that the project is not
touched and that nothing is left behind.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNWARP = ""

# Right at both widths: the block's sum goes through shared memory.
CLEAN = """#include <cstdio>
__global__ void twice(int* v) { v[threadIdx.x] *= 2; }
int main() {
  int* v = nullptr;
  cudaMallocManaged(&v, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) v[i] = i;
  twice<<<1, 64>>>(v);
  cudaDeviceSynchronize();
  std::printf("took %ld ms at %p\\nlast %d\\n", (long)(v[1] - 2), (void*)v, v[63]);
  return v[63] == 126 ? 0 : 1;
}
"""
# Prints the sum of the first warp, which says nothing of being wrong.
WARP_SUM = """#include <cstdio>
__global__ void sum(int* out) {
  int value = threadIdx.x;
  for (int d = warpSize / 2; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (threadIdx.x == 0) *out = value;
}
int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  sum<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  std::printf("a warp\\nsum %d\\n", *out);
  return CHECKED && *out != 496;
}
"""
HOST = "#include <cstdio>\n__global__ void unused() {}\nint main(int argc, char**) { %s }\n"


def run(*arguments: str | Path, env: dict[str, str] | None = None, timeout: int = 240, start: bool = False, **options):
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", **(env or {})}
    if start:
        return subprocess.Popen([UNWARP, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **options)
    return subprocess.run([UNWARP, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False, **options)


class InFolder(unittest.TestCase):
    """An empty project, a temporary folder that is watched, a cache of its own."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="unwarp-run-test-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.tree, self.temporary = self.folder / "project", self.folder / "tmp"
        self.tree.mkdir()
        self.temporary.mkdir()
        self.env = {"TMPDIR": str(self.temporary), "UNWARP_CACHE_DIR": str(self.folder / "cache")}

    def write(self, name: str, text: str) -> None:
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def state(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.tree.rglob("*") if path.is_file()}

    def assess(self, *arguments: str, path: Path | None = None, status: int = 0) -> dict:
        """The key `run` of result.json (the stage's state and reason when there is none)."""
        before = self.state()
        done = run("assess", path or self.tree, "--run", "-q", "-o", self.folder / "report", *arguments, env=self.env)
        self.assertEqual(done.returncode, status, done.stderr.decode() + done.stdout.decode())
        self.assertEqual(self.state(), before, "the project is only read")
        self.assertEqual(list(self.temporary.iterdir()), [], "nothing is left")
        self.terminal = done.stdout.decode()
        result = json.loads((self.folder / "report" / "result.json").read_text())
        stage = next(stage for stage in result["stages"] if stage["id"] == "run")
        return result.get("run", stage)

    def verdicts(self, result: dict) -> dict[str, str]:
        return {check["name"]: check["verdict"] for check in result["checks"]}


class Run(InFolder):
    def test_a_makefile_with_programs_of_every_kind(self):
        names = {"clean": CLEAN, "prints": WARP_SUM.replace("CHECKED", "false"), "checks": WARP_SUM.replace("CHECKED", "true"),
                 "hangs": HOST % "for (;;) {}", "host": HOST % "return 0;", "floods": HOST % "for (;;) std::puts(\"x\");",
                 "asks": HOST % 'if (argc < 2) { std::puts("usage: asks FILE"); return 1; } return 0;',
                 "fails": HOST % "unused<<<1, 1>>>(); cudaDeviceSynchronize(); std::puts(\"2 tests failed\"); return 0;",
                 "waits": HOST % "unused<<<1, 1>>>(); cudaDeviceSynchronize(); return std::getchar() == EOF ? 0 : 1;",
                 "broken": "int main() { return undeclared; }\n"}
        for name, text in names.items():
            self.write(f"{name}.cu", text)
        # A place of its own for CUDA is overruled.
        self.write("Makefile", "CUDA_HOME = /nowhere/cuda\nall: " + " ".join(names) + "\n%: %.cu\n\t$(CUDA_HOME)/bin/nvcc -o $@ $<\n"
                   "check: clean\n\t./clean\n")
        result = self.assess("--run-limit", "4")
        (build,) = result["builds"]
        self.assertEqual((build["system"], build["path"], build["state"], build["programs"]), ("make", ".", "partial", 9))
        self.assertEqual([failure["what"] for failure in build["failures"]], ["broken"])
        self.assertIn("undeclared", build["failures"][0]["why"][0])
        self.assertEqual(self.verdicts(result), {
            "make check": "same", "clean": "same", "prints": "differs-at-64", "checks": "fails-at-64", "hangs": "fails-at-32",
            "host": "not-judged", "floods": "fails-at-32", "asks": "not-judged", "fails": "fails-at-32", "waits": "same"})
        reasons = {check["name"]: check["reason"] for check in result["checks"]}
        for name, words in {"hangs": "--run-limit", "floods": "16 MB", "asks": "usage: asks FILE", "host": "no kernel", "fails": "2 tests failed"}.items():
            self.assertIn(words, reasons[name])
        prints = next(check for check in result["checks"] if check["name"] == "prints")
        self.assertEqual(prints["difference"], {"stream": "stdout", "line": 2, "at_32": "sum 496", "at_64": "sum 2016"})
        self.assertEqual([(one["width"], one["launches"]) for one in prints["runs"]], [(32, 1), (64, 1)])
        for text in (self.terminal, (self.folder / "report" / "report.md").read_text(), (self.folder / "report" / "index.html").read_text()):
            self.assertIn("sum 2016", text)
            self.assertIn("undeclared", text)

    def test_cmake_and_its_tests(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\nenable_testing()\n"
                   "add_executable(right right.cu)\nadd_executable(alone alone.cu)\nadd_test(NAME first COMMAND right)\n"
                   "add_test(NAME missing COMMAND no-such-program)\n")
        self.write("right.cu", CLEAN)
        self.write("alone.cu", WARP_SUM.replace("CHECKED", "true"))
        result = self.assess()
        self.assertEqual([(one["system"], one["state"], one["programs"]) for one in result["builds"]], [("cmake", "built", 2)])
        self.assertEqual(self.verdicts(result), {"first": "same", "missing": "not-judged", "alone": "fails-at-64"})

    def test_a_missing_package_leaves_the_sources_that_stand_alone(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX)\n\nfind_package(NoSuchThing REQUIRED)\n")
        self.write("tests/clean.cu", '#include "common.h"\n' + CLEAN)
        self.write("include/common.h", "#pragma once\n")
        result = self.assess()
        self.assertEqual([(one["system"], one["path"], one["state"]) for one in result["builds"]],
                         [("cmake", ".", "failed"), ("source", "tests/clean.cu", "built")])
        self.assertIn("CMakeLists.txt:4", result["builds"][0]["failures"][0]["why"][0])
        self.assertIn("NoSuchThing", result["builds"][0]["failures"][0]["why"][0])
        self.assertEqual(self.verdicts(result), {"tests/clean.cu": "same"})

    def test_one_source_and_a_tree_that_cannot_be_written(self):
        self.write("k/clean.cu", '#include "beside.h"\n' + CLEAN)
        self.write("k/beside.h", "#pragma once\n")
        os.chmod(self.tree / "k", 0o555)
        self.addCleanup(os.chmod, self.tree / "k", 0o755)
        self.assertEqual(self.verdicts(self.assess(path=self.tree / "k" / "clean.cu")), {"clean.cu": "same"})
        self.assertEqual(self.verdicts(self.assess()), {"k/clean.cu": "same"})

    def test_a_gate_may_ask_for_the_same_at_both_widths(self):
        self.write("prints.cu", WARP_SUM.replace("CHECKED", "false"))
        self.assess("--gate", "checks==1, fails_at_32==0, not_built==0")
        self.assess("--gate", "wrong_at_64==0", status=1)
        done = run("assess", self.tree, "-q", "-o", self.folder / "report", "--gate", "wrong_at_64==0", env=self.env)
        self.assertEqual(done.returncode, 2, "without --run it would hold whatever the code does")

    def test_a_build_that_hangs_is_ended(self):
        self.write("Makefile", "all:\n\tsleep 60\n")
        (build,) = self.assess("--build-limit", "1")["builds"]
        self.assertEqual(build["state"], "timed-out")
        self.assertIn("--build-limit", build["failures"][0]["why"][0])

    def test_a_temporary_folder_inside_the_project_is_not_copied(self):
        self.write("clean.cu", CLEAN)
        self.write("odd name & 'quote'/clean.cu", CLEAN)
        self.temporary = self.tree / "tmp"
        self.temporary.mkdir()
        self.env["TMPDIR"] = str(self.temporary)
        self.assertEqual(set(self.verdicts(self.assess()).values()), {"same"})

    def test_nothing_to_build_is_a_result(self):
        self.write("kernel.cu", "__global__ void k() {}\n")
        result = self.assess()
        self.assertEqual((result["builds"], result["checks"]), ([], []))
        self.assertIn("nothing to build", result["notes"][0])

    def test_no_time_is_said(self):
        self.write("a.cu", HOST % "for (;;) {}")
        self.write("b.cu", CLEAN)
        result = self.assess("--total-limit", "1")
        said = json.dumps(result)
        self.assertIn("--total-limit", said)

    def test_a_toolkit_that_cannot_compile_fails_the_stage(self):
        self.write("a.cu", CLEAN)
        self.env["NVCC_APPEND_FLAGS"] = "--no-such-option"
        stage = self.assess(status=2)
        self.assertEqual(stage["state"], "failed")
        self.assertIn("no-such-option", stage["reason"])

    def test_without_the_flag_the_stage_is_skipped(self):
        self.write("Makefile", f"all:\n\ttouch {self.folder}/ran\n")
        self.assertEqual(run("assess", self.tree, "-q", "-o", self.folder / "report", env=self.env).returncode, 0)
        self.assertFalse((self.folder / "ran").exists())
        result = json.loads((self.folder / "report" / "result.json").read_text())
        self.assertEqual({stage["id"]: stage["state"] for stage in result["stages"]}["run"], "skipped")
        self.assertNotIn("run", result)

    def test_a_project_cannot_ask_for_it(self):
        self.write("unwarp.toml", "run = true\n")
        self.assertEqual(run("assess", self.tree, "-q", "-o", self.folder / "report", env=self.env).returncode, 2)

    def test_an_interrupt_leaves_nothing(self):
        self.write("Makefile", "all:\n\tsleep 60\n")
        started = run("assess", self.tree, "--run", "-q", "-o", self.folder / "report", env=self.env, start=True)
        limit = time.monotonic() + 60
        while not any(self.temporary.glob("*/project/Makefile")) and time.monotonic() < limit:
            time.sleep(0.1)
        time.sleep(0.5)
        started.send_signal(signal.SIGINT)
        self.assertEqual(started.wait(30), -signal.SIGINT)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertFalse((self.folder / "report").exists())


class Examples(InFolder):
    def test_the_self_checking_programs_end_as_their_table_says(self):
        rows = re.findall(r"^\| `(\w+)` \|[^|]*\| right \| (right|\*\*wrong\*\*) \|", (ROOT / "examples/selfcheck/README.md").read_text(), re.M)
        self.assertEqual(len(rows), 15)
        done = run("assess", ROOT / "examples" / "selfcheck", "--run", "-q", "-o", self.folder / "report", env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.verdicts(json.loads((self.folder / "report" / "result.json").read_text())["run"])
        self.assertEqual(found, {name: "same" if end == "right" else "fails-at-64" for name, end in rows})

    def test_the_example_project_shows_both_ends(self):
        done = run("assess", ROOT / "examples" / "particles", "--run", "-q", "-o", self.folder / "report", env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.verdicts(json.loads((self.folder / "report" / "result.json").read_text())["run"])
        self.assertEqual(found, {"checks/largest_speed.cu": "same", "checks/block_sum.cu": "fails-at-64", "checks/occupied_cells.cu": "differs-at-64"})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: assess_run_test.py UNWARP [unittest arguments]")
    UNWARP = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
