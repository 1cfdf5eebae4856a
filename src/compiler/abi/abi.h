// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between compiled kernels, the compiler that makes them and the runtime that calls them. Plain C structs,
// read by three parties: the lowering passes (src/compiler/simt) address their fields by offset, the runtime fills
// them, and the object loader finds entries by the names below. Raise `kAbiVersion` with every change: cached kernels
// of another version are then compiled anew.
#pragma once

#include <cstddef>
#include <cstdint>

namespace uw {

constexpr uint32_t kAbiVersion = 5;

// What a thread of a grid knows about itself. Tier T3 keeps one per fiber; T0 builds one per loop iteration in
// registers.
struct ThreadContext {
  uint32_t tid[3];
  uint32_t ctaid[3];
  uint32_t ntid[3];
  uint32_t nctaid[3];
  uint32_t width;   // lanes per warp
  uint32_t linear;  // linear thread number in the block, x fastest; lane = linear % width
  uint32_t dynamicSharedBytes;
  uint32_t carry;        // the flag of PTX's add.cc, kept between asm statements
  char* shared;          // the block's shared memory: static part first, dynamic part after it
  void* lane;            // the fiber that runs this thread; null in T0
  uint32_t sharedBytes;  // of all shared memory
  uint32_t observed;     // folds what the thread read of others since its last progress point
};

// Entry points. A kernel's object exports one or both of them:
//   T3: thread(arguments, context)           runs one thread, inside a fiber
//   T0: block(arguments, context)            runs all threads of one block; `tid` and `linear` of the context are not
//   read; `linear` is written when the request says `traced`
using ThreadEntry = void (*)(const void* arguments, ThreadContext* context);
constexpr const char* kThreadEntry = "uw_thread_entry";
constexpr const char* kBlockEntry = "uw_block_entry";

enum class Tier : uint32_t { loop = 0, fiber = 3 };

// Vote, shuffle, barrier and reduction codes that headers pass to the runtime.
enum ShuffleMode : uint32_t { kShuffleIndex, kShuffleUp, kShuffleDown, kShuffleXor };
enum VoteMode : uint32_t { kVoteAll, kVoteAny, kVoteUniform, kVoteBallot };
enum MatchMode : uint32_t { kMatchAny, kMatchAll };
enum BarrierMode : uint32_t { kBarrierPlain, kBarrierCount, kBarrierAnd, kBarrierOr };
enum ReduceMode : uint32_t {
  kReduceAdd,
  kReduceMin,
  kReduceMax,
  kReduceMinUnsigned,
  kReduceMaxUnsigned,
  kReduceAnd,
  kReduceOr,
  kReduceXor
};

// Headers mark `__managed__` variables with this annotation: device code uses the host's memory for them.
constexpr const char* kManagedAnnotation = "uw_managed";
// In place of a kernel's name: only the first values of managed variables, which the host needs before any launch.
constexpr const char* kManagedValues = "?managed";

// The compiler library's one function, opened on a cache miss. Strings are not terminated unless said.
struct JitModule {
  const char* bitcode;
  size_t size;
};
struct JitRequest {
  const JitModule* modules;  // more than one: relocatable device code, linked in this order
  size_t moduleCount;
  const char* kernel;  // mangled name; null: compile what all kernels share (globals, functions whose address is taken)
  uint32_t width;
  uint32_t blockDim[3];  // all 0: any
  Tier tier;
  bool lockstep;  // progress model
  bool traced;    // T0: `linear` of the caller's context says at all times which thread runs; slow, for crash reports
};
struct JitResult {
  char* entry;  // a cache entry (kernel_object.h); free with uw_jit_free
  size_t size;
  char* error;  // terminated text or null; free likewise
};
using JitCompile = void (*)(const JitRequest* request, JitResult* result);
using JitFree = void (*)(char* bytes);
constexpr const char* kJitCompile = "uw_jit_compile";
constexpr const char* kJitFree = "uw_jit_free";

}  // namespace uw
