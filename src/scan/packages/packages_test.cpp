// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifests of packages: one test per format, and what each must leave alone.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

TEST(ReadRequirements, ReadsLinesAndContinuations) {
  EXPECT_EQ(
      dependenciesIn(readRequirements, "requirements.txt", "numpy\ntorch \\\n  >=2\n# torch\n-r x.txt\ncupy-cuda12x\n"),
      "pypi-torch@2=>=2 pypi-cupy@6");
}

TEST(ReadRequirements, BelievesTheIndex) {
  EXPECT_EQ(dependenciesIn(readRequirements, "r.txt",
                           "--index-url https://download.pytorch.org/whl/cpu\ntorch\ncupy-cuda12x\n"),
            "pypi-cupy@3");
  EXPECT_EQ(
      dependenciesIn(readRequirements, "r.txt", "--extra-index-url https://download.pytorch.org/whl/rocm6.2\ntorch\n"),
      "pypi-torch@2!");
  EXPECT_EQ(dependenciesIn(readRequirements, "requirements/rocm.txt", "torch\n"), "pypi-torch@1!");
}

TEST(ReadPyproject, ReadsStandardLists) {
  EXPECT_EQ(dependenciesIn(readPyproject, "pyproject.toml",
                           "[build-system]\nrequires = [\"torch>=2\"]\n[project]\nname = \"torch\"\nkeywords = "
                           "[\"cuda\"]\ndependencies = [\n \"numpy\",\n"
                           " \"cupy-cuda12x\",\n]\n[project.optional-dependencies]\ngpu = "
                           "[\"jax[cuda12]\"]\n[dependency-groups]\ndev = [\"triton\", {include-group = \"x\"}]\n"),
            "pypi-torch@2=>=2 pypi-cupy@8 pypi-jax@11 pypi-triton@13");
}

TEST(ReadPyproject, ReadsPoetryTables) {
  EXPECT_EQ(dependenciesIn(readPyproject, "pyproject.toml",
                           "[tool.poetry.dependencies]\npython = \"^3.9\"\ntorch = {version = \"^2.1\", source = "
                           "\"x\"}\njax = {version = \"*\", extras = [\"cuda12\"]}\n"
                           "[tool.poetry.group.dev.dependencies]\nflash-attn = \"1.0.9\"\n[[tool.poetry.source]]\nname "
                           "= \"x\"\nurl = \"https://download.pytorch.org/whl/cu118\"\n"),
            "pypi-torch@3=^2.1 pypi-jax@4 flash-attn-1@6=1.0.9 config-index@9=cu118");
}

TEST(ReadPyproject, ReadsWheelBuilderSettings) {
  EXPECT_EQ(dependenciesIn(readPyproject, "pyproject.toml",
                           "[tool.cibuildwheel.linux]\nbefore-test = \"nvidia-smi || exit "
                           "1\"\n[tool.cibuildwheel.linux.environment]\nCUDA_HOME = \"/x\"\n"
                           "[tool.scikit-build.cmake.define]\nGGML_CUDA = \"ON\"\n"),
            "nvidia-smi@2 env-cuda-home@4 cmake-ggml@6=ON");
}

TEST(ReadSetupCfg, ReadsLists) {
  EXPECT_EQ(dependenciesIn(readSetupCfg, "setup.cfg",
                           "[metadata]\ndescription = torch\n[options]\ninstall_requires =\n  numpy\n  "
                           "torch>=2\n[options.extras_require]\ngpu = cupy-cuda12x\n[flake8]\nx =\n  torch\n"),
            "pypi-torch@6=>=2 pypi-cupy@8");
}

TEST(ReadSetupCfg, ReadsWhatToxPasses) {
  EXPECT_EQ(dependenciesIn(readSetupCfg, "tox.ini",
                           "[testenv]\npassenv = HOME, CUDA_HOME\n  CUDA_VISIBLE_DEVICES\ndescription = CUDA_HOME\n"),
            "env-cuda-home@2 env-visible@3");
}

TEST(ReadCondaEnv, ReadsEnvironmentsWithPip) {
  EXPECT_EQ(dependenciesIn(readCondaEnv, "environment.yml",
                           "name: cudatoolkit\nchannels:\n  - nvidia\n  - conda-forge\ndependencies:\n  - python=3.9\n "
                           " - cudatoolkit=11.8\n  - pip:\n    - cupy-cuda12x\n    - torch\n"),
            "config-channel@3 conda-cudatoolkit@7==11.8 pypi-cupy@9 pypi-torch@10");
}

