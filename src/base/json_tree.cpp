// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json_tree.h"

#include "base/json_tokens.h"
#include "base/text.h"

namespace unwarp {

namespace {

/// Puts scalars under the branches their paths name. Branches that are open are the last children of each other, so
/// pointers to them stay good until a branch above gets its next child, and then they are dropped.
class Builder {
 public:
  Builder(JsonNode& root, std::uint32_t firstLine) : firstLine_(firstLine), open_{&root} {}

  void add(const JsonScalar& scalar) {
    std::uint32_t line = scalar.line + firstLine_ - 1;
    line_ = line;
    if (scalar.path.empty()) {
      fill(*open_[0], scalar, line);
      return;
    }
    std::size_t same = 1;
    while (same < open_.size() && same < scalar.path.size() && open_[same]->key == scalar.path[same - 1]) ++same;
    open_.resize(same);
    while (open_.size() < scalar.path.size()) open_.push_back(&child(scalar.path[open_.size() - 1], line));
    fill(child(scalar.path.back(), line), scalar, line);
  }
  std::uint32_t line() const { return line_; }

 private:
  JsonNode& child(const std::string& key, std::uint32_t line) {
    JsonNode& node = open_.back()->children.emplace_back();
    node.key = key;
    node.line = line;
    return node;
  }
  static void fill(JsonNode& node, const JsonScalar& scalar, std::uint32_t line) {
    node.kind = scalar.isString ? JsonNode::Kind::String : JsonNode::Kind::Plain;
    node.text = scalar.value;
    node.line = line;
  }

  std::uint32_t firstLine_;
  std::uint32_t line_ = 1;
  std::vector<JsonNode*> open_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view name) const {
  for (const JsonNode& child : children)
    if (child.key == name) return child.kind == Kind::Plain && child.text == "null" ? nullptr : &child;
  return nullptr;
}

const JsonNode* JsonNode::at(std::initializer_list<std::string_view> path) const {
  const JsonNode* node = this;
  for (std::string_view name : path) {
    node = node->find(name);
    if (node == nullptr) return nullptr;
  }
  return node;
}

std::optional<double> JsonNode::number() const {
  if (kind == Kind::Branch) return std::nullopt;
  return parseNumber(kind == Kind::String ? trim(text) : std::string_view(text));
}

Result<JsonNode> parseJson(std::string_view text, std::uint32_t firstLine) {
  JsonNode root;
  Builder builder(root, firstLine);
  bool whole = visitJson(text, [&](const JsonScalar& scalar) { builder.add(scalar); });
  if (!whole) return Error{"no valid JSON after line " + std::to_string(builder.line())};
  return root;
}

}  // namespace unwarp
