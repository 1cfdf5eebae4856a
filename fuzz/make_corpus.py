#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the committed text seeds under fuzz/corpus: the example project's files and short hostile pieces.

A seed's first byte chooses the file name it is read as ('A' the first name of the target, 'B' the second, ...).
Running it again gives the same files; elf and archive seeds come from make_binary_corpus.cpp.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "particles"
DEEP = 300

# Target: (number of names, {seed name: (index of the name, text)})
HOSTILE: dict[str, tuple[int, dict[str, tuple[int, str]]]] = {
    "source": (4, {
        "unterminated-string": (0, '__global__ void k() { printf("never closed'),
        "unterminated-raw": (3, 'auto s = R"xyz(__shfl_down_sync(0xffffffff, v, 16)'),
        "unterminated-comment": (1, "/* __ballot_sync(~0u, p) "),
        "splices": (0, "__sh\\\nfl_s\\\r\nync(0xffffffff, v, 31);\n#def\\\nine WARP 32\n"),
        "branches": (0, "#if defined(USE_ROCM)\n#elif 1\n#else\n#endif\n#endif\n#if 0\ncudaMalloc(&p, 1);\n#else\n"),
        "brackets": (0, "(" * DEEP + "{[" * DEEP + "<<<" * DEEP),
        "launch": (0, "k<<<dim3(1,2), 32 * (1 << 3), sizeof(int) * 70000, s>>>(a, b); k<<<>>>(); k<<<1,>>>"),
        "digits": (0, "__shared__ float a[0x7fffffffffffffff][1'000'000]; int b = 1 << 99 / 0 % 0;"),
        "asm": (0, 'asm volatile("{ .reg .u32 r; mov.u32 r, %laneid; shfl.sync.bfly.b32 %0, %1, 0x10, 0x1f, -1; }" : "=r"(x));'),
        "marks": (0, "// unwarp: ignore[W01, M01] because\nint lane = threadIdx.x & 31; // unwarp: ignore\n// unwarp: begin-ignore[W]\n"),
    }),
    "python": (3, {
        "fstrings": (0, 'x = f"{torch.cuda.is_available()!r:>{w}}"\ny = rb\'\'\'never closed'),
        "indent": (0, "if True:\n\timport torch\n  import cupy\nexcept ImportError:\n" + "(" * DEEP),
        "kernel": (0, 'cp.RawKernel(r"""__global__ void k() { __syncwarp(); }""", "k", options=("-arch=sm_80",))\n'),
        "cython": (1, "cdef extern from 'cuda_runtime.h':\n    int cudaMalloc(void**, size_t)\n"),
        "cells": (2, '{"cells":[{"cell_type":"code","source":["import torch\\n","!nvidia-smi"]},{"source":5}],"nbformat":4}'),
        "deep": (2, '{"cells":' + "[" * DEEP),
    }),
    "packages": (19, {
        "requirements": (0, "torch==2.4.1+cu121 ; python_version<'3.9' \\\n  --hash=sha256:00\n-r other.txt\n-e git+https://example.org/a.git#egg=flash_attn\n"),
        "pyproject": (1, '[project]\ndependencies = ["torch>=2", "nvidia-ml-py"]\n[tool.uv.sources]\ntorch = { index = "pytorch-cu124" }\n'),
        "setup-cfg": (2, "[options]\ninstall_requires =\n  cupy-cuda12x\n  triton\n"),
        "conda": (3, "name: a\ndependencies:\n  - cudatoolkit=11.8\n  - pip:\n    - flash-attn\n"),
        "meta": (4, "requirements:\n  host:\n    - {{ compiler('cuda') }}\n    - cuda-nvcc  # [linux]\n"),
        "pixi": (5, '[system-requirements]\ncuda = "12"\n[dependencies]\ncuda-nvcc = "12.*"\n'),
        "pipfile": (6, '[packages]\ntorch = {version = "*", index = "cu118"}\n'),
        "poetry": (7, '[[package]]\nname = "nvidia-cublas-cu12"\nversion = "12.1.3.1"\n'),
        "uv": (8, 'version = 1\n[[package]]\nname = "nvidia-nccl-cu12"\nversion = "2.20.5"\n'),
        "pipfile-lock": (9, '{"default": {"torch": {"version": "==2.4.0", "hashes": []}}}'),
        "pixi-lock": (10, "packages:\n- conda: https://example.org/cuda-nvcc-12.4.1-0.conda\n"),
        "conda-lock": (11, "package:\n- name: cudatoolkit\n  version: 11.8.0\n"),
        "cargo": (12, '[dependencies]\ncudarc = { version = "0.11", features = ["cuda-12040"] }\n'),
        "beyond-ascii": (12, "[dependencies]\ncudarc = { version = \"0.11\", fedatool\u01e8\u060f11.8\n"),
        "npm": (13, '{"dependencies": {"gpu.js": "^2"}, "x": ' + "[" * DEEP),
        "go": (14, "module m\nrequire (\n\tgithub.com/NVIDIA/go-nvml v0.12.4-0\n)\n"),
        "maven": (15, "<project><dependency><groupId>org.jcuda</groupId><artifactId>jcuda</artifactId></dependency>"),
        "msbuild": (17, '<Project><Import Project="CUDA 12.4.props"/><CudaCompile Include="k.cu" x=\'a>b\'><CodeGeneration>compute_75,sm_75</CudaCompile></x>\n<!-- '),
        "easybuild": (18, "dependencies = [('CUDA', '12.1'), ('x',\ncuda_compute_capabilities = ['8.0'\n"),
        "julia": (16, '[deps]\nCUDA = "052768ef-5323-5732-b1bb-66c8b64840ba"\n'),
    }),
    "build": (14, {
        "cmake": (0, "find_package(CUDAToolkit REQUIRED)\nif(NOT USE_HIP)\n enable_language(CUDA)\n target_link_libraries(a CUDA::cublas [[x]] \"${B\n"),
        "just": (12, "a := '/usr/local/cuda'\nx:\n    @nvcc a.cu\n    #!/usr/bin/env python3\n\n  import cupy"),
        "xmake": (13, 'add_links("cudart", \'m\nlinks {\n"cublas",-- }\n'),
        "cmake-deep": (0, "a(" * DEEP + "#[[ never closed"),
        "presets": (1, '{"configurePresets":[{"cacheVariables":{"CMAKE_CUDA_ARCHITECTURES":"80;90"}}]}'),
        "make": (2, "NVCC ?= nvcc\nFLAGS += -gencode=arch=compute_80,code=sm_80 \\\n -lcublas\nx: y\n\t$(NVCC) $(FLAGS) -o $@ $<\nifdef HIP\n"),
        "autoconf": (3, "AC_CHECK_LIB([cudart], [cudaMalloc])\nAC_ARG_WITH([cuda], [[x\n"),
        "bazel": (4, 'load("@rules_cuda//cuda:defs.bzl", "cuda_library")\ncuda_library(name = "a", srcs = glob(["*.cu"]), deps = ["@local_config_cuda//cuda:cudart"\n'),
        "bazelrc": (5, "build:cuda --repo_env TF_NEED_CUDA=1 --config=cuda\n"),
        "meson": (6, "project('a', 'cuda')\ndep = dependency('cuda', modules : ['cublas'])\n"),
        "ninja": (7, "rule cuda\n  command = nvcc -x cu -c $in -o $out -DX='a b'\n"),
        "vcpkg": (8, '{"dependencies":["cuda",{"features":["cuda"],"name":"opencv4"}],"features":{"a":{"dependencies":[{'),
        "conan": (9, "[requires]\ncuda/12.4@u/c\n[options]\nopencv/*:with_cuda=True\n=\n"),
        "conan-recipe": (10, "class A(ConanFile):\n  requires = 'cuda/12'\n  default_options = {'opencv:with_cuda': True, 'x':\n"),
        "spack-recipe": (11, "class A(CudaPackage, ROCmPackage):\n  depends_on('a@1+cuda cuda_arch=80 ^nccl~x', when='\n"),
    }),
    "deploy": (17, {
        "heredoc": (0, "FROM nvidia/cuda:12.4.1-devel AS a\nRUN <<EOF\npip install torch\nEOF2\nRUN [\"nvidia-smi\", \n"),
        "compose": (1, "services:\n  a:\n    runtime: nvidia\n    deploy: {resources: {reservations: {devices: [{driver: nvidia, capabilities: [gpu]}]}}}\n"),
        "workflow": (2, "jobs:\n  a:\n    runs-on: [self-hosted, gpu]\n    steps:\n    - run: |\n        nvcc --version\n"),
        "gitlab": (3, "a:\n  image: nvidia/cuda:11.8.0-base\n  tags: [gpu]\n  script: [nvidia-smi]\n"),
        "helm": (4, "{{- if .Values.gpu }}\nresources:\n  limits:\n    nvidia.com/gpu: {{ .Values.n }}\n{{ end }}\n"),
        "snakemake": (12, 'rule a:\n  container: "docker://nvidia/cuda:12"\n  shell: """nvidia-smi'),
        "wdl": (13, 'task t { command <<< nvidia-smi >>> command <<<\nruntime { docker: "nvidia/cuda:12'),
        "toml": (14, '[[inputs.nvidia_smi]]\n[env]\nCUDA_HOME = "/x"\na.b = [{c = ["nvidia-smi"]}]\n]\n'),
        "condor": (15, 'docker_image = nvidia/cuda:12\nenvironment = "CUDA_HOME=/x;\'\nrequire_gpus=\n='),
        "submodules": (16, "[submodule\n url = https://github.com/NVIDIA/nccl.git\nurl=git@github.com:\n"),
        "anchors": (4, "a: &x [*x, *x]\nb: {<<: *x, c: ! !!binary |\n" + "- " * DEEP + "\n" + "{" * DEEP),
        "indents": (4, "\n".join(" " * i + "a:" for i in range(200))),
        "terraform": (5, 'resource "aws_instance" "a" {\n instance_type = "p4d.24xlarge"\n user_data = <<-EOT\n nvidia-smi\n'),
        "jenkins": (6, "pipeline { agent { docker { image 'nvidia/cuda:12.1.0-devel' args '--gpus all' } } stages { sh '''nvcc"),
        "azure": (7, "pool: {name: gpu}\nsteps:\n- script: nvidia-smi\n"),
        "apptainer": (8, "Bootstrap: docker\nFrom: nvcr.io/nvidia/pytorch:24.05-py3\n%post\n pip install apex\n"),
        "nix": (9, "{ cudaPackages }: { x = [ cudaPackages.cudnn ]; shellHook = ''\n nvidia-smi ''${a} '''\n"),
        "spack": (10, "spack:\n  specs: [hdf5+cuda cuda_arch=80 ^cuda@12, '~', +@%^]\n"),
        "template": (4, 'a:\n  image: "{{ .V | default "nvidia/cuda:12" }}:{{ "\n{{- $x := default "nvcr.io/a/b:1 }}\n'),
        "printf": (4, 'a:\n  image: {{ printf "%s/%-3d:%" "nvcr.io" (ternary "a" `b` .x | default (tpl ("c")) ) | quote }}{{ else }}\n{{ $x := printf "%v"\n'),
        "lmod": (11, 'help([==[ load("cuda") ]=])\n-- x\ndepends_on("cuda/" .. v, atleast("nccl", "2"))\nsetenv("CUDA_HOME", [[/usr/local/cuda'),
        "tcl": (11, "#%Module\nmodule load cuda {x; prereq \"cuda\nsetenv CUDA_HOME\nmodule swap a\n"),
        "options": (2, "jobs:\n  a:\n    container: {image: x, options: -e --gpus all --device}\n"),
    }),
    "languages": (8, {
        "cuda-fortran": (0, "attributes(global) subroutine k(a)\nreal, device :: a(*)\ncall k<<<1, 'x\n!$cuf kernel do <<<*,*>>>\n!@cuf use cudafor"),
        "fixed-form": (1, "c$cuf kernel\n      use cudafor\n#if HIP\n#else\n#endif\n#endif\n      bind(c, name='cudaMalloc"),
        "cgo": (2, 'package a\n// #cgo LDFLAGS: -lcudart\n// #include <cuda_runtime.h>\nimport "C"\nimport (\n"C"\n/*"C"*/ x `a\n'),
        "cgo-first": (2, '/* #include <cuda.h> */\nimport "C"'),
        "rust": (3, 'println!("cargo:rustc-link-lib=static:+x=cudart"); r##"__global__ void k() {"# "##; \'a \'\\u{1}\' b"x /* /* */'),
        "csharp": (4, '[DllImport("nvcuda")] extern int cuInit(); @"a""b" $@"c" """d\n"e"" \''),
        "java": (5, 'import static jcuda.driver.JCudaDriver.*; String a = """\n__global__ void k() {}\n"""; import a.'),
        "matlab": (6, "x = gpuArray(x'); y = 'a\n%{\n%{\n%}\nparallel.gpu.CUDAKernel(\"k"),
        "r": (7, "library(gpuR); gpuR::x('a\n"),
    }),
    "shell": (6, {
        "quotes": (0, "export NCCL_DEBUG=\"${X:-$(nvidia-smi -L | wc -l)}\nnvcc -arch=sm_80 'never closed"),
        "heredoc": (0, "cat <<EOF\nnvidia-smi\nEOF\ncase $x in a) nvcc;; esac\nif true; then docker run --gpus all nvidia/cuda:12; fi\n"),
        "nested": (0, "$(" * DEEP + "`" * 7 + "${" * DEEP),
        "slurm": (1, "#!/bin/bash\n#SBATCH --gres=gpu:a100:4\nmodule load cuda/12.1\nsrun --gpus=4 ./a\n"),
        "dotenv": (2, "CUDA_VISIBLE_DEVICES=0,1\nexport NCCL_P2P_DISABLE='1'\n"),
        "unit": (3, "[Service]\nEnvironment=\"CUDA_MPS_PIPE_DIRECTORY=/tmp\" A=b\nExecStart=/usr/bin/nvidia-cuda-mps-control -d\n"),
        "gres": (4, "AutoDetect=nvml\nName=gpu Type=a100 File=/dev/nvidia[0-3]\n"),
        "triton": (5, 'name: "m"\nplatform: "tensorrt_plan"\ninstance_group [ { kind: KIND_GPU count: 2'),
    }),
    "monitoring": (5, {
        "dashboard": (0, '{"panels":[{"targets":[{"expr":"rate(DCGM_FI_DEV_GPU_UTIL[1m])"}]}],"a":"\\ud800\\u00"'),
        "deep": (0, '{"a":' * DEEP),
        "rules": (1, "groups:\n- name: a\n  rules:\n  - alert: x\n    expr: DCGM_FI_DEV_XID_ERRORS > 0\n"),
        "scrape": (2, "scrape_configs:\n- job_name: dcgm-exporter\n"),
        "plan": (3, "ptrt\x00\x00\x00\x01"),
        "engine": (4, "ftrt\x00"),
    }),
    "money": (3, {
        "vllm": (0, '{"date":"20260428-110159","backend":"vllm","model_id":"a/models--o--m/snapshots/b/","num_prompts":4,"request_rate":"inf","max_concurrency":2,"duration":2.0,"completed":3,"total_input_tokens":30,"total_output_tokens":60,"request_throughput":1.5,"request_goodput:":null,"output_throughput":30.0,"mean_ttft_ms":5.0,"median_ttft_ms":4,"p99_ttft_ms":9,"mean_tpot_ms":60,"ttfts":[0.004,0,0.005],"itls":[[0.06,0.06],[],[0.06]],"output_lens":[3,0,2],"errors":["","x",""]}'),
        "vllm-seconds": (0, '{"model_id":"z/G","completed":80,"duration":119,"total_output_tokens":10240,"output_throughput":86,"median_ttft":2.5,"p99_tpot":NaN}'),
        "aiperf": (0, '{"request_throughput":{"unit":"requests/sec","avg":2},"request_latency":{"unit":"ms","avg":900,"p50":800,"p99":1e308},"time_to_first_token":{"unit":"s","avg":0.5},"output_token_throughput":{"unit":"tokens/sec","avg":100},"input_config":{"endpoint":{"model_names":["m"]}},"was_cancelled":true}'),
        "aiperf-records": (0, '{"metadata":{"benchmark_phase":"warmup"},"metrics":{}}\n{"metadata":{"benchmark_phase":"profiling","request_start_ns":1,"request_end_ns":2000000000},"metrics":{"time_to_first_token":{"value":1,"unit":"us"},"output_sequence_length":{"value":40,"unit":"tokens"},"request_latency":{"value":2,"unit":"s"}}}\n'),
        "mlperf-v5": (0, '[{"Submitter":"a","Category":"closed","UsedModel":"m-99","Model":"m-99","Scenario":"Server","Accelerator":"NVIDIA H200 (x4), AMD MI300X (x4)","a#":8,"Nodes":2,"Performance_Result":64000,"Performance_Units":"Tokens/s","Software":"x 1, y","weight_data_types":"fp8","inferred":0}]'),
        "mlperf-v6": (0, '{"0":{"Organization":"a","Division":"open","MlperfModel":"m-99.9","Scenario":"Offline","Units":"Latency (ms)","Result":5,"accelerator_model_name":"NVIDIA GB200","accelerators_per_node":4,"number_of_nodes":18,"total_accelerators":72}}'),
        "mlperf-log": (0, "MLPerf Results Summary\nScenario : Offline\nTokens per second: 12e3\nResult is : VALID\nMean latency (ns) : -1\n"),
        "inferencex": (0, '{"hw":"gb200","framework":"sglang","precision":"fp4","model":"m","num_prefill_gpu":8,"num_decode_gpu":24,"tput_per_gpu":100,"input_tput_per_gpu":200,"output_tput_per_gpu":66.7,"mean_ttft":0.3,"spec_decoding":"mtp"}'),
        "inferencex-nested": (0, '{"hw":"mi355x","framework":"vllm","precision":"fp4","model":"m","tp":8,"request_metrics":{"latency":{"ttft":{"mean":68.8,"p50":65}},"throughput":{"output":{"tokens_per_second":190},"duration_seconds":3627}},"request_accounting":{"records_profiled":1052,"records_error_dropped":2}}'),
        "inferencex-baseline": (0, '[{"hw":"b200","framework":"sglang","precision":"fp4","model":"m","isl":1024,"osl":1024,"tp":8,"metrics":{"output_token_throughput":6727,"median_ttft_ms":634},"gpu":{"n_gpus":9,"total_avg_power_w":4369}}]'),
        "infracost": (0, '{"currency":"USD","projects":[{"breakdown":{"resources":[{"name":"r","costComponents":[{"name":"Instance usage (p5.48xlarge)","unit":"hours","monthlyQuantity":"730","price":"98.32","monthlyCost":"71773.6"}],"subresources":[{"name":"s"}]}]}}]}'),
        "focus": (0, 'BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ConsumedQuantity,ConsumedUnit,SkuPriceDetails\n5,4,INR,Usage,2026-03-01,2026-03-02,10,Hours,"{""InstanceType"":""p5.48xlarge"",""GpuCount"":8}"\n-1,,INR,Credit,2026-03-01,2026-03-02,,,\n'),
        "gpuhunt": (0, "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot\ni,us,24.0,30,240,8,H100,80.0,False\nj,us,1,1,1,1,A100,40,True\n"),
        "plain": (0, "model;gpu;gpus;output_tokens_per_s;ttft_p50_s;price_per_gpu_hour;currency\nm;MI300X;8;24000;0.2;1.5;USD\n"),
        "deep": (0, '{"request_latency":{"unit":' + "[" * DEEP),
        "quotes": (0, 'BilledCost,ChargePeriodStart\n"never closed'),
        "sidecar": (1, 'gpu = "NVIDIA H100"\ngpus = 8\nprecision = "fp8"\ndate = "2026-02-30"\n'),
        "fleet": (2, '{"hours":100,"utilisation":0.6,"pools":[{"name":"a","price_per_hour":1,"capacity":9},{"name":"b","region":"in","price_per_hour":2,"capacity":9,"minimum_order":3}],"workloads":[{"name":"w","demand_per_hour":5,"home":"a","regions":["in"],"rate_per_hour":{"a":1,"b":2},"port_cost":{"b":[1,2,3]},"not_on":["a"]}],"together":[["w","w"]],"total_budget":5}'),
    }),
    "knowledge": (5, {
        "page": (0, "+++\nid = \"W01\"\nname = \"x\"\napplies = [\"all\", 3]\nminutes = 99999999999999999999\n+++\n\n## What it finds\n\n```cuda\n"),
        "beyond-ascii": (0, "+++\nid = \"W01\" \u01e8\u060f\n+++\n"),
        "open-header": (0, "+++\n[\n+++\n"),
        "open-page": (0, "+++\nid = '''"),
        "table": (1, "name\tnote\tas_of\na\t\t2026\nb\tx\n\n"),
        "ignore": (2, "!a/**/b\n/**\n[a-\n\\\n**/**/**/*?*?\nbuild/\n"),
        "gate": (3, "silent==0, lds<=64k, mask_sites <= 12,, W01>=-1, sites<99999999999999999999m"),
        "suppressions": (4, "// unwarp: ignore[\n# unwarp: begin-ignore[W01] a\n/* unwarp: ignore-file[M,S] why */\n-- unwarp: end-ignore\n"),
    }),
}
# Files of the example project: target, index of the name it is read as, file.
EXAMPLES = [
    ("source", 0, "src/neighbours.cu"), ("source", 0, "src/sort.cu"), ("source", 1, "include/warp.cuh"),
    ("source", 1, "include/lane_mask.h"), ("python", 0, "torch_ext/train.py"), ("python", 0, "torch_ext/setup.py"),
    ("python", 2, "notebooks/explore.ipynb"), ("packages", 0, "requirements.txt"), ("build", 0, "CMakeLists.txt"),
    ("deploy", 0, "Dockerfile"), ("deploy", 2, ".github/workflows/gpu.yml"), ("deploy", 4, "deploy/train-job.yaml"),
    ("shell", 1, "scripts/run.slurm"), ("monitoring", 0, "monitoring/gpu-dashboard.json"),
]


def main() -> int:
    seeds: dict[str, bytes] = {}
    for target, (names, pieces) in HOSTILE.items():
        for seed, (index, text) in pieces.items():
            assert index < names, (target, seed)
            seeds[f"{target}/{seed}"] = chr(ord("A") + index).encode() + text.encode("utf-8", "surrogatepass")
    for target, index, file in EXAMPLES:
        name = re.sub(r"\W+", "-", Path(file).name)
        seeds[f"{target}/example-{name}"] = chr(ord("A") + index).encode() + (EXAMPLE / file).read_bytes()
    page = sorted((ROOT / "knowledge" / "rules").glob("*/*.md"))[0]
    seeds["knowledge/rule-page"] = b"A" + page.read_bytes()
    for name, contents in seeds.items():
        path = ROOT / "fuzz" / "corpus" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
    print(f"{len(seeds)} seeds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
