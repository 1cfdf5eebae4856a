// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/limits.h"

#include <algorithm>
#include <string_view>

#include "runtime/settings.h"

namespace uw {
namespace {

constexpr size_t kKib = 1024;

DeviceLimits ofSm(const DeviceProfile& profile) {
  DeviceLimits out;
  uint32_t capability = profile.major * 10 + profile.minor;
  out.sharedOptInBytes = profile.sharedKib * kKib;
  // From 8.0 on, the system keeps 1 KiB of each block's shared memory.
  out.sharedReservedBytes = capability >= 80 ? kKib : 0;
  out.processorSharedBytes = out.sharedOptInBytes + out.sharedReservedBytes;
  bool small = capability == 86 || capability == 89 || capability >= 120;
  if (small) out.processorThreads = 1536;
  if (capability == 75) out.processorThreads = 1024;
  if (capability == 75 || capability == 86) out.processorBlocks = 16;
  if (capability == 89 || capability >= 120) out.processorBlocks = 24;
  return out;
}

DeviceLimits ofGfx(const DeviceProfile& profile) {
  DeviceLimits out;
  out.blockDim[2] = 1024;
  out.gridDim[1] = out.gridDim[2] = 65536;
  out.sharedBytes = out.sharedOptInBytes = out.processorSharedBytes = profile.sharedKib * kKib;
  return out;
}

}  // namespace

const DeviceLimits& deviceLimits() {
  static const DeviceLimits limits = [] {
    const DeviceProfile& profile = settings().profile;
    bool gfx = std::string_view(profile.target).substr(0, 3) == "gfx";
    DeviceLimits out = gfx ? ofGfx(profile) : ofSm(profile);
    out.processors = settings().threads;
    return out;
  }();
  return limits;
}

uint32_t residentBlocks(uint32_t threads, size_t sharedBytes) {
  const DeviceLimits& limits = deviceLimits();
  uint32_t width = settings().width;
  if (threads == 0 || threads > limits.blockThreads) return 0;
  uint32_t byThreads = limits.processorThreads / ((threads + width - 1) / width * width);
  size_t taken = sharedBytes + limits.sharedReservedBytes;
  if (sharedBytes > limits.sharedOptInBytes) return 0;
  size_t byShared = taken ? limits.processorSharedBytes / taken : limits.processorBlocks;
  return static_cast<uint32_t>(std::min<size_t>({byThreads, limits.processorBlocks, byShared}));
}

}  // namespace uw
