#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program from outside: `cli_test.py UNWARP [unittest arguments]`.

Everything happens in temporary folders, without network, with an environment of our own. A test that needs something
the machine lacks says so by name (skip), it does not pass silently.
"""
from __future__ import annotations

import csv
import io
import json
import os
import re
import resource
import shutil
import socket
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "particles"
UNWARP = ""

KERNEL = """#include <cuda_runtime.h>
__global__ void countKernel(const int* in, int* out) {
  int lane = threadIdx.x & 31;
  unsigned votes = __ballot_sync(0xffffffff, in[threadIdx.x] > 0);
  if (lane == 0) atomicAdd(out, __popc(votes));
}
void count(const int* in, int* out) { countKernel<<<1, 256>>>(in, out); cudaDeviceSynchronize(); }
"""


def run(*arguments: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None, before=None, timeout: int = 60):
    """Runs unwarp with nothing but the given environment; output as bytes."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", **(env or {})}
    return subprocess.run(
        [UNWARP, *arguments], cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
        preexec_fn=before, check=False,
    )


class InTree(unittest.TestCase):
    """Gives each test an empty folder."""

    def setUp(self):
        self.tree = Path(tempfile.mkdtemp(prefix="unwarp-cli-"))
        self.addCleanup(shutil.rmtree, self.tree, True)

    def write(self, name: str, text: str | bytes = KERNEL) -> Path:
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def audit(self, *arguments: str | Path, folder: Path | None = None, status: int = 0, **options):
        """The audit's JSON."""
        done = run("audit", folder or self.tree, "--format", "json", *arguments, **options)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return json.loads(done.stdout)

    def skipped(self, result) -> dict[str, str]:
        return {entry["path"]: entry["reason"] for entry in result["coverage"]["skipped"]}

    def files(self, result) -> dict[str, dict]:
        return {entry["path"]: entry for entry in result["coverage"]["files"]}


class Usage(InTree):
    def fails(self, *arguments: str, says: str, **options):
        done = run(*arguments, cwd=self.tree, **options)
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(done.stdout, b"")
        self.assertIn(says, done.stderr.decode())
        self.assertEqual(done.stderr.count(b"\n"), 1, "an error is one line")

    def test_no_arguments_shows_help_and_is_a_usage_error(self):
        done = run()
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"Usage: unwarp", done.stdout)

    def test_help_fits_a_screen_and_starts_with_examples(self):
        for command in ("assess", "audit", "explain", "doctor"):
            for arguments in (("help", command), (command, "--help"), (command, "-h")):
                done = run(*arguments)
                self.assertEqual(done.returncode, 0)
                text = done.stdout.decode()
                self.assertLess(text.index("Examples:"), text.index("Flags:"))
                self.assertLessEqual(text.count("\n"), 50)
                self.assertLessEqual(max(map(len, text.split("\n"))), 80)
                self.assertNotIn("  [FLAGS]", text)

    def test_help_leads_to_the_configuration_and_suppressions(self):
        for command in ("audit", "assess"):
            text = " ".join(run(command, "--help").stdout.decode().split())
            for word in ("unwarp help configuration", "docs/configuration.md", "unwarp: ignore[RULE] why", "docs/suppressions.md"):
                self.assertIn(word, text)
        done = run("help", "configuration")
        self.assertEqual(done.returncode, 0)
        text = done.stdout.decode()
        for words in ('targets = ["GFX", ...]', "--target, UNWARP_TARGETS", 'fail-on = "SEVERITY"', "preview = true", 'format = '):
            self.assertIn(words, text)
        self.assertNotIn("output", text, "what a file may not set is no key")

    def test_a_word_too_many_is_refused(self):
        for words in (["doctor", "x"], ["--version", "x"], ["version", "x"], ["-V", "x"], ["--help", "audit", "x"],
                      ["help", "configuration", "x"], ["toolkit-path", "x"]):
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, b""), words)
            self.assertIn(b"'x'", done.stderr)

    def test_what_is_empty_or_no_file_is_no_setting(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn(b"PATH is empty", run("audit", "").stderr)
            config = Path(folder, "unwarp.toml")
            for text in ('select = [""]', 'ignore = ["W01", ""]', 'fail-on = ""'):
                config.write_text(text + "\n")
                done = run("audit", folder)
                self.assertEqual(done.returncode, 2, text)
                self.assertIn(b"needs a value", done.stderr)
            config.unlink()
            config.symlink_to("unwarp.toml")
            self.assertEqual(run("audit", folder).returncode, 2, "a link in a circle")
            config.unlink()
            os.mkfifo(config)
            self.assertEqual(run("audit", folder).returncode, 2, "a pipe")
            config.unlink()
            config.mkdir()
            self.assertEqual(run("audit", folder).returncode, 0, "a folder of that name")

    def test_version(self):
        self.assertRegex(run("--version").stdout.decode(), r"^unwarp \d+\.\d+\.\d+\n$")

    def test_no_path_is_a_usage_error(self):
        self.fails("audit", says="needs a PATH")
        self.fails("assess", says="needs a PATH")

    def test_two_paths_are_refused(self):
        self.fails("audit", ".", ".", says="one PATH")

    def test_missing_path(self):
        self.fails("audit", "not-there", says="not-there")
        self.fails("assess", "not-there", says="not-there")

    def test_unknown_command_and_flag_name_the_nearest(self):
        self.fails("adit", ".", says="did you mean audit?")
        self.fails("audit", ".", "--traget", "gfx942", says="did you mean --target?")
        self.fails("audit", ".", "--format", "jsn", says="did you mean json?")
        self.fails("explain", "cudaMaloc", says="did you mean cudaMalloc?")

    def test_flag_values_are_checked(self):
        self.fails("audit", ".", "--target", "gfx000", says="gfx000")
        self.fails("audit", ".", "--threads", "0", says="--threads")
        self.fails("audit", ".", "--threads", "many", says="--threads")
        self.fails("audit", ".", "--select", "W99", says="W99")
        self.fails("audit", ".", "--fail-on", "awful", says="awful")
        self.fails("audit", ".", "--color", "blue", says="--color")
        self.fails("audit", ".", "--target", says="needs a value")
        self.fails("audit", ".", "--quiet=yes", says="takes no value")
        self.fails("audit", ".", "--format", "json", "--format", "csv", says="only one --format")

    def test_two_formats_to_one_file_are_refused(self):
        self.write("a.cu")
        (self.tree / "sub").mkdir()
        (self.tree / "link").symlink_to("x")
        (self.tree / "way").symlink_to("sub")
        for first, second in (("x", "x"), ("x", "./x"), ("x", f"{self.tree}/x"), ("x", "link"), ("link", "x"), ("sub/x", "way/x"), ("sub/../x", "x")):
            for _ in ("x is not there", "x is there"):
                self.fails("audit", "a.cu", "-f", f"json={first}", "-f", f"sarif={second}", says=f"json={first} and --format sarif={second}")
                self.assertFalse((self.tree / "x").exists() and (self.tree / "x").stat().st_size, "nothing is written")
                self.write("x", "")
            (self.tree / "x").unlink()
        done = run("audit", "a.cu", "-f", "json=/dev/null", "-f", "sarif=/dev/null", cwd=self.tree)
        self.assertEqual(done.returncode, 0, "a device takes any number of writes")
        self.write("home/unwarp/unwarp.toml", 'format = ["json=y", "csv=./y"]\n')
        self.fails("audit", ".", says="json=y and --format csv=./y", env={"XDG_CONFIG_HOME": str(self.tree / "home")})

    def test_a_glob_that_is_none_is_an_error_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder)
            (tree / "a.cu").write_text("int a;\n")
            self.fails("audit", str(tree), "--exclude", "x/[", says="command line: exclude: 'x/[' has a '[' that does not close")
            (tree / "unwarp.toml").write_text('exclude = ["ok/**", "["]\n')
            self.fails("audit", str(tree), says=f"{tree}/unwarp.toml:1: exclude: '[' has")
            (tree / "unwarp.toml").unlink()
            (tree / ".unwarpignore").write_text("*.o\n[\n")
            self.fails("audit", str(tree), says=".unwarpignore, line 2: '[' has")
            (tree / ".unwarpignore").rename(tree / ".gitignore")
            done = run("audit", tree, "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn({"path": ".gitignore", "reason": "line 2: '[' has a '[' that does not close: the pattern hides nothing"},
                          json.loads(done.stdout)["coverage"]["skipped"])

    def test_a_gate_over_nothing_is_no_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            def judged(*arguments):
                done = run("audit", folder, *arguments)
                self.assertEqual(b"no file was read" in done.stderr, done.returncode == 2, done)
                return done.returncode

            self.assertEqual(judged("--gate", "silent==0"), 2)
            self.assertEqual(judged("--fail-on", "silent"), 2)
            self.assertEqual(judged(), 0, "without a gate there is nothing to judge")
            (Path(folder) / "a.cu").write_text("int a;\n")
            self.assertEqual(judged("--gate", "silent==0", "--exclude", "**"), 2)
            self.assertEqual(judged("--gate", "silent==0"), 0)

    def test_a_gate_that_cannot_be_read_costs_no_audit(self):
        self.fails("audit", ".", "--gate", "silent==-1", says="would never hold")
        self.fails("audit", ".", "--gate", "silent<=99999999999999999999", says="too large")
        self.fails("audit", ".", "--gate", "silent=0", says="silent=0")
        self.fails("audit", ".", "--gate", "loud==0", says="loud")

    def test_schema_is_json(self):
        done = run("audit", "--schema")
        self.assertEqual(done.returncode, 0)
        self.assertIn("properties", json.loads(done.stdout))

    def test_closed_output_is_no_crash(self):
        self.write("a.cu")
        command = f"'{UNWARP}' audit '{self.tree}' --format json | head -c 1 > '{self.tree}/out'"
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertIn(done.returncode, (0, 2))
        self.assertNotIn(b"terminate", done.stderr)


