// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory an address is in, and addresses of one memory only (Programming Guide, "Address Space Predicate / Conversion
// Functions"). A shared address is an offset from the block's shared memory, which fits in the 32 bits that inline PTX
// often keeps; all other memories are the host's and their addresses the generic ones.
#pragma once

#include "opaque.h"

extern "C" {
__device__ void* __uw_shared_base();
__device__ unsigned __uw_shared_bytes();
__device__ unsigned __uw_is_local(const void* address);
}

UW_DEVICE unsigned __isShared(const void* address) {
  unsigned long offset = reinterpret_cast<unsigned long>(address) - reinterpret_cast<unsigned long>(__uw_shared_base());
  return offset < __uw_shared_bytes() ? 1 : 0;
}
UW_DEVICE unsigned __isLocal(const void* address) { return __uw_is_local(address); }
UW_DEVICE unsigned __isGlobal(const void* address) { return !__isShared(address) && !__isLocal(address) ? 1 : 0; }

UW_DEVICE unsigned long __cvta_generic_to_shared(const void* address) {
  return reinterpret_cast<unsigned long>(address) - reinterpret_cast<unsigned long>(__uw_shared_base());
}
UW_DEVICE void* __cvta_shared_to_generic(unsigned long address) {
  return static_cast<char*>(__uw_shared_base()) + address;
}
UW_DEVICE unsigned long __cvta_generic_to_global(const void* address) { return reinterpret_cast<unsigned long>(address); }
UW_DEVICE unsigned long __cvta_generic_to_constant(const void* address) { return reinterpret_cast<unsigned long>(address); }
UW_DEVICE unsigned long __cvta_generic_to_local(const void* address) { return reinterpret_cast<unsigned long>(address); }
UW_DEVICE unsigned long __cvta_generic_to_grid_constant(const void* address) { return reinterpret_cast<unsigned long>(address); }
UW_DEVICE void* __cvta_global_to_generic(unsigned long address) { return reinterpret_cast<void*>(address); }
UW_DEVICE void* __cvta_constant_to_generic(unsigned long address) { return reinterpret_cast<void*>(address); }
UW_DEVICE void* __cvta_local_to_generic(unsigned long address) { return reinterpret_cast<void*>(address); }
UW_DEVICE void* __cvta_grid_constant_to_generic(unsigned long address) { return reinterpret_cast<void*>(address); }
