// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/manifest/fields.h"

#include <algorithm>

#include "base/text.h"
#include "base/toml.h"
#include "scan/deploy/config_tree.h"

namespace unwarp::cost {

namespace {

Result<std::vector<Field>> readToml(const std::string& file, std::string_view text) {
  std::vector<Field> fields;
  auto fault = visitToml(text, [&](const TomlValue& value) {
    if (value.kind == TomlKind::List || value.kind == TomlKind::Table) return;
    Field field{{}, value.value, value.kind == TomlKind::String, false, value.line};
    for (const std::string& key : value.path) {
      if (parseDecimal(key)) {
        field.inList = true;
        continue;
      }
      field.path += (field.path.empty() ? "" : ".") + key;
    }
    fields.push_back(std::move(field));
  });
  if (fault) return Error{file + ":" + std::to_string(fault->line) + ": " + fault->what};
  return fields;
}

Result<std::vector<Field>> readYaml(const std::string& file, std::string_view text) {
  scan::ConfigTree tree = scan::parseYaml(text);
  if (!tree.complete) return Error{file + ": is no YAML that can be read whole; write it as unwarp.toml"};
  std::vector<Field> fields;
  std::vector<std::string> paths(tree.nodes().size());
  for (scan::NodeIndex index = 1; index < tree.nodes().size(); ++index) {
    const scan::ConfigNode& node = tree[index];
    bool inList = node.parent != scan::noNode && tree[node.parent].kind == scan::NodeKind::Sequence;
    std::string above = node.parent == scan::noNode ? std::string() : paths[node.parent];
    paths[index] = above + (above.empty() || node.key.empty() ? "" : ".") + std::string(node.key);
    if (node.kind == scan::NodeKind::Scalar)
      fields.push_back({paths[index], std::string(node.value), !node.plain, inList, node.line});
  }
  return fields;
}

}  // namespace

Result<std::vector<Field>> readFields(const std::string& file, std::string_view text) {
  return file.ends_with(".yaml") || file.ends_with(".yml") ? readYaml(file, text) : readToml(file, text);
}

}  // namespace unwarp::cost
