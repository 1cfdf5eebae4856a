// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/manifest/fields.h"

#include <set>

#include "base/text.h"
#include "base/toml.h"
#include "cost/quantity.h"
#include "scan/deploy/config_tree.h"

namespace unwarp::cost {

namespace {

/// Fields in their order, and which keys were there: one that stands twice is a fault, since nobody can tell which of
/// the two was meant.
struct Collected {
  std::vector<Field> fields;
  std::set<std::string> keys;  ///< with the index of elements
  std::string fault;

  void add(const std::string& file, const std::string& key, Field field) {
    if (!keys.insert(key).second && fault.empty())
      fault = toError({file, field.line, field.path, "stands twice", "keep one of them"}).message;
    fields.push_back(std::move(field));
  }
};

Result<std::vector<Field>> readToml(const std::string& file, std::string_view text) {
  Collected collected;
  auto fault = visitToml(text, [&](const TomlValue& value) {
    if (value.kind == TomlKind::Table) return;
    Field field{{}, value.value, value.kind == TomlKind::String, false, value.kind == TomlKind::List, value.line};
    std::string key;
    for (const std::string& part : value.path) {
      key += "\n" + part;
      if (parseDecimal(part)) {
        field.inList = true;
        continue;
      }
      field.path += (field.path.empty() ? "" : ".") + part;
    }
    // The first element shows that the list before it is not empty; further ones find the mark gone.
    if (field.inList && !collected.fields.empty() && collected.fields.back().emptyList &&
        collected.fields.back().path == field.path)
      collected.fields.pop_back();
    collected.add(file, key, std::move(field));
  });
  if (fault) return Error{file + ":" + std::to_string(fault->line) + ": " + fault->what};
  if (!collected.fault.empty()) return Error{collected.fault};
  return std::move(collected.fields);
}

Result<std::vector<Field>> readYaml(const std::string& file, std::string_view text) {
  scan::ConfigTree tree = scan::parseYaml(text);
  if (!tree.complete) return Error{file + ": is no YAML that can be read whole; write it as unwarp.toml"};
  Collected collected;
  std::vector<std::string> paths(tree.nodes().size());
  for (scan::NodeIndex index = 1; index < tree.nodes().size(); ++index) {
    const scan::ConfigNode& node = tree[index];
    bool inList = node.parent != scan::noNode && tree[node.parent].kind == scan::NodeKind::Sequence;
    std::string above = node.parent == scan::noNode ? std::string() : paths[node.parent];
    paths[index] = above + (above.empty() || node.key.empty() ? "" : ".") + std::string(node.key);
    bool emptyList = node.kind == scan::NodeKind::Sequence && node.firstChild == scan::noNode;
    std::string key = paths[index] + (inList ? "\n" + std::to_string(index) : std::string());
    if (node.kind == scan::NodeKind::Scalar || emptyList)
      collected.add(file, key, {paths[index], std::string(node.value), !node.plain, inList, emptyList, node.line});
  }
  if (!collected.fault.empty()) return Error{collected.fault};
  return std::move(collected.fields);
}

}  // namespace

Result<std::vector<Field>> readFields(const std::string& file, std::string_view text) {
  return file.ends_with(".yaml") || file.ends_with(".yml") ? readYaml(file, text) : readToml(file, text);
}

}  // namespace unwarp::cost