class Explain(unittest.TestCase):
    def test_rule_api_package_and_gpu(self):
        for topic, words in {
            "W01": ("What it finds", "Not flagged"), "cudaMallocAsync": ("hipMallocAsync", "runtime"),
            "flash-attn": ("dependency",), "gfx942": ("64", "LDS"),
        }.items():
            done = run("explain", topic)
            self.assertEqual(done.returncode, 0, (topic, done.stderr))
            for word in (topic, *words):
                self.assertIn(word, done.stdout.decode())

    def test_gpus_go_by_the_names_people_type(self):
        for topic, target in {"mi300x": "gfx942", "GFX942": "gfx942", "gfx94": "gfx942", "H100": "sm_90", "h200": "sm_90", "rtx 4090": "sm_89",
                              "rtx4090": "sm_89", "T4": "sm_75", "CDNA3": "gfx942", "hopper": "sm_90", "Instinct MI355X": "gfx950"}.items():
            done = run("explain", topic)
            self.assertEqual(done.returncode, 0, (topic, done.stderr))
            self.assertTrue(done.stdout.decode().startswith(target + "  "), (topic, done.stdout[:200]))
            self.assertNotIn(b"dependency", done.stdout, topic)

    def test_the_beginning_of_several_gpus_names_them(self):
        text = run("explain", "gfx9").stdout.decode()
        for target in ("gfx906", "gfx90a", "gfx942", "gfx950"):
            self.assertIn(target, text)
        self.assertIn("explain one of them", text)
        self.assertNotIn("LDS", text)

    def test_a_layer_has_a_page_and_so_has_the_package_of_that_name(self):
        text = run("explain", "kernels").stdout.decode()
        self.assertTrue(text.startswith("kernels  layer\n"), text)
        self.assertIn("pypi-kernels-hub", text)
        self.assertIn("cuDNN", run("explain", "dnn").stdout.decode())

    def test_several_topics_and_one_unknown(self):
        done = run("explain", "W01", "no-such-thing-at-all", "gfx1100")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"gfx1100", done.stdout)

    def test_names_that_reports_print_have_pages(self):
        for topic in ("use cudafor", "jcuda", "attributes(global)", ".cuda(true)", "!$cuf"):
            self.assertIn(b"dependency", run("explain", topic).stdout, topic)
        group = run("explain", "W").stdout.decode()
        self.assertIn("W01  ", group)
        self.assertNotIn("M01", group)
        self.assertIn(b"explain -- TOPIC", run("explain", "--use_fast_math").stderr)

    def test_a_page_found_by_a_pattern_says_so(self):
        self.assertIn(b"no record of its own", run("explain", "CMAKE_CUDA_NO_SUCH_THING").stdout)
        for topic in ("flash-attn", "torch"):
            self.assertNotIn(b"no record of its own", run("explain", topic).stdout, topic)
        for name in ("CUDA_R_4F_E2M1", "CUDA_R_8F_UE8M0", "cublasSetEmulationStrategy", "CUBLAS_COMPUTE_32F_EMULATED_16BFX9"):
            self.assertTrue(run("explain", name).stdout.startswith(name.encode() + b"  CUDA "), name)

    def test_lists(self):
        self.assertGreaterEqual(run("explain", "rules").stdout.count(b"\n"), 72)
        for topic in ("devices", "layers", "platforms", "statuses", "severities"):
            self.assertEqual(run("explain", topic).returncode, 0)

    def test_platforms_stand_in_the_order_of_their_versions(self):
        lines = run("explain", "platforms").stdout.decode().splitlines()
        versions = [tuple(map(int, re.search(r"\d+(\.\d+)+", line)[0].split("."))) for line in lines]
        self.assertEqual(versions, sorted(versions))
        self.assertGreaterEqual(versions[-1], (10,))

    def test_a_rule_page_says_on_what_it_rests(self):
        text = run("explain", "W01").stdout.decode()
        self.assertIn("GPUs with 64 lanes", text)
        self.assertIn("silent: wrong results without a message", text)
        self.assertRegex(text, r"\n  refs +\S")

    def test_pages_are_made_to_be_read(self):
        for topic in ("cudaMallocAsync", "flash-attn", "gfx942", "layers"):
            text = run("explain", topic).stdout.decode()
            self.assertLessEqual(max(map(len, text.split("\n"))), 90, topic)
        page = run("explain", "gfx942").stdout.decode()
        self.assertRegex(page, r"memory +192 GB")
        self.assertNotIn("dependency", page, "the name of a GPU is no runner label here")
        self.assertNotIn(" 0 lanes", run("explain", "devices").stdout.decode())

    def test_doctor(self):
        done = run("doctor")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"APIs", done.stdout)
        stages = re.search(r"^stages +(.*)$", done.stdout.decode(), re.MULTILINE)[1]
        self.assertEqual(stages, "audit; run (CUDA programs on this CPU); cost (account and verdict); "
                                 "not built yet: check, port, compare")

    def test_doctor_names_every_configuration_it_would_use(self):
        with tempfile.TemporaryDirectory(prefix="unwarp-cli-") as folder:
            (Path(folder) / "unwarp").mkdir()
            for name in ("unwarp/unwarp.toml", "unwarp.toml"):
                (Path(folder) / name).write_text("preview = true\n")
            text = run("doctor", cwd=Path(folder), env={"XDG_CONFIG_HOME": folder}).stdout.decode()
            self.assertRegex(text, r"unwarp/unwarp\.toml, then .*unwarp\.toml")


