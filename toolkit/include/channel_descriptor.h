// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaCreateChannelDesc<T>(): the channel format of an element type (CUDA Runtime API reference, "C++ API Routines").
#pragma once
#define __CHANNEL_DESCRIPTOR_H__  // public code asks whether this header was included

#include "cuda_runtime_api.h"

#ifdef __cplusplus

namespace uw_channel {

template <class T>
struct Kind {};
#define UW_CHANNEL_KIND(T, KIND)                                   \
  template <>                                                      \
  struct Kind<T> {                                                 \
    static constexpr cudaChannelFormatKind value = KIND;           \
  }
UW_CHANNEL_KIND(char, (char)-1 < 0 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned);
UW_CHANNEL_KIND(signed char, cudaChannelFormatKindSigned);
UW_CHANNEL_KIND(short, cudaChannelFormatKindSigned);
UW_CHANNEL_KIND(int, cudaChannelFormatKindSigned);
UW_CHANNEL_KIND(long, cudaChannelFormatKindSigned);
UW_CHANNEL_KIND(unsigned char, cudaChannelFormatKindUnsigned);
UW_CHANNEL_KIND(unsigned short, cudaChannelFormatKindUnsigned);
UW_CHANNEL_KIND(unsigned int, cudaChannelFormatKindUnsigned);
UW_CHANNEL_KIND(unsigned long, cudaChannelFormatKindUnsigned);
UW_CHANNEL_KIND(float, cudaChannelFormatKindFloat);
#undef UW_CHANNEL_KIND

template <class Component>
inline cudaChannelFormatDesc of(int components) {
  constexpr int bits = 8 * (int)sizeof(Component);
  return {bits, components > 1 ? bits : 0, components > 2 ? bits : 0, components > 3 ? bits : 0, Kind<Component>::value};
}

}  // namespace uw_channel

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
#define UW_CHANNEL(T, COMPONENT, COUNT)                            \
  template <>                                                      \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {        \
    return uw_channel::of<COMPONENT>(COUNT);                       \
  }
#define UW_CHANNELS(T, COMPONENT) \
  UW_CHANNEL(T##1, COMPONENT, 1)  \
  UW_CHANNEL(T##2, COMPONENT, 2)  \
  UW_CHANNEL(T##4, COMPONENT, 4)
UW_CHANNEL(char, char, 1)
UW_CHANNEL(signed char, signed char, 1)
UW_CHANNEL(unsigned char, unsigned char, 1)
UW_CHANNEL(short, short, 1)
UW_CHANNEL(unsigned short, unsigned short, 1)
UW_CHANNEL(int, int, 1)
UW_CHANNEL(unsigned int, unsigned int, 1)
UW_CHANNEL(float, float, 1)
UW_CHANNELS(char, signed char)
UW_CHANNELS(uchar, unsigned char)
UW_CHANNELS(short, short)
UW_CHANNELS(ushort, unsigned short)
UW_CHANNELS(int, int)
UW_CHANNELS(uint, unsigned int)
UW_CHANNELS(float, float)
#undef UW_CHANNELS
#undef UW_CHANNEL

static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }

#endif
