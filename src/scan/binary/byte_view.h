// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds-checked look at untrusted bytes. Every binary reader goes through it, so that a lying offset gives
// "nothing" instead of a read outside the file. Values are assembled from single bytes: no alignment, no host order.
// Limits: 64-bit offsets; a view never outlives the bytes it looks at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace unwarp::scan {

/// A string_view with integer access in a chosen byte order.
class ByteView {
 public:
  explicit ByteView(std::string_view bytes, bool bigEndian = false) : bytes_(bytes), bigEndian_(bigEndian) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::string_view bytes() const { return bytes_; }
  bool bigEndian() const { return bigEndian_; }

  /// The unsigned integer of `width` (1, 2, 4, 8) bytes at `offset`; nothing when it does not fit.
  std::optional<std::uint64_t> integer(std::uint64_t offset, unsigned width) const {
    if (offset > bytes_.size() || bytes_.size() - offset < width) return std::nullopt;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
      const unsigned at = bigEndian_ ? i : width - 1 - i;
      value = value << 8 | static_cast<unsigned char>(bytes_[offset + at]);
    }
    return value;
  }

  /// The same, with 0 for what is outside: for fields whose header was already checked to fit.
  std::uint8_t u8(std::uint64_t offset) const { return static_cast<std::uint8_t>(integer(offset, 1).value_or(0)); }
  std::uint16_t u16(std::uint64_t offset) const { return static_cast<std::uint16_t>(integer(offset, 2).value_or(0)); }
  std::uint32_t u32(std::uint64_t offset) const { return static_cast<std::uint32_t>(integer(offset, 4).value_or(0)); }
  std::uint64_t u64(std::uint64_t offset) const { return integer(offset, 8).value_or(0); }

  /// `length` bytes at `offset`, cut where the file ends.
  std::string_view slice(std::uint64_t offset, std::uint64_t length) const {
    if (offset >= bytes_.size()) return {};
    return bytes_.substr(offset, std::min<std::uint64_t>(length, bytes_.size() - offset));
  }

  /// True when all of `length` bytes at `offset` are there.
  bool holds(std::uint64_t offset, std::uint64_t length) const {
    return offset <= bytes_.size() && length <= bytes_.size() - offset;
  }

  /// The NUL-terminated text at `offset`, without its NUL; empty when it does not end within `maxLength` bytes.
  std::string_view cString(std::uint64_t offset, std::uint64_t maxLength) const {
    const std::string_view window = slice(offset, maxLength);
    const std::size_t end = window.find('\0');
    return end == std::string_view::npos ? std::string_view{} : window.substr(0, end);
  }

 private:
  std::string_view bytes_;
  bool bigEndian_;
};

}  // namespace unwarp::scan
