#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The drop-in driver from outside: every option of nvcc, what it prints, relocatable device code, build systems.

Usage: nvcc_test.py TOOLKIT/bin/nvcc [unittest arguments]
Most tests read the commands of --dryrun; those that compile are few, because each costs a second.
"""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

NVCC = Path(sys.argv.pop(1)).absolute() if len(sys.argv) > 1 else Path()
TOOLKIT = NVCC.parent.parent
HERE = Path(__file__).parent

KERNEL = """#include <cstdio>
__global__ void fill(int* to) { to[threadIdx.x] = 7 * threadIdx.x; }
int main(int argc, char** argv) {
  int *device, host[32];
  cudaMalloc(&device, sizeof host);
  fill<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\\n", host[3], argc, argc > 1 ? argv[1] : "");
  return host[3] != 21;
}
"""

# Four units: what only device code needs, a variable and a constant of another unit, statics of one name in two units.
UNITS = {
    "main.cu": """#include <cstdio>
extern __device__ int level;
extern __constant__ float weights[4];
static __device__ int own = 1;
__device__ int twice(int);
extern "C" __device__ int thrice(int);
extern __global__ void addOwn(int*);
void setOwn(int);
namespace { __global__ void addMine(int* p) { *p += own; } }
template <class T> __global__ void start(T* p) {
  extern __shared__ int scratch[];
  scratch[0] = twice(level) + thrice(1);
  *p = scratch[0] + static_cast<int>(weights[2]) + own;
}
int main() {
  int value = 30, *device;
  float given[4] = {1, 2, 3, 4};
  cudaMalloc(&device, 4);
  cudaMemcpyToSymbol(level, &value, 4);
  cudaMemcpyToSymbol(weights, given, sizeof given);
  value = 100;
  cudaMemcpyToSymbol(own, &value, 4);
  setOwn(1000);
  start<<<1, 1, 4>>>(device);
  addOwn<<<1, 1>>>(device);
  addMine<<<1, 1>>>(device);
  cudaMemcpy(&value, device, 4, cudaMemcpyDeviceToHost);
  std::printf("%d %s\\n", value, cudaGetErrorString(cudaGetLastError()));
  return value != 60 + 3 + 3 + 100 + 1000 + 100;
}
""",
    "kernels.cu": """__device__ int level = 7;
