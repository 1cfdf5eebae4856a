// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A YAML or JSON file as a flat tree: nodes in document order with parent, child and sibling links, values as views.
// One shape for both, since a deployment setting means the same in either. The YAML reader is tolerant and line based:
// Helm and Jinja templates are not valid YAML and are read all the same, a template line counts as a comment and a
// template value as text. Anchors and tags are dropped, aliases stay as written: what an anchor holds is read where it
// is defined. Linear time; flow collections deeper than a fixed depth are left out and noted.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex noNode = 0xffffffffu;

enum class NodeKind : std::uint8_t { Null, Scalar, Map, Sequence };

struct ConfigNode {
  std::string_view key;    ///< empty for items of a sequence and for documents
  std::string_view value;  ///< of a scalar; folded texts join their lines by `\` and a line break
  std::uint32_t line = 0;
  std::uint32_t valueLine = 0;  ///< first line of the value
  std::uint32_t lineCount = 1;  ///< lines the value spans in the file
  NodeIndex parent = noNode, firstChild = noNode, lastChild = noNode, next = noNode;
  NodeKind kind = NodeKind::Null;
  bool block = false;  ///< `|` or `>`
  bool plain = false;  ///< neither quoted nor block: may go on in the next line
};

class ConfigTree {
 public:
  /// Node 0 is the stream; its children are the documents.
  ConfigTree();
  ConfigTree(ConfigTree&&) = default;
  ConfigTree& operator=(ConfigTree&&) = default;

  const std::vector<ConfigNode>& nodes() const { return nodes_; }
  const ConfigNode& operator[](NodeIndex node) const { return nodes_[node]; }
  /// The child called `key`, or noNode.
  NodeIndex child(NodeIndex node, std::string_view key) const;
  /// Value of the scalar child called `key`, or empty.
  std::string_view childValue(NodeIndex node, std::string_view key) const;
  /// The node's own key, or for items that of the sequence they stand in.
  std::string_view nearestKey(NodeIndex node) const;
  /// The nearest ancestor that has a key and is not what nearestKey() answered for, or noNode.
  NodeIndex keyedParent(NodeIndex node) const;
  bool hasAncestor(NodeIndex node, std::string_view key) const;

  NodeIndex add(NodeIndex parent, std::string_view key, std::uint32_t line);
  ConfigNode& node(NodeIndex index) { return nodes_[index]; }
  /// Keeps `text` alive as long as the tree.
  std::string_view keep(std::string text);
  /// Appends to the value of `node`, which grows in place when it was the last one to grow.
  void extendValue(NodeIndex node, std::string_view text);

  bool complete = true;  ///< false when something was left out or the text is no valid JSON

 private:
  std::vector<ConfigNode> nodes_;
  std::deque<std::string> texts_;
  std::string* growing_ = nullptr;
  NodeIndex growingNode_ = noNode;
};

/// Views in the tree point into `text`.
ConfigTree parseYaml(std::string_view text, std::uint32_t firstLine = 1);
/// Tables of TOML as maps, arrays as sequences; lines that are no TOML are passed over.
ConfigTree parseTomlTree(std::string_view text);
/// Numbers in arrays are left out: they are data, and there can be millions.
ConfigTree parseJsonTree(std::string_view text);

/// yaml_flow.cpp: a flow collection (`[a, {b: c}]`) whose bracket is at `position`, as children of `node`. Returns the
/// position behind it, or npos when it has no end; `budget` bounds the search.
std::size_t parseYamlFlow(std::string_view text, std::size_t position, std::uint32_t line, NodeIndex node,
                          std::size_t& budget, ConfigTree& tree);
/// yaml_flow.cpp: end of a quoted scalar that starts at `position` (behind the closing quote), or npos.
std::size_t endOfQuoted(std::string_view text, std::size_t position);
/// yaml_flow.cpp: decodes what stands between the quotes.
std::string_view decodeQuoted(std::string_view inside, char quote, ConfigTree& tree);

}  // namespace unwarp::scan
