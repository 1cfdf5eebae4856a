// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree itself and its JSON front. visitJson gives scalars with their paths; containers are made from the paths, so
// empty ones are absent.
#include "scan/deploy/config_tree.h"

#include <algorithm>

#include "base/json_tokens.h"
#include "base/toml.h"

namespace unwarp::scan {
namespace {

bool isIndex(const std::string& step) {
  return !step.empty() && std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

ConfigTree::ConfigTree() {
  nodes_.emplace_back();
  nodes_[0].kind = NodeKind::Sequence;
}

NodeIndex ConfigTree::child(NodeIndex node, std::string_view key) const {
  // A map of more keys is data, not configuration; the bound keeps files of a million siblings linear.
  constexpr int maxLookedAt = 512;
  if (nodes_[node].kind != NodeKind::Map) return noNode;
  int looked = 0;
  for (NodeIndex c = nodes_[node].firstChild; c != noNode && looked < maxLookedAt; c = nodes_[c].next, ++looked)
    if (nodes_[c].key == key) return c;
  return noNode;
}

std::string_view ConfigTree::childValue(NodeIndex node, std::string_view key) const {
  const NodeIndex c = child(node, key);
  return c == noNode || nodes_[c].kind != NodeKind::Scalar ? std::string_view() : nodes_[c].value;
}

std::string_view ConfigTree::nearestKey(NodeIndex node) const {
  while (node != noNode && nodes_[node].key.empty()) {
    const NodeIndex parent = nodes_[node].parent;
    // An item that is a map of its own does not stand for the sequence's key.
    if (parent == noNode || nodes_[parent].kind != NodeKind::Sequence) return {};
    node = parent;
  }
  return node == noNode ? std::string_view() : nodes_[node].key;
}

NodeIndex ConfigTree::keyedParent(NodeIndex node) const {
  while (node != noNode && nodes_[node].key.empty()) node = nodes_[node].parent;
  if (node == noNode) return noNode;
  node = nodes_[node].parent;
  while (node != noNode && nodes_[node].key.empty()) node = nodes_[node].parent;
  return node;
}

bool ConfigTree::hasAncestor(NodeIndex node, std::string_view key) const {
  for (node = nodes_[node].parent; node != noNode; node = nodes_[node].parent)
    if (nodes_[node].key == key) return true;
  return false;
}

NodeIndex ConfigTree::add(NodeIndex parent, std::string_view key, std::uint32_t line) {
  const auto index = static_cast<NodeIndex>(nodes_.size());
  ConfigNode& added = nodes_.emplace_back();
  added.key = key;
  added.line = added.valueLine = line;
  added.parent = parent;
  ConfigNode& above = nodes_[parent];
  if (above.lastChild == noNode)
    above.firstChild = index;
  else
    nodes_[above.lastChild].next = index;
  above.lastChild = index;
  return index;
}

std::string_view ConfigTree::keep(std::string text) {
  return texts_.emplace_back(std::move(text));
}

void ConfigTree::extendValue(NodeIndex node, std::string_view text) {
  if (growingNode_ != node) {
    growing_ = &texts_.emplace_back(nodes_[node].value);
    growingNode_ = node;
  }
  *growing_ += text;
  nodes_[node].value = *growing_;
}

namespace {

/// Makes a tree of scalars that come with their paths, in order.
class PathTree {
 public:
  explicit PathTree(ConfigTree& tree) : tree_(tree), open_{tree.add(0, {}, 1)} {}

  void add(const std::vector<std::string>& path, std::string value, bool isString, std::uint32_t line) {
    if (!isString && !path.empty() && isIndex(path.back())) return;
    std::size_t common = 0;
    while (common < last_.size() && common < path.size() && last_[common] == path[common]) ++common;
    open_.resize(common + 1);
    last_.resize(common);
    for (std::size_t depth = common; depth < path.size(); ++depth) {
      const std::string& step = path[depth];
      const bool isItem = isIndex(step);
      tree_.node(open_.back()).kind = isItem ? NodeKind::Sequence : NodeKind::Map;
      open_.push_back(tree_.add(open_.back(), isItem ? std::string_view() : tree_.keep(step), line));
      last_.push_back(step);
    }
    ConfigNode& node = tree_.node(open_.back());
    node.kind = NodeKind::Scalar;
    node.value = tree_.keep(std::move(value));
  }

 private:
  ConfigTree& tree_;
  std::vector<NodeIndex> open_;  ///< open_[d] holds what stands at depth d
  std::vector<std::string> last_;
};

}  // namespace

ConfigTree parseJsonTree(std::string_view text) {
  ConfigTree tree;
  PathTree paths(tree);
  tree.complete = visitJson(
      text, [&](const JsonScalar& scalar) { paths.add(scalar.path, scalar.value, scalar.isString, scalar.line); });
  return tree;
}

ConfigTree parseTomlTree(std::string_view text) {
  ConfigTree tree;
  PathTree paths(tree);
  const auto fault = visitToml(text, [&](const TomlValue& value) {
    const bool isString = value.kind == TomlKind::String;
    if (isString || value.kind == TomlKind::Plain) paths.add(value.path, value.value, isString, value.line);
  });
  tree.complete = !fault;
  return tree;
}

}  // namespace unwarp::scan
