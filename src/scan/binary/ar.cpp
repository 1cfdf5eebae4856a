// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over 60-byte member headers. A size field that is no number, or that points outside, ends the walk with a
// problem: there is no way to find the next header then.
// Limits: at most one million members.
#include "scan/binary/ar.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::scan {
namespace {

constexpr std::string_view ordinaryMagic = "!<arch>\n";
constexpr std::string_view thinMagic = "!<thin>\n";
constexpr std::size_t headerBytes = 60;
constexpr std::size_t maxMembers = 1'000'000;

/// `name/`, `/17` (offset into the name table), `#1/20` (BSD: the name comes first in the data).
std::string_view memberName(std::string_view field, std::string_view longNames, std::string_view& data) {
  field = trim(field);
  if (field.starts_with("#1/")) {
    const auto length = parseDecimal(field.substr(3));
    if (!length || *length < 0 || static_cast<std::size_t>(*length) > data.size()) return field;
    std::string_view name = data.substr(0, static_cast<std::size_t>(*length));
    data.remove_prefix(name.size());
    return name.substr(0, name.find('\0'));
  }
  if (field.size() > 1 && field[0] == '/') {
    const auto offset = parseDecimal(field.substr(1));
    if (!offset || *offset < 0 || static_cast<std::size_t>(*offset) >= longNames.size()) return field;
    const std::string_view rest = longNames.substr(static_cast<std::size_t>(*offset), 4096);
    std::string_view name = rest.substr(0, rest.find('\n'));
    if (name.ends_with('/')) name.remove_suffix(1);
    return name;
  }
  if (field.ends_with('/')) field.remove_suffix(1);
  return field;
}

bool isSymbolTable(std::string_view field) {
  field = trim(field);
  return field == "/" || field == "/SYM64/" || field.starts_with("__.SYMDEF");
}

}  // namespace

bool isAr(std::string_view bytes) {
  return bytes.starts_with(ordinaryMagic) || bytes.starts_with(thinMagic);
}

std::vector<ArMember> readAr(std::string_view bytes, std::vector<std::string>& problems) {
  std::vector<ArMember> members;
  if (bytes.starts_with(thinMagic)) {
    problems.emplace_back("thin archive: its members lie outside and are not followed");
    return members;
  }
  std::string_view longNames;
  std::size_t at = ordinaryMagic.size();
  while (at < bytes.size()) {
    if (bytes.size() - at < headerBytes || bytes.substr(at + 58, 2) != "`\n") {
      problems.emplace_back("damaged member header; the rest of the archive is not read");
      break;
    }
    const std::string_view field = bytes.substr(at, 16);
    const auto sizeBytes = parseDecimal(trim(bytes.substr(at + 48, 10)));
    if (!sizeBytes || *sizeBytes < 0) {
      problems.emplace_back("member size is no number; the rest of the archive is not read");
      break;
    }
    at += headerBytes;
    std::string_view data = bytes.substr(at, static_cast<std::size_t>(*sizeBytes));
    if (data.size() < static_cast<std::size_t>(*sizeBytes)) problems.emplace_back("the last member is cut off");
    at += data.size() + (data.size() & 1);
    if (trim(field) == "//") {
      longNames = data;
    } else if (!isSymbolTable(field)) {
      const std::string_view name = memberName(field, longNames, data);
      if (name.starts_with("__.SYMDEF")) continue;
      if (members.size() == maxMembers) {
        problems.emplace_back("only the first 1000000 members were read");
        break;
      }
      members.push_back({name, data});
    }
  }
  return members;
}

}  // namespace unwarp::scan
