// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebooks: code cells joined to one Python text, so that an import in one cell is known in the next. Each source line
// is one JSON string on its own line of the file; the facts are moved back to those lines. `!command` and `%pip` lines
// are shell, `%%cu` and `%%cuda` cells are CUDA C++, `%%bash` cells shell, `%env` settings. Saved outputs are not read:
// they tell about the author's machine.
#include <algorithm>
#include <vector>

#include "base/text.h"
#include "scan/json_tokens.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

/// One line of code and where it stands in the notebook file.
struct CellLine {
  std::string text;
  std::uint32_t line;
};
using Cell = std::vector<CellLine>;

/// Appends `text` (one or more lines) of the JSON string on `line`.
void append(Cell& cell, std::string_view text, std::uint32_t line) {
  if (text.ends_with("\n")) text.remove_suffix(1);
  for (std::string_view piece : split(text, '\n')) cell.push_back({std::string(piece), line});
}

std::vector<Cell> codeCells(std::string_view bytes, std::vector<std::string>& notes) {
  std::vector<Cell> cells;
  Cell cell;
  std::string current, type;
  const auto flush = [&] {
    if (type == "code" && !cell.empty()) cells.push_back(std::move(cell));
    cell.clear();
    type.clear();
  };
  const bool whole = visitJson(bytes, [&](const JsonScalar& scalar) {
    const auto& path = scalar.path;
    // Format 4 has /cells/N, format 3 /worksheets/M/cells/N.
    const std::size_t base = !path.empty() && path[0] == "worksheets" ? 2 : 0;
    if (path.size() < base + 3 || path[base] != "cells") return;
    const std::string cellId = (base != 0 ? path[1] + "/" : std::string()) + path[base + 1];
    if (cellId != current) {
      flush();
      current = cellId;
    }
    const std::string& key = path[base + 2];
    if (key == "cell_type" && path.size() == base + 3) type = scalar.value;
    if ((key == "source" || key == "input") && path.size() <= base + 4) append(cell, scalar.value, scalar.line);
  });
  flush();
  if (!whole) notes.push_back("not valid JSON: read up to the fault");
  return cells;
}

/// Moves facts appended since `from` from text lines (1-based) to the lines of the notebook.
struct Mark {
  std::size_t apis, dependencies, mentions;
  explicit Mark(const FileFacts& out)
      : apis(out.apis.size()), dependencies(out.dependencies.size()), mentions(out.mentions.size()) {}
};

void moveLines(FileFacts& out, const Mark& from, const std::vector<std::uint32_t>& lineOf) {
  const auto moved = [&lineOf](std::uint32_t line) {
    return line >= 1 && line <= lineOf.size() ? lineOf[line - 1] : line;
  };
  for (std::size_t i = from.apis; i < out.apis.size(); ++i) out.apis[i].line = moved(out.apis[i].line);
  for (std::size_t i = from.dependencies; i < out.dependencies.size(); ++i)
    out.dependencies[i].line = moved(out.dependencies[i].line);
  for (std::size_t i = from.mentions; i < out.mentions.size(); ++i) out.mentions[i].line = moved(out.mentions[i].line);
}

class NotebookReader {
 public:
  NotebookReader(const ReadContext& context, const Input& input, FileFacts& out)
      : context_(context), input_(input), out_(out) {}

  void run(const std::vector<Cell>& cells) {
    for (const Cell& cell : cells) readCell(cell);
    const Mark mark(out_);
    readPython(context_, {input_.path, python_}, out_);
    moveLines(out_, mark, pythonLines_);
  }

 private:
  void readCell(const Cell& cell) {
    const std::string_view magic = trim(cell[0].text);
    const std::string_view word = magic.substr(0, magic.find_first_of(" \t"));
    if (!magic.starts_with("%%") || word == "%%time" || word == "%%timeit" || word == "%%capture" || word == "%%prun")
      return code(cell);
    const bool cuda = word == "%%cu" || word == "%%cuda" || word == "%%cuda_group_save" || word == "%%cuda_group_run" ||
                      (word == "%%writefile" && (magic.ends_with(".cu") || magic.ends_with(".cuh")));
    const bool shell = word == "%%bash" || word == "%%sh" || word == "%%shell" ||
                       (word == "%%script" && magic.find("sh") != std::string_view::npos);
    if (word == "%%writefile" && magic.ends_with(".py")) return code(cell);
    addDependency(context_, out_, knowledge::Ecosystem::Cli, magic, cell[0].line);
    if (!cuda && !shell) return;
    std::string text = "\n";
    std::vector<std::uint32_t> lines{cell[0].line};
    for (std::size_t i = 1; i < cell.size(); ++i) {
      (text += cell[i].text) += '\n';
      lines.push_back(cell[i].line);
    }
    const Mark mark(out_);
    if (cuda)
      readEmbeddedSource(context_, text, 1, out_);
    else
      readShellText(context_, text, 1, out_);
    moveLines(out_, mark, lines);
  }

  void code(const Cell& cell) {
    for (const CellLine& line : cell) {
      std::string_view text = trim(line.text);
      const bool escaped = text.starts_with("!") || text.starts_with("%");
      if (escaped) command(text, line.line);
      python_ += escaped ? std::string_view() : std::string_view(line.text);
      python_ += '\n';
      pythonLines_.push_back(line.line);
    }
  }

  void command(std::string_view text, std::uint32_t line) {
    if (text.starts_with("%")) addDependency(context_, out_, knowledge::Ecosystem::Cli, text, line);
    if (text.starts_with("%%")) return;
    if (text.starts_with("%env ") || text.starts_with("%set_env ")) {
      text = trim(text.substr(text.find(' ')));
      const std::size_t end = text.find_first_of("= ");
      addEnvironment(context_, text.substr(0, end),
                     end == std::string_view::npos ? std::string_view() : trim(text.substr(end + 1)), line, out_);
      return;
    }
    const bool package =
        text.starts_with("%pip") || text.starts_with("%conda") || text.starts_with("%mamba") || text.starts_with("%uv");
    if (!text.starts_with("!") && !package) return;
    text.remove_prefix(text.starts_with("!!") ? 2 : 1);
    readShellText(context_, text, line, out_);
  }

  const ReadContext& context_;
  const Input& input_;
  FileFacts& out_;
  std::string python_;
  std::vector<std::uint32_t> pythonLines_;
};

}  // namespace

void readNotebook(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::vector<Cell> cells = codeCells(input.bytes, out.notes);
  NotebookReader(context, input, out).run(cells);
}

}  // namespace unwarp::scan