class Audit(InTree):
    def test_json_has_the_contract_keys(self):
        self.write("src/a.cu")
        result = self.audit()
        self.assertLessEqual(
            {"schema_version", "tool_version", "facts_date", "root", "targets", "findings", "apis", "dependencies", "deciders",
             "layers", "totals", "coverage"},
            set(result),
        )
        self.assertEqual(result["targets"], ["gfx942", "gfx1100"])
        self.assertEqual(len(result["layers"]), 10)
        self.assertIn("cudaDeviceSynchronize", [api["name"] for api in result["apis"]])
        self.assertEqual({finding["path"] for finding in result["findings"]}, {"src/a.cu"})
        for finding in result["findings"]:
            self.assertGreaterEqual(finding["line"], 1)
            self.assertIn(finding["evidence"], ("ast", "lexical", "manifest", "binary"))

    def test_a_single_file_can_be_audited(self):
        path = self.write("one.cu")
        self.assertEqual(set(self.files(self.audit(folder=path))), {"one.cu"})

    def test_comments_strings_and_look_alikes_are_no_sites(self):
        self.write("a.cpp", '// cudaMalloc(&p, 1);\nconst char* s = "cudaFree";\nvoid mycudaMalloc(); int cudaMallocs;\n')
        result = self.audit()
        self.assertEqual(result["apis"], [])
        self.assertEqual(result["totals"]["sites"], 0)

    def test_target_decides_which_rules_speak(self):
        self.write("a.cu")
        wide = {finding["rule"] for finding in self.audit("--target", "gfx942")["findings"]}
        narrow = {finding["rule"] for finding in self.audit("--target", "gfx1100")["findings"]}
        self.assertTrue(wide - narrow, "a 64-lane target has findings that a 32-lane one has not")

    def test_select_ignore_and_exclude(self):
        self.write("a.cu")
        self.write("third_party/b.cu")
        rules = {finding["rule"] for finding in self.audit()["findings"]}
        self.assertGreater(len(rules), 1)
        one = sorted(rules)[0]
        self.assertEqual({finding["rule"] for finding in self.audit("--select", one)["findings"]}, {one})
        self.assertNotIn(one, {finding["rule"] for finding in self.audit("--ignore", one)["findings"]})
        result = self.audit("--exclude", "third_party/**")
        self.assertEqual(set(self.files(result)), {"a.cu"})
        self.assertIn("third_party/", " ".join(self.skipped(result)))

    def test_the_version_of_a_dependency_is_in_the_csv(self):
        self.write("requirements.txt", "cupy-cuda12x==13.3.0\n")
        rows = list(csv.DictReader(io.StringIO(run("audit", self.tree, "--format", "csv").stdout.decode())))
        self.assertEqual([(row["name"], row["version"].strip()) for row in rows], [("cupy-cuda12x", "==13.3.0")])

    def test_formats_to_files_in_one_run(self):
        self.write("src/a.cu")
        names = {name: self.tree / f"out.{name}" for name in ("json", "jsonl", "sarif", "markdown", "csv", "html", "terminal")}
        done = run("audit", "src", *(word for name, file in names.items() for word in ("-f", f"{name}={file}")), cwd=self.tree)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
        self.assertEqual(json.loads(names["sarif"].read_text())["version"], "2.1.0")
        for line in names["jsonl"].read_text().splitlines():
            json.loads(line)
        for file in names.values():
            self.assertGreater(file.stat().st_size, 100)

    def test_unwritable_output_is_a_failure(self):
        self.write("a.cu")
        done = run("audit", self.tree, "--format", f"json={self.tree}/no/such/folder/out.json")
        self.assertEqual(done.returncode, 2)

    def test_output_to_a_pipe_writes_into_it(self):
        self.write("a.cu")
        pipe = self.tree / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        done = run("audit", self.tree / "a.cu", "--format", f"csv={pipe}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(stat.S_ISFIFO(os.lstat(pipe).st_mode), "the pipe (think /dev/null) must not be replaced by a file")

    def test_no_color_and_color_flags(self):
        self.write("a.cu")
        self.assertNotIn(b"\x1b[", run("audit", self.tree).stdout)
        self.assertIn(b"\x1b[", run("audit", self.tree, "--color", "always").stdout)
        self.assertIn(b"\x1b[", run("audit", self.tree, env={"CLICOLOR_FORCE": "1"}).stdout)
        self.assertNotIn(b"\x1b[", run("audit", self.tree, "--color", "never", env={"CLICOLOR_FORCE": "1"}).stdout)

    def test_no_color_on_a_terminal(self):
        if shutil.which("script") is None:
            self.skipTest("script(1) is not installed: no terminal to try colours on")
        self.write("a.cu")
        shown = {}
        for name, setting in {"colour": {}, "plain": {"NO_COLOR": "1"}}.items():
            environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8", **setting}
            done = subprocess.run(
                ["script", "-qec", f"'{UNWARP}' audit '{self.tree}'", "/dev/null"], env=environment, capture_output=True,
                stdin=subprocess.DEVNULL, timeout=60, check=False,
            )
            shown[name] = b"\x1b[" in done.stdout
        self.assertEqual(shown, {"colour": True, "plain": False})

    def test_ascii_without_a_utf8_locale(self):
        self.write("a.cu")
        done = run("audit", self.tree, env={"LC_ALL": "C"})
        done.stdout.decode("ascii")


class Gates(InTree):
    def setUp(self):
        super().setUp()
        self.write("a.cu")

    def status(self, *arguments: str) -> int:
        return run("audit", self.tree, *arguments).returncode

    def test_without_a_gate_findings_are_no_failure(self):
        self.assertEqual(self.status(), 0)

    def test_a_gate_that_no_target_can_break_says_so(self):
        done = run("audit", self.tree, "--target", "gfx1100", "--gate", "W01==0")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no rule behind 'W01' concerns the chosen targets", done.stderr.decode())

    def test_severity_gate(self):
        self.assertEqual(self.status("--fail-on", "silent"), 1)
        self.assertEqual(self.status("--fail-on", "info"), 1)

    def test_gate_expressions(self):
        self.assertEqual(self.status("--gate", "silent==0"), 1)
        self.assertEqual(self.status("--gate", "silent>=1, lds<=64k"), 0)
        self.assertEqual(self.status("--gate", "sites>=1", "--gate", "mask_sites<=0"), 1)
        self.assertEqual(self.status("--gate", "W01<=100, kernels<=1000, none<=1000, width_sites<=100"), 0)

    def test_a_gate_that_holds_says_nothing(self):
        self.write("k.cu")
        done = run("audit", self.tree, "--gate", "sites>=1", "-q")
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_broken_gate_says_what_and_how_much(self):
        done = run("audit", self.tree, "--gate", "sites<=0")
        self.assertIn("sites<=0", done.stderr.decode())
        self.assertRegex(done.stderr.decode(), r"found \d+")

    def test_a_gate_on_rules_that_are_off_is_a_usage_error(self):
        for arguments, name in ((("--ignore", "M07", "--gate", "M07==0"), "M07"), (("--select", "W", "--gate", "mask_sites==0"), "mask_sites"),
                                (("--gate", "Y04==0"), "Y04"), (("--select", "R02", "--fail-on", "hang"), "hang")):
            for command in ("audit", "assess"):
                done = run(command, self.tree, *arguments, cwd=self.tree)
                self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
                self.assertIn(name, done.stderr.decode())
        done = run("audit", self.tree, "--select", "W99", "--gate", "silent==0")
        self.assertIn(b"unknown rule 'W99'", done.stderr, "the mistake itself comes first")
        self.assertEqual(self.status("--ignore", "M07", "--gate", "mask_sites<=100"), 0, "other M rules were asked")
        self.assertEqual(self.status("--target", "gfx1100", "--gate", "W01==0"), 0, "W01 is no hazard there")

    def test_lds_gate(self):
        self.write("big.cu", "__global__ void k(float* o) { __shared__ float tile[20000]; tile[threadIdx.x] = 1; __syncthreads(); o[threadIdx.x] = tile[0]; }\n")
        self.assertEqual(self.status("--gate", "lds<=64k"), 1)
        self.assertEqual(self.status("--gate", "lds<=80k"), 0)

    def test_assess_exits_like_its_gate(self):
        done = run("assess", self.tree, "-o", self.tree / "report", "--gate", "silent==0")
        self.assertEqual(done.returncode, 1)
        self.assertTrue((self.tree / "report" / "result.json").exists(), "the report is written also when a gate breaks")


class Suppressions(InTree):
    def findings(self, text: str):
        self.write("a.cu", text)
        result = self.audit()
        return {(finding["rule"], finding["line"]) for finding in result["findings"]}, result

    def test_a_reasoned_suppression_silences_its_rule_on_its_line(self):
        before, _ = self.findings(KERNEL)
        rule, line = sorted(before)[0]
        lines = KERNEL.split("\n")
        lines[line - 1] += f"  // unwarp: ignore[{rule}] one warp of 32 on purpose"
        after, _ = self.findings("\n".join(lines))
        self.assertEqual(before - after, {(rule, line)})

    def test_line_above_and_file_forms(self):
        before, _ = self.findings(KERNEL)
        rule, line = sorted(before)[0]
        lines = KERNEL.split("\n")
        lines.insert(line - 1, f"// unwarp: ignore[{rule}] reason")
        after, _ = self.findings("\n".join(lines))
        self.assertNotIn((rule, line + 1), after)
        after, _ = self.findings(f"// unwarp: ignore-file[{rule}] reason\n" + KERNEL)
        self.assertNotIn(rule, {name for name, _ in after})

    def test_an_unused_suppression_is_noted(self):
        _, result = self.findings("// unwarp: ignore[W01] nothing here\nvoid f();\n#include <cuda_runtime.h>\n")
        self.assertTrue(self.files(result)["a.cu"]["notes"])

    def test_a_misspelt_rule_is_named_with_the_nearest(self):
        for word, near in (("m04", "; did you mean M04?"), ("volatile-warp-tial", "; did you mean volatile-warp-tail?"), ("zzzzzz", "; `unwarp explain rules`")):
            _, result = self.findings(f"void f();  // unwarp: ignore[{word}] on purpose\n#include <cuda_runtime.h>\n")
            notes = self.files(result)["a.cu"]["notes"]
            self.assertEqual(len(notes), 1, notes)
            self.assertTrue(notes[0].startswith(f"line 1: suppression names an unknown rule '{word}'{near}"), notes)


class Configuration(InTree):
    def test_nearest_unwarp_toml_is_used_and_flags_win(self):
        self.write("src/a.cu")
        self.write("unwarp.toml", 'targets = ["gfx90a"]\n')
        self.assertEqual(self.audit(folder=self.tree / "src")["targets"], ["gfx90a"])
        self.assertEqual(self.audit("--target", "gfx950", folder=self.tree / "src")["targets"], ["gfx950"])
        self.assertEqual(self.audit(env={"UNWARP_TARGETS": "gfx908,gfx1201"})["targets"], ["gfx908", "gfx1201"])

    def test_gate_in_the_configuration(self):
        self.write("a.cu")
        self.write("unwarp.toml", 'fail-on = "silent"\n')
        self.assertEqual(run("audit", self.tree).returncode, 1)

    def test_mistakes_name_file_and_line(self):
        for text, word in (("\ntarget = 3\n", "unwarp.toml:2"), ("targets = {\n", "unwarp.toml"), ("preview = 1\n", "true or false")):
            self.write("unwarp.toml", text)
            done = run("audit", self.tree)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(word, done.stderr.decode())

    def test_values_that_cannot_be_are_named_with_file_and_line(self):
        self.write("a.cu")
        for text in ("threads = 0", 'color = "sometimes"', 'ignore = ["W99"]', 'targets = ["gfx999"]', 'exclude = ["["]',
                     "targets.x = 1", 'select = ["W99"]', 'gate = ["slient==0"]', 'fail-on = "bad"'):
            self.write("unwarp.toml", f"preview = true\n\n{text}\n")
            done = run("audit", self.tree)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn("unwarp.toml:3: ", done.stderr.decode(), text)

    def test_the_result_says_what_was_chosen_and_which_rules_were_off(self):
        self.write("a.cu")
        self.write("unwarp.toml", 'targets = ["gfx1100"]\nignore = ["M"]\nselect = ["W", "M"]\nthreads = 2\n')
        result = self.audit("--select", "W", "--select", "M02", "--no-ignore")
        self.assertEqual(
            {entry["key"]: (entry["values"], entry["origin"]) for entry in result["settings"]},
            {"targets": (["gfx1100"], "project-file"), "ignore": (["M"], "project-file"),
             "select": (["W", "M02"], "command-line"), "no-ignore": (["true"], "command-line")},
        )
        reasons = {entry["rule"]: entry["reason"] for entry in result["rules_off"]}
        self.assertEqual((reasons["M02"], reasons["S01"], reasons["W01"]), ("ignored", "not-selected", "target"))
        self.assertEqual(list(reasons), sorted(reasons))
        self.assertIn("Rules off", run("audit", self.tree).stdout.decode())
        (self.tree / "unwarp.toml").unlink()
        result = self.audit()
        self.assertEqual(result["settings"], [])
        self.assertLessEqual({entry["reason"] for entry in result["rules_off"]}, {"depth", "preview", "target"})
        self.assertNotIn("Rules off", run("audit", self.tree).stdout.decode())

    def test_show_config_names_origins(self):
        self.write("unwarp.toml", 'targets = ["gfx90a"]\nexclude = ["x/**", "y"]\n')
        done = run("audit", self.tree, "--show-config", "--gate", "silent==0", env={"UNWARP_THREADS": "1"})
        self.assertEqual(done.returncode, 0)
        text = done.stdout.decode()
        self.assertRegex(text, r'targets = \["gfx90a"\]  # .*unwarp\.toml')
        self.assertRegex(text, r'gate = \["silent==0"\]  # command line')
        self.assertRegex(text, r'threads = "1"  # environment UNWARP_THREADS')
        self.assertIn("# default", text)

    def test_a_projects_file_chooses_no_file_to_write(self):
        self.write("p/a.cu")
        victim = self.write("victim", "precious")
        wish = f'format = ["json={victim}"]\n'
        config = self.write("p/unwarp.toml", "targets = []\n" + wish)
        for arguments in (("p",), ("p", "--config", config)):
            done = run("audit", *arguments, cwd=self.tree)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(b"unwarp.toml:2: a project's file chooses no files to write", done.stderr)
            self.assertEqual(victim.read_text(), "precious")
        config.write_text('format = "json"\n')
        self.assertTrue(run("audit", "p", cwd=self.tree).stdout.startswith(b"{"), "a format to stdout is the project's to choose")
        config.unlink()
        self.write("home/unwarp/unwarp.toml", wish)
        self.assertEqual(run("audit", "p", cwd=self.tree, env={"XDG_CONFIG_HOME": str(self.tree / "home")}).returncode, 0)
        self.assertIn("schema_version", victim.read_text(), "the user's own file may")

    def test_ignore_files_hide_and_no_ignore_shows(self):
        self.write(".gitignore", "generated/\n*.tmp.cu\n!keep.tmp.cu\n")
        for name in ("a.cu", "generated/b.cu", "c.tmp.cu", "keep.tmp.cu"):
            self.write(name)
        shown = set(self.files(self.audit()))
        self.assertIn("a.cu", shown)
        self.assertIn("keep.tmp.cu", shown)
        self.assertFalse(shown & {"generated/b.cu", "c.tmp.cu"})
        self.assertLessEqual({"generated/b.cu", "c.tmp.cu"}, set(self.files(self.audit("--no-ignore"))))


class Hostile(InTree):
    def test_links_pipes_sockets_and_odd_names(self):
        self.write("a.cu")
        (self.tree / "loop").symlink_to(self.tree)
        (self.tree / "self").symlink_to("self")
        os.mkfifo(self.tree / "pipe.cu")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.tree / "socket"))
        odd = os.fsencode(self.tree) + b"/caf\xe9\xff.cu"
        with open(odd, "wb") as file:
            file.write(KERNEL.encode())
        self.write("new\nline and \"quote\".cu")
        result = self.audit()
        skipped = self.skipped(result)
        self.assertLessEqual({"loop", "self", "pipe.cu", "socket"}, set(skipped))
        self.assertEqual(len(self.files(result)), 3)
        self.assertEqual(len({finding["path"] for finding in result["findings"]}), 3)

    def test_nothing_read_is_a_verdict_of_its_own(self):
        self.write("tree/a.cu")
        os.mkfifo(self.tree / "pipe")
        (self.tree / "empty").mkdir()
        for arguments in (("/dev/null",), (self.tree / "pipe",), (self.tree / "empty",), (self.tree / "tree", "-x", "*")):
            for form in ("terminal", "markdown", "html"):
                text = run("audit", *arguments, "-f", form).stdout.decode()
                self.assertIn("Nothing was read", text, arguments)
                self.assertNotIn("No CUDA found", text, arguments)
        self.write("tree/a.cu", "int main() {}\n")
        self.assertIn(b"No CUDA found", run("audit", self.tree / "tree").stdout)

    def test_different_names_never_become_one_path(self):
        names = (b"\xe9.cu", b"\xff.cu", b"\\xe9.cu", b"\\\\xe9.cu", "\ufffd.cu".encode())
        for name in names:
            with open(os.fsencode(self.tree) + b"/" + name, "wb") as file:
                file.write(KERNEL.encode())
        result = self.audit()
        self.assertEqual(
            set(self.files(result)), {r"\xe9.cu", r"\xff.cu", r"\\xe9.cu", r"\\\\xe9.cu", "\ufffd.cu"},
        )
        places = [entry["path"] for entry in result["coverage"]["files"]]
        self.assertEqual(places, sorted(places, key=str.encode))
        sarif = json.loads(run("audit", self.tree, "--format", "sarif").stdout)
        uris = {entry["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for entry in sarif["runs"][0]["results"]}
        self.assertEqual({urllib.parse.unquote_to_bytes(uri) for uri in uris}, set(names), "SARIF gives the exact bytes")

    def test_members_of_an_archive_never_become_one_path(self):
        with tarfile.open(self.tree / "a.tar", "w", encoding="utf-8", errors="surrogateescape") as archive:
            for name in (b"\xe9.cu", b"\xff.cu"):
                member = tarfile.TarInfo(os.fsdecode(name))
                member.size = len(KERNEL)
                archive.addfile(member, io.BytesIO(KERNEL.encode()))
        self.assertEqual(len({path for path in self.files(self.audit()) if "!" in path}), 2)

    def test_unreadable_files_are_named_and_no_failure(self):
        if os.geteuid() == 0 and shutil.which("setpriv") is None:
            self.skipTest("runs as root and setpriv(1) is not installed: nothing is unreadable")
        self.write("a.cu")
        self.write("locked/b.cu")
        self.write("c.cu").chmod(0)
        (self.tree / "locked").chmod(0)
        self.addCleanup((self.tree / "locked").chmod, 0o755)
        self.tree.chmod(0o755)
        drop = (lambda: (os.setgroups([]), os.setgid(65534), os.setuid(65534))) if os.geteuid() == 0 else None
        try:
            done = run("audit", self.tree, "--format", "json", before=drop)
        except (PermissionError, subprocess.SubprocessError):
            self.skipTest("the built program cannot be run by another user here")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = json.dumps(json.loads(done.stdout)["coverage"])
        self.assertIn("locked", text)
        self.assertIn("c.cu", text)

    def test_deep_nesting_everywhere(self):
        deep = 200000
        for name, text in {
            "a.json": "[" * deep, "b.ipynb": '{"cells":' + "[" * deep, "c.cu": "(" * deep + "{" * deep, "d.yaml": "- " * deep,
            "e.yaml": "{" * deep, "f.py": "(" * deep, "CMakeLists.txt": "a(" * deep, "g.sh": "$(" * deep, "pyproject.toml": "a=" + "[" * deep,
            "h.tf": "{" * deep, "pom.xml": "<a>" * deep, "meson.build": "(" * deep, "BUILD": "[" * deep, "package.json": '{"a":' * deep,
            "i.cu": "#if 1\n" * deep, "j.cu": "<" * deep, "k.yaml": "\n".join(" " * n + "a:" for n in range(2000)),
        }.items():
            self.write(name, text)
        self.audit(timeout=120)

    def test_a_huge_line_stays_below_the_memory_limit(self):
        for name, size_mb in {"line.cu": 300, "line.json": 300, "line.py": 60, "line.sh": 60, "line.yaml": 60, "pyproject.toml": 60}.items():
            with open(self.tree / name, "wb") as file:
                for _ in range(size_mb):
                    file.write(b"x = cudaMalloc; [1,2,3]; " * (41943))
            done = run(
                "audit", self.tree, "--format", "json", "--threads", "2", timeout=180,
                before=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)),
            )
            self.assertEqual(done.returncode, 0, (name, done.stderr[-300:]))
            self.assertIn(name, self.files(json.loads(done.stdout)))
            (self.tree / name).unlink()

    def test_a_sparse_gigabyte(self):
        with open(self.tree / "big.cu", "wb") as file:
            file.truncate(1 << 30)
        done = run("audit", self.tree, "--format", "json", timeout=180)
        self.assertEqual(done.returncode, 0)


