// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a Python file binds, and what it does not.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

std::string found(std::string_view text, std::string_view path = "a.py") {
  return dependenciesIn(readPython, path, text);
}

TEST(ReadPython, FindsDottedUsesOfImports) {
  EXPECT_EQ(found("import torch\nx = torch.cuda.device_count()\ny = torch.version.cuda.split('.')\n"),
            "py-torch-cuda@2 py-torch-version@3");
}

TEST(ReadPython, ResolvesAliases) {
  EXPECT_EQ(found("import torch.cuda as tc\ntc.synchronize()\n"), "py-torch-cuda@1 py-torch-cuda@2");
  EXPECT_EQ(found("from torch import cuda\ncuda.empty_cache()\n"), "py-torch-cuda@1 py-torch-cuda@2");
  EXPECT_EQ(found("from numba import cuda\n@cuda.jit\ndef f(): pass\n"), "py-numba@1 py-numba@2");
  EXPECT_EQ(found("import torch\ncu = torch.cuda\ncu.x()\n"), "py-torch-cuda@2 py-torch-cuda@3");
}

TEST(ReadPython, KeepsTheGpuBindingOfANameBoundTwice) {
  EXPECT_EQ(found("try:\n  import cupy as xp\nexcept ImportError:\n  import numpy as xp\nxp.ones(3)\n"),
            "py-cupy@2 py-cupy@5");
}

TEST(ReadPython, FindsEachStatementOfALine) {
  EXPECT_EQ(found("try: import cupy\nexcept ImportError: import numpy as cupy\nif x: import numba.cuda; import cupy\n"),
            "py-cupy@1 py-numba@3 py-cupy@3");
  EXPECT_EQ(found("import torch\nif torch.version.hip: pass\nelse: n = torch.cuda.device_count()\n"),
            "py-torch-cuda@3!");
}

TEST(ReadPython, IgnoresProseStringsAndLookAlikes) {
  EXPECT_EQ(found("\"\"\"torch.cuda, nvcc\"\"\"\n# torch.cuda.x()\nprint('uses cuda and nccl')\ncuda = "
                  "1\nobj.cuda()\nfrom . import cuda\ncuda.jit()\n"),
            "");
  EXPECT_EQ(found("import apex\napex.run()\nimport warp\nwarp.shape\n"), "");
  EXPECT_EQ(found("import jax\njax.devices('gpu')\n"), "");
  EXPECT_EQ(found("import torch\nx.to('cpu')\nlog('cuda')\nif device == 'cuda': pass\nf(cuda=True)\n"), "");
}

TEST(ReadPython, FindsMachinesInTheirRoles) {
  EXPECT_EQ(found("E(instance_type='ml.p4d.24xlarge', name='p4d.24xlarge')\ni = ec2.InstanceType('p4d.24xlarge')\n"
                  "print('p4d.24xlarge')\n"),
            "cloud-aws@1 cloud-aws@2");
  EXPECT_EQ(found("import ctypes\nl = ctypes.CDLL('libcudart.so.12')\n"), "lib-cudart@2=12");
}

TEST(ReadPython, FindsImagesInTheirRoles) {
  EXPECT_EQ(found("op(image='nvidia/cuda:12.4', name='nvidia/cuda:1')\nspec = {'container_image': 'nvidia/cuda:12.4'}\n"
                  "modal.Image.from_registry('nvidia/cuda:12.4')\nprint('nvidia/cuda:12.4')\nimage = load('x.png')\n"),
            "image-cuda@1=12.4 image-cuda@2=12.4 image-cuda@3=12.4");
}

TEST(ReadPython, TakesApexOnlyWithItsOwnNames) {
  EXPECT_EQ(found("import apex\nfrom apex import amp\n"), "py-apex@1 py-apex@2");
  EXPECT_EQ(found("import warp as wp\n@wp.kernel\ndef f(): pass\n"), "py-warp@1 py-warp@2");
}

TEST(ReadPython, FindsDeviceStringsInTheirRoles) {
  EXPECT_EQ(found("import torch\nd = torch.device('cuda:0')\nm.to(\"cuda\")\nt = torch.ones(3, device='cuda')\ndef "
                  "f(device: str = 'cuda'): pass\n"
                  "m.cuda()\ndev = f'cuda:{r}'\ndevice = f'cuda:{r}'\n"),
            "py-torch-cuda@2 py-torch-cuda@3 py-torch-cuda@4 py-torch-cuda@5 py-torch-cuda@6 py-torch-cuda@8");
  EXPECT_EQ(found("m.cuda()\nm.to('cuda')\n"), "");
}

