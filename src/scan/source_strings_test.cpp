// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Literals of C++ that bind a program, and those that only talk about CUDA.
#include "scan/source_strings.h"

#include "reader_fixture.h"

namespace unwarp::scan {

using namespace testing;

namespace {

FileFacts read(std::string_view text, std::string_view path = "loader.cpp") {
  return factsOf(readSource, path, text, FileKind::CSource);
}
std::string bound(std::string_view text) {
  return dependenciesOf(read(text));
}
std::string apis(std::string_view text) {
  return apisOf(read(text));
}

}  // namespace

TEST(SourceStrings, LibrariesAreBoundByTheirFileNames) {
  EXPECT_EQ(bound("void* h = dlopen(\"libcublas.so.12\", RTLD_LAZY);"), "lib-cublas@1=12");
  EXPECT_EQ(bound("h = LoadLibraryA(\"cublas64_12.dll\");\nh = LoadLibrary(TEXT(\"cudart64_110.dll\"));"),
            "lib-cublas@1=12 lib-cudart@2=110");
  EXPECT_EQ(bound("const char* names[] = {\n  \"libnccl.so.2\",\n  \"/usr/lib/libnccl.so\"};"),
            "lib-nccl@2=2 lib-nccl@3");
  EXPECT_EQ(bound("static const auto path = \"libcudart.dylib\";"), "lib-cudart@1");
  EXPECT_EQ(bound("#ifdef USE_ROCM\nload(\"libhip.so\");\n#else\nload(\"libcublas.so\");\n#endif"), "lib-cublas@4!");
}

TEST(SourceStrings, TextAboutLibrariesIsNone) {
  EXPECT_EQ(bound("throw std::runtime_error(\"cannot load libcublas.so\");"), "");
  EXPECT_EQ(bound("fprintf(stderr, \"libcublas.so\");\nLOG_ERROR(\"libcublas.so\");\nstd::cerr << \"libcublas.so\";"),
            "");
  EXPECT_EQ(bound("// dlopen(\"libcublas.so\")\n/* \"libcublas.so\" */"), "");
  EXPECT_EQ(bound("#if 0\ndlopen(\"libcublas.so\");\n#endif"), "");
}

TEST(SourceStrings, FunctionsAreBoundWhereTheyAreLookedUp) {
  EXPECT_EQ(
      apis("p = dlsym(h, \"cudaMalloc\");\np = (F)GetProcAddress(h, \"cudaMalloc\");\nlib.getSymbol(\"cudaMalloc\");"),
      "cudaMalloc@1 cudaMalloc@2 cudaMalloc@3");
  EXPECT_EQ(apis("check(e, \"cudaMalloc\");\nputs(\"cudaMalloc\");\nconst char* n = \"cudaMalloc\";"), "");
}

TEST(SourceStrings, EnvironmentVariables) {
  EXPECT_EQ(bound("const char* v = std::getenv(\"CUDA_VISIBLE_DEVICES\");\nsetenv(\"CUDA_HOME\", \"/opt\", 1);\n"
                  "putenv(\"CUDA_VISIBLE_DEVICES=0\");"),
            "env-visible@1 env-cuda-home@2 env-visible@3");
  EXPECT_EQ(bound("puts(\"CUDA_VISIBLE_DEVICES\");\nint v = getenv(\"HOME\") != 0;\nf(\"set CUDA_VISIBLE_DEVICES\");"),
            "");
  FileFacts facts = read("int v = getenv(\"HOME\") != 0;");
  EXPECT_TRUE(facts.mentions.empty());
  facts = read("setenv(\"CUDA_HOME\", \"/opt/cuda\", 1);");
  ASSERT_EQ(facts.mentions.size(), 1u);
  EXPECT_EQ(facts.mentions[0].value, "/opt/cuda");
}

TEST(SourceStrings, Commands) {
  EXPECT_EQ(bound("system(\"nvidia-smi --query-gpu=name\");\nFILE* f = popen(\"nvidia-smi \" \"-L\", \"r\");\n"
                  "execlp(\"nvidia-smi\", \"nvidia-smi\", \"-q\", nullptr);\n"
                  "std::string c = \"nvidia-smi -L\";"),
            "nvidia-smi@1 nvidia-smi@2 nvidia-smi@3 nvidia-smi@4");
  EXPECT_EQ(bound("error(\"nvidia-smi failed\");\nlog(\"nvidia-smi -L\");\nstd::string s = \"nvidia-smi not found\";"),
            "");
}

TEST(SourceStrings, OptionsOfTheRunTimeCompiler) {
  EXPECT_EQ(bound("const char* o[] = {\"--fmad=false\",\n\"--gpu-architecture=compute_80\"};").substr(0, 6), "flag-g");
}

TEST(SourceStrings, KernelsInRawStringsKeepTheirLines) {
  const FileFacts facts = read(
      "int x;\nconst char* source = R\"cuda(\nextern \"C\"\n__global__ void k(float* p) {\n  "
      "atomicAdd(p, 1.f);\n}\n)cuda\";\n");
  ASSERT_EQ(facts.embedded.size(), 1u);
  EXPECT_EQ(facts.embedded[0].facts->functions.size(), 1u);
  EXPECT_EQ(facts.source, nullptr) << "the host file itself shows no CUDA";
  ASSERT_EQ(facts.apis.size(), 2u);
  EXPECT_EQ(facts.apis[0].line, 4u);
  EXPECT_EQ(facts.apis[1].line, 5u);
}

TEST(SourceStrings, KernelsInAdjacentLiteralsKeepTheirLines) {
  const FileFacts facts = read(
      "const char* source =\n  \"#define N 4\\n\"\n  \"extern \\\"C\\\" __global__\\n\"\n"
      "  \"void k(float* p) { \"\n  \"atomicAdd(p, 1.f);\"\n  \"}\\n\";\n");
  ASSERT_EQ(facts.embedded.size(), 1u);
  EXPECT_EQ(facts.embedded[0].facts->constants.at("N"), 4);
  ASSERT_EQ(facts.apis.size(), 2u);
  EXPECT_EQ(facts.apis[0].line, 3u);
  EXPECT_EQ(facts.apis[1].line, 5u);
}

TEST(SourceStrings, MessagesAboutKernelsAreNoSource) {
  EXPECT_TRUE(read("error(\"a __global__ function (kernel) must return void\");").embedded.empty());
  EXPECT_TRUE(read("bool k = word == \"__global__\" || word == \"__device__\";").apis.empty());
}

TEST(SourceStrings, ManyLiteralsStayFast) {
  std::string text = "const char* s =";
  for (int i = 0; i < 200000; ++i) text += " \"__global__ void k(int) {\"\n";
  text += ";\n";
  for (int i = 0; i < 200000; ++i) text += "f(a, (b), \"libcublas.so\", ";
  read(text);
}

}  // namespace unwarp::scan