TEST(ReadCondaEnv, ReadsRecipesWithJinja) {
  EXPECT_EQ(dependenciesIn(readCondaEnv, "meta.yaml",
                           "{% set v = \"1\" %}\npackage:\n  name: cudatoolkit\nrequirements:\n  build:\n    - "
                           "cuda-nvcc {{ v }}  # [linux64]\n  run:\n"
                           "    - numpy\n# - cudatoolkit\nbuild:\n  script_env:\n    - cudatoolkit\n"),
            "conda-nvcc@6={{ v }}");
}

TEST(ReadCondaEnv, ReadsPixi) {
  EXPECT_EQ(dependenciesIn(readCondaEnv, "pixi.toml",
                           "[dependencies]\ncudatoolkit = \"11.8.*\"\n[pypi-dependencies]\ntorch = { version = \">=2\" "
                           "}\n[system-requirements]\ncuda = \"12\"\n"),
            "conda-cudatoolkit@2=11.8.* pypi-torch@4=>=2 conda-nvcc@6=12");
}

TEST(ReadPipfile, ReadsPackages) {
  EXPECT_EQ(dependenciesIn(readPipfile, "Pipfile",
                           "[[source]]\nurl = \"https://download.pytorch.org/whl/cu121\"\n[packages]\ntorch = "
                           "\"*\"\n[dev-packages]\nnumpy = \"*\"\n"),
            "config-index@2=cu121 pypi-torch@4");
}

TEST(ReadLockFile, ReadsTomlLocks) {
  EXPECT_EQ(dependenciesIn(readLockFile, "uv.lock",
                           "version = 1\n[[package]]\nname = \"torch\"\nversion = \"2.4.0\"\ndependencies = [\n    { "
                           "name = \"triton\" },\n]\n[[package]]\nname = \"numpy\"\nversion = \"1\"\n"
                           "[[package]]\nname = \"nvidia-cublas-cu12\"\nversion = \"12.1\"\n"),
            "pypi-torch@3===2.4.0 pypi-cublas@12===12.1");
}

TEST(ReadLockFile, ReadsCondaLocks) {
  EXPECT_EQ(
      dependenciesIn(readLockFile, "conda-lock.yml",
                     "version: 1\nmetadata:\n  x: 1\npackage:\n- name: cudatoolkit\n  version: 11.8.0\n  manager: "
                     "conda\n  dependencies:\n    torch: ''\n- name: torch\n  version: 2.1\n  manager: pip\n"),
      "conda-cudatoolkit@5=11.8.0 pypi-torch@10===2.1");
  EXPECT_EQ(dependenciesIn(readLockFile, "pixi.lock",
                           "version: 6\nenvironments:\n  default:\n    - conda: "
                           "https://h/c/linux-64/cudatoolkit-11.8.0-h1.conda\npackages:\n- conda: "
                           "https://h/c/linux-64/cudatoolkit-11.8.0-h1.conda\n"
                           "  sha256: x\n- pypi: https://h/torch-2.1.whl\n  name: torch\n  version: '2.1'\n"),
            "conda-cudatoolkit@6==11.8.0 pypi-torch@9===2.1");
  EXPECT_EQ(dependenciesIn(readLockFile, "conda-linux-64.lock",
                           "@EXPLICIT\nhttps://h/c/linux-64/cudatoolkit-11.8.0-h1.tar.bz2#00\n"),
            "conda-cudatoolkit@2==11.8.0");
}

TEST(ReadLockFile, ReadsPipfileLock) {
  EXPECT_EQ(dependenciesIn(readLockFile, "Pipfile.lock",
                           "{\"_meta\": {}, \"default\": {\n \"torch\": {\"version\": \"==2.1\"}}}"),
            "pypi-torch@2===2.1");
}

TEST(ReadRequirements, ReadsFieldsOfCoreMetadata) {
  const std::string_view metadata =
      "Metadata-Version: 2.1\nName: x\nVersion: 1\nRequires-Dist: torch (>=2.0)\nRequires-Dist: cupy-cuda12x ; extra "
      "== 'gpu'\nrequires-dist: numpy\nSummary: torch\n\nRequires-Dist: triton\n";
  for (std::string_view path : {"x-1.dist-info/METADATA", "x-1/PKG-INFO"})
    EXPECT_EQ(dependenciesIn(readRequirements, path, metadata), "pypi-torch@4=>=2.0 pypi-cupy@5") << path;
  EXPECT_EQ(
      dependenciesIn(readRequirements, "x.dist-info/METADATA", "Name: x\nVersion: 1+rocm6.2\nRequires-Dist: triton\n"),
      "pypi-triton@3!");
  EXPECT_EQ(dependenciesIn(readRequirements, "x.egg-info/requires.txt", "numpy\n\n[gpu]\ncupy-cuda12x\n"),
            "pypi-cupy@4");
}