TEST(ReadPython, FindsBackEndsAndProviders) {
  EXPECT_EQ(
      found(
          "init(backend='nccl')\ndist.init_process_group('nccl')\ns = ort.S(m, providers=['CUDAExecutionProvider'])\n"),
      "config-nccl@1 config-nccl@2 config-ort@3");
}

TEST(ReadPython, MentionsSettingsAndComparisons) {
  const FileFacts facts = factsOf(readPython, "a.py",
                                  "import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\n"
                                  "if torch.cuda.get_device_capability()[0] >= 8: pass\n");
  EXPECT_EQ(mentionsOf(facts),
            "torch.backends.cuda.matmul.allow_tf32(True)@2 torch.cuda.get_device_capability([0] >= 8)@3");
}

TEST(ReadPython, GuardsSitesUnderHipConditions) {
  EXPECT_EQ(found("import torch\nif torch.version.hip:\n  pass\nelse:\n  torch.cuda.x()\ntorch.cuda.y()\n"),
            "py-torch-cuda@5! py-torch-cuda@6");
}

TEST(ReadPython, ReadsExpressionsInFormattedStrings) {
  EXPECT_EQ(found("import torch\np(f'{torch.cuda.x()}')\n"), "py-torch-cuda@2");
}

TEST(ReadPython, TellsFlashAttentionGenerationsApart) {
  EXPECT_EQ(found("from flash_attn.flash_attn_interface import flash_attn_unpadded_func\n"), "flash-attn-1@1");
  EXPECT_EQ(found("from flash_attn import flash_attn_varlen_func as f\nf(q)\n"), "flash-attn-2@1 flash-attn-2@2");
  EXPECT_EQ(found("import flash_attn_interface\n"), "flash-attn-3@1");
  EXPECT_EQ(found("from flash_attn.cute import flash_attn_func\n"), "flash-attn-4@1");
  EXPECT_EQ(found("import flash_attn\n"), "py-flash@1");
  EXPECT_EQ(found("import transformers\nm = M(attn_implementation='flash_attention_2')\n"), "flash-attn-2@2");
}

TEST(ReadPython, ReadsKernelsInStrings) {
  const FileFacts facts = factsOf(readPython, "a.py",
                                  "import cupy as cp\nSRC = r'''\n__global__ void k(int* p) {\n  atomicAdd(p, "
                                  "1);\n}'''\nk = cp.RawKernel(SRC, 'k')\n"
                                  "k2 = cp.RawKernel(SRC, 'k')\n");
  EXPECT_EQ(apisOf(facts), "__global__@3 atomicAdd@4");
}

TEST(ReadPython, ReadsInlineExtensions) {
  const FileFacts facts = factsOf(readPython, "a.py",
                                  "from torch.utils.cpp_extension import load_inline\nm = load_inline(name='x',\n  "
                                  "cuda_sources='__global__ void k() {}',\n"
                                  "  extra_cuda_cflags=['--use_fast_math'])\n");
  EXPECT_EQ(apisOf(facts), "__global__@3");
  EXPECT_EQ(dependenciesOf(facts), "py-load-inline@1 py-load-inline@2 flag-fast-math@4");
}

TEST(ReadPython, ReadsExtensionBuilds) {
  EXPECT_EQ(found("from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
                  "setup(install_requires=['torch>=2', 'numpy'],\n  ext_modules=[CUDAExtension('x', ['a.cu'], "
                  "libraries=['cublas'],\n"
                  "  extra_compile_args={'cxx': ['-O3'], 'nvcc': ['-O3', '-gencode', 'arch=compute_80,code=sm_80', "
                  "'--use_fast_math']})])\n",
                  "setup.py"),
            "py-extension@2 pypi-torch@3=>=2 py-extension@4 lib-cublas@4 flag-fast-math@5 "
            "flag-gencode@5=compute_80,code=sm_80");
}

