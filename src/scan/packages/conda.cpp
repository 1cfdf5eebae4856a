// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conda: environment files (dependencies, with pip's below them), recipes (meta.yaml: YAML with jinja, so read by lines
// and indentation, never as YAML) and pixi's manifest. In a recipe only lists under `requirements` and `requires` name
// packages.
#include <vector>

#include "base/text.h"
#include "scan/packages/toml_values.h"
#include "scan/packages/wanted_packages.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

std::size_t indentOf(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

std::string_view withoutQuotes(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

/// ` # [linux64]` and other comments.
std::string_view withoutComment(std::string_view line) {
  const std::size_t hash = line.find(" #");
  if (trim(line).starts_with("#")) return {};
  return hash == std::string_view::npos ? line : line.substr(0, hash);
}

/// Keys above the current line, by indentation.
struct Key {
  std::size_t indent;
  std::string_view name;
};

class CondaReader {
 public:
  CondaReader(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  void line(std::string_view raw, std::uint32_t number) {
    const std::string_view text = withoutComment(raw);
    std::string_view bare = trim(text);
    if (bare.empty() || bare.starts_with("{%") || bare.starts_with("---")) return;
    std::size_t indent = indentOf(text);
    const bool item = bare.starts_with("- ") || bare == "-";
    while (!keys_.empty() && (keys_.back().indent > indent || (keys_.back().indent == indent && !item)))
      keys_.pop_back();
    if (item) {
      bare = trim(bare.substr(1));
      indent += 2;
    }
    if (bare.ends_with(":") && bare.find(' ') == std::string_view::npos) {
      keys_.push_back({indent, bare.substr(0, bare.size() - 1)});
    } else if (item) {
      listItem(withoutQuotes(bare), number);
    } else if (const std::size_t colon = bare.find(": "); colon != std::string_view::npos && under("variables")) {
      addEnvironment(context_, trim(bare.substr(0, colon)), withoutQuotes(bare.substr(colon + 2)), number, out_);
    }
  }

 private:
  bool under(std::string_view name) const {
    for (const Key& key : keys_)
      if (key.name == name) return true;
    return false;
  }

  void listItem(std::string_view text, std::uint32_t number) {
    const std::string_view list = keys_.empty() ? std::string_view() : keys_.back().name;
    if (list == "pip") return addRequirement(context_, text, number, out_);
    if (list == "channels") {
      addDependency(context_, out_, knowledge::Ecosystem::Config, "channels=" + std::string(text), number);
      return;
    }
    if (list == "commands") return readShellText(context_, text, number, out_);
    const bool packages =
        under("dependencies") || under("requirements") || list == "requires" || list == "run_constrained";
    if (packages) addCondaSpec(context_, text, number, out_);
  }

  const ReadContext& context_;
  FileFacts& out_;
  std::vector<Key> keys_;
};

}  // namespace

void readCondaEnv(const ReadContext& context, const Input& input, FileFacts& out) {
  if (input.path.ends_with(".toml")) {
    packages::WantedPackages wanted(context, input, out);
    packages::visitTomlNoting(input.bytes, out.notes, [&](const JsonScalar& scalar) {
      const std::size_t name = packages::pixiNamePosition(scalar.path, 0);
      if (name != 0) wanted.addTableEntry(scalar, name, scalar.path[name - 1] != "pypi-dependencies");
      const bool system = scalar.path.size() >= 2 && scalar.path[scalar.path.size() - 2] == "system-requirements" &&
                          scalar.path.back() == "cuda";
      if (system) addCondaSpec(context, "cuda-version " + scalar.value, scalar.line, out);
    });
    wanted.flush();
    return;
  }
  CondaReader reader(context, out);
  LineReader lines(input.bytes);
  std::string_view line;
  while (lines.next(line)) reader.line(line, lines.number());
}

}  // namespace unwarp::scan
