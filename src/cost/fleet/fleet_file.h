// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fleet problem from a JSON file (docs/cost-money.md shows one), and plans as text. Port costs may be one number or
// three (P20, P50, P80); three make three scenarios.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost/fleet/fleet.h"

namespace unwarp::cost::fleet {

/// One problem, or three when some port cost has three figures. Errors name file, line, field and fix.
Result<std::vector<Problem>> readFleet(const std::string& file, std::string_view text);

std::string terminalText(const std::vector<Problem>& scenarios, const Robust& robust);
std::string jsonText(const std::vector<Problem>& scenarios, const Robust& robust);

}  // namespace unwarp::cost::fleet
