// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA Fortran: modules (`use cudafor`), attributes of subprograms and variables, launches, `!$cuf` loops, calls of the
// CUDA libraries, and Fortran of any compiler that binds C names (`bind(c, name="cudaMalloc")`). OpenACC and OpenMP
// directives are comments here: they bind to no vendor. Names are compared without regard to case, as Fortran does.
// The language's own words have rows in the table with `fortran:` in front. A file counts as CUDA Fortran by one sure
// sign; without it, words such as `device` mean nothing.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "scan/build/hip_words.h"
#include "scan/languages/code_bindings.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;
using knowledge::Knowledge;

constexpr std::size_t npos = std::string_view::npos;

/// One line without comments: code with blanks in place of strings, the strings, and whether it is a `!$cuf` line.
struct FortranLine {
  std::string code;  ///< lower case
  std::vector<std::string_view> strings;
  bool cuf = false;
  bool guarded = false;  ///< in a preprocessor conditional that has its branch for AMD
};

/// Fixed form: `.f` and the like, where a letter in the first column makes a comment.
bool isFixedForm(std::string_view path) {
  const std::string lower = toLower(path);
  return lower.ends_with(".f") || lower.ends_with(".for") || lower.ends_with(".ftn") || lower.ends_with(".f77");
}

FortranLine lineOf(std::string_view text, bool fixed) {
  FortranLine line;
  const std::string_view bare = fixed ? text : trim(text);
  const bool marked =
      !bare.empty() && (bare.front() == '!' || (fixed && std::string_view("cC*").find(bare.front()) != npos));
  if (marked) {
    const std::string sentinel = toLower(bare.substr(1, 4));
    line.cuf = sentinel == "$cuf";
    if (!line.cuf && sentinel != "@cuf") return line;
    text = bare.substr(5);
  } else if (fixed && !text.empty() && (text.front() == 'd' || text.front() == 'D')) {
    return line;  // lines for debugging
  }
  for (std::size_t at = 0; at < text.size() && text[at] != '!';) {
    if (text[at] != '"' && text[at] != '\'') {
      line.code += text[at++];
      continue;
    }
    const std::size_t close = std::min(text.find(text[at], at + 1), text.size());
    line.strings.push_back(text.substr(at + 1, close - at - 1));
    line.code += ' ';
    at = close + 1;
  }
  line.code = toLower(line.code);
  return line;
}

/// Which lines stand in `#if` chains that ask for HIP or ROCm anywhere.
class Conditionals {
 public:
  void line(std::string_view text, std::size_t index) {
    text = trim(text);
    if (!text.starts_with('#')) return;
    text = trim(text.substr(1));
    if (text.starts_with("if")) open_.push_back({index, build::mentionsHip(text)});
    if (open_.empty()) return;
    if (text.starts_with("el")) open_.back().hip |= build::mentionsHip(text);
    if (!text.starts_with("endif")) return;
    if (open_.back().hip) guarded_.emplace_back(open_.back().first, index);
    open_.pop_back();
  }

  void mark(std::vector<FortranLine>& lines) const {
    std::vector<int> changes(lines.size() + 1, 0);
    for (const auto& [first, last] : guarded_) ++changes[first], --changes[last];
    int open = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      open += changes[i];
      lines[i].guarded = open > 0;
    }
  }

 private:
  struct Chain {
    std::size_t first;
    bool hip;
  };
  std::vector<Chain> open_;
  std::vector<std::pair<std::size_t, std::size_t>> guarded_;
};

