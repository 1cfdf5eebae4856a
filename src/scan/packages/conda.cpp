// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conda: environment files (dependencies, with pip's below them), recipes (meta.yaml and recipe.yaml: YAML with jinja,
// so read by lines and indentation, never as YAML), build variants (conda_build_config.yaml: a list of versions per
// package) and pixi's manifest. In a recipe only lists under `requirements` and `requires` name packages; calls such as
// `{{ compiler('cuda') }}` stand for the package they resolve to.
#include <algorithm>
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

/// The package that an item of a recipe wants: `{{ compiler('cuda') }}` and `${{ pin_compatible("cudnn") }}` are calls;
/// other jinja stays as it is.
std::string packageOfItem(std::string_view item) {
  const std::size_t open = item.starts_with("{{") ? 2 : item.starts_with("${{") ? 3 : 0;
  if (open == 0) return std::string(item);
  const std::string_view call = trim(item.substr(open));
  const std::string_view function = trim(call.substr(0, call.find('(')));
  const std::size_t quote = call.find_first_of("'\"");
  if (quote == std::string_view::npos) return {};
  const std::string_view argument = call.substr(quote + 1, call.find_first_of("'\"", quote + 1) - quote - 1);
  if (function == "compiler" && argument == "cuda") return "cuda-nvcc";
  return function == "pin_compatible" ? std::string(argument) : std::string();
}

/// Build variants, also those that conda-forge's bot writes.
bool isVariants(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("conda_build_config.") ||
         ("/" + std::string(path)).find("/.ci_support/") != std::string::npos;
}

class CondaReader {
 public:
  CondaReader(const ReadContext& context, const Input& input, FileFacts& out)
      : context_(context), out_(out), variants_(isVariants(input.path)) {}

  void line(std::string_view raw, std::uint32_t number) {
    const std::string_view text = withoutComment(raw);
    std::string_view bare = trim(text);
    if (bare.empty() || bare.starts_with("{%") || bare.starts_with("---")) return;
    if (inFlow_) return flowItems(bare, number);
    std::size_t indent = indentOf(text);
    bool item = bare.starts_with("- ") || bare == "-";
    while (!keys_.empty() && (keys_.back().indent > indent || (keys_.back().indent == indent && !item)))
      keys_.pop_back();
    if (item) {
      bare = trim(bare.substr(1));
      indent += 2;
    }
    const std::size_t colon = bare.ends_with(":") ? bare.size() - 1 : bare.find(": ");
    const bool key = colon != std::string_view::npos && bare.find_first_of(" '\"{[") >= colon;
    if (!key && item) return value(bare, number);
    if (!key) return;
    keys_.push_back({indent, bare.substr(0, colon)});
    if (const std::string_view rest = trim(bare.substr(colon + 1)); !rest.empty()) value(rest, number);
  }

 private:
  bool under(std::string_view name) const {
    return std::any_of(keys_.begin(), keys_.end(), [name](const Key& key) { return key.name == name; });
  }

  /// The key of the list one is in; `if`, `then` and `else` of a recipe choose inside a list.
  std::string_view list() const {
    for (std::size_t i = keys_.size(); i-- > 0;)
      if (keys_[i].name != "if" && keys_[i].name != "then" && keys_[i].name != "else") return keys_[i].name;
    return {};
  }

  /// What stands behind a key or as an item: a scalar, or a list in brackets.
  void value(std::string_view text, std::uint32_t number) {
    if (!keys_.empty() && keys_.back().name == "if") return;
    if (!text.starts_with("[")) return scalar(withoutQuotes(text), number);
    inFlow_ = true;
    flowItems(text.substr(1), number);
  }

  /// `a, b]`: the inside of brackets, which may go on for lines.
  void flowItems(std::string_view text, std::uint32_t number) {
    const std::size_t close = text.find(']');
    for (std::string_view item : split(text.substr(0, close), ','))
      if (!trim(item).empty()) scalar(withoutQuotes(item), number);
    if (close != std::string_view::npos) inFlow_ = false;
  }

  void scalar(std::string_view text, std::uint32_t number) {
    const std::string_view key = list();
    if (under("variables")) return addEnvironment(context_, key, text, number, out_);
    if (key == "pip") return addRequirement(context_, text, number, out_);
    if (key == "channels" || key == "channel_sources") {
      for (std::string_view channel : split(text, ','))
        packages::addCondaChannel(context_, trim(channel), number, out_);
      return;
    }
    if (key == "commands" || key == "script") return readShellText(context_, text, number, out_);
    if (key == "script_env" || key == "env") {
      const std::size_t equals = text.find('=');
      return addEnvironment(context_, text.substr(0, equals),
                            equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1), number,
                            out_);
    }
    if (variants_) return variant(key, text, number);
    const bool packages = under("dependencies") || under("requirements") || key == "requires" ||
                          key == "run_constrained" || key == "run_constraints";
    if (packages && !key.starts_with("ignore_run_exports")) addCondaSpec(context_, packageOfItem(text), number, out_);
  }

  /// `cudnn: ["9"]` in a file of variants; the version of the CUDA compiler is that of the toolkit.
  void variant(std::string_view key, std::string_view text, std::uint32_t number) {
    if (text == "None" || text.empty() || key == "zip_keys") return;
    if (key == "docker_image") return addImage(context_, text, number, out_);
    if (key == "cuda_compiler") return addCondaSpec(context_, text, number, out_);
    std::string package(key == "cuda_compiler_version" ? "cuda-version" : key);
    std::replace(package.begin(), package.end(), '_', '-');
    addCondaSpec(context_, package + " " + std::string(text), number, out_);
  }

  const ReadContext& context_;
  FileFacts& out_;
  const bool variants_;
  bool inFlow_ = false;
  std::vector<Key> keys_;
};

}  // namespace

void readCondaEnv(const ReadContext& context, const Input& input, FileFacts& out) {
  if (input.path.ends_with(".toml")) {
    packages::WantedPackages wanted(context, input, out);
    packages::visitTomlNoting(input.bytes, out.notes, [&](const JsonScalar& scalar) {
      packages::readPixiEntry(context, scalar, 0, wanted, out);
    });
    wanted.flush();
    return;
  }
  CondaReader reader(context, input, out);
  LineReader lines(input.bytes);
  std::string_view line;
  while (lines.next(line)) reader.line(line, lines.number());
}

}  // namespace unwarp::scan