class Determinism(InTree):
    def outputs(self, *arguments: str) -> list[bytes]:
        formats = ("json", "jsonl", "sarif", "markdown", "csv", "html", "terminal")
        return [run("audit", EXAMPLE, "--format", name, *arguments).stdout for name in formats]

    def test_two_runs_give_the_same_bytes(self):
        self.assertEqual(self.outputs(), self.outputs())

    def test_the_number_of_threads_changes_nothing(self):
        self.assertEqual(self.outputs("--threads", "1"), self.outputs("--threads", "7"))

    def test_the_place_of_the_tree_changes_no_fingerprint(self):
        copy = self.tree / "elsewhere"
        shutil.copytree(EXAMPLE, copy)
        prints = [[finding["fingerprint"] for finding in self.audit(folder=folder)["findings"]] for folder in (EXAMPLE, copy)]
        self.assertEqual(*prints)

    def test_lines_added_above_change_no_fingerprint(self):
        self.write("a.cu")
        before = [finding["fingerprint"] for finding in self.audit()["findings"]]
        self.write("a.cu", "\n\n// a comment\n" + KERNEL)
        self.assertEqual(before, [finding["fingerprint"] for finding in self.audit()["findings"]])


class Assess(InTree):
    FILES = {"result.json", "report.md", "cost.md", "cost.json", "index.html", "findings.sarif"}

    def test_writes_the_report_and_names_what_is_not_built(self):
        self.write("a.cu")
        done = run("assess", ".", cwd=self.tree)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = self.tree / "unwarp-report"
        self.assertEqual({path.name for path in report.iterdir()}, self.FILES)
        result = json.loads((report / "result.json").read_text())
        states = {stage["id"]: stage["state"] for stage in result["stages"]}
        self.assertEqual(states["audit"], "done")
        self.assertEqual(states["run"], "skipped")
        self.assertIn("not-built", states.values())
        self.assertIn("apis", result["audit"])
        self.assertIn(b"not built", done.stdout)
        self.assertNotIn(b"format html", done.stdout, "the report that was just written is not offered again")
        page = (report / "index.html").read_text()
        self.assertNotIn("http-equiv=\"refresh\"", page)
        verdict = next(stage["reason"] for stage in result["stages"] if stage["id"] == "cost")
        self.assertIn("portable with effort", verdict)
        for text in (done.stdout.decode(), (report / "report.md").read_text(), page.split("<main")[1].split("<p class=\"stageline\"><strong>")[1]):
            self.assertTrue(text.startswith(verdict), text[:200])

    def test_the_page_loads_nothing_from_elsewhere(self):
        run("assess", EXAMPLE, "-o", self.tree / "report")
        page = (self.tree / "report" / "index.html").read_text()
        self.assertNotRegex(page, r"""<(?:script|img|iframe|link)[^>]*(?:src|href)=["']?(?:https?:)?//""")
        self.assertNotRegex(page, r"@import|url\(\s*['\"]?https?:")

    def test_the_report_is_never_audited(self):
        self.write("a.cu")
        for report in ("unwarp-report", "unwarp-report", "elsewhere", "elsewhere"):
            self.assertEqual(run("assess", ".", "-o", report, cwd=self.tree).returncode, 0)
            result = json.loads((self.tree / report / "result.json").read_text())["audit"]
            self.assertEqual(set(self.files(result)), {"a.cu"})

    def test_results_of_earlier_runs_are_never_audited(self):
        self.write("a.cu")
        expected = self.audit()
        formats = {"json": "old.json", "jsonl": "old.jsonl", "sarif": "old.sarif", "markdown": "old.md", "html": "old.html", "csv": "old.csv"}
        (self.tree / "out").mkdir()
        run("audit", ".", *(word for name, file in formats.items() for word in ("-f", f"{name}=out/{file}")), cwd=self.tree)
        run("assess", "a.cu", "-q", "-o", "report", cwd=self.tree)
        (self.tree / "report" / "index.html").unlink()
        self.write("out/laid-out.json", json.dumps(json.loads((self.tree / "out/old.json").read_text()), indent=4))
        self.write("out/named.sarif.json", (self.tree / "out/old.sarif").read_bytes())
        self.write("own.json", '{"schema_version": "1.0.0", "image": "nvidia/cuda:12.4.1-devel"}')
        result = self.audit("--exclude", "own.json")
        for key in ("apis", "dependencies", "findings", "layers"):
            self.assertEqual(result[key], expected[key], key)
        reasons = self.skipped(result)
        for file in ("out/old.json", "out/old.jsonl", "out/laid-out.json", "out/named.sarif.json", "report/result.json"):
            self.assertEqual(reasons[file], "report of an earlier run")
        self.assertIn("own.json", self.files(self.audit()), "a schema_version alone is anybody's")

    def test_an_earlier_report_is_replaced_as_a_whole(self):
        self.write("src/a.cu")
        report = self.tree / "report"
        run("assess", "src", "-o", report, cwd=self.tree)
        (report / "report.md").write_text("from before")
        inode = report.stat().st_ino
        run("assess", "src", "-o", report, cwd=self.tree)
        self.assertEqual({path.name for path in report.iterdir()}, self.FILES)
        self.assertNotIn("from before", (report / "report.md").read_text())
        self.assertNotEqual(inode, report.stat().st_ino, "swapped in, not rewritten in place")
        self.assertEqual({path.name for path in self.tree.iterdir()}, {"src", "report"}, "no temporary folder is left")

    def test_a_folder_with_other_files_is_never_replaced(self):
        self.write("k.cu")
        for name in ("own/result.json", "own/thesis.txt"):
            self.write(name, '{"schema_version": 1}')
        done = run("assess", self.tree / "k.cu", "-q", "-o", self.tree / "own")
        self.assertEqual(done.returncode, 2)
        self.assertTrue((self.tree / "own/thesis.txt").exists())
        run("assess", self.tree / "k.cu", "-q", "-o", self.tree / "out")
        self.write("out/notes.txt", "mine")
        self.assertEqual(run("assess", self.tree / "k.cu", "-q", "-o", self.tree / "out").returncode, 2)
        self.assertTrue((self.tree / "out/notes.txt").exists())

    def test_what_is_audited_is_never_replaced(self):
        for name in ("result.json", "report.md", "cost.md", "cost.json", "index.html", "findings.sarif"):
            self.write(name, '{"schema_version":"1.0.0","stages":[]}')
        done = run("assess", self.tree, "-q", "-o", self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"is audited", done.stderr)

    def test_a_configuration_file_cannot_choose_the_output(self):
        self.write("p/unwarp.toml", 'output = "/nowhere"')
        done = run("assess", self.tree / "p", "-q", cwd=self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"unknown key 'output'", done.stderr)

    def test_what_is_no_report_is_not_touched(self):
        self.write("src/a.cu")
        self.write("precious/thesis.tex", "x")
        done = run("assess", "src", "-o", "precious", cwd=self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertEqual([path.name for path in (self.tree / "precious").iterdir()], ["thesis.tex"])
        self.write("file", "x")
        self.assertEqual(run("assess", "src", "-o", "file", cwd=self.tree).returncode, 2)

    def test_a_missing_parent_is_a_failure_before_the_audit(self):
        self.write("a.cu")
        self.assertEqual(run("assess", self.tree, "-o", self.tree / "no" / "where").returncode, 2)


class Cost(InTree):
    def test_backtest_trains_on_the_rows_given_and_nothing_else(self):
        head = "project\tdirection\tloc_gpu\teffort_person_weeks\tmore\n"
        self.write("train.tsv", head + "A\tCUDA->SYCL\t9000\t20\tx\nB\tCUDA->HIP (hipify)\t9000\t1\n")
        self.write("score.tsv", head + "C\tCUDA->SYCL\t\t24\nD\tsomewhere\t\t\n")
        done = run("cost", "backtest", "--train", "train.tsv", "--score", "score.tsv", "--format", "json", cwd=self.tree)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual([case["route_class"] for case in result["cases"]], ["portability-layer", "unknown"])
        self.assertEqual(set(result["scores"]), {"mdmre", "within_2x", "sd_log_ratio", "sa", "coverage_80"})
        self.assertEqual(set(result["baselines"]), {"cocomo_organic", "route_class"})
        self.write("none.tsv", head)
        done = run("cost", "backtest", "--train", "none.tsv", "--score", "score.tsv", cwd=self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"effort_person_weeks", done.stderr)

    def test_an_account_has_a_verdict_and_a_source_for_each_number(self):
        self.write("src/a.cu")
        done = run("cost", "init", "src", "-o", "src/unwarp.toml", cwd=self.tree)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("cost", "src", "--format", "json", cwd=self.tree)
        self.assertEqual(done.returncode, 0, done.stderr)
        account = json.loads(done.stdout)
        self.assertIn("answer", account["workloads"][0]["targets"][0]["verdict"])
        self.assertTrue(all(assumption["source"] for assumption in account["assumptions"]))
        self.assertEqual(done.stdout, run("cost", "src", "--format", "json", cwd=self.tree).stdout)
        for form in ("terminal", "markdown", "csv", "focus"):
            self.assertEqual(run("cost", "src", "--format", form, cwd=self.tree).returncode, 0)
        self.write("src/other.yaml", "cost:\n  horizon_years: 36\n")
        done = run("cost", "src/other.yaml", cwd=self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"src/other.yaml:2: cost.horizon_years: 36 cannot be right", done.stderr)

    def test_what_a_translator_did_names_known_keys_once(self):
        self.write("src/a.cu")
        head = "key\tclean\treview\tfailed\n"
        for rows, says in (("W1\t1\t0\t0\n", b"t.tsv:2: key: 'W1' is no rule"), ("api.prt\t1\t0\t0\n", b"did you mean api.port?"),
                           ("W01\t1\t0\t0\nW01\t1\t0\t0\n", b"t.tsv:3: key: W01 stands twice")):
            self.write("t.tsv", head + rows)
            done = run("cost", "src", "--translated", "t.tsv", cwd=self.tree)
            self.assertEqual(done.returncode, 2, rows)
            self.assertIn(says, done.stderr)
        self.write("t.tsv", "key\tclean\tkey\treview\tfailed\n")
        self.assertIn(b"t.tsv:1: key: names two columns", run("cost", "src", "--translated", "t.tsv", cwd=self.tree).stderr)
        self.assertIn(b"is named twice", run("cost", "src", "--gpu", "MI300X", "-g", "mi300x", cwd=self.tree).stderr)

    def test_gates_are_judged_or_refused(self):
        self.write("src/a.cu", "__global__ void k() { unsigned m = __ballot_sync(0xffffffff, 1); }\n")
        for gate in (("--gate", "silent==0"), ("--fail-on", "silent")):
            done = run("cost", "src", *gate, cwd=self.tree)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(b"gate broken", done.stderr)
            self.assertIn(b"person-weeks", done.stdout)
            self.assertEqual(run("cost", "init", "src", *gate, cwd=self.tree).returncode, 2)
        self.assertEqual(run("cost", "src", "--gate", "silent<=99", cwd=self.tree).returncode, 0)
        done = run("cost", "src", "--gate", "silnt==0", cwd=self.tree)
        self.assertEqual((done.returncode, done.stdout), (2, b""))

    def test_a_port_is_mined_from_a_history(self):
        if shutil.which("git") is None:
            self.skipTest("git is not installed")
        who = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "a@x"}

        def git(*arguments: str, day: str = "2020-01-01"):
            date = {"GIT_AUTHOR_DATE": day + "T12:00:00Z", "GIT_COMMITTER_DATE": day + "T12:00:00Z"}
            subprocess.run(["git", "-C", self.tree, *arguments], env={**os.environ, **who, **date}, check=True, capture_output=True)

        git("init", "-q")
        for name, day in (("cuda/a.cu", "2020-01-01"), ("hip/a.hip", "2020-02-01"), ("hip/b.hip", "2020-02-03")):
            self.write(name)
            git("add", "-A", day=day)
            git("commit", "-qm", "add " + name, day=day)
        done = run("cost", "mine", self.tree, "hip", "--size", "cuda", "--format", "tsv", "--direction", "CUDA->HIP")
        self.assertEqual(done.returncode, 0, done.stderr)
        head, row = (line.split("\t") for line in done.stdout.decode().splitlines())
        port = dict(zip(head, row))
        self.assertEqual((port["effort_person_weeks"], port["kernels"], port["loc_gpu"]), ("0.4000", "1", "7"))


