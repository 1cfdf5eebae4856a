// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XML of build files (MSBuild, Maven, NuGet) as a walk over its elements: name, path, attributes, text, line. No
// namespaces, no entities but the five of XML, no document types; comments vanish. Never fails: a tag that does not end
// ends the walk, an end tag without its start is passed over.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unwarp::scan {

struct XmlElement {
  std::string_view path;  ///< names from the root: "/Project/ItemGroup/CudaCompile"
  std::string_view text;  ///< trimmed, up to the first child element; as written, entities included
  std::uint32_t line = 0;
  std::vector<std::pair<std::string_view, std::string>> attributes;

  std::string_view name() const { return path.substr(path.rfind('/') + 1); }
  /// Value with entities undone, or empty.
  std::string_view attribute(std::string_view name) const;
};

/// Calls `visit` for each element when it ends, children before their parents. Elements deeper than a fixed depth are
/// not entered.
void eachXmlElement(std::string_view text, const std::function<void(const XmlElement&)>& visit);

}  // namespace unwarp::scan
