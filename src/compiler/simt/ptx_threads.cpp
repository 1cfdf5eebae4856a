// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX by which threads meet or learn who they are. Masks and masks of lanes have 32 bits in PTX at any width: a
// constant with all bits set means the whole warp, results keep the low 32 lanes. A shuffle's 5-bit lane numbers move
// data inside 32 lanes; at 64 lanes each half of the warp shuffles for itself, because the text cannot name more.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/abi/abi.h"
#include "compiler/simt/ptx_emission.h"

namespace unwarp::simt::ptx {

using namespace llvm;

namespace {

// The 64-bit mask of a `_sync` operation; 0 stands for the lanes that are converged.
Value* maskOf(Emission& e, const Operand& operand) {
  IRBuilder<>& b = e.builder;
  Value* mask = e.bits(operand, 32);
  Value* constant = b.CreateUnaryIntrinsic(Intrinsic::is_constant, mask);
  Value* whole = b.CreateAnd(constant, b.CreateICmpEQ(mask, b.getInt32(~0u)));
  return e.select(whole, b.getInt64(~0ull), b.CreateZExt(mask, b.getInt64Ty()));
}

Value* vote(Emission& e, Value* mask, Value* predicate, uw::VoteMode mode) {
  IRBuilder<>& b = e.builder;
  return e.call("__uw_vote", b.getInt64Ty(), {mask, b.CreateZExt(predicate, b.getInt32Ty()), b.getInt32(mode)});
}

Value* barrier(Emission& e, Value* id, Value* threads, Value* predicate, uw::BarrierMode mode) {
  return e.call("__uw_barrier", e.builder.getInt32Ty(), {id, threads, predicate, e.builder.getInt32(mode)});
}

// Ids above those that PTX can name.
constexpr uint32_t kClusterBarrier = 16;

bool emitBarrierReduction(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.count() < 3) return false;
  Value* predicate = b.CreateZExt(e.predicate(i.operands.back()), b.getInt32Ty());
  Value* threads = i.count() == 4 ? e.bits(i.operands[2], 32) : b.getInt32(0);
  uw::BarrierMode mode = i.has("popc") ? uw::kBarrierCount : i.has("and") ? uw::kBarrierAnd : uw::kBarrierOr;
  Value* result = barrier(e, e.bits(i.operands[1], 32), threads, predicate, mode);
  e.writeBits(i.operands[0], i.has("popc") ? result : b.CreateICmpNE(result, b.getInt32(0)));
  return true;
}

Value* laneMask(Emission& e, StringRef which) {
  IRBuilder<>& b = e.builder;
  Value* one = b.CreateShl(b.getInt64(1), b.CreateZExt(e.lane(), b.getInt64Ty()));
  Value* below = b.CreateSub(one, b.getInt64(1));
  Value* mask = StringSwitch<Value*>(which)
                    .Case("eq", one)
                    .Case("lt", below)
                    .Case("le", b.CreateOr(below, one))
                    .Case("ge", b.CreateNot(below))
                    .Case("gt", b.CreateNot(b.CreateOr(below, one)))
                    .Default(nullptr);
  if (!mask) return nullptr;
  // Lanes of the warp only: at width 32 the high half is cut anyway.
  return b.CreateTrunc(mask, b.getInt32Ty());
}

Value* warpCount(Emission& e) {
  IRBuilder<>& b = e.builder;
  Value* threads = b.CreateMul(b.CreateMul(e.call32("__uw_ntid_x"), e.call32("__uw_ntid_y")), e.call32("__uw_ntid_z"));
  Value* width = e.call32("__uw_width");
  return b.CreateUDiv(b.CreateAdd(threads, b.CreateSub(width, b.getInt32(1))), width);
}

// tid, ntid, ctaid and nctaid with their axes. A cluster is one block here, so its registers follow from the block's.
Value* axisRegister(Emission& e, StringRef name) {
  auto [base, axis] = name.rsplit('.');
  if (axis != "x" && axis != "y" && axis != "z") return nullptr;
  IRBuilder<>& b = e.builder;
  if (base == "cluster_ctaid") return b.getInt32(0);
  if (base == "cluster_nctaid") return b.getInt32(1);
  base = StringSwitch<StringRef>(base).Case("clusterid", "ctaid").Case("nclusterid", "nctaid").Default(base);
  if (base != "tid" && base != "ntid" && base != "ctaid" && base != "nctaid") return nullptr;
  return e.call32(("__uw_" + base + "_" + axis).str());
}

}  // namespace

