// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by our nvcc into the host pass of every unit with relocatable device code (-rdc=true, -dc). Each unit adds
// its image to one section and clang adds the unit's kernels and variables to another (its offload entries); whichever
// linker makes the program or library joins them, so that no device link step is needed. One function, the same in all
// units, hands both sections to the runtime. The unit's device symbols are mirrored as host symbols (UW_DEVICE_SYMBOLS),
// which makes the host linker fetch archive members that only device code needs.
#pragma once

#if !defined(__CUDA_ARCH__) && defined(UW_DEVICE_IMAGE)
__asm__(".pushsection unwarp_device_images,\"aR\",@progbits\n.balign 16\n.incbin \"" UW_DEVICE_IMAGE
        "\"\n.balign 16\n.popsection\n.include \"" UW_DEVICE_SYMBOLS "\"\n");

extern "C" {
extern const char __start_llvm_offload_entries[] __attribute__((weak, visibility("hidden")));
extern const char __stop_llvm_offload_entries[] __attribute__((weak, visibility("hidden")));
extern const char __start_unwarp_device_images[] __attribute__((weak, visibility("hidden")));
extern const char __stop_unwarp_device_images[] __attribute__((weak, visibility("hidden")));
void __unwarpRegisterDeviceCode(const char* entries, const char* entriesEnd, const char* images, const char* imagesEnd);

// Every unit's list of constructors names it; the runtime takes the first call of a program or library.
__attribute__((weak, visibility("hidden"), constructor(101))) void __unwarp_register_device_code() {
  __unwarpRegisterDeviceCode(__start_llvm_offload_entries, __stop_llvm_offload_entries, __start_unwarp_device_images,
                             __stop_unwarp_device_images);
}
}
#undef UW_DEVICE_IMAGE
#undef UW_DEVICE_SYMBOLS
#endif
