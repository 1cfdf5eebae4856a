// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/build/xml_elements.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t deepest = 64;

std::string withoutEntities(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> entities{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string out;
  while (!text.empty()) {
    const auto found = std::find_if(entities.begin(), entities.end(),
                                    [text](const auto& entity) { return text.starts_with(entity.first); });
    out += found == entities.end() ? text.front() : found->second;
    text.remove_prefix(found == entities.end() ? 1 : found->first.size());
  }
  return out;
}

class XmlPass {
 public:
  XmlPass(std::string_view text, const std::function<void(const XmlElement&)>& visit) : text_(text), visit_(visit) {}

  void run() {
    while (position_ < text_.size()) {
      const std::size_t open = text_.find('<', position_);
      if (open == npos) return;
      if (!open_.empty() && open_.back().textEnd == npos) open_.back().textEnd = open;
      moveTo(open);
      const std::string_view rest = text_.substr(position_);
      if (rest.starts_with("<!--"))
        passOver("-->");
      else if (rest.starts_with("<![CDATA["))
        passOver("]]>");
      else if (rest.starts_with("<?"))
        passOver("?>");
      else if (rest.starts_with("<!"))
        passOver(">");
      else
        tag();
    }
  }

 private:
  struct Open {
    std::size_t pathSize;  ///< of the parent's path
    std::size_t textBegin, textEnd = npos;
    XmlElement element;
  };

  void moveTo(std::size_t end) {
    const std::string_view piece = text_.substr(position_, end - position_);
    line_ += static_cast<std::uint32_t>(std::count(piece.begin(), piece.end(), '\n'));
    position_ = end;
  }
  void passOver(std::string_view mark) {
    const std::size_t end = text_.find(mark, position_);
    moveTo(end == npos ? text_.size() : end + mark.size());
  }

  /// Where the tag at `position_` ends: the `>` outside of quotes.
  std::size_t endOfTag() const {
    char quote = 0;
    for (std::size_t at = position_ + 1; at < text_.size(); ++at) {
      const char c = text_[at];
      if (quote != 0 ? c == quote : c == '"' || c == '\'') quote = quote != 0 ? '\0' : c;
      if (quote == 0 && c == '>') return at;
    }
    return npos;
  }

  void tag() {
    const std::size_t end = endOfTag();
    if (end == npos) return moveTo(text_.size());
    std::string_view inside = text_.substr(position_ + 1, end - position_ - 1);
    if (inside.starts_with('/')) {
      close(trim(inside.substr(1)));
      return moveTo(end + 1);
    }
    const bool alone = inside.ends_with('/');
    if (alone) inside.remove_suffix(1);
    Open one{path_.size(), end + 1, npos, {}};
    one.element.line = line_;
    const std::size_t nameEnd = std::min(inside.find_first_of(" \t\r\n"), inside.size());
    path_ += '/';
    path_ += inside.substr(0, nameEnd);
    attributes(inside.substr(nameEnd), one.element);
    if (alone || open_.size() >= deepest) {
      one.textEnd = one.textBegin;
      finish(one);
    } else {
      open_.push_back(std::move(one));
    }
    moveTo(end + 1);
  }

  static void attributes(std::string_view text, XmlElement& element) {
    for (std::size_t equals = text.find('='); equals != npos; equals = text.find('=')) {
      const std::string_view name = trim(text.substr(0, equals));
      const std::size_t open = text.find_first_of("\"'", equals);
      const std::size_t close = open == npos ? npos : text.find(text[open], open + 1);
      if (close == npos) return;
      element.attributes.emplace_back(name, withoutEntities(text.substr(open + 1, close - open - 1)));
      text.remove_prefix(close + 1);
    }
  }

  void close(std::string_view name) {
    const auto match = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& one) {
      return path_.compare(one.pathSize + 1, name.size(), name) == 0 &&
             (path_.size() == one.pathSize + 1 + name.size() || path_[one.pathSize + 1 + name.size()] == '/');
    });
    if (match == open_.rend()) return;
    for (auto count = match - open_.rbegin() + 1; count > 0; --count) {
      Open one = std::move(open_.back());
      open_.pop_back();
      finish(one);
    }
  }

  void finish(Open& one) {
    const std::size_t end = std::min(one.textEnd, text_.size());
    one.element.path = path_;
    one.element.text = trim(text_.substr(one.textBegin, end - one.textBegin));
    visit_(one.element);
    path_.resize(one.pathSize);
  }

  std::string_view text_;
  const std::function<void(const XmlElement&)>& visit_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::string path_;
  std::vector<Open> open_;
};

}  // namespace

std::string_view XmlElement::attribute(std::string_view name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [name](const auto& one) { return equalsIgnoreCase(one.first, name); });
  return found == attributes.end() ? std::string_view() : std::string_view(found->second);
}

void eachXmlElement(std::string_view text, const std::function<void(const XmlElement&)>& visit) {
  XmlPass(text, visit).run();
}

}  // namespace unwarp::scan
