// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX barriers in memory (mbarrier) and the bulk copies that report to them. The 64-bit object is opaque in PTX; the
// runtime knows its layout (toolkit/runtime/mbarrier.h) and only its highest bit, the phase, is read here. A bulk copy
// is done at once and then counts its bytes as arrived.
#include <llvm/IR/Constants.h>

#include "compiler/simt/ptx_emission.h"

namespace unwarp::simt::ptx {

using namespace llvm;

namespace {

Space spaceNamed(std::string_view word) {
  return word.substr(0, 6) == "shared" ? Space::shared : Space::generic;
}

Space barrierSpace(const Instruction& i) {
  return i.has("shared") || i.has("shared::cta") || i.has("shared::cluster") ? Space::shared : Space::generic;
}

// Takes `count` arrivals off the barrier and adds to its transaction count; gives the state before.
Value* arrive(Emission& e, Value* barrier, Value* count, Value* transactions, bool drop) {
  IRBuilder<>& b = e.builder;
  return e.call("__uw_mbarrier_arrive", b.getInt64Ty(), {barrier, count, transactions, b.getInt32(drop)});
}

bool emitArrive(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.count() < 2) return false;
  Value* barrier = e.pointer(i.operands[1], barrierSpace(i));
  Value* number = i.count() > 2 ? e.bits(i.operands[2], 32) : b.getInt32(1);
  bool drop = i.has("arrive_drop");
  bool expects = i.has("expect_tx");
  if (expects && i.count() != 3) return false;
  Value* state = arrive(e, barrier, expects ? b.getInt32(1) : number, expects ? number : b.getInt32(0), drop);
  e.writeBits(i.operands[0], state);
  return true;
}

bool emitWait(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.count() < 3) return false;
  Value* barrier = e.pointer(i.operands[1], barrierSpace(i));
  Value* phase = i.has("parity") ? b.CreateAnd(e.bits(i.operands[2], 32), 1)
                                 : b.CreateTrunc(b.CreateLShr(e.bits(i.operands[2], 64), 63), b.getInt32Ty());
  Value* done = e.call("__uw_mbarrier_test", b.getInt32Ty(), {barrier, phase});
  e.writeBits(i.operands[0], b.CreateICmpNE(done, b.getInt32(0)));
  return true;
}

}  // namespace

bool emitMemoryBarrier(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.has("arrive") || i.has("arrive_drop")) return emitArrive(e, i);
  if (i.has("test_wait") || i.has("try_wait")) return emitWait(e, i);
  if (i.has("pending_count")) {
    Value* pending = e.call("__uw_mbarrier_pending", b.getInt32Ty(), {e.bits(i.operands[1], 64)});
    e.writeBits(i.operands[0], pending);
    return true;
  }
  Value* barrier = e.pointer(i.operands[0], barrierSpace(i));
  if (i.has("inval")) return i.count() == 1;
  if (i.count() != 2) return false;
  Value* number = e.bits(i.operands[1], 32);
  if (i.has("init")) {
    e.call("__uw_mbarrier_init", b.getVoidTy(), {barrier, number});
    return true;
  }
  if (!i.has("expect_tx") && !i.has("complete_tx")) return false;
  arrive(e, barrier, b.getInt32(0), i.has("expect_tx") ? number : b.CreateNeg(number), false);
  return true;
}

// cp.async.mbarrier.arrive: the copies before it are done, so `.noinc` is an arrival now; without it the arrival that
// the instruction adds cancels itself.
bool emitCopyArrival(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.count() != 1 || !i.has("arrive")) return false;
  Value* barrier = e.pointer(i.operands[0], barrierSpace(i));
  if (i.has("noinc")) arrive(e, barrier, b.getInt32(1), b.getInt32(0), false);
  return true;
}

bool emitBulkCopy(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.has("commit_group") || i.has("wait_group") || i.has("prefetch")) return true;
  bool reports = i.has("mbarrier::complete_tx::bytes");
  size_t needed = 3 + (reports ? 1 : 0) + (i.has("L2::cache_hint") ? 1 : 0);
  if (i.count() != needed || i.modifiers.size() < 4 || (!reports && !i.has("bulk_group"))) return false;
  Value* target = e.pointer(i.operands[0], spaceNamed(i.modifiers[2]));
  Value* source = e.pointer(i.operands[1], spaceNamed(i.modifiers[3]));
  Value* size = e.bits(i.operands[2], 32);
  b.CreateMemCpy(target, Align(16), source, Align(16), b.CreateZExt(size, b.getInt64Ty()));
  if (reports) arrive(e, e.pointer(i.operands[3], Space::shared), b.getInt32(0), b.CreateNeg(size), false);
  return true;
}

}  // namespace unwarp::simt::ptx
