#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`unwarp cost money`, `cost gate` and `cost fleet` from outside: `cost_money_test.py UNWARP [unittest arguments]`."""
from __future__ import annotations

import json
import re
import sys
import unittest
from pathlib import Path

import cli_test
from cli_test import InTree, run

FLEET = {
    "hours": 26280, "discount_factor": 0.87, "utilisation": 0.6,
    "pools": [
        {"name": "B200", "price_per_hour": 2.90, "capacity": 200},
        {"name": "MI355X", "price_per_hour": 2.10, "capacity": 48, "stack_cost": 90000},
    ],
    "workloads": [
        {"name": name, "demand_per_hour": demand, "home": "B200", "rate_per_hour": {"B200": b, "MI355X": m},
         "port_cost": {"MI355X": cost}, "not_on": barred}
        for name, demand, b, m, cost, barred in [
            ("chat", 900, 46.2, 47.9, 15000, []), ("rag", 400, 46.2, 47.9, 60000, []),
            ("trtllm", 600, 50, 1, 400000, ["MI355X"]), ("train", 300, 40, 36, 500000, []),
        ]
    ],
}


def bench(rate: float, ttft: float, **more) -> str:
    return json.dumps({
        "date": "20260428-110159", "backend": "vllm", "model_id": "openai/gpt-oss-120b", "num_prompts": 160,
        "request_rate": "inf", "max_concurrency": 16, "duration": 160 * 1024 / rate, "completed": 160, "failed": 0,
        "total_input_tokens": 163840, "total_output_tokens": 163840, "request_throughput": rate / 1024,
        "output_throughput": rate, "median_ttft_ms": ttft, "p99_ttft_ms": 3 * ttft, "median_tpot_ms": 15e3 / rate,
        "p99_tpot_ms": 16e3 / rate, "gpu": "H100", "n_gpu": 8, **more,
    })


class Gate(InTree):
    NOISE = (1.0, 1.004, 0.997, 1.002, 0.999)

    def sides(self, factor: float) -> None:
        for i, noise in enumerate(self.NOISE):
            self.write(f"base/{i}.json", bench(1700 * noise, 100 / noise))
            self.write(f"candidate/{i}.json", bench(1700 * factor * noise * 1.0007, 100 / noise / factor))

    def gate(self, *arguments: str, status: int) -> dict:
        done = run("cost", "gate", "base", "candidate", "--format", "json", *arguments, cwd=self.tree)
        self.assertEqual(done.returncode, status, done)
        return json.loads(done.stdout)

    def test_exit_statuses(self):
        self.sides(0.9)
        self.assertEqual(self.gate(status=1)["outcome"], "slower")
        self.sides(1.0)
        self.assertEqual(self.gate(status=0)["outcome"], "equal")
        self.sides(1.2)
        self.assertEqual(self.gate(status=0)["outcome"], "faster")

    def test_single_files_are_inconclusive(self):
        self.write("base", bench(1700, 100))
        self.write("candidate", bench(1000, 200))
        metric = self.gate(status=3)["pairs"][0]["metrics"][0]
        self.assertEqual((metric["name"], metric["outcome"], metric["ratio"]), ("throughput", "inconclusive", None))

    def test_what_cannot_be_compared_is_a_failure(self):
        self.write("base", bench(1700, 100))
        self.write("candidate", bench(1700, 100, model_id="openai/gpt-oss-20b"))
        done = run("cost", "gate", "base", "candidate", cwd=self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"model differs", done.stderr)
        self.assertEqual(run("cost", "gate", "base", cwd=self.tree).returncode, 2)
        done = run("cost", "gate", "base", "base", "--metric", "troughput", cwd=self.tree)
        self.assertIn(b"did you mean throughput?", done.stderr)
        self.assertEqual(run("cost", "gate", "base", "nowhere", cwd=self.tree).returncode, 2)

    def test_what_the_candidate_lacks_does_not_pass(self):
        self.sides(1.0)
        for i, noise in enumerate(self.NOISE):
            self.write(f"base/other{i}.json", bench(900 * noise, 100, model_id="openai/gpt-oss-20b"))
        report = self.gate(status=2)
        self.assertEqual(report["outcome"], "not comparable")
        self.assertIn("openai/gpt-oss-20b", report["missing"][0])
        self.sides(0.9)
        self.assertEqual(self.gate(status=1)["outcome"], "slower")

    def test_runs_that_went_wrong_do_not_vanish(self):
        for wrong in (bench(1700, 100, failed=100, completed=60), bench(1700, 100)[:200], ""):
            self.sides(1.0)
            self.write("candidate/5.json", wrong)
            report = self.gate(status=2)
            self.assertEqual(report["outcome"], "not comparable", wrong)
            self.assertIn("candidate/5.json", report["missing"][0])
        self.write("candidate/5.json", bench(1700, 100))
        self.write("base/5.json", "")  # of the base it is told, and no more
        self.assertEqual(self.gate(status=0)["missing"], [])

    def test_a_figure_that_the_candidate_lacks_is_missing(self):
        self.sides(1.0)
        for i, noise in enumerate(self.NOISE):
            self.write(f"candidate/{i}.json", bench(1700 * noise * 1.0007, 100 / noise, p99_ttft_ms=None))
        self.assertIn("ttft_p99", self.gate(status=2)["missing"][0])
        self.assertEqual(self.gate("--metric", "throughput", status=0)["missing"], [])

    def test_one_candidate_run_has_a_power(self):
        self.sides(1.0)
        for i in range(1, 5):
            (self.tree / f"candidate/{i}.json").unlink()
        self.assertGreater(self.gate("--metric", "throughput", status=0)["pairs"][0]["metrics"][0]["power"], 0.5)

    def test_the_history_is_none_of_the_inputs(self):
        self.sides(1.0)
        (self.tree / "link.jsonl").symlink_to("candidate/0.json")
        (self.tree / "hard.jsonl").hardlink_to(self.tree / "base/0.json")
        before = {path: path.read_bytes() for path in self.tree.rglob("*.json")}
        for history in ("base/0.json", "./base/../candidate/1.json", "link.jsonl", "base/new.jsonl"):
            done = run("cost", "gate", "base", "candidate", "--history", history, cwd=self.tree)
            self.assertEqual(done.returncode, 2, history)
            self.assertIn(b"--history " + history.encode(), done.stderr)
        for history in ("hard.jsonl", "base/0.json.toml", "base/run.toml"):
            done = run("cost", "gate", "base/0.json", "candidate/0.json", "--history", history, cwd=self.tree)
            self.assertEqual(done.returncode, 2, history)
        self.assertEqual(before, {path: path.read_bytes() for path in self.tree.rglob("*.json")})
        self.assertFalse((self.tree / "base/new.jsonl").exists())

    def test_the_history_grows_by_a_line_a_call(self):
        self.sides(0.9)
        for _ in range(3):
            self.gate("--history", "gate.jsonl", status=1)
        lines = (self.tree / "gate.jsonl").read_text().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual({json.loads(line)["candidate_date"] for line in lines}, {"2026-04-28"})


