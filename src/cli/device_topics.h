// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUs by the names people type: `gfx942`, `MI300X`, `h100`, `rtx 4090`, `Hopper`. Case does not matter, and the
// maker's series need not be said. Only whole words of the table's names count; what merely begins one is a candidate,
// since `gfx9` asked for as a whole could be six chips.
#pragma once

#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"

namespace unwarp::cli {

struct DeviceTopic {
  std::vector<const knowledge::Device*> named;  ///< devices that `topic` names
  std::vector<const knowledge::Device*> begun;  ///< without any: devices with a name that begins so
};

/// Target first, then full names, then words of names and architectures: the first kind that gives any decides.
DeviceTopic findDevices(const knowledge::Knowledge& knowledge, std::string_view topic);

}  // namespace unwarp::cli