class Isolation(InTree):
    def test_no_socket_no_process_no_write(self):
        if shutil.which("strace") is None:
            self.skipTest("strace is not installed: system calls are not watched")
        log = self.tree / "strace.log"
        done = subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=%network,execve,execveat,fork,vfork,unlink,rename,mkdir", "-o", log, UNWARP, "audit", EXAMPLE],
            capture_output=True, stdin=subprocess.DEVNULL, timeout=120, check=False,
        )
        if not log.exists() or b"ptrace" in done.stderr:
            self.skipTest("strace may not trace here: system calls are not watched")
        calls = [line.split(None, 1)[1] for line in log.read_text().splitlines() if "(" in line]
        self.assertEqual([call for call in calls if not call.startswith("execve(\"" + UNWARP)], [])

    def test_nothing_of_the_project_is_run(self):
        for name in ("nvcc", "python3", "nvidia-smi", "cmake", "hipcc"):
            self.write(f"bin/{name}", f"#!/bin/sh\ntouch '{self.tree}/ran-{name}'\n").chmod(0o755)
        self.write("setup.py", f"open(r'{self.tree}/ran-setup', 'w')\nfrom setuptools import setup\nsetup()\n")
        done = run("audit", self.tree, env={"PATH": f"{self.tree}/bin:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0)
        self.assertEqual([path.name for path in self.tree.glob("ran-*")], [])


class Example(unittest.TestCase):
    """The bundled project binds itself in every layer it claims to."""

    @classmethod
    def setUpClass(cls):
        cls.result = json.loads(run("audit", EXAMPLE, "--format", "json").stdout)

    def test_layers(self):
        sites = {layer["id"]: layer["sites"] for layer in self.result["layers"]}
        for layer in ("runtime", "math", "algorithms", "communication", "kernels", "framework", "specialised", "deployment", "tooling"):
            self.assertGreater(sites[layer], 0, layer)

    def test_planted_hazards_are_found(self):
        found = {(finding["path"].split("/")[-1], finding["rule"][0]) for finding in self.result["findings"]}
        for place in (("neighbours.cu", "M"), ("warp.cuh", "W"), ("reduce.cu", "M"), ("gather_kernel.cu", "W"), ("forces.cu", "L")):
            self.assertIn(place, found)

    def test_clean_kernels_are_clean(self):
        hazards = [f for f in self.result["findings"] if f["severity"] in ("silent", "crash", "hang")]
        self.assertEqual([f for f in hazards if f["path"].endswith(("density.cu", "integrate.cu"))], [])

    def test_the_guarded_file_counts_as_guarded(self):
        apis = [api for api in self.result["apis"] if any(site["path"] == "include/lane_mask.h" for site in api["sites"])]
        self.assertTrue(any(api["guarded"] for api in apis))

    def test_every_file_is_accounted_for(self):
        covered = {entry["path"] for entry in self.result["coverage"]["files"]}
        covered |= {entry["path"] for entry in self.result["coverage"]["skipped"]}
        here = {str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*") if path.is_file()}
        self.assertEqual(here - covered, set())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: cli_test.py UNWARP [unittest arguments]")
    UNWARP = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
