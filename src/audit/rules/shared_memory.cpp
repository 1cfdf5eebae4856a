// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of static shared arrays. An array whose size is not known adds nothing, so that a sum is a lower bound; sums
// that overflow stay at the largest number.
#include "audit/rules/shared_memory.h"

#include <algorithm>
#include <optional>

#include "audit/rules/token_queries.h"

namespace unwarp::audit {

namespace {

using scan::noToken;
using scan::SharedArray;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// Size of a type spelled in `type`, or nothing: built-in types and CUDA vector types only.
std::optional<std::int64_t> sizeOfType(const SourceFacts& facts, TokenRange type) {
  static const std::map<std::string_view, std::int64_t> sizes{
      {"char", 1},        {"bool", 1},    {"int8_t", 1},   {"uint8_t", 1},  {"uchar", 1},    {"short", 2},
      {"half", 2},        {"__half", 2},  {"int16_t", 2},  {"uint16_t", 2}, {"ushort", 2},   {"__nv_bfloat16", 2},
      {"nv_bfloat16", 2}, {"half2", 4},   {"__half2", 4},  {"int", 4},      {"unsigned", 4}, {"uint", 4},
      {"float", 4},       {"int32_t", 4}, {"uint32_t", 4}, {"long", 8},     {"double", 8},   {"int64_t", 8},
      {"uint64_t", 8},    {"size_t", 8}};
  std::optional<std::int64_t> size;
  for (TokenIndex t = type.begin; t < type.end; ++t) {
    std::string_view word = facts.at(t);
    if (word == "*") return 8;
    auto known = sizes.find(word);
    if (known != sizes.end()) {
      if (!size || word != "int") size = known->second;  // `long int`, `unsigned char`, `short int`
      continue;
    }
    if (word.size() > 3 && word.back() >= '1' && word.back() <= '4') {
      auto base = sizes.find(word.substr(0, word.size() - 1));
      if (base != sizes.end()) size = base->second * (word.back() - '0');
    }
  }
  return size;
}

std::optional<std::int64_t> bytesOf(const SourceFacts& facts, const SharedArray& array) {
  auto bytes = sizeOfType(facts, array.type);
  for (TokenRange extent : array.extents) {
    auto count = constantOf(facts, extent);
    if (!bytes || !count || *count <= 0 || *count > (1 << 24)) return std::nullopt;
    if (__builtin_mul_overflow(*bytes, *count, &*bytes)) return std::nullopt;
  }
  return bytes;
}

}  // namespace

std::map<std::uint32_t, StaticShared> staticShared(const SourceFacts& facts) {
  std::map<std::uint32_t, StaticShared> sums;
  for (const SharedArray& array : facts.sharedArrays) {
    std::uint32_t function = facts.functionOf[array.nameToken];
    if (array.isExtern || function == noToken || !isLive(facts, array.nameToken)) continue;
    std::int64_t bytes = bytesOf(facts, array).value_or(0);
    StaticShared& sum = sums[function];
    if (__builtin_add_overflow(sum.total, bytes, &sum.total)) sum.total = INT64_MAX;
    if (bytes > sum.largest) {
      sum.largest = bytes;
      sum.token = array.nameToken;
    }
  }
  return sums;
}

std::int64_t largestStaticSharedBytes(const SourceFacts& facts) {
  std::int64_t largest = 0;
  for (const auto& [function, sum] : staticShared(facts)) largest = std::max(largest, sum.total);
  return largest;
}

}  // namespace unwarp::audit
