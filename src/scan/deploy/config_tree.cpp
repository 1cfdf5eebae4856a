// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree itself and its JSON front. visitJson gives scalars with their paths; containers are made from the paths, so
// empty ones are absent.
#include "scan/deploy/config_tree.h"

#include <algorithm>

#include "base/json_tokens.h"

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

ConfigTree parseJsonTree(std::string_view text) {
  ConfigTree tree;
  std::vector<NodeIndex> open{tree.add(0, {}, 1)};  // open[d] holds what stands at depth d
  std::vector<std::string> last;
  const auto visit = [&](const JsonScalar& scalar) {
    if (!scalar.isString && !scalar.path.empty() && isIndex(scalar.path.back())) return;
    std::size_t common = 0;
    while (common < last.size() && common < scalar.path.size() && last[common] == scalar.path[common]) ++common;
    open.resize(common + 1);
    last.resize(common);
    for (std::size_t depth = common; depth < scalar.path.size(); ++depth) {
      const std::string& step = scalar.path[depth];
      const bool isItem = isIndex(step);
      tree.node(open.back()).kind = isItem ? NodeKind::Sequence : NodeKind::Map;
      open.push_back(tree.add(open.back(), isItem ? std::string_view() : tree.keep(step), scalar.line));
      last.push_back(step);
    }
    ConfigNode& node = tree.node(open.back());
    node.kind = NodeKind::Scalar;
    node.value = tree.keep(scalar.value);
  };
  tree.complete = visitJson(text, visit);
  return tree;
}

}  // namespace unwarp::scan
