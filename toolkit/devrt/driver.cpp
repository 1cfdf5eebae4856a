// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcuda.a: Makefiles name the driver's library whether or not the program calls it. There is no driver API here, so
// nothing is in it but a symbol that makes it an archive, and a program that calls `cuInit` is refused by the linker,
// by name. An archive, because a shared library would be sought again when the program starts.
extern "C" {
extern const char unwarp_driver[];
const char unwarp_driver[] = "the driver API is not implemented";
}
