// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// justfiles: recipes are indented under their names and hold commands, or a script of the language that their first
// line names; settings stand at the start of lines.
#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

/// The lines of one recipe, without the marks that say whether a command is printed or may fail.
class Recipe {
 public:
  void add(std::string_view line, std::uint32_t number) {
    if (text_.empty()) firstLine_ = number;
    std::string_view bare = trim(line);
    const bool script = text_.starts_with("#!");
    while (!script && !bare.empty() && (bare.front() == '@' || bare.front() == '-')) bare.remove_prefix(1);
    text_ += (text_.empty() ? "" : "\n") + std::string(script ? line : bare);
  }

  void read(const ReadContext& context, FileFacts& out) {
    const std::string_view first = std::string_view(text_).substr(0, text_.find('\n'));
    if (first.starts_with("#!") && first.find("python") != std::string_view::npos)
      readPythonText(context, text_, firstLine_, out);
    else if (!text_.empty())
      readShellText(context, text_, firstLine_, out);
    text_.clear();
  }

 private:
  std::string text_;
  std::uint32_t firstLine_ = 0;
};

}  // namespace

void readJustfile(const ReadContext& context, const Input& input, FileFacts& out) {
  Recipe recipe;
  LineReader lines(input.bytes);
  for (std::string_view line; lines.next(line);) {
    const bool indented = line.starts_with(' ') || line.starts_with('\t');
    if (indented && !trim(line).empty()) {
      recipe.add(line, lines.number());
      continue;
    }
    if (trim(line).empty()) continue;
    recipe.read(context, out);
    const std::size_t assign = line.find(":=");
    if (line.starts_with('#') || assign == std::string_view::npos) continue;
    std::string_view name = trim(line.substr(0, assign)), value = trim(line.substr(assign + 2));
    if (name.starts_with("export ")) name = trim(name.substr(7));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')) value = value.substr(1, value.size() - 2);
    const std::size_t before = out.dependencies.size();
    addEnvironment(context, name, value, lines.number(), out);
    if (out.dependencies.size() == before) build::addFlagWords(context, value, lines.number(), out);
  }
  recipe.read(context, out);
}

}  // namespace unwarp::scan
