// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What our nvcc embeds where NVIDIA's puts a fat binary: the device side of one translation unit as LLVM bitcode for
// nvptx64. The format has room for several architectures; nvcc makes one version (architecture.cpp says which) and the
// runtime takes the last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::abi {

struct ArchitectureImage {
  uint64_t architecture = 0;  // 80 for sm_80
  std::string bitcode;
};

struct DeviceImage {
  bool relocatable = false;  // -rdc=true: linked with the program's other relocatable images before it is compiled
  std::string source;        // file name as given on the command line
  std::vector<ArchitectureImage> images;
};

std::string encode(const DeviceImage& image);
/// The image as text, for nvcc's --ptx: a build keeps it like PTX and the runtime loads it like PTX. It holds no PTX
/// instructions, because a CPU runs device code from bitcode; its head says so.
std::string encodeText(const DeviceImage& image);
/// Reads both forms. Nothing when the bytes are no image of ours. `bytes` may be longer than the image: its length is
/// in its head, or it ends with the text.
std::optional<DeviceImage> decodeImage(std::string_view bytes);
/// Length in bytes of the image that starts here, or 0: a loaded section gives a pointer without a length.
uint64_t imageSize(const void* start);

}  // namespace unwarp::abi
