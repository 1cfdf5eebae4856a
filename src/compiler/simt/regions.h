// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a kernel at its meetings (T1). A region is what one thread does from one meeting to the next: a function without
// waiting, so that the threads of a warp or block run through it in a plain loop. What a thread still needs behind a
// meeting lives in its frame.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <vector>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {

/// A value or local variable that outlives a meeting. In the frame, all threads' copies lie side by side.
struct FrameSlot {
  llvm::AllocaInst* variable = nullptr;  // in the kernel
  uint64_t offset = 0;                   // bytes per thread before it
  uint64_t sizeBytes = 0;
  bool inMemory = false;   // a local variable whose address is used: it stays in the frame while the thread runs
  bool isUniform = false;  // all threads that are at one place have the same
};

struct Meeting {
  llvm::CallInst* call = nullptr;
  llvm::BasicBlock* block = nullptr;  // holds only the call
  llvm::BasicBlock* after = nullptr;  // where threads go on
  std::vector<unsigned> live;         // slots whose values are needed there
};

class RegionCutter {
 public:
  explicit RegionCutter(llvm::Function& kernel) : kernel_(kernel) {}

  /// Prepares the kernel: afterwards no value but those in slots is used on both sides of a meeting.
  void prepare();
  const std::vector<Meeting>& meetings() const { return meetings_; }
  uint64_t frameBytes() const { return frameBytes_; }

  /// The region that begins behind meeting `site` (1 ...), or at the kernel's begin (0): a function of the kernel's
  /// parameters, the RegionCall, the thread's linear number and what `uniforms` lists that returns the next site.
  llvm::Function* cut(unsigned site);
  /// Of a region that was cut: the only site at which its threads can meet next (0: all end), when they get there in
  /// the same round of every loop; uw::kSeveralSites otherwise.
  uint32_t then(unsigned site) const { return then_.at(site); }
  /// Slots whose values a region gets as parameters, of the stored type.
  std::vector<const FrameSlot*> uniforms(unsigned site) const;

 private:
  struct End {
    llvm::CallInst* call;
    unsigned site;
  };
  std::vector<End> endAtMeetings(llvm::Function& region, llvm::ValueToValueMapTy& map);
  llvm::Function* copyFor(unsigned site, llvm::ValueToValueMapTy& map);
  void splitAtMeetings();
  void recomputeWhereCheap();
  void demoteLiveValues();
  void placeSlots();

  llvm::Function& kernel_;
  std::vector<Meeting> meetings_;
  std::vector<FrameSlot> slots_;
  llvm::AllocaInst* result_ = nullptr;  // what the last meeting gave
  uint64_t frameBytes_ = 0;
  llvm::DenseMap<unsigned, uint32_t> then_;
};

/// In memory, a truth value takes a byte.
llvm::Type* storedType(llvm::Type* type);

/// What the runtime has to know of a meeting: its kind, and what the call says with constants.
uw::RegionSite describeMeeting(const llvm::CallInst& call);
/// The argument of the call for a field; null when the operation has no such field.
llvm::Value* meetingArgument(const llvm::CallInst& call, uw::MeetingField field);

}  // namespace unwarp::simt
