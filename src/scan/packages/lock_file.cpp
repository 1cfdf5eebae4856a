// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lock files say what is really installed. They are long and machine-written, so they are read by lines in one pass:
// `[[package]]` blocks (poetry, uv, pdm, pylock, cargo), package lists of conda-lock and pixi, and Pipfile.lock as
// JSON. Only names and versions are taken.
#include <algorithm>

#include "base/json_tokens.h"
#include "base/text.h"
#include "scan/packages/lock_file.h"
#include "scan/python/requirement.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  while (!text.empty() && (text.back() == ',' || text.back() == '"' || text.back() == '\'')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  return text;
}

void addLocked(const ReadContext& context, std::string_view name, std::string_view version, bool conda,
               std::uint32_t line, FileFacts& out) {
  if (name.empty()) return;
  if (conda) return addCondaSpec(context, std::string(name) + " " + std::string(version), line, out);
  python::Package package;
  package.name = std::string(name);
  package.version = version.empty() ? std::string() : "==" + std::string(version);
  python::addPackage(context, package, line, out);
}

/// "https://host/channel/linux-64/cuda-nvcc-12.4.131-0.conda": name, version.
void addCondaUrl(const ReadContext& context, std::string_view url, std::uint32_t line, FileFacts& out) {
  std::string_view file = url.substr(0, url.find('#'));
  file = file.substr(file.rfind('/') + 1);
  const std::size_t build = file.rfind('-');
  const std::size_t version = build == std::string_view::npos || build == 0 ? build : file.rfind('-', build - 1);
  if (version == std::string_view::npos) return;
  std::string spec =
      std::string(file.substr(0, version)) + "=" + std::string(file.substr(version + 1, build - version - 1));
  const std::string_view variant = file.substr(build + 1);
  if (variant.starts_with("cpu")) spec += "=cpu";
  addCondaSpec(context, spec, line, out);
}

/// conda-lock.yml and pixi.lock: list items whose fields follow each other.
void readYamlLock(const ReadContext& context, std::string_view text, FileFacts& out) {
  std::string_view name, version;
  bool conda = true, inPackages = false;
  std::uint32_t line = 0;
  const auto flush = [&] {
    addLocked(context, name, version, conda, line, out);
    name = version = {};
    conda = true;
  };
  LineReader lines(text);
  std::string_view raw;
  while (lines.next(raw)) {
    std::string_view bare = trim(raw);
    if (!raw.empty() && raw[0] != ' ' && raw[0] != '-') {
      if (inPackages) flush();
      inPackages = bare == "packages:" || bare == "package:";
    }
    if (!inPackages || raw.starts_with("    ")) continue;  // deeper lines are a package's own dependencies
    const bool first = bare.starts_with("- ");
    if (first) {
      flush();
      bare = trim(bare.substr(2));
      line = lines.number();
    }
    const std::size_t colon = bare.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view key = bare.substr(0, colon), value = unquoted(bare.substr(colon + 2));
    if (key == "name") name = value, line = lines.number();
    if (key == "version") version = value;
    if (key == "manager" || key == "kind") conda = value == "conda";
    if (first && key == "conda") addCondaUrl(context, value, lines.number(), out);
    if (first && key == "pypi") conda = false;
  }
  if (inPackages) flush();
}

void readPipfileLock(const ReadContext& context, std::string_view text, FileFacts& out) {
  const bool whole = visitJson(text, [&](const JsonScalar& scalar) {
    if (scalar.path.size() != 3 || scalar.path[2] != "version") return;
    python::Package package;
    package.name = scalar.path[1];
    package.version = scalar.value;
    python::addPackage(context, package, scalar.line, out);
  });
  if (!whole) out.notes.push_back("not valid JSON: read up to the fault");
}

}  // namespace

namespace packages {

void eachLockedPackage(std::string_view text,
                       const std::function<void(std::string_view, std::string_view, std::uint32_t)>& visit) {
  std::string_view name, version;
  std::uint32_t line = 0;
  bool inPackage = false;
  const auto flush = [&] {
    if (inPackage && !name.empty()) visit(name, version, line);
    name = version = {};
  };
  LineReader lines(text);
  std::string_view raw;
  while (lines.next(raw)) {
    if (raw.starts_with("[")) {
      flush();
      inPackage = raw.starts_with("[[package]]") || raw.starts_with("[[packages]]");
    } else if (inPackage && raw.starts_with("name = ")) {
      name = unquoted(raw.substr(7));
      line = lines.number();
    } else if (inPackage && raw.starts_with("version = ")) {
      version = unquoted(raw.substr(10));
    }
  }
  flush();
}

}  // namespace packages

void readLockFile(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::string_view name = input.path.substr(input.path.rfind('/') + 1);
  if (equalsIgnoreCase(name, "Pipfile.lock")) return readPipfileLock(context, input.bytes, out);
  const bool yaml = name == "pixi.lock" || name.ends_with(".yml") || name.ends_with(".yaml");
  if (yaml) return readYamlLock(context, input.bytes, out);
  if (input.bytes.substr(0, 4096).find("@EXPLICIT") != std::string_view::npos) {
    LineReader lines(input.bytes);
    std::string_view line;
    while (lines.next(line))
      if (line.starts_with("http")) addCondaUrl(context, line, lines.number(), out);
    return;
  }
  packages::eachLockedPackage(input.bytes, [&](std::string_view package, std::string_view version, std::uint32_t line) {
    addLocked(context, package, version, false, line, out);
  });
}

}  // namespace unwarp::scan