class Money(InTree):
    def test_a_file_with_its_sidecar(self):
        text = json.loads(bench(17000, 100))
        del text["gpu"], text["n_gpu"]
        self.write("run.json", json.dumps(text))
        self.write("run.json.toml", 'gpu = "MI355X"\ngpus = 8\n')
        done = run("cost", "money", "run.json", "--basis", "rental-3y", "--format", "json", cwd=self.tree)
        self.assertEqual(done.returncode, 0, done)
        cost = json.loads(done.stdout)["groups"][0]["costs"][0]
        self.assertAlmostEqual(cost["cost_per_million"], 2.10 / (17000 / 8 * 3600e-6))
        given = run("cost", "money", "run.json", "--price", "MI355X=3", "--basis", "given", "--format", "csv", cwd=self.tree)
        self.assertIn(b",MI355X,given,", given.stdout)

    def test_mistakes_name_their_place(self):
        self.write("bill.csv", "BilledCost,BillingCurrency,ChargeCategory,ChargePeriodStart\n-5,USD,Usage,2026-01-01\n")
        for arguments, says in [
            (["bill.csv"], b"bill.csv:2: BilledCost: -5.00000 is negative"),
            (["nowhere.json"], b"nowhere.json"),
            (["bill.csv", "--currency", "EUR"], b"--rate EUR="),
            (["bill.csv", "--utilisation", "60"], b"--utilisation 60: write a share"),
            (["bill.csv", "--price", "MI355=2"], b"did you mean MI355X?"),
            (["bill.csv", "--utilisation", "nan"], b"write a share"),
            ([], b"needs files"),
        ]:
            done = run("cost", "money", *arguments, cwd=self.tree)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(says, done.stderr)

    def test_nothing_usable_is_a_failure(self):
        self.write("run.json", bench(17000, 100, gpu=None, n_gpu=None))
        self.write("prices.csv", "gpu,price_per_gpu_hour,currency\nH100,2,USD\n")
        self.write("bill.csv", "BilledCost,BillingCurrency,ChargeCategory,ChargePeriodStart\n5,USD,Usage,2026-01-01\n")
        for file, says in (("run.json", b"every run is left out"), ("prices.csv", b"no benchmark result")):
            done = run("cost", "money", file, cwd=self.tree)
            self.assertEqual((done.returncode, done.stdout), (2, b""), file)
            self.assertIn(says, done.stderr)
        self.assertEqual(run("cost", "money", "bill.csv", cwd=self.tree).returncode, 0)
        done = run("cost", "money", "bill.csv", "--format", "json", cwd=self.tree)
        self.assertEqual(json.loads(done.stdout)["bills"][0]["billed"], 5)
        self.assertEqual(run("cost", "money", "bill.csv", "--format", "csv", cwd=self.tree).returncode, 2)

    def test_a_doubled_column_is_named(self):
        self.write("runs.csv", "model,gpu,gpus,output_tokens_per_s,gpus\nm,H100,8,100,4\n")
        done = run("cost", "money", "runs.csv", cwd=self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"runs.csv: line 1: two columns are called 'gpus'", done.stderr)

    def test_hostile_text_drives_no_terminal_and_no_spreadsheet(self):
        self.write("run.json", bench(17000, 100, model_id="=cmd|'/C calc'!A0\x1b[31m\n\tnote: equal"))
        text = run("cost", "money", "run.json", cwd=self.tree).stdout.decode()
        self.assertFalse(set(text) & set("\x1b\t"))
        self.assertNotIn("\n\tnote: equal", text)
        table = run("cost", "money", "run.json", "--format", "csv", cwd=self.tree).stdout.decode()
        self.assertNotRegex(table, r'(^|[,\n])"?=cmd')

    def test_an_unknown_basis_is_no_silence(self):
        self.write("run.json", bench(17000, 100))
        done = run("cost", "money", "run.json", "--basis", "rental", cwd=self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"known are", done.stderr)

    def test_prices_are_listed_with_their_sources(self):
        done = run("cost", "money", "--prices")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"disputed", done.stdout)


