// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as it is written: every call appends to one std::string, nothing is kept but "does the next value need a comma".
// The caller keeps the structure right (a key before each value inside an object, every begin closed); what the writer
// guarantees is the spelling: escaped, valid UTF-8, shortest round-trip numbers without locale, no white space, the
// same bytes for the same calls.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace unwarp {

/// Appends JSON text to a string that outlives the writer.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void beginObject() { open('{'); }
  void endObject() { close('}'); }
  void beginArray() { open('['); }
  void endArray() { close(']'); }
  /// The name of the next value.
  void key(std::string_view name) {
    separate();
    quote(name);
    out_ += ':';
    needsComma_ = false;
  }

  void value(std::string_view text) {
    separate();
    quote(text);
  }
  /// Without this a string literal would convert to bool.
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth) { literal(truth ? "true" : "false"); }
  template <std::integral T>
  void value(T number) {
    if constexpr (std::signed_integral<T>)
      signedNumber(number);
    else
      unsignedNumber(number);
  }
  /// Not-a-number and infinities become null: JSON has no word for them.
  void value(double number);
  void null() { literal("null"); }

  /// key() and value() in one.
  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  /// A string member, null when the text is empty.
  void memberOrNull(std::string_view name, std::string_view text) {
    key(name);
    if (text.empty())
      null();
    else
      value(text);
  }
  /// A line break between two documents of a JSON Lines stream.
  void nextLine() {
    out_ += '\n';
    needsComma_ = false;
  }

 private:
  void separate() {
    if (needsComma_) out_ += ',';
    needsComma_ = true;
  }
  void open(char bracket) {
    separate();
    out_ += bracket;
    needsComma_ = false;
  }
  void close(char bracket) {
    out_ += bracket;
    needsComma_ = true;
  }
  void literal(std::string_view text) {
    separate();
    out_ += text;
  }
  void quote(std::string_view text);
  void quoteHard(std::string_view text);
  void signedNumber(std::int64_t number);
  void unsignedNumber(std::uint64_t number);

  std::string& out_;
  bool needsComma_ = false;
};

}  // namespace unwarp