class FortranReader {
 public:
  FortranReader(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  void run(const Input& input) {
    const std::string lowerPath = toLower(input.path);
    cuda_ = lowerPath.ends_with(".cuf");
    const bool fixed = isFixedForm(input.path);
    std::vector<FortranLine> lines;
    Conditionals conditionals;
    LineReader reader(input.bytes);
    for (std::string_view text; reader.next(text);) {
      lines.push_back(lineOf(text, fixed));
      conditionals.line(text, lines.size() - 1);
      cuda_ |= showsCuda(lines.back());
    }
    conditionals.mark(lines);
    for (number_ = 1; number_ <= lines.size(); ++number_) read(lines[number_ - 1]);
    resolveOtherSpellings();
  }

 private:
  /// The module of `use NAME` and `use, intrinsic :: NAME`, or empty.
  static std::string_view usedModule(std::string_view code) {
    code = trim(code);
    if (!code.starts_with("use")) return {};
    code.remove_prefix(3);
    const std::size_t colons = code.find("::");
    if (code.empty() || (code.front() != ' ' && code.front() != '\t' && code.front() != ',' && code.front() != ':'))
      return {};
    code = trim(colons == npos ? code : code.substr(colons + 2));
    return code.substr(0, code.find_first_of(" ,\t&"));
  }

  bool isKnown(std::string_view word) const {
    const std::string name = "fortran:" + std::string(word);
    return context_.knowledge.findDependency(Ecosystem::OtherPkg, name) != Knowledge::none;
  }

  bool showsCuda(const FortranLine& line) const {
    if (line.cuf || line.code.find("<<<") != npos) return true;
    const std::string_view module = usedModule(line.code);
    if (!module.empty()) return isKnown("use " + std::string(module));
    for (std::size_t at = line.code.find("attributes"); at != npos; at = line.code.find("attributes", at + 1)) {
      const std::size_t open = line.code.find_first_not_of(" \t", at + 10);
      if (open == npos || line.code[open] != '(') continue;
      for (std::string_view word : split(inBrackets(line.code, open), ','))
        if (isKnown("attributes(" + std::string(trim(word)) + ")")) return true;
    }
    return false;
  }

  static std::string_view inBrackets(std::string_view code, std::size_t open) {
    return code.substr(open + 1, std::min(code.find(')', open), code.size()) - open - 1);
  }

  void site(std::string_view word, bool guarded) {
    if (languages::addLanguageName(context_, "fortran", word, number_, out_))
      out_.dependencies.back().guarded = guarded;
  }

  void read(const FortranLine& line) {
    if (line.cuf) return site("!$cuf", line.guarded);
    if (line.code.find("bind") != npos) boundNames(line);
    if (!cuda_) return;
    const std::string_view module = usedModule(line.code);
    if (!module.empty()) return site("use " + std::string(module), line.guarded);
    if (line.code.find("<<<") != npos) site("<<<>>>", line.guarded);
    words(line);
  }

  /// `bind(c, name="cudaMalloc")`: C's own spelling.
  void boundNames(const FortranLine& line) {
    for (const std::string_view name : line.strings) api(trim(name), line.guarded);
  }

  bool api(std::string_view name, bool guarded) {
    const std::uint32_t record = context_.knowledge.findApi(name);
    if (record == Knowledge::none || context_.knowledge.apis()[record].context != knowledge::Context::Any) return false;
    out_.apis.push_back({record, number_, 1, guarded});
    return true;
  }

  void words(const FortranLine& line) {
    const std::string_view code = line.code;
    const std::size_t colons = code.find("::");
    int depth = 0;
    for (std::size_t at = 0; at < code.size();) {
      if (code[at] == '(') ++depth;
      if (code[at] == ')') --depth;
      std::size_t end = at;
      while (end < code.size() && isIdentifierPart(code[end])) ++end;
      if (end == at) {
        ++at;
        continue;
      }
      const std::string_view word = code.substr(at, end - at);
      const bool declares = colons != npos && at < colons && depth == 0;
      if (word == "attributes") {
        const std::size_t open = code.find_first_not_of(" \t", end);
        if (open != npos && code[open] == '(')
          for (const std::string_view item : split(inBrackets(code, open), ','))
            site("attributes(" + std::string(trim(item)) + ")", line.guarded);
      } else if (declares && isKnown("attribute " + std::string(word))) {
        site("attribute " + std::string(word), line.guarded);
      } else if (isKnown(word)) {
        site(word, line.guarded);
      } else if (word.starts_with("cu") || word.starts_with("nccl") || word.starts_with("nv")) {
        waiting_.push_back({std::string(word), number_, static_cast<std::uint32_t>(at + 1), line.guarded});
      }
      at = end;
    }
  }

  /// Names of the C APIs in Fortran's case: all of them are looked for in one walk over the table.
  void resolveOtherSpellings() {
    if (waiting_.empty()) return;
    std::set<std::string_view> wanted;
    for (const Waiting& one : waiting_) wanted.insert(one.name);
    std::vector<std::pair<std::string, std::uint32_t>> found;
    const auto apis = context_.knowledge.apis();
    for (std::uint32_t i = 0; i < apis.size(); ++i) {
      if (apis[i].context != knowledge::Context::Any) continue;
      if (std::string lower = toLower(apis[i].name); wanted.contains(lower)) found.emplace_back(std::move(lower), i);
    }
    std::sort(found.begin(), found.end());
    for (const Waiting& one : waiting_) {
      const auto match =
          std::lower_bound(found.begin(), found.end(), one.name,
                           [](const auto& entry, const std::string& name) { return entry.first < name; });
      if (match != found.end() && match->first == one.name)
        out_.apis.push_back({match->second, one.line, one.column, one.guarded});
    }
  }

  struct Waiting {
    std::string name;
    std::uint32_t line, column;
    bool guarded;
  };

  const ReadContext& context_;
  FileFacts& out_;
  bool cuda_ = false;
  std::uint32_t number_ = 0;
  std::vector<Waiting> waiting_;
};

}  // namespace

void readFortran(const ReadContext& context, const Input& input, FileFacts& out) {
  FortranReader(context, out).run(input);
}

}  // namespace unwarp::scan
