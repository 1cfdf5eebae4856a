// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX instructions that are known, by the part of the opcode before the first dot: how many operands they take,
// which modifiers they may carry (types are checked by their handlers) and who emits them. What is not in here is
// refused by name: nothing is guessed.
#include <llvm/ADT/StringRef.h>

#include "compiler/simt/ptx_emission.h"

namespace unwarp::simt::ptx {
namespace {

struct Row {
  std::string_view base;
  unsigned least;
  unsigned most;
  std::string_view modifiers;
  bool (*emit)(Emission&, const Instruction&);
};

#define UW_ROUNDINGS "rn rz rm rp "
#define UW_SPACES "global shared shared::cta shared::cluster local const "
#define UW_ORDER "weak volatile relaxed acquire release acq_rel sc seq_cst cta cluster gpu sys gl "
#define UW_COMPARE "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"
#define UW_CACHE                                                                                                    \
  "ca cg cs lu cv wb wt nc unified v2 v4 v8 noftz L1::evict_normal L1::evict_unchanged L1::evict_first "            \
  "L1::evict_last L1::no_allocate L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B " \
  "L2::256B "

const Row kRows[] = {
    {"add", 3, 3, UW_ROUNDINGS "ftz sat cc", emitAddSub},
    {"addc", 3, 3, "cc", emitAddSub},
    {"sub", 3, 3, UW_ROUNDINGS "ftz sat cc", emitAddSub},
    {"subc", 3, 3, "cc", emitAddSub},
    {"mul", 3, 3, UW_ROUNDINGS "ftz sat lo hi wide", emitMultiply},
    {"mul24", 3, 3, "lo hi", emitMultiply},
    {"mad", 4, 4, UW_ROUNDINGS "ftz sat lo hi wide cc", emitFma},
    {"mad24", 4, 4, "lo hi sat", emitFma},
    {"madc", 4, 4, "lo hi cc", emitFma},
    {"fma", 4, 4, UW_ROUNDINGS "ftz sat relu", emitFma},
    {"div", 3, 3, UW_ROUNDINGS "ftz approx full", emitDivide},
    {"rem", 3, 3, "", emitDivide},
    {"rcp", 2, 2, UW_ROUNDINGS "ftz approx", emitFunction},
    {"sqrt", 2, 2, UW_ROUNDINGS "ftz approx", emitFunction},
    {"rsqrt", 2, 2, "ftz approx", emitFunction},
    {"sin", 2, 2, "ftz approx", emitFunction},
    {"cos", 2, 2, "ftz approx", emitFunction},
    {"ex2", 2, 2, "ftz approx", emitFunction},
    {"lg2", 2, 2, "ftz approx", emitFunction},
    {"tanh", 2, 2, "approx", emitFunction},
    {"min", 3, 3, "ftz NaN xorsign abs relu", emitMinMax},
    {"max", 3, 3, "ftz NaN xorsign abs relu", emitMinMax},
    {"neg", 2, 2, "ftz", emitSign},
    {"abs", 2, 2, "ftz", emitSign},
    {"copysign", 3, 3, "", emitSign},
    {"and", 3, 3, "", emitLogic},
    {"or", 3, 3, "", emitLogic},
    {"xor", 3, 3, "", emitLogic},
    {"not", 2, 2, "", emitLogic},
    {"cnot", 2, 2, "", emitLogic},
    {"shl", 3, 3, "", emitShift},
    {"shr", 3, 3, "", emitShift},
    {"shf", 4, 4, "l r clamp wrap", emitFunnelShift},
    {"popc", 2, 2, "", emitCount},
    {"clz", 2, 2, "", emitCount},
    {"brev", 2, 2, "", emitCount},
    {"bfind", 2, 2, "shiftamt", emitCount},
    {"bfe", 4, 4, "", emitBitField},
    {"bfi", 5, 5, "", emitBitField},
    {"bmsk", 3, 3, "clamp wrap", emitBitField},
    {"lop3", 5, 5, "", emitLop3},
    {"prmt", 4, 4, "f4e b4e rc8 ecl ecr rc16", emitPermute},
    {"dp4a", 4, 4, "", emitDot},
    {"dp2a", 4, 4, "lo hi", emitDot},
    {"sad", 4, 4, "", emitSad},
    {"vadd", 3, 4, "sat add min max", emitVideo},
    {"vsub", 3, 4, "sat add min max", emitVideo},
    {"vabsdiff", 3, 4, "sat add min max", emitVideo},
    {"vmin", 3, 4, "sat add min max", emitVideo},
    {"vmax", 3, 4, "sat add min max", emitVideo},
    {"vshl", 3, 4, "clamp wrap sat add min max", emitVideo},
    {"vshr", 3, 4, "clamp wrap sat add min max", emitVideo},
    {"vadd2", 4, 4, "sat", emitVideo},
    {"vsub2", 4, 4, "sat", emitVideo},
    {"vavrg2", 4, 4, "sat", emitVideo},
    {"vabsdiff2", 4, 4, "sat add", emitVideo},
    {"vmin2", 4, 4, "sat", emitVideo},
    {"vmax2", 4, 4, "sat", emitVideo},
    {"vadd4", 4, 4, "sat", emitVideo},
    {"vsub4", 4, 4, "sat", emitVideo},
    {"vavrg4", 4, 4, "sat", emitVideo},
    {"vabsdiff4", 4, 4, "sat add", emitVideo},
    {"vmin4", 4, 4, "sat", emitVideo},
    {"vmax4", 4, 4, "sat", emitVideo},
    {"mov", 2, 2, "", emitMove},
    {"cvt", 2, 3, UW_ROUNDINGS "rna rni rzi rmi rpi ftz sat relu satfinite tf32", emitConvert},
    {"set", 3, 4, UW_COMPARE, emitCompare},
    {"setp", 3, 4, UW_COMPARE, emitCompare},
    {"selp", 4, 4, "", emitSelect},
    {"slct", 4, 4, "ftz", emitSelect},
    {"testp", 2, 2, "finite infinite number notanumber normal subnormal", emitTest},
    {"ld", 2, 3, UW_SPACES UW_ORDER UW_CACHE, emitLoad},
    {"ldu", 2, 2, UW_SPACES "v2 v4", emitLoad},
    {"st", 2, 3, UW_SPACES UW_ORDER UW_CACHE, emitStore},
    {"atom", 3, 5, UW_SPACES UW_ORDER "noftz and or xor cas exch add inc dec min max v2 v4 v8 L2::cache_hint",
     emitAtomic},
    {"red", 2, 3, UW_SPACES UW_ORDER "noftz and or xor add inc dec min max v2 v4 v8 L2::cache_hint", emitAtomic},
    {"membar", 0, 0, UW_ORDER, emitFence},
    {"fence", 0, 0,
     UW_ORDER "proxy alias async async.global async.shared::cta async::generic mbarrier_init global shared::cta "
              "shared::cluster sync_restrict::shared::cta::cluster sync_restrict::shared::cluster::cluster",
     emitFence},
    {"cp", 0, 5,
     "async ca cg shared shared::cta shared::cluster global commit_group wait_group wait_all read bulk bulk_group "
     "prefetch "
     "L2 mbarrier mbarrier::complete_tx::bytes arrive noinc L2::cache_hint L2::64B L2::128B L2::256B",
     emitAsyncCopy},
    {"mbarrier", 1, 4,
     "init inval arrive arrive_drop expect_tx complete_tx noComplete test_wait try_wait parity pending_count shared "
     "shared::cta shared::cluster release acquire relaxed cta cluster",
     emitMemoryBarrier},
    {"cvta", 2, 2, UW_SPACES "to", emitAddressWindow},
    {"isspacep", 2, 2, UW_SPACES, emitIsSpace},
    {"bar", 1, 4, "cta warp sync arrive red popc and or", emitBarrier},
    {"barrier", 0, 4, "cta warp sync red popc and or aligned cluster arrive wait relaxed release acquire", emitBarrier},
    {"vote", 2, 3, "sync all any uni ballot", emitVote},
    {"match", 3, 3, "any all sync", emitMatch},
    {"shfl", 4, 5, "sync up down bfly idx", emitShuffle},
    {"redux", 3, 3, "sync add min max and or xor", emitReduce},
    {"activemask", 1, 1, "", emitActiveMask},
    {"elect", 2, 2, "sync", emitElect},
    {"mapa", 3, 3, "shared::cluster", emitCluster},
    {"getctarank", 2, 2, "shared::cluster", emitCluster},
    {"bra", 1, 1, "uni", emitControl},
    {"trap", 0, 0, "", emitControl},
    {"exit", 0, 0, "", emitControl},
    {"nanosleep", 1, 1, "", emitControl},
    {"brkpt", 0, 0, "", emitNothing},
    {"pmevent", 1, 1, "mask", emitNothing},
    {"griddepcontrol", 0, 0, "wait launch_dependents", emitNothing},
    {"setmaxnreg", 1, 1, "inc dec sync aligned", emitNothing},
    {"prefetch", 1, 1, "global local L1 L2 L2::evict_last L2::evict_normal tensormap param const", emitNothing},
    {"prefetchu", 1, 1, "L1", emitNothing},
    {"discard", 2, 2, "global L2", emitNothing},
    {"applypriority", 2, 2, "global L2::evict_normal", emitNothing},
    {"createpolicy", 1, 5,
     "fractional range cvt L2 global L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged", emitPolicy},
};

#undef UW_ROUNDINGS
#undef UW_SPACES
#undef UW_ORDER
#undef UW_COMPARE
#undef UW_CACHE

bool isListed(std::string_view word, std::string_view list) {
  while (!list.empty()) {
    size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool modifiersKnown(const Instruction& instruction, const Row& row) {
  for (const std::string& modifier : instruction.modifiers) {
    Type type;
    if (!typeNamed(modifier, type) && !isListed(modifier, row.modifiers)) return false;
  }
  return true;
}

}  // namespace

bool emit(Emission& emission, const Instruction& instruction) {
  std::string refusal = "PTX instruction '" + shown(instruction.text) + "' is not supported";
  for (const Row& row : kRows) {
    if (row.base != instruction.base) continue;
    if (!modifiersKnown(instruction, row)) return emission.fail(refusal);
    if (instruction.count() < row.least || instruction.count() > row.most) {
      return emission.fail(refusal + " with " + std::to_string(instruction.count()) + " operands");
    }
    if (!instruction.problem.empty()) {
      return emission.fail(instruction.problem + " (in '" + shown(instruction.text) + "')");
    }
    emission.openGuard(instruction);
    if (!row.emit(emission, instruction)) return emission.fail(refusal);
    emission.closeGuard();
    if (!emission.error.empty()) emission.error += " (in '" + shown(instruction.text) + "')";
    return emission.error.empty();
  }
  return emission.fail(refusal);
}

}  // namespace unwarp::simt::ptx
