// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact look-up of a name among ten thousand, made for misses: the lexer asks for every identifier of a tree and nearly
// all are unknown. A bitmap over (length, first characters, last character) turns most of them away before any hashing.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace unwarp::knowledge {

class NameIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  void reserve(std::size_t names) {
    std::size_t slots = 16;
    while (slots < names * 2) slots *= 2;
    slots_.assign(slots, Slot{});
  }
  /// Keeps the first value of a name.
  void add(std::string_view name, std::uint32_t value) {
    filter_[filterBit(name) / 64] |= 1ull << (filterBit(name) % 64);
    for (std::size_t i = hash(name) & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].value == none) {
        slots_[i] = {name, value};
        return;
      }
      if (slots_[i].name == name) return;
    }
  }
  std::uint32_t find(std::string_view name) const {
    if (name.empty() || slots_.empty()) return none;
    std::uint32_t bit = filterBit(name);
    if ((filter_[bit / 64] >> (bit % 64) & 1) == 0) return none;
    for (std::size_t i = hash(name) & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].value == none) return none;
      if (slots_[i].name == name) return slots_[i].value;
    }
  }

 private:
  struct Slot {
    std::string_view name;
    std::uint32_t value = none;
  };
  static std::uint32_t filterBit(std::string_view name) {
    auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(name[i])); };
    std::size_t n = name.size();
    std::uint32_t mix = byte(0) * 0x9e3779b1u ^ byte(n / 2) * 0x85ebca6bu ^ byte(n - 1) * 0xc2b2ae35u ^
                        static_cast<std::uint32_t>(n) * 0x27d4eb2fu ^ byte(n > 4 ? 4 : n - 1) * 0x165667b1u;
    return mix >> 14;  // 2^18 bits = 32 KiB: stays in the first-level cache
  }
  static std::uint64_t hash(std::string_view name) {
    std::uint64_t h = name.size() * 0x9e3779b97f4a7c15ull;
    std::size_t i = 0;
    for (; i + 8 <= name.size(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, name.data() + i, 8);
      h = (h ^ word) * 0xff51afd7ed558ccdull;
      h ^= h >> 32;
    }
    std::uint64_t tail = 0;
    std::memcpy(&tail, name.data() + i, name.size() - i);
    h = (h ^ tail) * 0xff51afd7ed558ccdull;
    return h ^ h >> 29;
  }

  std::array<std::uint64_t, (1u << 18) / 64> filter_{};
  std::vector<Slot> slots_;
};

}  // namespace unwarp::knowledge
