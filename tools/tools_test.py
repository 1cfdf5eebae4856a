#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks find what they promise to find; the scaffolds make what the checks accept."""
from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
sys.path.insert(0, str(TOOLS))

from checks import cpp, directions, house, knowledge  # noqa: E402
from checks.tree import Tree  # noqa: E402

SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
ESSAY = SPDX + "//\n// What this is for.\n"


class WithTree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)

    def complaints(self, check, files: dict[str, str]) -> list[str]:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return [str(complaint) for complaint in check(Tree(self.root))]

    def about(self, check, path: str, text: str) -> list[str]:
        return [complaint for complaint in self.complaints(check, {path: text}) if complaint.startswith(path)]

    def one(self, check, path: str, text: str, says: str):
        found = self.about(check, path, text)
        self.assertEqual(len(found), 1, found)
        self.assertIn(says, found[0])

    def none(self, check, path: str, text: str):
        self.assertEqual(self.about(check, path, text), [])


class Cpp(WithTree):
    def test_a_good_file(self):
        self.none(cpp.check, "src/base/a.cpp", ESSAY + "int f() { return 1; }\n")

    def test_missing_licence_and_essay(self):
        self.one(cpp.check, "src/base/a.cpp", "\n//\n// Essay.\n", "SPDX")
        self.one(cpp.check, "src/base/b.cpp", SPDX + "int x;\n", "essay")

    def test_long_lines_and_their_waiver(self):
        long = "int a = 0;" + " " * 120 + "// x\n"
        self.one(cpp.check, "src/base/a.cpp", ESSAY + long, "columns")
        self.none(cpp.check, "src/base/a.cpp", ESSAY + long[:-5] + "// tidy-allow: long-line a table row\n")

    def test_long_files(self):
        self.one(cpp.check, "src/base/a.cpp", ESSAY + "int x;\n" * 500, "at most 500")
        self.one(cpp.check, "src/base/b.h", ESSAY + "#pragma once\n" + "int x;\n" * 200, "at most 200")

    def test_long_functions_wherever_they_stand(self):
        body = "  x();\n" * 80
        for text in (
            "void f() {\n" + body + "}\n",
            "namespace a {\nstruct B {\n  B() : x_{1} {\n" + body + "  }\n};\n}\n",
            "int A::f(int x) const noexcept {\n" + body + "}\n",
            "template <class T>\nauto f(T t) -> int {\n" + body + "}\n",
        ):
            found = self.complaints(cpp.check, {"src/base/a.cpp": ESSAY + text})
            self.assertEqual(len(found), 1, text[:60])
            self.assertIn("function of 8", found[0])

    def test_long_tables_and_classes_are_no_functions(self):
        rows = "    {1, 2},\n" * 80
        self.none(cpp.check, "src/base/a.cpp", ESSAY + "constexpr std::array table{\n" + rows + "};\n")
        self.none(cpp.check, "src/base/b.cpp", ESSAY + "struct A {\n" + "  int f() { return '{'; }\n" * 80 + "};\n")
        self.none(cpp.check, "src/base/c.cpp", ESSAY + 'const char* s = R"x(void f() {\n' + "\n" * 80 + '})x";\n')

    def test_words_that_say_nothing(self):
        self.one(cpp.check, "src/base/a.cpp", ESSAY + "class FileManager;\n", "FileManager")
        self.none(cpp.check, "src/base/a.cpp", ESSAY + "class Information;\n// struct RuleInfo\n")


class Directions(WithTree):
    def test_arrows_point_up(self):
        files = {"src/audit/a.h": ESSAY, "src/scan/b.h": ESSAY, "src/report/c.h": ESSAY}
        self.complaints(directions.check, files)
        self.one(directions.check, "src/scan/x.cpp", ESSAY + '#include "audit/a.h"\n', "src/scan may not include src/audit")
        self.one(directions.check, "src/report/x.cpp", ESSAY + '#include "scan/b.h"\n', "src/report may not include src/scan")
        self.none(directions.check, "src/audit/x.cpp", ESSAY + '#include "scan/b.h"\n')

    def test_third_party_headers_stay_where_they_belong(self):
        self.one(directions.check, "src/report/x.cpp", ESSAY + "#include <nlohmann/json.hpp>\n", "not for this folder")
        self.none(directions.check, "src/report/x_test.cpp", ESSAY + "#include <nlohmann/json.hpp>\n")

    def test_nothing_is_executed_and_no_socket_opened(self):
        self.one(directions.check, "src/scan/x.cpp", ESSAY + 'int f() { return system("nvcc"); }\n', "calls system")
        self.one(directions.check, "src/scan/x.cpp", ESSAY + "int f() { return ::socket(1, 2, 3); }\n", "calls socket")
        self.none(directions.check, "src/scan/x.cpp", ESSAY + 'const char* s = "system(1)"; int y = a.connect(b);\n')
        self.complaints(directions.check, {"src/base/process.h": ESSAY})
        self.one(directions.check, "src/audit/x.cpp", ESSAY + '#include "base/process.h"\n', "src/audit runs no programs")
        self.none(directions.check, "src/trial/x.cpp", ESSAY + '#include "base/process.h"\n')


