// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See dockerfile.h. A here-document belongs to the instruction above it; its body stays a view into the file.
#include "scan/deploy/dockerfile.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;

std::string toUpper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

/// Delimiter of a here-document that starts in `line`, or empty.
std::string_view hereDelimiter(std::string_view line) {
  const std::size_t mark = line.find("<<");
  if (mark == npos || line.substr(mark, 3) == "<<<") return {};
  std::size_t begin = mark + 2;
  if (begin < line.size() && line[begin] == '-') ++begin;
  if (begin < line.size() && (line[begin] == '"' || line[begin] == '\'')) ++begin;
  std::size_t end = begin;
  while (end < line.size() && isIdentifierPart(line[end])) ++end;
  return line.substr(begin, end - begin);
}

char escapeCharacter(std::string_view text) {
  const std::string_view head = trim(text.substr(0, text.find('\n')));
  if (!head.starts_with("#")) return '\\';
  const std::string setting = toLower(trim(head.substr(1)));
  return setting.starts_with("escape") && setting.ends_with("`") ? '`' : '\\';
}

class DockerfilePass {
 public:
  explicit DockerfilePass(std::string_view text) : text_(text), reader_(text), escape_(escapeCharacter(text)) {}

  std::vector<DockerInstruction> run() {
    std::string_view line;
    while (reader_.next(line)) {
      const std::string_view content = trim(line);
      if (content.empty() || content.starts_with("#")) continue;
      instruction(content);
    }
    return std::move(result_);
  }

 private:
  /// Cuts the continuation mark off `content`; false when there is none.
  bool cutContinuation(std::string_view& content) const {
    if (content.empty() || content.back() != escape_) return false;
    content.remove_suffix(1);
    return true;
  }

  void instruction(std::string_view content) {
    DockerInstruction next;
    next.line = reader_.number();
    const std::size_t nameEnd = std::min(content.find_first_of(" \t"), content.size());
    next.name = toUpper(content.substr(0, nameEnd));
    content.remove_prefix(nameEnd);
    bool more = cutContinuation(content);
    next.arguments = content;
    std::string_view delimiter = hereDelimiter(content);
    std::string_view line;
    while (more && reader_.next(line)) {
      content = trim(line);
      next.arguments += " \\\n";
      if (content.empty() || content.starts_with("#")) continue;
      more = cutContinuation(content);
      next.arguments += content;
      if (delimiter.empty()) delimiter = hereDelimiter(content);
    }
    const bool mayHold = next.name == "RUN" || next.name == "COPY" || next.name == "ADD";
    if (mayHold && !delimiter.empty()) hereDocument(delimiter, next);
    result_.push_back(std::move(next));
  }

  void hereDocument(std::string_view delimiter, DockerInstruction& owner) {
    std::string_view line;
    std::size_t begin = npos;
    std::size_t end = 0;
    while (reader_.next(line)) {
      if (begin == npos) {
        begin = reader_.offset();
        owner.hereDocumentLine = reader_.number();
      }
      end = reader_.offset();
      if (trim(line) == delimiter) break;
      end += line.size();
    }
    if (begin != npos) owner.hereDocument = text_.substr(begin, end - begin);
  }

  std::string_view text_;
  LineReader reader_;
  char escape_;
  std::vector<DockerInstruction> result_;
};

}  // namespace

std::vector<DockerInstruction> splitDockerfile(std::string_view text) {
  return DockerfilePass(text).run();
}

}  // namespace unwarp::scan
