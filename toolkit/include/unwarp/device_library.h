// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C and C++ libraries give host code and CUDA gives device code too: printf, malloc, free, new, delete, assert.
#pragma once

#include "opaque.h"

#include <stddef.h>

extern "C" {
__device__ int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
__device__ void* malloc(size_t bytes);
__device__ void free(void* memory);
}

UW_DEVICE void* memset(void* to, int value, size_t bytes) {
  return __builtin_memset(to, value, bytes);
}
UW_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
UW_DEVICE void* memmove(void* to, const void* from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
UW_DEVICE int memcmp(const void* left, const void* right, size_t bytes) {
  auto* a = static_cast<const unsigned char*>(left);
  auto* b = static_cast<const unsigned char*>(right);
  for (size_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}
UW_DEVICE size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}
UW_DEVICE int strcmp(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return static_cast<int>(static_cast<unsigned char>(*a)) - static_cast<int>(static_cast<unsigned char>(*b));
}
UW_DEVICE char* strcpy(char* to, const char* from) {
  char* start = to;
  while ((*to++ = *from++) != 0) {
  }
  return start;
}

// Device `new` and `delete` come with clang's own <new>.

extern "C" __device__ __attribute__((noreturn)) inline void __assert_fail(const char* message, const char* file, unsigned line,
                                                                          const char* function) {
  __uw_assert_fail(message, file, line, function);
}

