// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebooks: code cells joined to one Python text, so that an import in one cell is known in the next. Each source line
// is one JSON string on its own line of the file; the facts are moved back to those lines. `!command` and `%pip` lines
// are shell, `%env` settings; a cell in another language (`%%cu`, `%%bash`) or for another file (`%%writefile NAME`) is
// read as that kind of file. Saved outputs are not read: they tell about the author's machine.
#include <algorithm>
#include <memory>
#include <vector>

#include "base/json_tokens.h"
#include "base/text.h"
#include "scan/classify.h"
#include "scan/dispatch.h"
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

struct Notebook {
  std::vector<Cell> cells;  ///< those of code
  std::string language;     ///< as its kernel names it; empty: not said
};

Notebook openNotebook(std::string_view bytes, std::vector<std::string>& notes) {
  Notebook notebook;
  Cell cell;
  std::string current, type;
  const auto flush = [&] {
    if (type == "code" && !cell.empty()) notebook.cells.push_back(std::move(cell));
    cell.clear();
    type.clear();
  };
  const bool whole = visitJson(bytes, [&](const JsonScalar& scalar) {
    const auto& path = scalar.path;
    const bool kernel =
        path.size() == 3 && path[0] == "metadata" &&
        ((path[1] == "kernelspec" && path[2] == "language") || (path[1] == "language_info" && path[2] == "name"));
    if (kernel) notebook.language = toLower(scalar.value);
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
  return notebook;
}

/// The file whose reader a cell's first line asks for: a name that is classified like a file's, or empty.
std::string_view fileOfMagic(std::string_view magic) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {{"%%cu", "cell.cu"},
                                                                            {"%%cuda", "cell.cu"},
                                                                            {"%%cuda_group_save", "cell.cu"},
                                                                            {"%%cuda_group_run", "cell.cu"},
                                                                            {"%%bash", "cell.sh"},
                                                                            {"%%sh", "cell.sh"},
                                                                            {"%%shell", "cell.sh"},
                                                                            {"%%cython", "cell.pyx"},
                                                                            {"%%julia", "cell.jl"},
                                                                            {"%%python", "cell.py"},
                                                                            {"%%python3", "cell.py"}};
  const std::string_view word = magic.substr(0, magic.find_first_of(" \t"));
  const std::vector<std::string_view> arguments = words(magic.substr(word.size()));
  for (const auto& [name, file] : names)
    if (word == name) return file;
  if (word == "%%writefile" || word == "%%file") {
    std::string_view file = arguments.empty() ? std::string_view() : arguments.back();
    if (file.starts_with('"') || file.starts_with('\'')) file.remove_prefix(1);
    return file.substr(0, file.find_last_not_of("\"'") + 1);
  }
  if (word != "%%script" || arguments.empty()) return {};
  return arguments[0].find("sh") != std::string_view::npos       ? "cell.sh"
         : arguments[0].find("python") != std::string_view::npos ? "cell.py"
                                                                 : "";
}

/// The command of a line `!command`, `!!command` or `name = !command`, or empty.
std::string_view commandOf(std::string_view text) {
  std::size_t at = text.find('!');
  if (at == std::string_view::npos) return {};
  std::string_view before = trim(text.substr(0, at));
  if (!before.empty()) {
    if (!before.ends_with('=')) return {};
    before = trim(before.substr(0, before.size() - 1));
    if (before.empty() || !std::all_of(before.begin(), before.end(), isIdentifierPart)) return {};
  }
  if (text.substr(at).starts_with("!!")) ++at;
  return trim(text.substr(at + 1));
}

class NotebookReader {
 public:
  NotebookReader(const ReadContext& context, const Input& input, FileFacts& out)
      : context_(context), input_(input), out_(out) {}

  void run(const Notebook& notebook) {
    for (const Cell& cell : notebook.cells) {
      mark(cell);
      if (notebook.language == "julia")
        readAs("cell.jl", cell, 0);
      else
        readCell(cell);
    }
    FileFacts inner;
    inner.path = out_.path;
    readPython({context_.knowledge, nullptr}, {input_.path, python_}, inner);
    out_.how = inner.how;
    appendMoved(std::move(inner), lineOf(pythonLines_), out_);
  }

 private:
  static std::function<std::uint32_t(std::uint32_t)> lineOf(const std::vector<std::uint32_t>& lines) {
    return [&lines](std::uint32_t line) { return line >= 1 && line <= lines.size() ? lines[line - 1] : line; };
  }

  /// Lines that may hold a suppression: the file shows them inside quotes.
  void mark(const Cell& cell) {
    for (std::size_t i = 0; i < cell.size(); ++i) {
      if (cell[i].text.find("unwarp:") == std::string::npos) continue;
      const std::uint32_t next = i + 1 < cell.size() ? cell[i + 1].line : cell[i].line + 1;
      out_.markedLines.push_back({cell[i].text, cell[i].line, next});
    }
  }

  void readCell(const Cell& cell) {
    std::size_t first = 0;
    while (first + 1 < cell.size() && trim(cell[first].text).empty()) ++first;
    const std::string_view magic = trim(cell[first].text);
    if (!magic.starts_with("%%")) return code(cell);
    addDependency(context_, out_, knowledge::Ecosystem::Cli, magic, cell[first].line);
    if (const std::string_view file = fileOfMagic(magic); !file.empty()) return readAs(file, cell, first + 1);
    const std::string_view word = magic.substr(0, magic.find_first_of(" \t"));
    for (std::string_view around : {"%%time", "%%timeit", "%%capture", "%%prun"})
      if (word == around) return code(Cell(cell.begin() + static_cast<std::ptrdiff_t>(first) + 1, cell.end()));
  }

  /// Reads the lines from `first` on as the file that they are, or become.
  void readAs(std::string_view file, const Cell& cell, std::size_t first) {
    auto text = std::make_shared<std::string>();  // and behind it the name, since facts look at both
    std::vector<std::uint32_t> lines;
    for (std::size_t i = first; i < cell.size(); ++i) {
      (*text += cell[i].text) += '\n';
      lines.push_back(cell[i].line);
    }
    const std::size_t sizeBytes = text->size();
    *text += file;
    const std::string_view kept = *text, bytes = kept.substr(0, sizeBytes), path = kept.substr(sizeBytes);
    FileFacts inner;
    readByKind({context_.knowledge, nullptr}, classify(path, bytes.substr(0, headBytes)), {path, bytes}, inner);
    if (inner.source != nullptr) inner.embedded.push_back({text, std::move(inner.source), 0});
    appendMoved(std::move(inner), lineOf(lines), out_);
  }

  /// Python, with lines for the shell and for IPython among it; a command may go on behind a backslash.
  void code(const Cell& cell) {
    for (std::size_t i = 0; i < cell.size(); ++i) {
      const std::string_view text = trim(cell[i].text);
      const bool escaped = text.starts_with("%") || !commandOf(text).empty();
      if (!escaped) {
        addPython(cell[i]);
        continue;
      }
      std::string joined(text);
      std::vector<std::uint32_t> lines{cell[i].line};
      while (joined.ends_with('\\') && i + 1 < cell.size()) {
        (joined += '\n') += trim(cell[++i].text);
        lines.push_back(cell[i].line);
      }
      for (std::uint32_t line : lines) addPython({{}, line});
      command(joined, lines);
    }
  }

  void addPython(const CellLine& line) {
    (python_ += line.text) += '\n';
    pythonLines_.push_back(line.line);
  }

  void command(std::string_view text, const std::vector<std::uint32_t>& lines) {
    const std::uint32_t line = lines[0];
    if (text.starts_with("%")) addDependency(context_, out_, knowledge::Ecosystem::Cli, text, line);
    if (text.starts_with("%%")) return;
    if (text.starts_with("%env ") || text.starts_with("%set_env ")) {
      text = trim(text.substr(text.find(' ')));
      const std::size_t end = text.find_first_of("= ");
      addEnvironment(context_, text.substr(0, end),
                     end == std::string_view::npos ? std::string_view() : trim(text.substr(end + 1)), line, out_);
      return;
    }
    for (std::string_view package : {"%pip", "%conda", "%mamba", "%micromamba", "%uv"})
      if (text.starts_with(package)) return shell(text.substr(1), lines);
    if (!text.starts_with("%")) shell(commandOf(text), lines);
  }

  void shell(std::string_view text, const std::vector<std::uint32_t>& lines) {
    FileFacts inner;
    inner.path = out_.path;
    readShellText(context_, text, 1, inner);
    appendMoved(std::move(inner), lineOf(lines), out_);
  }

  const ReadContext& context_;
  const Input& input_;
  FileFacts& out_;
  std::string python_;
  std::vector<std::uint32_t> pythonLines_;
};

}  // namespace

void readNotebook(const ReadContext& context, const Input& input, FileFacts& out) {
  NotebookReader(context, input, out).run(openNotebook(input.bytes, out.notes));
}

}  // namespace unwarp::scan