TEST(ReadPython, ReadsCommandsAndEnvironment) {
  EXPECT_EQ(found("import os, subprocess as sp\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\nx = "
                  "os.getenv('CUDA_HOME')\nos.system('nvidia-smi')\n"
                  "sp.check_output(['nvcc', '--version'])\nother['CUDA_HOME']\n"
                  "if 'CUDA_HOME' not in os.environ: pass\n"),
            "env-visible@2 env-cuda-home@3 nvidia-smi@4 nvcc@5 env-cuda-home@7");
}

TEST(ReadPython, FindsLibrariesLoadedByName) {
  EXPECT_EQ(found("import ctypes\nl = ctypes.CDLL('/x/libcudart.so.12')\nprint('libcudart.so')\n"),
            "lib-cudart@2=12 lib-cudart@3");
  EXPECT_EQ(found("x = 'libcudart.so'\n"), "");
}

TEST(ReadPython, FindsTritonTuningAndInlineAssembly) {
  EXPECT_EQ(found("import triton\nimport triton.language as tl\nc = triton.Config({}, "
                  "num_warps=8)\ntl.inline_asm_elementwise('x')\nf(num_warps=n)\n"),
            "config-warps@3 py-inline-asm@4");
}

TEST(ReadPython, ReadsCythonExterns) {
  const FileFacts facts =
      factsOf(readPython, "a.pyx", "cdef extern from \"cuda_runtime.h\":\n    int cudaMalloc(void** p, size_t n)\n");
  EXPECT_EQ(apisOf(facts), "cuda_runtime.h@1 cudaMalloc@2");
  EXPECT_EQ(apisOf(factsOf(readPython, "a.py", "cudaMalloc()\n")), "");
}

TEST(ReadPython, ReadsCythonEnumBlocksButNotRenamesAndScopes) {
  EXPECT_EQ(apisOf(factsOf(readPython, "a.pxd", "cpdef enum:\n    cudaMalloc = 0\n")), "cudaMalloc@2");
  const std::string head = "cdef extern from \"cuda_runtime.h\":\n    pass\n";
  EXPECT_EQ(apisOf(factsOf(readPython, "a.pyx", head + "global cudaMalloc\n")), "cuda_runtime.h@1");
  EXPECT_EQ(apisOf(factsOf(readPython, "a.pyx", head + "cudaMalloc = runtime.cudaMalloc\n")), "cuda_runtime.h@1");
}

TEST(ReadPython, CythonConditionsGuardToo) {
  const FileFacts facts = factsOf(readPython, "a.pyx",
                                  "cdef extern from \"cuda_runtime.h\":\n    pass\nIF CUPY_HIP_VERSION > 0:\n"
                                  "    cudaMalloc(p)\nELSE:\n    cudaMalloc(p)\n");
  ASSERT_EQ(facts.apis.size(), 3u);
  EXPECT_TRUE(facts.apis[1].guarded);
  EXPECT_TRUE(facts.apis[2].guarded);
}

TEST(ReadPython, StaysLinearOnHostileTexts) {
  std::string nested = "import torch\n", chain = "import torch\nx = ", adjacent = "import cupy\nk = cupy.RawKernel(";
  for (int i = 0; i < 20000; ++i) nested += "torch.cuda.x(";
  for (int i = 0; i < 20000; ++i) chain += "torch.cuda.x < ";
  for (int i = 0; i < 20000; ++i) adjacent += "'a'\n";
  found(nested);
  found(chain);
  found(adjacent);
}

TEST(ReadPython, ReadsNoxSessionsAsCommands) {
  EXPECT_EQ(found("import nox\n@nox.session(python='3.11')\ndef tests(session: nox.Session):\n    "
                  "session.install('numpy',\n        \"cupy-cuda12x\", 'torch>=2', *extra)\n    "
                  "session.run('nvidia-smi', env={'CUDA_HOME': '/x'})\n    session.conda_install('cudatoolkit', "
                  "channel='nvidia')\n    session.env['CUDA_VISIBLE_DEVICES'] = '0'\n    other.install('triton')\n",
                  "noxfile.py"),
            "pypi-cupy@5 pypi-torch@5=>=2 env-cuda-home@6 nvidia-smi@6 conda-cudatoolkit@7 config-channel@7 "
            "env-visible@8");
  EXPECT_EQ(found("def tests(session):\n    session.install('torch')\n"), "");
}

}  // namespace
}  // namespace unwarp::scan
