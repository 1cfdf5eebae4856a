// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the environment asks for, read once at the first use of the runtime. A variable with a value that is not known
// is an error: a run at the wrong width that looks like a right one is worse than none.
#pragma once

#include <cstdint>
#include <string>

namespace uw {

struct DeviceProfile {
  const char* target;  // gfx942 or sm_80
  const char* name;
  uint32_t width;
  uint32_t sharedKib;  // per block
  uint32_t memoryGb;
  bool lockstep;  // lanes of a warp have no progress of their own
  uint32_t major;
  uint32_t minor;
};

struct Settings {
  DeviceProfile profile{};
  uint32_t width = 32;
  uint32_t devices = 1;  // visible ones; 0 when CUDA_VISIBLE_DEVICES hides all
  uint32_t threads = 1;
  int tier = -1;  // -1: the best; 0, 1 or 3: forced where the kernel allows it
  bool poison = true;
  bool statsWanted = false;
  std::string statsFile;  // empty: last line of stderr; %p stands for the process id
  std::string cacheFolder;
  std::string dumpFolder;  // UNWARP_DUMP: the code of kernels as text; empty: not wanted
  std::string jitLibrary;
};

/// Ends the process with status 2 and a message when the environment holds an unknown value.
const Settings& settings();

/// Null when no profile has this name. Several boards may share a target: the first is meant.
const DeviceProfile* findProfile(const std::string& target);
std::string profileNames();

}  // namespace uw
