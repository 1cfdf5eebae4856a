// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/region_run.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runtime/failure.h"
#include "runtime/meeting.h"

namespace uw {

void RegionMemory::fit(uint32_t threads, uint64_t frameBytes) {
  uint64_t wanted = (threads * frameBytes + 63) / 64 * 64;
  if (wanted > frameCapacity_) {
    frame_.reset(static_cast<char*>(std::aligned_alloc(64, wanted)));
    if (!frame_) reportBug("no memory for the local variables of a block");
    frameCapacity_ = wanted;
  }
  if (next.size() >= threads) return;
  next.resize(threads);
  results.resize(threads);
  for (auto& field : fields) field.resize(threads);
}

RegionRun::RegionRun(const BlockWork& work, RegionMemory& memory)
    : work_(work),
      memory_(memory),
      partThreads_(work.regionTable->warpOperations ? work.width : work.threads()),
      parts_(memory.parts) {
  uint32_t threads = work.threads();
  memory.fit(threads, work.regionTable->frameBytes);
  std::fill_n(memory.next.begin(), threads, 0u);
  parts_.clear();
  for (uint32_t first = 0; first < threads; first += partThreads_) {
    parts_.push_back({first, std::min(partThreads_, threads - first)});
  }
  std::copy_n(work.ctaid, 3, block_.ctaid);
  std::copy_n(work.ntid, 3, block_.ntid);
  std::copy_n(work.nctaid, 3, block_.nctaid);
  block_.width = work.width;
  block_.dynamicSharedBytes = work.dynamicSharedBytes;
  block_.sharedBytes = work.sharedBytes;
  block_.shared = work.shared;
  block_.frame = memory.frame();
  block_.frameBytes = threads * work.regionTable->frameBytes;
  call_.block = &block_;
  call_.frame = memory.frame();
  call_.next = memory.next.data();
  for (uint32_t i = 0; i < kMeetingFields; ++i) call_.fields[i] = memory.fields[i].data();
  call_.results = memory.results.data();
}

void RegionRun::resume(uint32_t first, uint32_t count) {
  call_.site = memory_.next[first];
  call_.first = first;
  call_.count = count;
  noteBlock(&block_);
  work_.region(work_.arguments, &call_);
}

uint64_t RegionRun::fieldOf(const RegionSite& site, MeetingField field, uint32_t thread) const {
  uint64_t value = (site.constant >> field & 1) != 0 ? site.fields[field] : memory_.fields[field][thread];
  return field == kMeetingMask && work_.width == 32 ? value & 0xffffffffu : value;
}

bool RegionRun::isUniform(const RegionSite& site, MeetingField field, const RegionPart& part) const {
  if ((site.constant >> field & 1) != 0) return true;
  return allEqual(&memory_.fields[field][part.first], part.count);
}

bool RegionRun::haveInCommon(uint32_t first, uint32_t count) const {
  uint32_t number = memory_.next[first];
  if (number == 0 || count < 2) return true;
  const RegionTable& table = *work_.regionTable;
  const char* begin = reinterpret_cast<const char*>(&table) + table.uniformsAt;
  const auto* slots = reinterpret_cast<const RegionSlot*>(begin) + site(number).firstUniform;
  for (uint32_t i = 0; i < site(number).uniforms; ++i) {
    const char* values = call_.frame + slots[i].offset * work_.threads() + first * slots[i].sizeBytes;
    // Each equals its neighbour.
    if (std::memcmp(values, values + slots[i].sizeBytes, (count - 1) * slots[i].sizeBytes) != 0) return false;
  }
  return true;
}

void RegionRun::describe(uint32_t thread, Lane& lane) const {
  uint32_t number = memory_.next[thread];
  if (number == 0) {
    lane.wait = Wait::exited;
    return;
  }
  const RegionSite& at = site(number);
  lane.wait = at.kind;
  lane.site = at.site;
  lane.mask = fieldOf(at, kMeetingMask, thread);
  lane.value = fieldOf(at, kMeetingValue, thread);
  lane.operand = fieldOf(at, kMeetingOperand, thread);
  lane.extent = fieldOf(at, kMeetingExtent, thread);
  lane.mode = static_cast<uint32_t>(fieldOf(at, kMeetingMode, thread));
}

// After a call: true when all that have not ended stand at one place in the same round of its loops, and those that
// have are the last ones.
bool RegionRun::standTogether(RegionPart& part) {
  const uint32_t* next = &memory_.next[part.first];
  uint32_t live = part.count;
  while (live > 0 && next[live - 1] == 0) --live;
  part.count = live;
  part.site = live > 0 ? next[0] : 0;
  return allEqual(next, live) && haveInCommon(part.first, live);
}

bool RegionRun::join() {
  uint32_t threads = work_.threads();
  for (RegionPart& part : parts_) {
    part.count = std::min(partThreads_, threads - part.first);
    part.arrived = false;
    if (!standTogether(part)) return false;
  }
  return true;
}

// Takes a part that stands together to its next meeting; false when its threads part.
bool RegionRun::goOn(RegionPart& part) {
  uint32_t from = memory_.next[part.first];
  uint32_t then = from == 0 ? work_.regionTable->then : site(from).then;
  resume(part.first, part.count);
  part.arrived = true;
  if (then == kSeveralSites) return standTogether(part);
  part.site = then;
  if (then == 0) part.count = 0;
  return true;
}

// Resolves a warp's operation for all its lanes at once.
bool RegionRun::meet(const RegionPart& part) {
  const RegionSite& at = site(part.site);
  if (!isUniform(at, kMeetingMask, part) || !isUniform(at, kMeetingMode, part)) return false;
  auto isConstant = [&](MeetingField field) { return (at.constant >> field & 1) != 0; };
  bool sameDistance = isConstant(kMeetingOperand) && isConstant(kMeetingExtent);
  uint64_t constant[2][64];
  auto array = [&](MeetingField field, uint64_t* filled) -> const uint64_t* {
    if (!isConstant(field)) return &memory_.fields[field][part.first];
    // Where the whole warp has one distance, only the first lane's is read.
    bool onlyFirst = sameDistance && part.count == work_.width && field != kMeetingValue;
    std::fill_n(filled, onlyFirst ? 1 : part.count, at.fields[field]);
    return filled;
  };
  WarpMeeting meeting{};
  meeting.kind = at.kind;
  meeting.mode = static_cast<uint32_t>(fieldOf(at, kMeetingMode, part.first));
  meeting.mask = fieldOf(at, kMeetingMask, part.first);
  meeting.count = part.count;
  meeting.width = work_.width;
  uint64_t values[64];
  if (at.kind == Wait::shuffle) {
    meeting.operand = array(kMeetingOperand, constant[0]);
    meeting.extent = array(kMeetingExtent, constant[1]);
    meeting.sameDistance = sameDistance;
  }
  bool hasValue =
      at.kind == Wait::shuffle || at.kind == Wait::vote || at.kind == Wait::match || at.kind == Wait::reduce;
  if (hasValue) meeting.value = array(kMeetingValue, values);
  meeting.result = &memory_.results[part.first];
  resolveMeeting(meeting, part.count == 64 ? ~uint64_t{0} : (uint64_t{1} << part.count) - 1);
  return true;
}

// Runs a part until it stands at a barrier or has ended; false when its threads part.
bool RegionRun::advance(RegionPart& part) {
  while (true) {
    if (!goOn(part)) return false;
    if (part.count == 0 || site(part.site).kind == Wait::barrier) return true;
    if (!meet(part)) return false;
  }
}

// All parts that have not ended stand at barriers: the block's barrier opens when they name the same one and nobody
// else. False when that takes a closer look.
bool RegionRun::passBarrier() {
  const RegionSite* first = nullptr;
  uint64_t votes = 0;
  uint64_t arrived = 0;
  for (const RegionPart& part : parts_) {
    if (part.count == 0) continue;
    const RegionSite& at = site(part.site);
    if (!first) first = &at;
    for (MeetingField field : {kMeetingOperand, kMeetingExtent, kMeetingMode}) {
      bool constant = (at.constant >> field & 1) != 0;
      if (!constant || at.fields[field] != first->fields[field]) return false;
    }
    if (at.fields[kMeetingExtent] != 0) return false;
    arrived += part.count;
    if (at.fields[kMeetingMode] == kBarrierPlain) continue;
    for (uint32_t i = 0; i < part.count; ++i) votes += fieldOf(at, kMeetingValue, part.first + i) != 0;
  }
  if (!first || first->fields[kMeetingMode] == kBarrierPlain) return true;
  uint64_t result = barrierResult(static_cast<uint32_t>(first->fields[kMeetingMode]), votes, arrived);
  for (const RegionPart& part : parts_) std::fill_n(&memory_.results[part.first], part.count, result);
  return true;
}

bool RegionRun::run() {
  while (true) {
    bool live = false;
    for (RegionPart& part : parts_) {
      if (part.count == 0) continue;
      if (!advance(part)) return false;
      live |= part.count != 0;
    }
    if (!live) return true;
    if (!passBarrier()) return false;
    for (RegionPart& part : parts_) part.arrived = false;
  }
}

}  // namespace uw
