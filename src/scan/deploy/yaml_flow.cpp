// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flow collections and quoted scalars of YAML. Iterative, with an explicit stack of open brackets.
#include <algorithm>

#include "base/text.h"
#include "scan/deploy/config_tree.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t maxFlowDepth = 64;
constexpr std::size_t maxExpressionBytes = 400;

/// Where the bracket at `position` is closed, or npos.
std::size_t endOfFlow(std::string_view text, std::size_t position, std::size_t& budget) {
  std::size_t depth = 0;
  for (std::size_t i = position; i < text.size() && budget > 0; ++i, --budget) {
    const char c = text[i];
    const char before = i == 0 ? '\n' : text[i - 1];
    if ((c == '"' || c == '\'') &&
        (before == ' ' || before == ',' || before == '[' || before == '{' || before == '\n')) {
      const std::size_t end = endOfQuoted(text, i);
      if (end == npos) return npos;
      budget -= std::min(budget, end - i);
      i = end - 1;
    } else if (c == '#' && (before == ' ' || before == '\n')) {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return npos;
}

/// Walks the inside of a balanced flow collection.
class FlowPass {
 public:
  FlowPass(std::string_view text, std::size_t position, std::uint32_t line, NodeIndex node, ConfigTree& tree)
      : text_(text), position_(position), line_(line), tree_(tree), root_(node) {}

  void run(std::size_t end) {
    while (position_ < end) step();
  }

 private:
  void step() {
    const char c = text_[position_];
    if (c == '\n') ++line_;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++position_;
    } else if (c == '#') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '[' || c == '{') {
      if (isTemplate()) return scalar();
      open(c);
    } else if (c == ']' || c == '}') {
      ++position_;
      if (skipped_ > 0)
        --skipped_;
      else if (!open_.empty())
        open_.pop_back();
      key_ = noNode;
    } else if (c == ',') {
      ++position_;
      key_ = noNode;
    } else {
      scalar();
    }
  }

  bool isTemplate() const { return text_.substr(position_, 2) == "{{"; }

  /// The node that takes the next value: a pending key's, a new item, or the collection's own.
  NodeIndex target() {
    if (open_.empty()) return root_;
    if (key_ != noNode) return key_;
    return tree_.add(open_.back(), {}, line_);
  }

  void open(char bracket) {
    ++position_;
    if (open_.size() >= maxFlowDepth || skipped_ > 0) {
      ++skipped_;
      tree_.complete = false;
      return;
    }
    const NodeIndex node = target();
    tree_.node(node).kind = bracket == '[' ? NodeKind::Sequence : NodeKind::Map;
    open_.push_back(node);
    key_ = noNode;
  }

  void scalar() {
    const std::uint32_t line = line_;
    const std::string_view value = text_[position_] == '"' || text_[position_] == '\'' ? quoted() : plain();
    if (open_.empty() || skipped_ > 0) return;
    const std::size_t colon = text_.find_first_not_of(" \t", position_);
    const bool isKey = key_ == noNode && colon != npos && text_[colon] == ':';
    if (isKey) {
      position_ = colon + 1;
      key_ = tree_.add(open_.back(), value, line);
      return;
    }
    const NodeIndex node = target();
    ConfigNode& scalar = tree_.node(node);
    scalar.kind = NodeKind::Scalar;
    scalar.value = value;
    scalar.valueLine = line;
    key_ = noNode;
  }

  std::string_view quoted() {
    const char quote = text_[position_];
    std::size_t end = endOfQuoted(text_, position_);
    if (end == npos) end = text_.size();
    const std::string_view inside = text_.substr(position_ + 1, end - position_ - 2);
    line_ += static_cast<std::uint32_t>(std::count(inside.begin(), inside.end(), '\n'));
    position_ = end;
    return decodeQuoted(inside, quote, tree_);
  }

  std::string_view plain() {
    const std::size_t begin = position_;
    if (isTemplate()) {
      const std::size_t end = text_.find("}}", position_);
      position_ = end == npos ? text_.size() : end + 2;
    }
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == ',' || c == ']' || c == '}' || c == '\n' || c == '[' || c == '{') break;
      const char next = position_ + 1 < text_.size() ? text_[position_ + 1] : '\n';
      if (c == ':' && (next == ' ' || next == '\n' || next == ',' || next == '}')) break;
      ++position_;
    }
    if (position_ == begin) ++position_;
    return trim(text_.substr(begin, position_ - begin));
  }

  std::string_view text_;
  std::size_t position_;
  std::uint32_t line_;
  ConfigTree& tree_;
  NodeIndex root_;
  NodeIndex key_ = noNode;
  std::vector<NodeIndex> open_;
  std::size_t skipped_ = 0;
};

}  // namespace

std::size_t endOfQuoted(std::string_view text, std::size_t position) {
  const char quote = text[position];
  std::size_t plainUntil = 0;  // up to here no template expression is closed
  for (std::size_t i = position + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (i >= plainUntil && text.substr(i, 2) == "{{") {
      // Go templates may hold the very quotes they stand in: "{{ .Values.image | default "nvidia/cuda:12" }}".
      const std::string_view ahead = text.substr(i, maxExpressionBytes);
      const std::size_t close = ahead.substr(0, ahead.find('\n')).find("}}");
      if (close == npos)
        plainUntil = i + ahead.size();
      else
        i += close + 1;
    } else if (text[i] == quote) {
      if (quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'')
        ++i;
      else
        return i + 1;
    }
  }
  return npos;
}

std::string_view decodeQuoted(std::string_view inside, char quote, ConfigTree& tree) {
  if (inside.find_first_of(quote == '"' ? "\\\n" : "'\n") == npos) return inside;
  std::string text;
  text.reserve(inside.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const char c = inside[i];
    if (c == '\n') {
      text += " \\\n";
    } else if (quote == '\'' || c != '\\' || i + 1 >= inside.size()) {
      if (c == '\'' && quote == '\'') ++i;
      text += c;
    } else {
      const char next = inside[++i];
      if (next == 'n' || next == 't')
        text += next == 'n' ? '\n' : ' ';
      else if (next == '\n')
        text += "\\\n";
      else
        text += next;
    }
  }
  return tree.keep(std::move(text));
}

std::size_t parseYamlFlow(std::string_view text, std::size_t position, std::uint32_t line, NodeIndex node,
                          std::size_t& budget, ConfigTree& tree) {
  const std::size_t end = endOfFlow(text, position, budget);
  if (end == npos) return npos;
  FlowPass(text, position, line, node, tree).run(end);
  return end;
}

}  // namespace unwarp::scan
