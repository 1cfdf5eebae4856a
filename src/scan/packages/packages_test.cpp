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

TEST(ReadOtherManifest, ReadsOtherLanguages) {
  EXPECT_EQ(dependenciesIn(readOtherManifest, "Cargo.toml",
                           "[package]\nname = \"cudarc\"\n[dependencies]\ncudarc = \"0.9\"\ncandle-core = { version = "
                           "\"0.3\", features = [\"cuda\"] }\n"),
            "other-cudarc@4=0.9 other-cudarc@5");
  EXPECT_EQ(dependenciesIn(readOtherManifest, "Project.toml", "[deps]\nCUDA = \"052768ef\"\n"), "other-cudarc@2");
  EXPECT_EQ(dependenciesIn(readOtherManifest, "src/a.jl", "# using CUDA\nusing Flux, CUDA\n"), "other-cudarc@2");
  EXPECT_EQ(dependenciesIn(readOtherManifest, "package.json",
                           "{\"dependencies\": {\n\"cudarc\": \"1\"}, \"name\": \"cudarc\"}"),
            "other-cudarc@2=1");
  EXPECT_EQ(dependenciesIn(readOtherManifest, "go.mod", "module x/cudarc\nrequire (\n\tgolang.org/x/net v0.1\n)\n"),
            "");
}

}  // namespace
}  // namespace unwarp::scan