TEST(ReadRequirements, FieldsOfCoreMetadataMayBeFolded) {
  EXPECT_EQ(dependenciesIn(readRequirements, "x.dist-info/METADATA",
                           "Name: x\nRequires-Dist: torch\n (>=2.0)\nSummary: a\n cupy\nRequires-Dist:\r\n\ttriton\r\n"
                           "Requires-Dist: cupy-cuda12x ;\n extra == 'gpu'"),
            "pypi-torch@2=>=2.0 pypi-triton@6 pypi-cupy@8");
}

TEST(ReadPyproject, ReadsPixiTables) {
  EXPECT_EQ(dependenciesIn(readPyproject, "pyproject.toml", R"([tool.pixi.workspace]
channels = ["nvidia", {channel = "nvidia", priority = 1}]
[tool.pixi.dependencies]
cudatoolkit = "11.8"
[tool.pixi.feature.gpu.target.linux-64.pypi-dependencies]
torch = { version = ">=2", index = "https://download.pytorch.org/whl/cu124" }
[tool.pixi.feature.gpu.system-requirements]
cuda = "12"
[tool.pixi.tasks]
a = "nvidia-smi"
b = { cmd = "nvcc x.cu", env = { CUDA_HOME = "/x" } }
)"),
            "config-channel@2 config-channel@2 conda-cudatoolkit@4=11.8 config-index@6=cu124 pypi-torch@6=>=2 "
            "conda-nvcc@8=12 nvidia-smi@10 nvcc@11 env-cuda-home@11");
}

TEST(ReadPyproject, ReadsListsOfEveryTool) {
  EXPECT_EQ(dependenciesIn(readPyproject, "pyproject-gpu.toml", R"([tool.uv]
dev-dependencies = ["torch"]
build-constraint-dependencies = ["triton"]
[[tool.uv.index]]
name = "x"
url = "https://download.pytorch.org/whl/cu126"
[tool.uv.sources]
torch = { index = "x" }
flash-attn = { git = "https://github.com/Dao-AILab/flash-attention" }
)"),
            "pypi-torch@2 pypi-triton@3 config-index@6=cu126 flash-attn-2@9");
  EXPECT_EQ(dependenciesIn(readPyproject, "pyproject.toml", R"([tool.pdm.dev-dependencies]
torch = ["cupy-cuda12x"]
[tool.pdm.resolution.overrides]
torch = "2.1"
[tool.rye]
dev-dependencies = ["triton"]
[tool.flit.metadata]
requires = ["torch"]
[tool.hatch.envs.gpu]
dependencies = ["torch"]
[tool.hatch.envs.gpu.scripts]
x = ["nvidia-smi"]
[tool.hatch.envs.gpu.env-vars]
CUDA_HOME = "/x"
[tool.tox.env.gpu]
deps = ["torch"]
[tool.poetry.scripts]
nvcc = "nvcc"
)"),
            "pypi-cupy@2 pypi-torch@4=2.1 pypi-triton@6 pypi-torch@8 pypi-torch@10 nvidia-smi@12 env-cuda-home@14 "
            "pypi-torch@16");
  EXPECT_EQ(dependenciesIn(readPyproject, "pyproject.toml",
                           "[tool.tox]\nlegacy_tox_ini = \"\"\"\n[testenv]\ndeps =\n  cupy-cuda12x\n\"\"\"\n"),
            "pypi-cupy@5");
}

TEST(ReadPyproject, ReadsFilesOfSingleTools) {
  EXPECT_EQ(dependenciesIn(readPyproject, "a/uv.toml",
                           "torch-backend = \"cu126\"\n[[index]]\nurl = \"https://download.pytorch.org/whl/cu124\"\n"),
            "config-index@1=cu126 config-index@3=cu124");
  EXPECT_EQ(
      dependenciesIn(readPyproject, "tox.toml", "[env_run_base]\ndeps = [\"torch\"]\nset_env.CUDA_HOME = \"/x\"\n"),
      "pypi-torch@2 env-cuda-home@3");
  EXPECT_EQ(dependenciesIn(readPyproject, "hatch.toml", "[envs.gpu]\ndependencies = [\"torch\"]\n"), "pypi-torch@2");
}

