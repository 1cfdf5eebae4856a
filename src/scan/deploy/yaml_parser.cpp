// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block part of YAML, line by line, with a stack of open maps and sequences by indentation. See config_tree.h for
// what is tolerated. Misaligned lines attach to the nearest shallower key instead of failing.
#include <algorithm>

#include "base/text.h"
#include "scan/deploy/config_tree.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t maxKeyBytes = 256;
constexpr std::size_t maxOpenLevels = 200;

std::size_t indentOf(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// A line that holds nothing but a template action: `{{- if .Values.gpu }}`, `{% endif %}`.
bool isTemplateLine(std::string_view content) {
  if (content.starts_with("{%") || content.starts_with("{#")) return true;
  return content.starts_with("{{") && content.ends_with("}}");
}

/// Without a comment: `#` at the start or behind a blank.
std::string_view withoutComment(std::string_view text) {
  for (std::size_t i = text.find('#'); i != npos; i = text.find('#', i + 1))
    if (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t') return trim(text.substr(0, i));
  return trim(text);
}

/// Position of the colon that ends a key, or npos when the text is no `key: value`.
std::size_t keyEnd(std::string_view content) {
  if (content.starts_with("\"") || content.starts_with("'")) {
    const std::size_t end = endOfQuoted(content.substr(0, maxKeyBytes), 0);
    if (end == npos) return npos;
    const std::size_t colon = content.find_first_not_of(' ', end);
    const bool ends =
        colon != npos && content[colon] == ':' && (colon + 1 == content.size() || content[colon + 1] == ' ');
    return ends ? colon : npos;
  }
  const bool isTemplate = content.starts_with("{{");
  if (!isTemplate &&
      (content.starts_with("[") || content.starts_with("{") || content.starts_with("|") || content.starts_with(">")))
    return npos;
  int quotes = 0;
  for (std::size_t i = 0; i < content.size() && i < maxKeyBytes; ++i) {
    const char c = content[i];
    if (content.substr(i, 2) == "{{") {
      const std::size_t close = content.find("}}", i);
      if (close == npos) return npos;
      i = close + 1;
    } else if (c == '"') {
      ++quotes;
    } else if (c == '#' && i > 0 && content[i - 1] == ' ') {
      return npos;
    } else if (c == ':' &&
               (i + 1 == content.size() || content[i + 1] == ' ' || content[i + 1] == '\t' || content[i + 1] == '\r')) {
      return quotes % 2 == 0 ? i : npos;
    }
  }
  return npos;
}

class YamlPass {
 public:
  YamlPass(std::string_view text, std::uint32_t firstLine, ConfigTree& tree)
      : text_(text), firstLine_(firstLine), tree_(tree) {
    LineReader reader(text);
    std::string_view line;
    while (reader.next(line)) lines_.push_back({line, reader.offset()});
    budget_ = 16 * text.size() + 1024;
  }

  void run() {
    startDocument();
    for (current_ = 0; current_ < lines_.size(); ++current_) readLine();
  }

 private:
  struct Line {
    std::string_view text;
    std::size_t offset;
  };
  struct Frame {
    std::ptrdiff_t indent;
    NodeIndex current;  ///< what deeper lines belong to
    bool isSequence;
    NodeIndex container;
  };

  std::uint32_t lineNumber() const { return firstLine_ + static_cast<std::uint32_t>(current_); }

  void startDocument() {
    const NodeIndex document = tree_.add(0, {}, lineNumber());
    frames_.assign(1, Frame{-1, document, false, document});
  }

  void readLine() {
    const std::string_view line = lines_[current_].text;
    const std::size_t indent = indentOf(line);
    const std::string_view content = trim(line.substr(indent));
    if (content.empty() || content.starts_with("#")) return;
    if (indent == 0 && (content == "---" || content.starts_with("--- "))) {
      if (tree_[frames_[0].current].firstChild != noNode) startDocument();
      return;
    }
    if (indent == 0 && (content.starts_with("%") || content == "...")) return;
    if (isTemplateLine(content)) return;
    if (content.starts_with("{{") && content.find("}}") == npos) return skipTemplate();
    const auto column = static_cast<std::ptrdiff_t>(indent);
    while (frames_.size() > 1 && frames_.back().indent > column) frames_.pop_back();
    if (continues(column)) return append(content);
    readContent(column, line.substr(indent));
  }

  void skipTemplate() {
    while (current_ < lines_.size() && lines_[current_].text.find("}}") == npos) ++current_;
  }

  /// Whether a line at `column` goes on with the plain scalar before it.
  bool continues(std::ptrdiff_t column) const {
    const Frame& frame = frames_.back();
    const ConfigNode& node = tree_[frame.current];
    return frame.indent < column && node.kind == NodeKind::Scalar && node.plain && !node.value.starts_with("{{") &&
           !node.value.starts_with("*");
  }

  void append(std::string_view content) {
    const NodeIndex index = frames_.back().current;
    const std::uint32_t next = tree_[index].valueLine + tree_[index].lineCount;
    for (std::uint32_t line = next; line <= lineNumber(); ++line) tree_.extendValue(index, " \\\n");
    tree_.extendValue(index, withoutComment(content));
    tree_.node(index).lineCount = lineNumber() - tree_[index].valueLine + 1;
  }

  void readContent(std::ptrdiff_t column, std::string_view content) {
    while (!content.empty()) {
      if (content == "-" || content.starts_with("- ") || content.starts_with("-\t") || trim(content) == "-") {
        item(column);
        const std::size_t next = std::min(content.find_first_not_of(" \t\r", 1), content.size());
        column += static_cast<std::ptrdiff_t>(next);
        content.remove_prefix(next);
        if (content.starts_with("#")) return;
        continue;
      }
      const std::string_view bare = withoutProperties(content);
      const std::size_t colon = keyEnd(bare);
      if (colon == npos) {
        value(frames_.back().current, content, column - 1);
        return;
      }
      key(column, bare.substr(0, colon));
      value(frames_.back().current, bare.substr(colon + 1), column);
      return;
    }
  }

  /// Drops `&anchor` and `!tag`.
  static std::string_view withoutProperties(std::string_view text) {
    text = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
    while (text.starts_with("&") || text.starts_with("!")) {
      const std::size_t end = std::min(text.find_first_of(" \t\r"), text.size());
      text.remove_prefix(end);
      text = text.substr(std::min(text.find_first_not_of(" \t\r"), text.size()));
    }
    return text;
  }

  /// Opens a map or sequence at `column` in what stands open. Too deep, its entries stay with the level above.
  void open(std::ptrdiff_t column, bool isSequence) {
    if (frames_.size() >= maxOpenLevels) {
      tree_.complete = false;
      return;
    }
    const NodeIndex holder = frames_.back().current;
    tree_.node(holder).kind = isSequence ? NodeKind::Sequence : NodeKind::Map;
    frames_.push_back({column, holder, isSequence, holder});
  }

  void item(std::ptrdiff_t column) {
    if (!frames_.back().isSequence || frames_.back().indent != column) open(column, true);
    frames_.back().current = tree_.add(frames_.back().container, {}, lineNumber());
  }

  void key(std::ptrdiff_t column, std::string_view name) {
    while (frames_.size() > 1 &&
           (frames_.back().indent > column || (frames_.back().indent == column && frames_.back().isSequence)))
      frames_.pop_back();
    if (frames_.back().indent != column || frames_.back().isSequence) open(column, false);
    name = trim(name);
    if (name.size() >= 2 && (name[0] == '"' || name[0] == '\'') && name.back() == name[0])
      name = name.substr(1, name.size() - 2);
    frames_.back().current = tree_.add(frames_.back().container, name, lineNumber());
  }

  /// Reads the value `rest` of `node`; `parentIndent` is the column of its key or dash.
  void value(NodeIndex node, std::string_view rest, std::ptrdiff_t parentIndent) {
    rest = withoutProperties(rest);
    const std::string_view bare = withoutComment(rest);
    if (bare.empty()) return;
    ConfigNode& target = tree_.node(node);
    if (target.kind == NodeKind::Scalar) return;
    target.valueLine = lineNumber();
    if ((bare[0] == '|' || bare[0] == '>') && bare.find_first_not_of("+-0123456789", 1) == npos)
      return block(node, bare[0] == '>', parentIndent);
    target.kind = NodeKind::Scalar;
    if (bare[0] == '"' || bare[0] == '\'') {
      if (quoted(node, rest)) return;
    } else if ((bare[0] == '[' || bare[0] == '{') && !bare.starts_with("{{") && !bare.starts_with("{%")) {
      if (flow(node, rest)) return;
    }
    tree_.node(node).value = bare;
    tree_.node(node).plain = true;
  }

  std::size_t offsetOf(std::string_view piece) const { return static_cast<std::size_t>(piece.data() - text_.data()); }

  /// Goes on behind the position in the text where a value ended.
  void moveBehind(std::size_t position) {
    while (current_ + 1 < lines_.size() && lines_[current_ + 1].offset < position) ++current_;
  }

  bool quoted(NodeIndex node, std::string_view rest) {
    const std::size_t begin = offsetOf(rest);
    const std::size_t end = unclosedQuote_ ? endOfQuoted(rest, 0) : endOfQuoted(text_, begin);
    if (end == npos) {
      unclosedQuote_ = true;
      return false;
    }
    const std::size_t length = unclosedQuote_ ? end : end - begin;
    const std::string_view inside = text_.substr(begin + 1, length - 2);
    const std::uint32_t firstLine = lineNumber();
    moveBehind(begin + length);
    ConfigNode& target = tree_.node(node);
    target.lineCount = lineNumber() - firstLine + 1;
    target.value = decodeQuoted(inside, rest[0], tree_);
    return true;
  }

  bool flow(NodeIndex node, std::string_view rest) {
    const std::size_t end = parseYamlFlow(text_, offsetOf(rest), lineNumber(), node, budget_, tree_);
    if (end == npos) return false;
    moveBehind(end);
    return true;
  }

  void block(NodeIndex node, bool folded, std::ptrdiff_t parentIndent) {
    const std::size_t first = current_ + 1;
    std::size_t end = first;  // one behind the last line with content
    for (std::size_t i = first; i < lines_.size(); ++i) {
      const std::string_view content = trim(lines_[i].text);
      if (content.empty()) continue;
      if (static_cast<std::ptrdiff_t>(indentOf(lines_[i].text)) > parentIndent) {
        end = i + 1;
      } else if (!isTemplateLine(content)) {
        break;
      }
    }
    ConfigNode& target = tree_.node(node);
    target.kind = NodeKind::Scalar;
    target.block = true;
    target.valueLine = firstLine_ + static_cast<std::uint32_t>(first);
    target.lineCount = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(end - first));
    if (end == first) return;
    current_ = end - 1;
    const std::size_t begin = lines_[first].offset;
    const std::string_view body = text_.substr(begin, lines_[end - 1].offset + lines_[end - 1].text.size() - begin);
    if (!folded) {
      target.value = body;
      return;
    }
    std::string text;
    for (std::size_t i = first; i < end; ++i) {
      const std::string_view content = trim(lines_[i].text);
      text += content;
      if (i + 1 < end) text += content.empty() ? "\n" : " \\\n";
    }
    tree_.node(node).value = tree_.keep(std::move(text));
  }

  std::string_view text_;
  std::uint32_t firstLine_;
  ConfigTree& tree_;
  std::vector<Line> lines_;
  std::vector<Frame> frames_;
  std::size_t current_ = 0;
  std::size_t budget_ = 0;
  bool unclosedQuote_ = false;
};

}  // namespace

ConfigTree parseYaml(std::string_view text, std::uint32_t firstLine) {
  ConfigTree tree;
  YamlPass(text, firstLine, tree).run();
  return tree;
}

}  // namespace unwarp::scan
