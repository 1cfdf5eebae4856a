// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds by name, ending and first bytes, with the names that mislead.
#include "scan/classify.h"

#include <gtest/gtest.h>

#include "reader_fixture.h"
#include "scan/dispatch.h"
#include "scan/source_facts.h"

namespace unwarp::scan {
namespace {

FileFacts dispatched(std::string_view path, const std::string& bytes) {
  FileFacts facts;
  readByKind(ReadContext{testing::testKnowledge()}, classify(path, bytes), {path, bytes}, facts);
  return facts;
}

}  // namespace

struct Case {
  std::string_view path;
  FileKind kind;
};

TEST(Classify, ByNameAndEnding) {
  for (const Case& c : {Case{"a/kernel.cu", FileKind::CudaSource},
                        Case{"K.CUH", FileKind::CudaSource},
                        Case{"kernel.cu.in", FileKind::CudaSource},
                        Case{"config.h.in", FileKind::CSource},
                        Case{"Dockerfile.cuda", FileKind::Dockerfile},
                        Case{"docker/cuda.Dockerfile", FileKind::Dockerfile},
                        Case{"CMakeLists.txt", FileKind::CMake},
                        Case{"Find.cmake.in", FileKind::CMake},
                        Case{"configure.in", FileKind::Autoconf},
                        Case{"requirements/base.txt", FileKind::Requirements},
                        Case{"requirements.in", FileKind::Requirements},
                        Case{".github/workflows/ci.yml", FileKind::GithubWorkflow},
                        Case{"pyproject-gpu.toml", FileKind::Pyproject},
                        Case{"uv.toml", FileKind::Pyproject},
                        Case{"requirements-gpu.in", FileKind::Requirements},
                        Case{"build-constraints.txt", FileKind::Requirements},
                        Case{"requirements/gpu.in", FileKind::Requirements},
                        Case{"x-1.dist-info/METADATA", FileKind::Requirements},
                        Case{"data/METADATA", FileKind::Text},
                        Case{"x.egg-info/requires.txt", FileKind::Requirements},
                        Case{"x-1/PKG-INFO", FileKind::Requirements},
                        Case{"pixi-gpu.toml", FileKind::CondaEnv},
                        Case{".ci_support/linux_64_.yaml", FileKind::CondaEnv},
                        Case{"JuliaProject.toml", FileKind::Julia},
                        Case{"Manifest-v1.11.toml", FileKind::Julia},
                        Case{"notes.txt", FileKind::Prose},
                        Case{"pixi.lock", FileKind::LockFile},
                        Case{"conda-lock.yml", FileKind::LockFile},
                        Case{"conda-gpu.yml", FileKind::CondaEnv},
                        Case{"dev.conda-lock.yml", FileKind::LockFile},
                        Case{"conda-linux-64.lock", FileKind::LockFile},
                        Case{"a.hip", FileKind::HipSource},
                        Case{"tools/ci.bazelrc", FileKind::Bazel},
                        Case{"flake.nix", FileKind::Nix},
                        Case{"vcpkg.json", FileKind::NativePackages},
                        Case{"conanfile.txt", FileKind::NativePackages},
                        Case{"templates/_helpers.tpl", FileKind::Yaml},
                        Case{"", FileKind::Text},
                        Case{"...", FileKind::Text},
                        Case{"dir.cu/plain", FileKind::Text}})
    EXPECT_EQ(classify(c.path, "text"), c.kind) << c.path;
}

TEST(Classify, LanguagesTemplatesAndToolsOfManyTrades) {
  for (const Case& c : {Case{"a.cu.jinja", FileKind::CudaSource},
                        Case{"a.cu.j2", FileKind::CudaSource},
                        Case{"a.cu.tmpl", FileKind::CudaSource},
                        Case{"a.pyx.in", FileKind::Cython},
                        Case{"Dockerfile.j2", FileKind::Dockerfile},
                        Case{"values.yaml.gotmpl", FileKind::Yaml},
                        Case{"chart/templates/pod.tpl", FileKind::Yaml},
                        Case{"notes.tpl", FileKind::Text},
                        Case{"a.i", FileKind::CSource},
                        Case{"K.CUF", FileKind::Fortran},
                        Case{"a.F90", FileKind::Fortran},
                        Case{"build.rs", FileKind::Rust},
                        Case{"a.vcxproj", FileKind::MsBuild},
                        Case{"a.vcxproj.filters", FileKind::Text},
                        Case{"Directory.Packages.props", FileKind::MsBuild},
                        Case{"lib.gradle.kts", FileKind::OtherManifest},
                        Case{"reqs.in", FileKind::Requirements},
                        Case{"justfile", FileKind::Just},
                        Case{".gitmodules", FileKind::Submodules},
                        Case{"nextflow.config", FileKind::BlockScript},
                        Case{"x/debian/control", FileKind::PackageFields},
                        Case{"x.spec", FileKind::PackageFields},
                        Case{"main.bicep", FileKind::BlockScript},
                        Case{"Earthfile", FileKind::Dockerfile},
                        Case{"facts.pro", FileKind::Text},
                        Case{"a.smk", FileKind::Workflow},
                        Case{"Cargo.toml", FileKind::OtherManifest},
                        Case{"config.toml", FileKind::Toml}})
    EXPECT_EQ(classify(c.path, "text"), c.kind) << c.path;
}

TEST(Classify, BinariesAreWhatTheirBytesSay) {
  EXPECT_EQ(classify("a.py",
                     "\x7f"
                     "ELF\x02"),
            FileKind::Elf);
  EXPECT_EQ(classify("libx.so.1.2",
                     "\x7f"
                     "ELF\x02"),
            FileKind::Elf);
  EXPECT_EQ(classify("notes.a", "just text"), FileKind::Text);
  EXPECT_EQ(classify("liba.a", "!<arch>\n"), FileKind::StaticArchive);
  EXPECT_EQ(classify("x.so", ""), FileKind::Text);
}

TEST(Classify, ScriptsAreKnownByTheirFirstLine) {
  EXPECT_EQ(classify("run", "#!/usr/bin/env python3\n"), FileKind::Python);
  EXPECT_EQ(classify("run", "#!/bin/bash\n"), FileKind::Shell);
  EXPECT_EQ(classify("run", "#!/bin/bash\n#SBATCH -n 1\n"), FileKind::Slurm);
  EXPECT_EQ(classify("data", std::string_view("a\0b", 3)), FileKind::Unknown);
}

TEST(Classify, ProjectsOfQmakeAreKnownByTheirVariables) {
  EXPECT_EQ(classify("a.pro", "QT += core\nLIBS += -lcudart\n"), FileKind::Make);
  EXPECT_EQ(classify("a.pro", "parent(a, b).\n"), FileKind::Text);
}

TEST(Classify, ObjectiveCAndMatlabShareAnEnding) {
  EXPECT_EQ(classify("a.m", "// x\n#import <Foundation/Foundation.h>\n"), FileKind::CSource);
  EXPECT_EQ(classify("a.m", "\n#include <cuda_runtime.h>\n"), FileKind::CSource);
  EXPECT_EQ(classify("a.m", "% x\nfunction y = f(x)\n"), FileKind::Matlab);
  EXPECT_EQ(classify("a.m", "x = gpuArray(1);\n"), FileKind::Matlab);
}

TEST(Classify, CondaFilesAreKnownByTheirFirstKeys) {
  EXPECT_EQ(classify("envs/gpu.yml", "name: x\nchannels:\n  - nvidia\ndependencies:\n"), FileKind::CondaEnv);
  EXPECT_EQ(classify("recipe.yaml", "context:\n  version: 1\npackage:\n  name: x\n"), FileKind::CondaEnv);
  EXPECT_EQ(classify("recipe.yaml", "model: llama\n"), FileKind::Yaml);
  EXPECT_EQ(classify("a.yml", "# channels: two\nchannels: [nvidia]\ndependencies:\n"), FileKind::CondaEnv);
  EXPECT_EQ(classify("environment.yaml", "# ours\nspack:\n  specs: [hdf5+cuda]\n"), FileKind::Yaml);
  EXPECT_EQ(classify("chart.yaml", "name: x\ndependencies:\n"), FileKind::Yaml);
}

TEST(Classify, ModulefilesAreKnownByTheirTreeOrTheirFunctions) {
  EXPECT_EQ(classify("modulefiles/cuda/12.4.lua", "x = 1"), FileKind::Modulefile);
  EXPECT_EQ(classify("easybuild/app.lua", "-- x\nwhatis(\"Name: app\")\n"), FileKind::Modulefile);
  EXPECT_EQ(classify("app.lua", "depends_on(\"cuda\")\n"), FileKind::Modulefile);
  EXPECT_EQ(classify("game/init.lua", "local load = require(\"load\")\n"), FileKind::Text);
  EXPECT_EQ(classify("modules/1.0", "#%Module1.0\nprereq cuda\n"), FileKind::Modulefile);
  EXPECT_EQ(classify("modules/1.0", "prereq cuda\n"), FileKind::Text);
}

TEST(Classify, EveryKindHasAName) {
  for (int kind = 0; kind <= static_cast<int>(FileKind::Media); ++kind)
    EXPECT_FALSE(kindName(static_cast<FileKind>(kind)).empty());
  EXPECT_EQ(kindName(FileKind::Media), "media");
}

TEST(Dispatch, AByteOrderMarkHidesNothing) {
  for (auto [path, text] :
       {std::pair<std::string_view, std::string_view>{"Dockerfile", "RUN pip install cupy-cuda12x\n"},
        {"use.py", "import cupy\n"},
        {"requirements.txt", "cupy-cuda12x\n"}}) {
    FileFacts plain = dispatched(path, std::string(text));
    FileFacts marked = dispatched(path, "\xEF\xBB\xBF" + std::string(text));
    EXPECT_FALSE(plain.dependencies.empty() && plain.apis.empty()) << path;
    EXPECT_EQ(marked.dependencies.size(), plain.dependencies.size()) << path;
    EXPECT_EQ(marked.apis.size(), plain.apis.size()) << path;
  }
}

/// `ascii` in UTF-16, without a byte order mark.
std::string inUtf16(std::string_view ascii, bool lowFirst) {
  std::string text;
  for (char c : ascii) text += lowFirst ? std::string{c, '\0'} : std::string{'\0', c};
  return text;
}

TEST(Dispatch, TextInUtf16IsReadAsWhatItSays) {
  for (bool lowFirst : {true, false}) {
    for (std::string_view mark : {lowFirst ? "\xFF\xFE" : "\xFE\xFF", ""}) {
      FileFacts pinned = dispatched("requirements.txt", std::string(mark) + inUtf16("numpy\ncupy-cuda12x\n", lowFirst));
      ASSERT_EQ(pinned.dependencies.size(), 1u);
      EXPECT_EQ(pinned.dependencies[0].line, 2u);
      FileFacts source = dispatched("a.cu", std::string(mark) + inUtf16("int x;\r\n  cudaFree(p);\r\n", lowFirst));
      ASSERT_NE(source.source, nullptr);
      ASSERT_EQ(source.source->named("cudaFree").size(), 1u);
      EXPECT_EQ(source.source->line(source.source->named("cudaFree")[0]), 2u);
      EXPECT_EQ(source.source->column(source.source->named("cudaFree")[0]), 3u);
      EXPECT_TRUE(source.notes.empty());
      ASSERT_NE(source.utf8Text, nullptr);
      EXPECT_EQ(source.source->text.data(), source.utf8Text->data()) << "what the facts look into is kept";
    }
  }
}

TEST(Dispatch, BytesThatOnlyStartLikeUtf16AreLeftAlone) {
  std::string data = inUtf16("cudaFree(p);", true) + std::string(64, '\0');
  EXPECT_EQ(dispatched("a.cu", data).utf8Text, nullptr);
  EXPECT_EQ(dispatched("a.cu", std::string("\0", 1)).utf8Text, nullptr);
}

TEST(Dispatch, TextInUtf16BeyondTheLimitIsNamedAsNotRead) {
  FileFacts facts = dispatched("a.cu", "\xFF\xFE" + std::string(33u << 20, ' '));
  EXPECT_EQ(facts.how, "none");
  ASSERT_EQ(facts.notes.size(), 1u);
  EXPECT_NE(facts.notes[0].find("UTF-16"), std::string::npos);
}

}  // namespace unwarp::scan