TEST(ReadPyproject, KnowsGroupsForAmd) {
  EXPECT_EQ(dependenciesIn(readPyproject, "pyproject.toml",
                           "[project.optional-dependencies]\nrocm = [\"torch\"]\n[dependency-groups]\ntorch = "
                           "[{include-group = \"x\"}]\n"),
            "pypi-torch@2!");
}

TEST(ReadCondaEnv, ReadsListsInBrackets) {
  EXPECT_EQ(dependenciesIn(readCondaEnv, "environment.yml",
                           "name: x\nchannels: [https://conda.anaconda.org/nvidia/, conda-forge]\ndependencies: "
                           "[numpy,\n  cudatoolkit=11.8, # x\n  'cuda-nvcc']\nprefix: cudatoolkit\n"),
            "config-channel@2 conda-cudatoolkit@4==11.8 conda-nvcc@5");
}

TEST(ReadCondaEnv, ReadsCallsInRecipes) {
  EXPECT_EQ(dependenciesIn(readCondaEnv, "meta.yaml", R"(requirements:
  build:
    - {{ compiler('c') }}
    - {{ compiler('cuda') }}  # [linux]
  run:
    - {{ pin_compatible('cudatoolkit', max_pin='x') }}
)"),
            "conda-nvcc@4 conda-cudatoolkit@6");
  EXPECT_EQ(dependenciesIn(readCondaEnv, "recipe.yaml", R"(build:
  script:
    - nvcc x.cu
requirements:
  build:
    - ${{ compiler("cuda") }}
    - if: linux and cuda_compiler_version != "None"
      then:
        - cudatoolkit
      else: cuda-nvcc
  ignore_run_exports:
    - cudatoolkit
)"),
            "nvcc@3 conda-nvcc@6 conda-cudatoolkit@9 conda-nvcc@10");
}

TEST(ReadCondaEnv, ReadsBuildVariants) {
  for (std::string_view path : {"recipe/conda_build_config.yaml", ".ci_support/linux_64_.yaml"})
    EXPECT_EQ(dependenciesIn(readCondaEnv, path, R"(cuda_compiler:
- cuda-nvcc
cuda_compiler_version:   # [linux]
- None
- '12.6'
cudatoolkit: ['11.8']
channel_sources:
- conda-forge,nvidia
zip_keys:
- - cudatoolkit
  - cuda_compiler_version
)"),
              "conda-nvcc@2 conda-nvcc@5=12.6 conda-cudatoolkit@6=11.8 config-channel@8")
        << path;
}

TEST(ReadOtherManifest, ReadsOtherLanguages) {
  EXPECT_EQ(dependenciesIn(readOtherManifest, "Cargo.toml",
                           "[package]\nname = \"cudarc\"\n[dependencies]\ncudarc = \"0.9\"\ncandle-core = { version = "
                           "\"0.3\", features = [\"cuda\"] }\n"),
            "other-cudarc@4=0.9 other-cudarc@5");
  EXPECT_EQ(dependenciesIn(readOtherManifest, "package.json",
                           "{\"dependencies\": {\n\"cudarc\": \"1\"}, \"name\": \"cudarc\"}"),
            "other-cudarc@2=1");
  EXPECT_EQ(dependenciesIn(readOtherManifest, "go.mod", "module x/cudarc\nrequire (\n\tgolang.org/x/net v0.1\n)\n"),
            "");
}

TEST(ReadOtherManifest, ReadsMaven) {
  EXPECT_EQ(dependenciesIn(readOtherManifest, "pom.xml", R"(<project>
  <groupId>org.jcuda</groupId><artifactId>own</artifactId>
  <!-- <dependency><groupId>org.jcuda</groupId><artifactId>x</artifactId></dependency> -->
  <dependencies>
    <dependency><groupId>org.jcuda</groupId><artifactId>jcuda</artifactId>
      <version>12.0.0</version>
      <exclusions><exclusion><groupId>org.x</groupId><artifactId>y</artifactId></exclusion></exclusions>
    </dependency>
    <dependency><groupId>org.x</groupId><artifactId>jcuda</artifactId></dependency>
  </dependencies>
</project>)"),
            "maven-cuda@5=12.0.0");
  EXPECT_EQ(dependenciesIn(readOtherManifest, "build.gradle.kts",
                           "dependencies {\n  implementation(\"org.jcuda:jcuda:12.0.0\")\n}\n"),
            "maven-cuda@2=12.0.0");
}