Value* specialRegister(Emission& e, StringRef name) {
  IRBuilder<>& b = e.builder;
  if (name == "WARP_SZ") return e.call32("__uw_width");
  if (!name.consume_front("%")) return nullptr;
  if (Value* axis = axisRegister(e, name)) return axis;
  if (name.consume_front("lanemask_")) return laneMask(e, name);
  if (name == "laneid") return e.lane();
  if (name == "warpid") return b.CreateUDiv(e.call32("__uw_linear"), e.call32("__uw_width"));
  if (name == "nwarpid") return warpCount(e);
  if (name == "smid") return e.call32("__uw_smid");
  if (name == "nsmid") return e.call32("__uw_nsmid");
  if (name == "clock" || name == "clock64") return e.call64("__uw_clock");
  if (name == "clock_hi") return b.CreateLShr(e.call64("__uw_clock"), 32);
  if (name == "globaltimer" || name == "globaltimer_lo") return e.call64("__uw_globaltimer");
  if (name == "globaltimer_hi") return b.CreateLShr(e.call64("__uw_globaltimer"), 32);
  if (name == "dynamic_smem_size") return e.call32("__uw_dynamic_shared_bytes");
  if (name == "total_smem_size") return e.call32("__uw_shared_bytes");
  if (name == "cluster_ctarank" || name == "is_explicit_cluster") return b.getInt32(0);
  if (name == "cluster_nctarank") return b.getInt32(1);
  return nullptr;
}

bool emitBarrier(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.has("cluster")) {
    if (i.count() != 0) return false;
    // With one block per cluster all arrivals are known at the wait.
    if (i.has("wait")) barrier(e, b.getInt32(kClusterBarrier), b.getInt32(0), b.getInt32(0), uw::kBarrierPlain);
    return i.has("wait") || i.has("arrive");
  }
  if (i.count() == 0) return false;
  if (i.has("warp")) {
    e.call("__uw_syncwarp", b.getVoidTy(), {maskOf(e, i.operands[0])});
    return i.has("sync") && i.count() == 1;
  }
  if (i.has("red")) return emitBarrierReduction(e, i);
  if (i.count() > 2 || !(i.has("sync") || i.has("arrive"))) return false;
  Value* id = e.bits(i.operands[0], 32);
  Value* threads = i.count() == 2 ? e.bits(i.operands[1], 32) : b.getInt32(0);
  if (i.has("sync")) {
    barrier(e, id, threads, b.getInt32(0), uw::kBarrierPlain);
    return true;
  }
  if (i.count() != 2) return false;
  e.call("__uw_barrier_arrive", b.getVoidTy(), {id, threads});
  return true;
}

bool emitVote(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.has("sync") != (i.count() == 3)) return false;
  Value* mask = i.count() == 3 ? maskOf(e, i.operands[2]) : b.getInt64(0);
  Value* predicate = e.predicate(i.operands[1]);
  if (i.has("ballot")) {
    e.writeBits(i.operands[0], b.CreateTrunc(vote(e, mask, predicate, uw::kVoteBallot), b.getInt32Ty()));
    return true;
  }
  uw::VoteMode mode = i.has("all") ? uw::kVoteAll : i.has("any") ? uw::kVoteAny : uw::kVoteUniform;
  if (mode == uw::kVoteUniform && !i.has("uni")) return false;
  e.writeBits(i.operands[0], b.CreateICmpNE(vote(e, mask, predicate, mode), b.getInt64(0)));
  return true;
}

bool emitMatch(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.types.size() != 1 || i.types[0].bits < 32 || i.has("any") == i.has("all")) return false;
  Value* value = b.CreateZExt(e.bits(i.operands[1], i.types[0].bits), b.getInt64Ty());
  Value* mode = b.getInt32(i.has("any") ? uw::kMatchAny : uw::kMatchAll);
  Value* lanes = e.call("__uw_match", b.getInt64Ty(), {maskOf(e, i.operands[2]), value, mode});
  e.writePair(i.operands[0], b.CreateTrunc(lanes, b.getInt32Ty()), b.CreateICmpNE(lanes, b.getInt64(0)));
  return true;
}