__constant__ float weights[4];
static __device__ int own = 5;
__global__ void addOwn(int* p) { *p += own; }
void setOwn(int value) { cudaMemcpyToSymbol(own, &value, sizeof value); }
""",
    "twice.cu": "__device__ int twice(int x) { return 2 * x; }\n",
    "thrice.cu": 'extern "C" __device__ int thrice(int x) { return 3 * x; }\n',
}


class DriverTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "a.cu").write_text(KERNEL)

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).write_text(text)

    def run_in_folder(self, *command: str | Path, **environment: str) -> subprocess.CompletedProcess:
        told = {name: value for name, value in os.environ.items() if not name.startswith(("NVCC_", "UNWARP_"))}
        told["UNWARP_CACHE_DIR"] = str(self.folder / "cache")
        return subprocess.run([str(word) for word in command], cwd=self.folder, env=told | environment, text=True,
                              capture_output=True, timeout=120, errors="replace", check=False)

    def nvcc(self, *arguments: str, status: int = 0, **environment: str) -> subprocess.CompletedProcess:
        done = self.run_in_folder(NVCC, *arguments, **environment)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def commands(self, *arguments: str, **environment: str) -> list[list[str]]:
        """The steps that a run would take."""
        lines = self.nvcc("--dryrun", *arguments, **environment).stderr.splitlines()
        steps = [shlex.split(line[3:]) for line in lines if line.startswith("#$ ") and not re.match(r"#\$ \w+=", line)]
        return [step for step in steps if step[0] not in (":", "rm")]

    def step(self, kind: str, *arguments: str, **environment: str) -> list[str]:
        """One step: the device pass, the host pass or the link."""
        marks = {"device": "--cuda-device-only", "host": "--cuda-host-only", "link": "-Wl,--start-group"}
        found = [step for step in self.commands(*arguments, **environment) if marks[kind] in step]
        self.assertEqual(len(found), 1, f"{kind} of {arguments}")
        return found[0]

    def assertPasses(self, kind: str, flags: str, *arguments: str) -> None:
        step = self.step(kind, *arguments, "a.cu", "-o", "a")
        wanted = flags.split(" ")
        self.assertTrue(any(step[i:i + len(wanted)] == wanted for i in range(len(step))), f"{flags} not in {step}")

    def fails_with(self, text: str, *arguments: str) -> None:
        self.assertIn(text, self.nvcc(*arguments, status=1).stderr)


class Options(DriverTest):
    def test_every_option_of_the_help_is_taken(self):
        listed = re.findall(r"^  --(\S+) +(-\S+)?( \*| \(not supported\))?$", self.nvcc("--help").stdout, re.MULTILINE)
        self.assertGreaterEqual(len(listed), 163)
        special = {"help", "version", "list-gpu-arch", "list-gpu-code", "options-file", "run", "clean-targets"}
        values = {
            "std": "c++17", "stdlib": "libstdc++", "cudart": "static", "cudadevrt": "none", "x": "cu", "machine": "64",
            "default-stream": "legacy", "Ofast-compile": "0", "dopt": "on", "Werror": "reorder", "optimize": "2",
            "gpu-architecture": "sm_80", "generate-code": "arch=compute_80,code=sm_80", "time": "times.csv",
        }
        phases = {"preprocess", "device-link", "lib", "link"}
        for name, _, mark in listed:
            if name in special or name in phases:
                continue
            with self.subTest(name):
                for value in ([], [values.get(name, "1")], ["true"]):
                    arguments = ["--dryrun", f"--{name}" + ("=" + value[0] if value else ""), "-c", "a.cu"]
                    if name == "gpu-code":
                        arguments.append("-arch=compute_80")
                    done = self.run_in_folder(NVCC, *arguments)
                    if "not supported" in mark:
                        known = done.returncode == 1 and (f"--{name}: " in done.stderr or "argument" in done.stderr)
                    else:
                        known = done.returncode == 0
                    if known:
                        break
                self.assertTrue(known, done.stderr)

    def test_values_come_in_every_form(self):
        for form in (["-std=c++20"], ["-std", "c++20"], ["--std=c++20"], ["--std", "c++20"]):
            self.assertPasses("host", "-std=c++20", *form)
            self.assertPasses("device", "-std=c++20", *form)
        for form in (["-O3"], ["-O", "3"], ["--optimize=3"], ["--optimize", "3"]):
            self.assertPasses("host", "-O3", *form)
        self.assertIn("-O3", self.step("host", "a.cu", "-c", "-O3"))
        self.assertFalse([word for word in self.step("host", "a.cu", "-c") if word.startswith("-O")])
        for dialect in ("c++03", "c++11", "c++14", "c++17", "c++20", "c++23"):
            self.assertPasses("host", f"-std={dialect}", f"-std={dialect}")

    def test_lists(self):
        host = self.step("host", "-DA=1,B", "-D", 'C="x,y"', "-I/p,/q", "-I", "/r", "-U", "Z", "-c", "a.cu")
        for word in ("-DA=1", "-DB", '-DC="x,y"', "-I/p", "-I/q", "-I/r", "-UZ"):
            self.assertIn(word, host)
        self.assertPasses("device", "-isystem /s", "-isystem=/s")
        self.assertPasses("host", "-include stdio.h", "-include", "stdio.h")

    def test_host_options(self):
        host = self.step("host", "-Xcompiler", "-Wall,-Wextra", "-Xcompiler=-fPIC -pipe", "-Xcompiler", '"-DN=1 2"',
                         "-Xcompiler", "-Wl\\,-z\\,now", "-Xcompiler", '-DQ=\\"q\\"', "-c", "a.cu")
        for word in ("-Wall", "-Wextra", "-fPIC", "-pipe", "-DN=1 2", "-Wl,-z,now", '-DQ="q"'):
            self.assertIn(word, host)
        self.assertLess(host.index("-Wall"), host.index("-Wno-unknown-pragmas"))
        device = self.step("device", "-Xcompiler", "-DX=2,-fPIC,-std=c++14", "-c", "a.cu")
        self.assertIn("-DX=2", device)
        self.assertNotIn("-fPIC", device)
        link = self.step("link", "-Xcompiler", "-pthread", "-Xlinker", "-rpath,/p", "-lfoo,bar", "-L/l", "a.cu", "-pg")
        for words in (["-pthread"], ["-Xlinker", "-rpath", "-Xlinker", "/p"], ["-lfoo"], ["-lbar"], ["-L/l"], ["-pg"]):
            self.assertIn(" ".join(words), " ".join(link))

    def test_options_of_gcc_that_clang_does_not_know_are_named_and_dropped(self):
        done = self.nvcc("-Xcompiler=-fno-gnu-unique,-Wno-class-memaccess,-fno-var-tracking", "-c", "a.cu", "-o", "a.o")
        self.assertIn("'-fno-gnu-unique' is g++'s own and was ignored", done.stderr)
        self.assertEqual(self.nvcc("-w", "-Xcompiler=-fno-gnu-unique", "-c", "a.cu", "-o", "a.o").stderr, "")

    def test_unknown_options(self):
        self.fails_with("Unknown option '-Wall'", "-Wall", "a.cu")
        self.fails_with("Unknown option '--linkr-options=x'; did you mean --linker-options?", "--linkr-options=x", "a.cu")
        self.assertIn("-Wall", self.step("host", "-Wall", "-forward-unknown-to-host-compiler", "-c", "a.cu"))
        link = self.step("link", "-Wl,-z,now", "--forward-unknown-to-host-linker", "a.cu")
        self.assertIn("-Wl,-z,now", link)
        both = self.commands("-fno-plt", "--forward-unknown-opts", "a.cu")
        self.assertEqual(sum("-fno-plt" in step for step in both), 2)

    def test_errors_say_what_is_wrong(self):
        for arguments, text in (
            ([], "No input files specified"), (["-o"], "argument expected after '-o'"),
            (["-w=1", "a.cu"], "no argument expected after '-w'"), (["-rdc", "a.cu"], "'a.cu': expected true or false"),
            (["-std=c++99", "a.cu"], "Value 'c++99' is not defined for option 'std'"),
            (["-cudart=foo", "a.cu"], "Value 'foo' is not defined for option 'cudart'"),
            (["-Werror", "x", "a.cu"], "Value 'x' is not defined for option 'Werror'"),
            (["-arch=sm_10", "a.cu"], "Unsupported gpu architecture 'sm_10'"),
            (["-code=sm_80", "a.cu"], "-arch option not specified"), (["a.foo"], "Don't know what to do with 'a.foo'"),
            (["-c", "a.cu", "b.cu", "-o", "x.o"], "A single input file is required"),
            (["-E", "-MD", "a.cu"], "not supported when '-E' is also specified"),
            (["-optix-ir", "a.cu"], "--optix-ir: OptiX"), (["--tilecubin", "a.cu"], "--tilecubin: tile code"),
            (["-fdevice-sanitize=memcheck", "a.cu"], "--fdevice-sanitize: "), (["-x", "cu", "-c", "-"], "give a file"),
        ):
            with self.subTest(arguments):
                self.fails_with(text, *arguments)
        twice = self.nvcc("--dryrun", "-c", "-o", "x.o", "-o", "y.o", "a.cu")
        self.assertIn("incompatible redefinition for option 'output-file'", twice.stderr)

    def test_architectures(self):
        for arguments, number in (
            ([], 80), (["-arch=sm_75"], 75), (["-arch", "compute_70"], 70), (["-arch=native"], 80), (["-arch=all"], 80),
            (["-arch=all-major"], 80), (["-arch=sm_90a"], 90), (["-gencode", "arch=compute_60,code=sm_60"], 60),
            (["-gencode=arch=compute_80,code=[sm_80,compute_80]", "-gencode", "arch=compute_90,code=sm_90"], 80),
            (['-gencode=arch=compute_86,code="sm_86,compute_86"'], 86), (["-arch=compute_70", "-code=sm_70,sm_75"], 70),
            (["--generate-code=arch=compute_75,code=[compute_75,sm_75]"], 75),
        ):
            with self.subTest(arguments):
                self.assertPasses("device", f"--offload-arch=sm_{number}", *arguments)
        listed = self.nvcc("--list-gpu-code").stdout.split()
        self.assertEqual(self.nvcc("--list-gpu-arch").stdout.split(), [name.replace("sm", "compute") for name in listed])

    def test_device_floating_point_and_debugging(self):
        self.assertPasses("device", "-ffp-contract=fast")
        self.assertPasses("device", "-ffp-contract=off", "-fmad=false")
        self.assertPasses("device", "-fgpu-flush-denormals-to-zero", "-ftz=true")
        self.assertPasses("device", "-fgpu-flush-denormals-to-zero", "-use_fast_math")
        self.assertPasses("device", "-D__USE_FAST_MATH__=1", "--use_fast_math")
        kept = self.step("device", "-use_fast_math", "-ftz=false", "-prec-div=false", "-prec-sqrt=false", "-c", "a.cu")
        self.assertNotIn("-fgpu-flush-denormals-to-zero", kept)
        for flag in ("-G", "-lineinfo", "-g"):
            self.assertPasses("device", "-gline-tables-only", flag)
        self.assertPasses("host", "-g", "-g")
        self.assertPasses("host", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", "--default-stream", "per-thread")

    def test_diagnostics(self):
        self.assertPasses("device", "-w", "-w")
        self.assertPasses("host", "-Werror", "-Werror", "all-warnings")
        self.assertPasses("host", "-Werror=reorder -Werror=deprecated-declarations", "-Werror=reorder,deprecated-declarations")
        self.assertPasses("host", "-ferror-limit=3", "-fmax-errors", "3")
        self.assertPasses("host", "-ftemplate-depth=99", "-ftemplate-depth=99")
        self.commands("-diag-suppress", "177,20012", "-Xcudafe", "--diag_suppress=1", "-Xptxas=-v,-dlcm=ca", "-c", "a.cu")

    def test_runtime_and_linker(self):
        link = self.step("link", "a.cu")
        self.assertEqual([word for word in link if "cuda" in word], ["-lcudadevrt", "-lcudart_static"])
        shared = self.step("link", "-cudart", "shared", "a.cu")
        self.assertIn("-lcudart", shared)
        self.assertIn(f"-Wl,-rpath,{TOOLKIT}/lib64", shared)
        self.assertFalse([word for word in self.step("link", "-cudart=none", "-cudadevrt=none", "a.cu") if "cuda" in word])
        self.assertEqual(self.step("link", "-ccbin", "g++", "a.cu")[0], "g++")
        self.assertEqual(self.step("link", "-ccbin=/usr/bin", "a.cu")[0], "/usr/bin/g++")
        self.assertIn("-shared", self.step("link", "-shared", "-Xcompiler=-fPIC", "a.cu", "-o", "liba.so"))

    def test_options_from_files_and_environment(self):
        self.write({"inner": "-DINNER", "outer": "-DOUTER='a b' @inner", "loop": "@loop"})
        for form in (["-optf", "outer"], ["--options-file=outer"], ["--options-file", "outer,inner"], ["@outer"]):
            host = self.step("host", *form, "-c", "a.cu")
            self.assertIn("-DOUTER=a b", host)
            self.assertIn("-DINNER", host)
        self.fails_with("without end", "@loop", "a.cu")
        self.fails_with("cannot read the option file 'missing'", "-optf", "missing")
        host = self.step("host", "-DN=2", "-c", "a.cu", NVCC_PREPEND_FLAGS="-DN=1", NVCC_APPEND_FLAGS="-DN=3")
        self.assertEqual([word for word in host if word.startswith("-DN=")], ["-DN=1", "-DN=2", "-DN=3"])

    def test_what_probing_tools_read(self):
        text = self.nvcc("--version").stdout
        self.assertRegex(text, r"\Anvcc: NVIDIA \(R\) Cuda compiler driver\n")
        self.assertRegex(text, r"release 13\.5, V13\.5\.\d+\n")
        self.assertEqual(text.split()[text.split().index("release") + 1].split(".")[0], "13")  # as flash-attention reads it
        told = self.run_in_folder(NVCC, "-v", "__cmake_determine_cuda").stderr
        self.assertIn(f"#$ TOP={TOOLKIT}\n", told)
        self.assertRegex(told, r"#\$ NVVMIR_LIBRARY_DIR=\S+nvvm/libdevice\n")
        self.assertIn('"version": "13.5.0"', (TOOLKIT / "version.json").read_text())


class Outputs(DriverTest):
    def test_printed_commands_run_in_a_shell(self):
        self.write(UNITS)
        printed = self.nvcc("--dryrun", "-rdc=true", *UNITS, "-o", "app", "-D", 'TEXT="a b$c"').stderr
        self.assertFalse((self.folder / "app").exists())
        self.write({"script.sh": "".join(line[3:] + "\n" for line in printed.splitlines() if line.startswith("#$ "))})
        done = self.run_in_folder("sh", "-e", "script.sh")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_in_folder("./app").returncode, 0)

    def test_run(self):
        self.assertEqual(self.nvcc("--run", "-run-args", "word", "a.cu", "-o", "app").stdout, "21 2 word\n")
        self.assertEqual(self.nvcc("--run", "app").stdout, "21 1 \n")

    def test_intermediate_files_are_kept_on_demand(self):
        self.nvcc("-keep", "-keep-dir", ".", "-c", "a.cu", "-time", "t.csv")
        for name in ("a.bc", "a.fatbin", "a.o"):
            self.assertTrue((self.folder / name).exists(), name)
        rows = (self.folder / "t.csv").read_text().splitlines()
        self.assertEqual([row.split(" , ")[1] for row in rows], ["phase name", "device", "image", "host", "stubs"])
        self.nvcc("-clean", "-c", "a.cu")
        self.assertFalse((self.folder / "a.o").exists())
        self.assertTrue((self.folder / "a.fatbin").exists())

    def test_device_only_outputs(self):
        for flag, name in (("-cubin", "a.cubin"), ("-fatbin", "a.fatbin"), ("-ptx", "a.ptx")):
            self.nvcc(flag, "a.cu")
            self.assertTrue((self.folder / name).exists(), name)
        text = (self.folder / "a.ptx").read_text()
        self.assertIn("there are no PTX instructions in this file", text)
        self.nvcc("-fatbin", "a.ptx", "-o", "from_text")
        self.assertEqual((self.folder / "from_text").read_bytes(), (self.folder / "a.fatbin").read_bytes())
        self.write({"other.ptx": ".version 8.0\n.target sm_80\n"})
        self.fails_with("device code that another compiler made", "-cubin", "other.ptx")

    def test_preprocessing_and_dependencies(self):
        self.write({"b.cu": '#include "own.h"\nint device = DEVICE;\n', "own.h":
                    "#ifdef __CUDA_ARCH__\n#define DEVICE 1\n#endif\n"})
        text = self.nvcc("-E", "b.cu").stdout
        self.assertLess(text.index("int device = 1;"), text.index("int device = DEVICE;"))  # both views
        self.nvcc("-E", "b.cu", "-o", "b.ii")
        self.assertEqual((self.folder / "b.ii").read_text(), text)
        rule = self.nvcc("-M", "b.cu").stdout
        self.assertIn("b.o:", rule)
        self.assertIn("own.h", rule)
        self.assertIn("cuda_runtime.h", rule)
        self.assertNotIn("cuda_runtime.h", self.nvcc("-MM", "b.cu").stdout)
        self.nvcc("-MM", "b.cu", "-MF", "x.d", "-MT", "target", "-MP")
        self.assertRegex((self.folder / "x.d").read_text(), r"target:(.|\n)*own\.h:")

    def test_dependencies_beside_an_object(self):
        (self.folder / "out").mkdir()
        for arguments, file in ((["-o", "out/b.o"], "out/b.d"), (["-odir", "out"], "out/a.d"), ([], "a.d"),
                                (["-MF", "f.d", "-MT", "t"], "f.d")):
            host = self.step("host", "-MD", "-c", "a.cu", *arguments)
            self.assertIn(f"-MF {file}", " ".join(host))
        self.nvcc("-MMD", "-dc", "a.cu", "-o", "out/b.o")
        text = (self.folder / "out/b.d").read_text()
        self.assertRegex(text, r"\Aout/b.o: \\?\s*a\.cu\s*\Z")

    def test_other_languages_and_names(self):
        self.write({"b.cpp": KERNEL, "c.c": "int plain(int class) { return class; }\n"})
        self.nvcc("-x", "cu", "b.cpp", "-o", "b")
        self.assertEqual(self.run_in_folder("./b").stdout, "21 1 \n")
        self.nvcc("-c", "-std=c++17", "c.c")
        self.assertIn("int plain(int class)", self.nvcc("-E", "-std=c++17", "c.c").stdout)
        self.nvcc("-lib", "a.cu", "c.c", "-o", "both.a")
        self.assertEqual(self.run_in_folder("ar", "t", "both.a").stdout.count(".o"), 2)

    def test_each_file_launches_its_own_instance_of_a_kernel_template(self):
        self.write({
            "scale.h": "static __constant__ int factor;\ntemplate <class T> __global__ void scale(T* p) { *p = factor; }\n"
                       "template <class T> __global__ void foreign(T* p);\n",
            "one.cu": '#include "scale.h"\nint two();\nint one() { int f = 3, *p, v = 0; cudaMalloc(&p, 4); '
                      "cudaMemcpyToSymbol(factor, &f, 4); scale<<<1, 1>>>(p); cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); "
                      "return v; }\nint main() { int *p, v; cudaMalloc(&p, 4); foreign<int><<<1, 1>>>(p);\n"
                      "cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); return one() * 100 + two() * 10 + v; }\n",
            "two.cu": '#include "scale.h"\nint two() { int f = 1, *p, v = 0; cudaMalloc(&p, 4); '
                      "cudaMemcpyToSymbol(factor, &f, 4); scale<<<1, 1>>>(p); cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); "
                      "return v; }\ntemplate <class T> __global__ void foreign(T* p) { *p = 4; }\n"
                      "template __global__ void foreign<int>(int*);\n",
        })
        self.nvcc("one.cu", "two.cu", "-o", "both")
        self.assertEqual(self.run_in_folder("./both").returncode, (3 * 100 + 1 * 10 + 4) % 256)

    def test_host_openmp(self):
        self.write({"o.cu": "#include <omp.h>\n#include <cstdio>\n__global__ void k() {}\nint main() {\n  int sum = 0;\n"
                            "#pragma omp parallel num_threads(4) reduction(+ : sum)\n  sum += omp_get_thread_num();\n"
                            "  k<<<1, 1>>>();\n  std::printf(\"%d\\n\", sum);\n}\n"})
        for linker in ([], ["-ccbin", "g++"]):
            self.nvcc("-Xcompiler", "-fopenmp", *linker, "o.cu", "-o", "o")
            self.assertEqual(self.run_in_folder("./o").stdout, "6\n")


    @unittest.skipUnless(shutil.which("ccache"), "no ccache here")
    def test_a_compiler_cache_sees_host_code(self):
        caching = {"CCACHE_DIR": str(self.folder / "objects")}
        for word in ("first", "second"):
            self.write({"h.cu": f'#include <cstdio>\n__global__ void k() {{}}\nint main() {{\n#ifndef __CUDA_ARCH__\n'
                                f'  puts("{word}");\n#endif\n}}\n'})
            done = self.run_in_folder("ccache", NVCC, "-c", "h.cu", "-o", "h.o", **caching)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.nvcc("h.o", "-o", "h")
            self.assertEqual(self.run_in_folder("./h").stdout, f"{word}\n")


class RelocatableCode(DriverTest):
    def setUp(self):
        super().setUp()
        self.write(UNITS)

    def runs(self, program: str) -> None:
        for width in ("32", "64"):
            done = self.run_in_folder(f"./{program}", UNWARP_WIDTH=width)
            self.assertEqual((done.returncode, done.stdout), (0, "1266 no error\n"), done.stderr)

    def test_one_command(self):
        self.nvcc("-rdc=true", *UNITS, "-o", "app")
        self.runs("app")

    def test_objects_archives_and_any_linker(self):
        for unit in UNITS:
            self.nvcc("-dc", unit)
        self.nvcc("main.o", "kernels.o", "twice.o", "thrice.o", "-o", "objects")
        self.runs("objects")
        # twice.o and thrice.o hold nothing that host code needs.
        self.run_in_folder("ar", "crs", "libunits.a", "kernels.o", "twice.o", "thrice.o")
        self.nvcc("main.o", "-L.", "-lunits", "-o", "archive")
        self.runs("archive")
        self.nvcc("-dlink", "main.o", "libunits.a", "-o", "link.o")
        done = self.run_in_folder("g++", "main.o", "link.o", "libunits.a", f"-L{TOOLKIT}/lib64", "-lcudadevrt",
                                  "-lcudart_static", "-lrt", "-lpthread", "-ldl", "-o", "foreign")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.runs("foreign")
        for linker in ("bfd", "lld-22"):
            self.nvcc("main.o", "-L.", "-lunits", f"-Xcompiler=-fuse-ld={linker}", "-Xlinker", "--gc-sections", "-o", "small")
            self.runs("small")
        self.nvcc("-dlink", "-shared", "-Xcompiler=-fPIC", "main.o", "-o", "x.o")
        missing = self.run_in_folder(NVCC, "main.o", "kernels.o", "thrice.o", "-o", "missing")
        self.assertNotEqual(missing.returncode, 0)
        self.assertIn("undefined reference to `__device__._Z5twicei'", missing.stderr)

    def test_two_libraries_may_use_one_name(self):
        for name, value in (("one", 1), ("two", 2)):
            self.write({f"{name}.cu": f"__device__ int value() {{ return {value}; }}\n__global__ void {name}(int* p) {{ *p = "
                                      f"value(); }}\nint {name}Run() {{ int *p, v = 0; cudaMalloc(&p, 4); {name}<<<1, 1>>>(p); "
                                      "cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); return v; }\n"})
            self.nvcc("-rdc=true", "-shared", "-Xcompiler=-fPIC", "-cudart=shared", f"{name}.cu", "-o", f"lib{name}.so")
        self.write({"use.cpp": "int oneRun(); int twoRun();\nint main() { return oneRun() * 10 + twoRun(); }\n"})
        self.nvcc("-cudart=shared", "use.cpp", "-L.", "-lone", "-ltwo", "-Xlinker", "-rpath=.", "-o", "use")
        self.assertEqual(self.run_in_folder("./use").returncode, 12)


class Commands(DriverTest):
    """unwarp run and unwarp doctor --app."""

    def unwarp(self, *arguments: str) -> subprocess.CompletedProcess:
        return self.run_in_folder(NVCC.resolve(), *arguments)

    def test_run_sets_the_environment_and_is_the_program(self):
        self.write({"show.sh": '#!/bin/sh\necho "$UNWARP_WIDTH $UNWARP_DEVICE $UNWARP_DEVICES $UNWARP_THREADS '
                               '$UNWARP_TIER $UNWARP_STATS $*"\nexit 7\n'})
        (self.folder / "show.sh").chmod(0o755)
        done = self.unwarp("run", "--width", "64", "--device=gfx942", "--devices", "2", "--threads", "3", "--tier", "3",
                           "--stats", "s.json", "./show.sh", "--width", "-x", "a b")
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stdout, f"64 gfx942 2 3 3 json:{self.folder.resolve()}/s.json --width -x a b\n")
        self.assertEqual(self.unwarp("run", "./none").returncode, 127)
        self.assertEqual(self.unwarp("run").returncode, 2)
        self.assertEqual(self.unwarp("run", "--widht", "32", "./show.sh").returncode, 2)

    def test_a_program_runs_and_doctor_knows_what_it_lacks(self):
        self.nvcc("-cudart=shared", "a.cu", "-o", "app")
        self.assertEqual(self.unwarp("run", "--width=64", "./app", "x").stdout, "21 2 x\n")
        self.assertEqual(self.unwarp("doctor", "--app", "app").returncode, 0)
        self.write({"b.c": "int cudaNoSuchThing(void); int cuNoSuch(void); int current(void);\n"
                           "int use(void) { return cudaNoSuchThing() + cuNoSuch() + current(); }\n"})
        self.run_in_folder("cc", "-c", "b.c")
        done = self.unwarp("doctor", "--app", "b.o")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.split()[-2:], ["cuNoSuch", "cudaNoSuchThing"])
        self.assertEqual(self.unwarp("doctor", "--app", "b.c").returncode, 2)

    def test_the_code_of_kernels_is_shown_on_demand(self):
        self.write({"k.cu": "__global__ void fill(int* a) { a[threadIdx.x] = 7; }\n"
                            "int main() { int* a; cudaMalloc(&a, 256); fill<<<1, 64>>>(a); return cudaDeviceSynchronize(); }\n"})
        self.nvcc("k.cu", "-o", "k")
        (self.folder / "dump").mkdir()
        for _ in range(2):  # the second run finds the kernel in the cache and compiles it all the same
            done = self.run_in_folder("./k", UNWARP_DUMP="dump")
            self.assertEqual(done.returncode, 0, done.stderr)
            shown = {path.name: path.read_text() for path in (self.folder / "dump").iterdir() if "fill" in path.name}
            self.assertEqual(sorted(shown), [f"_Z4fillPi.32x64x1x1.T0.{kind}" for kind in ("lowered.ll", "optimised.ll", "s")])
            self.assertTrue(all("uw_block_entry" in text for text in shown.values()))
            for path in (self.folder / "dump").iterdir():
                path.unlink()
        self.assertEqual(self.run_in_folder("./k", UNWARP_DUMP="no-such-folder").returncode, 2)

    def test_neighbouring_threads_become_vectors_where_a_kernel_has_a_guard_and_a_loop(self):
        self.write({"p.cu": "__global__ void product(int n, const float* a, const float* b, float* c) {\n"
                            "  int column = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  if (column >= n) return;\n"
                            "  float sum = 0;\n"
                            "  for (int k = 0; k < n; ++k) sum += a[k] * b[k * n + column];\n"
                            "  c[column] = sum;\n"
                            "}\n"
                            "int main() { float* a; cudaMalloc(&a, 1 << 20); product<<<2, 64>>>(100, a, a, a + 65536);\n"
                            "  return cudaDeviceSynchronize(); }\n"})
        self.nvcc("p.cu", "-o", "p")
        (self.folder / "code").mkdir()
        self.assertEqual(self.run_in_folder("./p", UNWARP_DUMP="code").returncode, 0)
        [code] = [path.read_text() for path in (self.folder / "code").glob("*product*.optimised.ll")]
        self.assertRegex(code, r"= fadd .*<\d+ x float>")


class BuildSystems(DriverTest):
    def test_make(self):
        self.write({"Makefile": "CUDA_HOME ?= none\nNVCC = $(CUDA_HOME)/bin/nvcc\napp: a.o\n\t$(NVCC) -o $@ $^ -lcudart\n"
                                "a.o: a.cu\n\t$(NVCC) -O3 -arch=sm_70 -Xcompiler -Wall -c $< -o $@\n"})
        done = self.run_in_folder("make", CUDA_HOME=str(TOOLKIT))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_in_folder("./app").returncode, 0)

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config here")
    def test_the_drivers_library_may_be_named_and_not_called(self):
        self.nvcc("a.cu", "-lcuda", "-o", "app")
        self.assertEqual(self.run_in_folder("./app", "x").stdout, "21 2 x\n")
        self.nvcc("-c", "a.cu", "-o", "a.o")
        self.run_in_folder("g++", "a.o", f"-L{TOOLKIT}/lib64/stubs", f"-L{TOOLKIT}/lib64", "-lcuda", "-lcudart_static",
                           "-lrt", "-lpthread", "-ldl", "-o", "foreign")
        self.assertEqual(self.run_in_folder("./foreign", "x").stdout, "21 2 x\n")

    def test_pkg_config(self):
        for name in ("cudart-13.5", "cuda-13.5"):
            done = self.run_in_folder("pkg-config", "--cflags", "--libs", name,
                                      PKG_CONFIG_PATH=f"{TOOLKIT}/lib64/pkgconfig")
            self.assertIn("-lcudart", done.stdout)
            self.assertIn(f"-I{TOOLKIT}/include", done.stdout)

    def test_cmake(self):
        shutil.copytree(HERE / "cmake_project", self.folder / "project")
        for name, text in UNITS.items():
            (self.folder / "project" / name).write_text(text)
        (self.folder / "project" / "plain.cu").write_text(KERNEL)
        build = self.folder / "build"
        cmake = os.environ.get("UNWARP_TEST_CMAKE", "cmake")
        done = self.run_in_folder(cmake, "-S", "project", "-B", build, "-G", "Ninja", CUDACXX=str(NVCC))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = dict(re.findall(r"^-- (\w+) is (.*)$", done.stdout, re.MULTILINE))
        self.assertEqual(said["compiler"], "NVIDIA 13.5.37")
        self.assertEqual(said["toolkit"], str(TOOLKIT / "include"))
        self.assertEqual(said["runtime"], str(TOOLKIT / "lib64/libcudart.so"))
        self.assertEqual(said["absent"].split(), [])
        self.assertEqual(said["tried"], "TRUE")
        done = self.run_in_folder("ninja", "-C", build)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        programs = ["separable", "plain_static", "plain_shared", "with_library"]
        for program in programs + ["host_threads"] * (build / "host_threads").exists():
            done = self.run_in_folder(build / program, LD_LIBRARY_PATH=f"{TOOLKIT}/lib64")
            self.assertEqual(done.returncode, 0, f"{program}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main()