TEST(ReadOtherManifest, ReadsCoordinatesInPieces) {
  EXPECT_EQ(
      dependenciesIn(
          readOtherManifest, "build.gradle",
          "implementation group: 'org.jcuda', name: 'jcuda', version: '12.0.0'\n// group: 'org.jcuda', name: 'x'\n"
          "api 'org.x:y:1', 'org.jcuda:jcublas:12'\n"),
      "maven-cuda@1=12.0.0 maven-cuda@3=12");
  EXPECT_EQ(
      dependenciesIn(readOtherManifest, "build.sbt", "libraryDependencies += \"org.jcuda\" % \"jcuda\" % \"12.0.0\"\n"),
      "maven-cuda@1=12.0.0");
  EXPECT_EQ(dependenciesIn(readOtherManifest, "libs.versions.toml",
                           "[libraries]\njcuda = { module = \"org.jcuda:jcuda\", version = \"12\" }\n"),
            "maven-cuda@2");
}

TEST(ReadMsBuild, ReadsVisualStudioProjects) {
  EXPECT_EQ(dependenciesIn(readMsBuild, "a.vcxproj", R"xml(<?xml version="1.0"?>
<Project>
  <Import Project="$(VCTargetsPath)\BuildCustomizations\CUDA 12.4.props" Condition="$(CUDA_HOME)" />
  <ItemGroup><CudaCompile Include="kernel.cu" /><ClCompile Include="CudaCompile.cpp" /></ItemGroup>
  <ItemDefinitionGroup>
    <CudaCompile>
      <CodeGeneration>compute_75,sm_75;compute_86,sm_86</CodeGeneration>
      <FastMath>true</FastMath>
    </CudaCompile>
    <Link>
      <AdditionalDependencies>cudart.lib;kernel32.lib;%(AdditionalDependencies)</AdditionalDependencies>
      <AdditionalIncludeDirectories>$(CUDA_HOME)\include</AdditionalIncludeDirectories>
      <LibraryPath>C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v12.4\lib\x64</LibraryPath>
    </Link>
    <PostBuildEvent><Command>nvidia-smi -L</Command></PostBuildEvent>
  </ItemDefinitionGroup>
  <!-- <CudaCompile Include="old.cu" /> -->
</Project>)xml"),
            "msbuild-cuda@3=12.4 msbuild-cuda@4 msbuild-cuda@7=compute_75,sm_75;compute_86,sm_86 flag-fast-math@8 "
            "lib-cudart@11 "
            "env-cuda-home@12 config-path@13 nvidia-smi@15");
}

TEST(ReadMsBuild, ReadsNuget) {
  EXPECT_EQ(
      dependenciesIn(
          readMsBuild, "a.csproj",
          "<Project Sdk=\"x\">\n<ItemGroup>\n<PackageReference Include=\"ManagedCuda-12\" Version=\"12.1.51\" />\n"
          "<PackageReference Include=\"Other\" />\n</ItemGroup>\n</Project>\n"),
      "nuget-cuda@3=12.1.51");
  EXPECT_EQ(dependenciesIn(readMsBuild, "packages.config",
                           "<packages>\n<package id=\"ManagedCuda\" version=\"10.0.0\" />\n</packages>\n"),
            "nuget-cuda@2=10.0.0");
}

TEST(ReadJulia, ReadsProjectsAndManifests) {
  EXPECT_EQ(dependenciesIn(readJulia, "Project.toml",
                           "name = \"CUDA\"\n[deps]\nCUDA = \"052768ef\"\n[weakdeps]\nCUDA = \"0\"\n[compat]\nCUDA = "
                           "\"5\"\n"),
            "other-cudarc@3 other-cudarc@5");
  EXPECT_EQ(dependenciesIn(readJulia, "Manifest-v1.11.toml", "[[deps.CUDA]]\nuuid = \"052768ef\"\n"), "other-cudarc@2");
}

TEST(ReadJulia, ReadsCode) {
  EXPECT_EQ(dependenciesIn(readJulia, "src/a.jl", R"(# using CUDA
using Flux,
  CUDA
@cuda threads=256 k(x)
y = CUDA.zeros(3) + CUDA.ones(3)
import Pkg; Pkg.add(["CUDA", "Flux"])
)"),
            "other-cudarc@3 other-cudarc@4 other-cudarc@5 other-cudarc@6");
  EXPECT_EQ(dependenciesIn(readJulia, "src/a.jl", R"(using .CUDA
#= using CUDA #= @cuda =#
@cuda =#
x = "@cuda"
s = """
using CUDA
"""
CUDA.zeros(3)
obj.CUDA.x
)"),
            "");
}

}  // namespace
}  // namespace unwarp::scan
