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

constexpr uint32_t kAbiVersion = 9;

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
  char* frame;           // T1: where local variables of the block's threads live, which is no stack
  uint64_t frameBytes;   // of all threads
};

// Entry points. A kernel's object exports one or both of them:
//   T3: thread(arguments, context)           runs one thread, inside a fiber
//   T1: region(arguments, call)              runs threads from one meeting to the next (RegionCall)
//   T0: block(arguments, context)            runs all threads of one block; `tid` and `linear` of the context are not
//   read
using ThreadEntry = void (*)(const void* arguments, ThreadContext* context);
constexpr const char* kThreadEntry = "uw_thread_entry";
constexpr const char* kBlockEntry = "uw_block_entry";
constexpr const char* kRegionEntry = "uw_region_entry";
constexpr const char* kRegionTable = "uw_region_table";

enum class Tier : uint32_t { loop = 0, region = 1, fiber = 3 };

// What a thread waits for.
enum class Wait : uint8_t {
  ready,
  yielded,
  syncwarp,
  shuffle,
  vote,
  match,
  reduce,
  activemask,
  converge,
  loopExit,
  barrier,
  gridSync,
  exited
};

// What a thread says when it arrives at a meeting.
enum MeetingField : uint32_t {
  kMeetingMask,
  kMeetingValue,
  kMeetingOperand,
  kMeetingExtent,
  kMeetingMode,
  kMeetingFields
};

// One meeting of a kernel in T1. Site 0 is the kernel's begin, and as a next site its end; `kRegionTable` holds the
// others in the order of the source, from site 1.
struct RegionSite {
  Wait kind;
  uint32_t site;      // the number that T3 gives the same meeting
  uint32_t constant;  // bit per MeetingField: it is in `fields`, and not among the threads' own
  uint64_t fields[kMeetingFields];
  uint32_t firstUniform;  // values that a call takes from its first thread for all
  uint32_t uniforms;
  uint32_t then;  // where threads that go on together from here stand together next; kSeveralSites: that is to be seen
};
constexpr uint32_t kSeveralSites = ~0u;
// A value in the frame: an array with an element for each thread begins at `offset` times the number of threads.
struct RegionSlot {
  uint64_t offset;
  uint64_t sizeBytes;
};
struct RegionTable {
  uint64_t frameBytes;  // for each thread, of values that live across meetings
  uint64_t uniformsAt;  // bytes from here to an array of RegionSlot
  uint32_t sites;
  uint32_t warpOperations;  // not 0: there are meetings of a warp, so that warps run one after the other
  uint32_t then;            // of the kernel's begin
  RegionSite site[1];
};

// One call of a region: `count` threads from `first` on, in ascending order, go on from `site` to their next meetings.
// Arrays have one element for each thread of the block.
struct RegionCall {
  const ThreadContext* block;        // `tid` and `linear` are not read
  char* frame;                       // values that live across meetings: all of one value side by side
  uint32_t* next;                    // out: the site at which a thread waits; 0: it has ended
  uint64_t* fields[kMeetingFields];  // out
  const uint64_t* results;           // what the meetings gave
  uint32_t site;
  uint32_t first;
  uint32_t count;
};
using RegionEntry = void (*)(const void* arguments, const RegionCall* call);

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
  bool lockstep;           // progress model
  const char* dumpFolder;  // where to leave the code as text; null: nowhere
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
