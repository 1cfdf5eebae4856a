// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/toml_text.h"

#include "base/text.h"

namespace unwarp {

// Byte b, 0x80 to 0xFF, travels as U+E000 + b, which UTF-8 writes as EE, 82 or 83, then b's low six bits.

std::optional<std::string> shieldToml(std::string_view text) {
  if (toValidUtf8(text) != text) return std::nullopt;
  std::string shielded;
  shielded.reserve(text.size());
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      shielded += c;
    } else {
      shielded += '\xEE';
      shielded += byte < 0xC0 ? '\x82' : '\x83';
      shielded += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return shielded;
}

std::string unshieldToml(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool shield = text.size() - i > 2 && text[i] == '\xEE' && (text[i + 1] == '\x82' || text[i + 1] == '\x83');
    if (!shield) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((text[i + 1] == '\x82' ? 0x80 : 0xC0) | (text[i + 2] & 0x3F));
    i += 2;
  }
  return plain;
}

}  // namespace unwarp
