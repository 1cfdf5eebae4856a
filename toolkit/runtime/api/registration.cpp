// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points that clang's host code calls before `main` for every translation unit with device code, and the one
// for a program's relocatable device code (toolkit/include/unwarp/relocatable.h).
#include "runtime/program.h"

namespace {

// What the compiler puts into section .nvFatBinSegment.
struct FatBinaryWrapper {
  unsigned magic;
  unsigned version;
  const void* image;
  void* reserved;
};

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void** __cudaRegisterFatBinary(const void* wrapper) {
  return uw::program().registerImage(static_cast<const FatBinaryWrapper*>(wrapper)->image);
}
void __cudaRegisterFatBinaryEnd(void** handle) {
  uw::program().finishImage(handle);
}
void __uwManagedVariables(void* begin, void* end) {
  uw::program().noteManagedSection(static_cast<char*>(begin), static_cast<char*>(end));
}
void __cudaUnregisterFatBinary(void**) {}

int __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*, void*, void*,
                           int*) {
  uw::program().registerKernel(handle, host, name);
  return 0;
}
void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t sizeBytes, int, int) {
  uw::program().registerVariable(handle, host, name, sizeBytes);
}
void __unwarpRegisterDeviceCode(const char* entries, const char* entriesEnd, const char* images,
                                const char* imagesEnd) {
  uw::program().registerLinked({entries, entriesEnd}, {images, imagesEnd});
}
char __cudaInitModule(void**) {
  return 1;
}

}  // extern "C"
#pragma GCC visibility pop
