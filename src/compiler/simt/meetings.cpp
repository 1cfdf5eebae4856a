// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the calls at which threads meet say (T1): the same that the runtime's functions of these names note in T3
// (toolkit/runtime/device_calls.cpp).
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

#include "compiler/simt/regions.h"

namespace unwarp::simt {
namespace {

using namespace llvm;
using uw::Wait;

// Places of a call's arguments by field; 0: none. The first two arguments are the context and the site's number.
struct Form {
  Wait kind;
  unsigned char places[uw::kMeetingFields];  // mask, value, operand, extent, mode
};

Form formOf(const CallInst& call) {
  return StringSwitch<Form>(call.getCalledFunction()->getName())
      .Case("uw_barrier", {Wait::barrier, {0, 4, 2, 3, 5}})
      .Case("uw_syncwarp", {Wait::syncwarp, {2}})
      .Case("uw_shuffle", {Wait::shuffle, {2, 3, 4, 5, 6}})
      .Case("uw_vote", {Wait::vote, {2, 3, 0, 0, 4}})
      .Case("uw_match", {Wait::match, {2, 3, 0, 0, 4}})
      .Case("uw_reduce", {Wait::reduce, {2, 3, 0, 0, 4}})
      .Case("uw_activemask", {Wait::activemask, {}})
      .Case("uw_converge", {Wait::converge, {}})
      .Default({Wait::ready, {}});
}

}  // namespace

Value* meetingArgument(const CallInst& call, uw::MeetingField field) {
  unsigned place = formOf(call).places[field];
  return place ? call.getArgOperand(place) : nullptr;
}

uw::RegionSite describeMeeting(const CallInst& call) {
  uw::RegionSite site{};
  site.kind = formOf(call).kind;
  if (site.kind == Wait::ready) return site;
  site.site = static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(1))->getZExtValue());
  for (uint32_t field = 0; field < uw::kMeetingFields; ++field) {
    Value* argument = meetingArgument(call, static_cast<uw::MeetingField>(field));
    auto* constant = dyn_cast_or_null<ConstantInt>(argument);
    if (argument && !constant) continue;
    site.constant |= 1u << field;
    site.fields[field] = constant ? constant->getZExtValue() : 0;
  }
  return site;
}

}  // namespace unwarp::simt
