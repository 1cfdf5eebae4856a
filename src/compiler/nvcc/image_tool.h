// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fatbinary`, the step between the device pass and the host pass: it packs device bitcode into the image that the
// host object embeds. nvcc runs it in its own process; bin/fatbinary of the toolkit makes lines of --dryrun runnable.
#pragma once

#include <string>
#include <vector>

namespace unwarp::nvcc {

/// Arguments, as NVIDIA's fatbinary takes them where both have the same thing:
///   --create=IMAGE --image3=kind=bitcode|ptx|cubin|fatbin,sm=NN,file=FILE... --source=NAME
///   --device-c         the image is linked with the program's others before it is compiled
///   --symbols=FILE     write FILE, the host assembly that mirrors the device code's symbols (relocatable.h)
///   --text             write the image as text, for --ptx
/// or, after the host pass:
///   --stubs=OBJECT --unit=NAME    give launch functions of kernel templates names of this file's own (stubs.h)
///   --retain=OBJECT               keep the list of kernels when the linker drops unused sections (stubs.h)
/// Returns 0, or 1 after a message on stderr.
int runImageTool(const std::vector<std::string>& arguments);

/// A message as nvcc prints it; returns 1.
int complain(const std::string& message);

}  // namespace unwarp::nvcc
