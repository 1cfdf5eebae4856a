// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vcpkg, Conan and the recipes of Spack: what they ask for, and what they switch off.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

TEST(ReadNativePackages, ReadsVcpkgManifests) {
  EXPECT_EQ(dependenciesIn(readNativePackages, "vcpkg.json", R"({
  "name": "cuda",
  "description": "cuda",
  "dependencies": [
    "cuda",
    {"name": "opencv4", "default-features": false,
     "features": ["jpeg", "cuda"]},
    {"features": [{"name": "cuda", "platform": "linux"}], "name": "x"},
    "zlib"
  ],
  "features": {"gpu": {"description": "cudnn", "dependencies": ["cudnn"]}}
})"),
            "other-vcpkg@5 other-vcpkg@7 other-vcpkg@8 other-vcpkg@11");
}

TEST(ReadNativePackages, ShowsNamesWithoutTheManager) {
  const FileFacts facts = factsOf(readNativePackages, "vcpkg.json", R"({"dependencies": ["cuda"]})");
  ASSERT_EQ(facts.dependencies.size(), 1u);
  EXPECT_EQ(facts.dependencies[0].name, "cuda");
}

TEST(ReadNativePackages, ReadsConanTexts) {
  EXPECT_EQ(dependenciesIn(readNativePackages, "conanfile.txt",
                           "[requires]\ncuda/12.4@user/stable # cuda/11\nzlib/1.3\n[options]\nopencv/*:with_cuda=True\n"
                           "opencv/*:with_ipp=False\nffmpeg:with_cuda=False\n[generators]\ncuda/1\n"),
            "other-conan@2=12.4 other-conan@5");
}

TEST(ReadNativePackages, ReadsConanRecipes) {
  EXPECT_EQ(
      dependenciesIn(readPython, "conanfile.py",
                     "from conan import ConanFile\nclass P(ConanFile):\n  requires = \"zlib/1.3\", \"cuda/12.4\"\n"
                     "  options = {\"with_cuda\": [True, False]}\n  default_options = {\"with_cuda\": False,\n"
                     "    \"opencv/*:with_cuda\": True}\n  def requirements(self):\n"
                     "    self.requires(\"cuda/11\")\n    self.options[\"opencv\"].with_cuda = True\n"
                     "    self.output.info(\"cuda/1\")\n"),
      "other-conan@3=12.4 other-conan@4 other-conan@6 other-conan@8=11 other-conan@9");
}

TEST(ReadNativePackages, ReadsSpackRecipes) {
  EXPECT_EQ(dependenciesIn(readPython, "packages/a/package.py",
                           "from spack.package import *\nclass A(CMakePackage, CudaPackage):\n"
                           "  variant(\"cuda\", default=False, description=\"cuda\")\n"
                           "  depends_on(\"cuda@11.8:\", when=\"+cuda\")\n"
                           "  depends_on(\"kokkos~cuda\")\n  depends_on(\"kokkos+cuda cuda_arch=80\")\n"
                           "  conflicts(\"+cuda\", when=\"+rocm\")\n"
                           "class B(CudaPackage, ROCmPackage):\n  pass\n"),
            "config-spack@2 config-spack@3 config-spack@4=11.8: config-spack@6 config-spack@8!");
}

TEST(ReadNativePackages, OtherPythonFilesAreNoRecipes) {
  EXPECT_EQ(dependenciesIn(readPython, "a.py", "depends_on(\"cuda\")\nrequires = \"cuda/12\"\n"), "");
}

TEST(ReadNativePackages, SurvivesBrokenText) {
  EXPECT_EQ(factsOf(readNativePackages, "vcpkg.json", "{\"dependencies\": [\"cuda\", {").notes.size(), 1u);
  factsOf(readNativePackages, "conanfile.txt", "[requires\n/\n=\n[options]\n=\nx='");
  factsOf(readPython, "conanfile.py", "options = {'a:with_cuda':\nrequires = (");
  factsOf(readPython, "package.py", "depends_on(\"\nclass");
}

}  // namespace
}  // namespace unwarp::scan
