// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spellings of library file names that must meet in one record.
#include "scan/binary/library_name.h"

#include <gtest/gtest.h>

namespace unwarp::scan {
namespace {

std::string parsed(std::string_view text) {
  const auto library = parseLibraryName(text);
  return library ? library->name + '|' + library->version : "none";
}

TEST(LibraryName, SplitsSonameAndVersion) {
  EXPECT_EQ(parsed("libcudart.so"), "libcudart.so|");
  EXPECT_EQ(parsed("libcudart.so.12"), "libcudart.so|12");
  EXPECT_EQ(parsed("libcudnn_ops_infer.so.8.9.7"), "libcudnn_ops_infer.so|8.9.7");
  EXPECT_EQ(parsed("/usr/lib/x86_64-linux-gnu/libcuda.so.1"), "libcuda.so|1");
}

TEST(LibraryName, DropsTheHashOfRepairedWheels) {
  EXPECT_EQ(parsed("libcudart-9335f6a2.so.12.0.107"), "libcudart.so|12.0.107");
  EXPECT_EQ(parsed("libcublasLt-5b7d7d1b.so.11.11.3.6"), "libcublasLt.so|11.11.3.6");
  EXPECT_EQ(parsed("libnvrtc-builtins-2dc4bf68.so.11.8"), "libnvrtc-builtins.so|11.8");
}

TEST(LibraryName, KeepsWordsAfterADash) {
  EXPECT_EQ(parsed("libnvrtc-builtins.so.12.4"), "libnvrtc-builtins.so|12.4");
  EXPECT_EQ(parsed("libnvidia-ml.so.1"), "libnvidia-ml.so|1");
}

TEST(LibraryName, ReadsWindowsNames) {
  EXPECT_EQ(parsed("cudart64_12.dll"), "libcudart.so|12");
  EXPECT_EQ(parsed("nvrtc64_120_0.dll"), "libnvrtc.so|120.0");
  EXPECT_EQ(parsed("cudnn_ops64_9.dll"), "libcudnn_ops.so|9");
  EXPECT_EQ(parsed("NVCUDA.DLL"), "libcuda.so|");
  EXPECT_EQ(parsed("nvml.dll"), "libnvidia-ml.so|");
}

TEST(LibraryName, ReadsMacNames) {
  EXPECT_EQ(parsed("libcudart.dylib"), "libcudart.so|");
  EXPECT_EQ(parsed("@rpath/libcudart.12.dylib"), "libcudart.so|12");
}

TEST(LibraryName, RefusesWhatIsNoLibrary) {
  EXPECT_EQ(parsed("lib.dylib"), "none");
  EXPECT_EQ(parsed(""), "none");
  EXPECT_EQ(parsed("see libcuda.so.1 for details"), "none");
  EXPECT_EQ(parsed("lib.so"), "none");
  EXPECT_EQ(parsed("libx.sofa"), "none");
  EXPECT_EQ(parsed(".dll"), "none");
  EXPECT_EQ(parsed(std::string(5000, 'l')), "none");
}

}  // namespace
}  // namespace unwarp::scan
