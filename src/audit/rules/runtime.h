// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The detectors of group R that live in runtime_streams.cpp and runtime_memory.cpp. Private to the list in runtime.cpp.
#pragma once

#include "audit/rules/detector.h"

namespace unwarp::audit {

/// R04: work on the null stream beside a non-blocking stream; per-thread default streams.
void detectStreamOrder(const scan::SourceFacts& facts, Hits& hits);
/// R05: stream-ordered memory that changes streams.
void detectAsyncAllocator(const scan::SourceFacts& facts, Hits& hits);
/// R06: calls during capture and graph nodes that behave differently.
void detectCapture(const scan::SourceFacts& facts, Hits& hits);
/// R03: pointer attributes read as numbers or with fatal errors.
void detectPointerAttributes(const scan::SourceFacts& facts, Hits& hits);
/// R08: textures.
void detectTextures(const scan::SourceFacts& facts, Hits& hits);
/// R10: kernel argument structs whose layout can differ between host and device.
void detectArgumentStructs(const scan::SourceFacts& facts, Hits& hits);
/// R12: asynchronous copies from local pageable memory.
void detectPageableCopy(const scan::SourceFacts& facts, Hits& hits);

}  // namespace unwarp::audit
