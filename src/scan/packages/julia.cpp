// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Julia: packages of Project.toml and Manifest.toml; in code, `using` and `import`, `Pkg.add("CUDA")`, uses of a bound
// package (`CUDA.zeros`) and what CUDA.jl exports (`@cuda`, `CuArray`). Code is read by words, without comments and
// strings; nothing is resolved.
#include <set>

#include "base/text.h"
#include "scan/packages/registry_package.h"
#include "scan/packages/toml_values.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using Strings = std::vector<std::string_view>;

bool add(const ReadContext& context, std::string_view name, std::uint32_t line, FileFacts& out) {
  return packages::addRegistryPackage(context, "julia", name, line, out);
}

/// `[deps]`, `[weakdeps]` and `[extras]` of a project, `[[deps.NAME]]` of a manifest.
void readProject(const ReadContext& context, const Input& input, FileFacts& out) {
  packages::visitTomlNoting(input.bytes, out.notes, [&](const JsonScalar& scalar) {
    const auto& path = scalar.path;
    const bool project = path.size() == 2 && (path[0] == "deps" || path[0] == "weakdeps" || path[0] == "extras");
    const bool manifest = path.size() == 4 && path[0] == "deps" && path[3] == "uuid";
    if (project || manifest) add(context, path[1], scalar.line, out);
  });
}

/// Takes comments and strings out of lines; both may reach over many.
class CodeLines {
 public:
  /// The code of a line; `strings` get the strings that begin and end on it.
  std::string code(std::string_view line, Strings& strings) {
    std::string code;
    for (std::size_t at = 0; at < line.size();) {
      const std::string_view rest = line.substr(at);
      if (!quote_.empty()) {
        const std::size_t end = rest.find(quote_);
        if (end == std::string_view::npos) return code;
        at += end + quote_.size();
        quote_ = {};
      } else if (comments_ > 0 || rest.starts_with("#=")) {
        at += commentPart(rest);
      } else if (rest[0] == '#') {
        return code;
      } else if (rest.starts_with("\"\"\"")) {
        quote_ = "\"\"\"";
        at += 3;
      } else if (rest[0] == '"') {
        std::size_t end = 1;
        while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
        strings.push_back(rest.substr(1, std::min(end, rest.size()) - 1));
        code += ' ';
        at += end + 1;
      } else {
        code += line[at++];
      }
    }
    return code;
  }

 private:
  std::size_t commentPart(std::string_view rest) {
    if (rest.starts_with("#=")) return ++comments_, 2;
    if (rest.starts_with("=#")) return --comments_, 2;
    return 1;
  }

  std::uint32_t comments_ = 0;  ///< open `#=`, which nest
  std::string_view quote_;      ///< of the open string of many lines
};

class CodeReader {
 public:
  CodeReader(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  void line(std::string_view code, const Strings& strings, std::uint32_t number) {
    const std::string_view text = trim(code);
    const bool use = text.starts_with("using "), import = text.starts_with("import ");
    if (text.find("Pkg.add") != std::string_view::npos)
      for (std::string_view name : strings) add(context_, name, number, out_);
    if (use || import || inUsing_) return bindings(use || import ? text.substr(use ? 6 : 7) : text, number);
    names(text, number);
  }

 private:
  /// `A, B.C, D as E` up to a colon, behind which stand names of one module; a comma at the end goes on below.
  void bindings(std::string_view text, std::uint32_t number) {
    const std::size_t colon = text.find(':');
    for (std::string_view part : split(text.substr(0, colon), ',')) {
      part = trim(part);
      part = part.substr(0, part.find_first_of(". \t"));  // empty for a module of the project: `.CUDA`
      if (add(context_, part, number, out_)) bound_.emplace(part);
    }
    inUsing_ = colon == std::string_view::npos && text.ends_with(',');
  }

  /// `@cuda`, `CuArray` and uses of what is bound, each once a line.
  void names(std::string_view text, std::uint32_t number) {
    std::set<std::string_view> seen;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + (text[at] == '@' ? 1 : 0);
      while (end < text.size() && (isIdentifierPart(text[end]) || text[end] == '!')) ++end;
      if (end == at) {
        ++at;
        continue;
      }
      const std::string_view name = text.substr(at, end - at);
      const bool field = at > 0 && text[at - 1] == '.';
      const bool use = end < text.size() && text[end] == '.' && bound_.contains(std::string(name));
      const bool exported = name.starts_with("@cu") || name.starts_with("Cu");
      if ((use || exported) && !field && seen.insert(name).second) add(context_, name, number, out_);
      at = end;
    }
  }

  const ReadContext& context_;
  FileFacts& out_;
  std::set<std::string> bound_;  ///< packages known to bind
  bool inUsing_ = false;
};

}  // namespace

void readJulia(const ReadContext& context, const Input& input, FileFacts& out) {
  if (!input.path.ends_with(".jl")) return readProject(context, input, out);
  CodeReader reader(context, out);
  CodeLines code;
  LineReader lines(input.bytes);
  std::string_view line;
  while (lines.next(line)) {
    Strings strings;
    const std::string text = code.code(line, strings);
    reader.line(text, strings, lines.number());
  }
}

}  // namespace unwarp::scan
