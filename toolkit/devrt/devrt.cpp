// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcudadevrt.a: build systems name it on every link. Relocatable device code is linked when a kernel is compiled, at
// run time, so there is nothing in it but a symbol that makes it an archive.
extern "C" {
extern const char unwarp_device_runtime[];
const char unwarp_device_runtime[] = "device code is linked at run time";
}