class Fleet(InTree):
    def test_the_worked_case_and_its_lp_text(self):
        self.write("fleet.json", json.dumps(FLEET))
        done = run("cost", "fleet", "fleet.json", "--lp", "fleet.lp", "--format", "json", cwd=self.tree)
        self.assertEqual(done.returncode, 0, done)
        plan = json.loads(done.stdout)["plan"]
        self.assertEqual(round(plan["cost"]), 4561670)
        self.assertEqual([w["name"] for w in plan["workloads"] if w["moves"]], ["chat", "rag"])
        self.assertTrue((self.tree / "fleet.lp").read_text().startswith("\\ split fleet"))

    def test_the_lp_text_never_replaces_the_problem(self):
        self.write("fleet.json", json.dumps(FLEET))
        (self.tree / "link").symlink_to("fleet.json")
        for file, out in (("fleet.json", "./fleet.json"), ("fleet.json", "link"), ("link", "fleet.json")):
            done = run("cost", "fleet", file, "--lp", out, cwd=self.tree)
            self.assertEqual(done.returncode, 2, out)
            self.assertIn(b"--lp " + out.encode(), done.stderr)
        self.assertEqual((self.tree / "fleet.json").read_text(), json.dumps(FLEET))

    def test_no_plan_says_what_is_lacking(self):
        self.write("fleet.json", json.dumps({**FLEET, "total_budget": 1000000}))
        done = run("cost", "fleet", "fleet.json", cwd=self.tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"the cheapest plan costs 4561670", done.stderr)


class Messages(unittest.TestCase):
    ROOT = Path(__file__).resolve().parent.parent

    def test_messages_name_commands_and_flags_that_exist(self):
        listed = run("--help").stdout.decode()
        lines = listed[listed.index("Commands:"):].splitlines()
        commands = {line[2:16].strip() for line in lines if re.match(r"  [a-z]", line)}
        flags = {c: set(re.findall(r"--[a-z][a-z-]*", run(*c.split(), "--help").stdout.decode()))
                 for c in commands if c not in ("nvcc", "toolkit-path")}
        self.assertLessEqual({"cost", "cost money", "cost gate", "audit", "explain"}, commands)
        cost = set().union(*(names for command, names in flags.items() if command.startswith("cost")))
        sources = [*self.ROOT.glob("src/cost/**/*.cpp"), *self.ROOT.glob("src/cli/cost*.cpp")]
        pages = [*self.ROOT.glob("knowledge/cost/*.tsv"), *self.ROOT.glob("docs/cost*.md")]
        wrong = []
        for path in (*sources, *pages):
            text = path.read_text()
            if path.suffix == ".cpp":
                if path.name.endswith("_test.cpp"):
                    continue
                text = "\n".join(re.findall(r'"(?:[^"\\\n]|\\.)*"', text))
            for words in re.findall(r"`?unwarp ((?:[a-z-]+ ?)+)", text) if path.suffix == ".cpp" else re.findall(r"`unwarp ([a-z -]+)", text):
                parts = words.split()
                if parts and not {parts[0], " ".join(parts[:2])} & commands:
                    wrong.append(f"{path.name}: unwarp {words}")
            if path.suffix == ".cpp" and not path.name.endswith("mine_command.cpp"):  # that one speaks to git
                wrong += [f"{path.name}: {flag}" for flag in re.findall(r"(?<![a-z-])--[a-z][a-z-]+", text) if flag not in cost]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    cli_test.UNWARP = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