class House(WithTree):
    def test_sources_that_no_list_names(self):
        self.complaints(house.check_cmake, {"src/base/CMakeLists.txt": "target_sources(a PRIVATE text.cpp)\n", "src/base/text.cpp": SPDX})
        self.one(house.check_cmake, "src/base/deep/more_text.cpp", SPDX, "in no CMakeLists.txt")

    def test_paths_of_one_machine_tabs_and_blanks(self):
        machine = "/wo" + "rk/main"
        tree = self.complaints(lambda t: house.check_text(t, "a.md"), {"a.md": f"see {machine}\n\tx\ny \n"})
        self.assertEqual(len(tree), 3, tree)


class Knowledge(WithTree):
    HEADER = "word\tlayer\tsource\tas_of\n"

    def table(self, rows: str) -> list[str]:
        return self.complaints(lambda t: knowledge.check_table(t, "knowledge/layers.tsv"), {"knowledge/layers.tsv": self.HEADER + rows})

    def test_order_uniqueness_provenance_words(self):
        self.assertEqual(self.table("a\tmath\tdoc\t2026\nb\tdnn\tdoc\t2026-01\n"), [])
        self.assertIn("not sorted", self.table("b\tmath\tdoc\t2026\na\tmath\tdoc\t2026\n")[0])
        self.assertIn("also in line 2", self.table("a\tmath\tdoc\t2026\na\tmath\tdoc\t2026\n")[0])
        self.assertIn("source is empty", self.table("a\tmath\t\t2026\n")[0])
        self.assertIn("is no date", self.table("a\tmath\tdoc\tyesterday\n")[0])
        self.assertIn("is none of", self.table("a\tmaths\tdoc\t2026\n")[0])
        self.assertIn("3 cells", self.table("a\tmath\tdoc\n")[0])


class Scaffolds(WithTree):
    def run_tool(self, tool: str, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, str(TOOLS / tool), "--root", str(self.root), *arguments], capture_output=True, text=True, check=False
        )

    def test_new_rule_takes_the_next_number(self):
        folder = self.root / "knowledge/rules/W"
        folder.mkdir(parents=True)
        (folder / "W07-x.md").write_text("")
        done = self.run_tool("new_rule.py", "W", "some-pattern")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = folder / "W08-some-pattern.md"
        self.assertIn("// expect: W08", page.read_text())
        self.assertEqual(self.run_tool("new_rule.py", "W", "some-pattern").returncode, 2)
        self.assertEqual(self.run_tool("new_rule.py", "W", "Not_Kebab").returncode, 2)
        # An unfilled page must not pass.
        self.assertTrue(self.complaints(lambda t: knowledge.check_rule(knowledge.rule_pages(t)[-1], {}), {}))

    def test_new_api_sorts_itself_in(self):
        api = self.root / "knowledge/apis"
        api.mkdir(parents=True)
        header = "\t".join(name for name, _ in knowledge.table_of("knowledge/apis/x.tsv").columns)
        (api / "x.tsv").write_text(header + "\n" + "aaa" + "\t" * 14 + "\nzzz" + "\t" * 14 + "\n")
        (self.root / "knowledge/layers.tsv").write_text(Knowledge.HEADER + "memory\truntime\tdoc\t2026\n")
        arguments = ("cudaThing", "--table", "x", "--library", "memory", "--hip", "hipThing", "--source", "doc 1.0")
        done = self.run_tool("new_api.py", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split("\t")[0] for line in (api / "x.tsv").read_text().splitlines()], ["name", "aaa", "cudaThing", "zzz"])
        self.assertEqual(self.run_tool("new_api.py", *arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main()
