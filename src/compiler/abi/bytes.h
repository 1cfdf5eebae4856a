// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Little-endian records for the two file formats of the tool chain: the device image inside a program and the cache
// entry of a compiled kernel. A reader never trusts lengths: after the first bad one it is failed and yields zeros.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace unwarp::abi {

class ByteWriter {
 public:
  void number(uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  uint64_t number() {
    if (rest_.size() < 8) return fail(), 0;
    uint64_t value = 0;
    std::memcpy(&value, rest_.data(), 8);
    rest_.remove_prefix(8);
    return value;
  }
  std::string_view text() {
    uint64_t size = number();
    if (rest_.size() < size) return fail(), std::string_view();
    std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }
  /// A count of records that each take at least 8 bytes.
  uint64_t count() {
    uint64_t value = number();
    if (value > rest_.size() / 8) return fail(), 0;
    return value;
  }
  bool failed() const { return failed_; }

 private:
  void fail() {
    failed_ = true;
    rest_ = {};
  }
  std::string_view rest_;
  bool failed_ = false;
};

/// 64-bit FNV-1a with a final mix; names cache entries and detects torn ones. Not for adversaries.
inline uint64_t hashBytes(std::string_view bytes, uint64_t seed = 0xcbf29ce484222325ull) {
  uint64_t hash = seed;
  for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ull;
  hash ^= hash >> 32;
  hash *= 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

}  // namespace unwarp::abi
