// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device_printf.h"

#include <cstdio>
#include <cstring>
#include <string>

namespace uw {
namespace {

class PackedArguments {
 public:
  explicit PackedArguments(const void* start) : start_(static_cast<const char*>(start)) {}

  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, start_ + offset_, sizeof(T));
    offset_ += sizeof(T);
    ++count_;
    return value;
  }
  int32_t count() const { return count_; }

 private:
  const char* start_;
  size_t offset_ = 0;
  int32_t count_ = 0;
};

template <class T>
void append(std::string& out, const std::string& piece, T value) {
  char buffer[512];
  int size = std::snprintf(buffer, sizeof buffer, piece.c_str(), value);
  if (size < 0) return;
  if (static_cast<size_t>(size) < sizeof buffer) {
    out.append(buffer, static_cast<size_t>(size));
    return;
  }
  std::string large(static_cast<size_t>(size) + 1, '\0');
  std::snprintf(large.data(), large.size(), piece.c_str(), value);
  out.append(large.c_str());
}

// Reads one conversion after '%' and prints it. `piece` is the conversion with its stars filled in.
void convert(const char*& at, PackedArguments& arguments, std::string& out) {
  std::string piece = "%";
  for (; *at && std::strchr("-+ #0123456789.*", *at); ++at) {
    if (*at == '*') {
      piece += std::to_string(arguments.next<int32_t>());
    } else {
      piece += *at;
    }
  }
  std::string length;
  for (; *at && std::strchr("hljztL", *at); ++at) length += *at;
  bool wide = length.find_first_of("ljzt") != std::string::npos;
  char kind = *at ? *at++ : '\0';
  switch (kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (wide) return append(out, piece + "ll" + kind, arguments.next<long long>());
      return append(out, piece + (length == "h" || length == "hh" ? length : "") + kind, arguments.next<int>());
    case 'c':
      return append(out, piece + kind, arguments.next<int>());
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return append(out, piece + kind, arguments.next<double>());
    case 's': {
      const char* text = arguments.next<const char*>();
      return append(out, piece + kind, text ? text : "(null)");
    }
    case 'p':
      return append(out, piece + kind, arguments.next<void*>());
    case '%':
      out += '%';
      return;
    default:
      out += piece + length;
      if (kind) out += kind;
      return;
  }
}

}  // namespace

int32_t devicePrintf(const char* format, const void* packed) {
  if (!format) return -1;
  PackedArguments arguments(packed);
  std::string out;
  for (const char* at = format; *at;) {
    if (*at != '%') {
      out += *at++;
      continue;
    }
    ++at;
    convert(at, arguments, out);
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return arguments.count();
}

}  // namespace uw