// The source lane as PTX computes it: c holds the clamp value in bits 0-4 and the segment mask in bits 8-12.
bool emitShuffle(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.has("sync") != (i.count() == 5) || i.types.size() != 1 || i.types[0].registerBits() != 32) return false;
  Value* mask = i.count() == 5 ? maskOf(e, i.operands[4]) : b.getInt64(0);
  Value* distance = b.CreateAnd(e.bits(i.operands[2], 32), 31);
  Value* control = e.bits(i.operands[3], 32);
  Value* clampTo = b.CreateAnd(control, 31);
  Value* segment = b.CreateAnd(b.CreateLShr(control, 8), 31);
  Value* inside = b.CreateNot(segment);
  Value* whole = e.lane();
  Value* lane = b.CreateAnd(whole, 31);
  Value* first = b.CreateAnd(lane, segment);
  Value* last = b.CreateOr(first, b.CreateAnd(clampTo, inside));
  Value* source = nullptr;
  Value* valid = nullptr;
  if (i.has("up")) {
    source = b.CreateSub(lane, distance);
    valid = b.CreateICmpSGE(source, last);
  } else {
    if (i.has("down")) source = b.CreateAdd(lane, distance);
    if (i.has("bfly")) source = b.CreateXor(lane, distance);
    if (i.has("idx")) source = b.CreateOr(first, b.CreateAnd(distance, inside));
    if (!source) return false;
    valid = b.CreateICmpSLE(source, last);
  }
  source = b.CreateAdd(e.select(valid, source, lane), b.CreateSub(whole, lane));
  Value* value = b.CreateZExt(e.bits(i.operands[1], 32), b.getInt64Ty());
  Value* result =
      e.call("__uw_shuffle", b.getInt64Ty(), {mask, value, source, b.getInt32(0), b.getInt32(uw::kShuffleIndex)});
  e.writePair(i.operands[0], b.CreateTrunc(result, b.getInt32Ty()), valid);
  return true;
}

bool emitReduce(Emission& e, const Instruction& i) {
  if (i.types.size() != 1 || i.types[0].isFloat() || i.types[0].bits != 32 || !i.has("sync")) return false;
  bool isSigned = i.types[0].isSigned();
  IRBuilder<>& b = e.builder;
  uint32_t mode = uw::kReduceAdd;
  if (i.has("min")) mode = isSigned ? uw::kReduceMin : uw::kReduceMinUnsigned;
  if (i.has("max")) mode = isSigned ? uw::kReduceMax : uw::kReduceMaxUnsigned;
  if (i.has("and")) mode = uw::kReduceAnd;
  if (i.has("or")) mode = uw::kReduceOr;
  if (i.has("xor")) mode = uw::kReduceXor;
  Value* mask = maskOf(e, i.operands[2]);
  Value* value = e.bits(i.operands[1], 32);
  e.writeBits(i.operands[0], e.call("__uw_reduce", b.getInt32Ty(), {mask, value, b.getInt32(mode)}));
  return true;
}

bool emitActiveMask(Emission& e, const Instruction& i) {
  e.writeBits(i.operands[0], e.builder.CreateTrunc(e.call64("__uw_activemask"), e.builder.getInt32Ty()));
  return true;
}

// The lowest lane that takes part is elected.
bool emitElect(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  Value* lanes = vote(e, maskOf(e, i.operands[1]), b.getTrue(), uw::kVoteBallot);
  Value* first = b.CreateTrunc(b.CreateBinaryIntrinsic(Intrinsic::cttz, lanes, b.getFalse()), b.getInt32Ty());
  e.writePair(i.operands[0], first, b.CreateICmpEQ(first, e.lane()));
  return i.has("sync");
}

// A cluster is one block: every address is the block's own, every rank 0.
bool emitCluster(Emission& e, const Instruction& i) {
  if (i.types.size() != 1) return false;
  unsigned bits = i.types[0].bits;
  if (i.base == "getctarank") {
    e.writeBits(i.operands[0], e.builder.getInt32(0));
    return true;
  }
  if (i.count() != 3) return false;
  e.writeBits(i.operands[0], e.bits(i.operands[1], bits));
  return true;
}

bool emitControl(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.base == "bra") {
    if (i.operands[0].kind != Operand::Kind::name) return false;
    e.branch(i.operands[0].name);
  } else if (i.base == "nanosleep") {
    e.call("__uw_nanosleep", b.getVoidTy(), {e.bits(i.operands[0], 32)});
  } else {
    e.call(i.base == "trap" ? "__uw_trap" : "__uw_exit", b.getVoidTy(), {});
    e.endBlock();
  }
  return true;
}

bool emitNothing(Emission&, const Instruction&) {
  return true;
}

bool emitPolicy(Emission& e, const Instruction& i) {
  e.writeBits(i.operands[0], e.builder.getInt64(0));
  return true;
}

}  // namespace unwarp::simt::ptx
