// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/options.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::nvcc {
namespace {

// Names and arguments as `nvcc --help` lists them; one row an option.
constexpr Option kOptions[] = {
    {"cuda", "", Takes::nothing, Effect::phase, ""},
    {"cubin", "", Takes::nothing, Effect::phase, ""},
    {"fatbin", "", Takes::nothing, Effect::phase, ""},
    {"ptx", "", Takes::nothing, Effect::phase, ""},
    {"optix-ir", "", Takes::nothing, Effect::phase, ""},
    {"ltoir", "", Takes::nothing, Effect::phase, ""},
    {"preprocess", "E", Takes::nothing, Effect::phase, ""},
    {"generate-dependencies", "M", Takes::nothing, Effect::phase, ""},
    {"generate-nonsystem-dependencies", "MM", Takes::nothing, Effect::phase, ""},
    {"generate-dependencies-with-compile", "MD", Takes::nothing, Effect::honoured, ""},
    {"generate-nonsystem-dependencies-with-compile", "MMD", Takes::nothing, Effect::honoured, ""},
    {"dependency-output", "MF", Takes::nothing, Effect::honoured, ""},
    {"generate-dependency-targets", "MP", Takes::nothing, Effect::honoured, ""},
    {"compile", "c", Takes::nothing, Effect::phase, ""},
    {"device-c", "dc", Takes::nothing, Effect::phase, ""},
    {"device-w", "dw", Takes::nothing, Effect::phase, ""},
    {"device-link", "dlink", Takes::nothing, Effect::phase, ""},
    {"link", "", Takes::nothing, Effect::phase, ""},
    {"lib", "", Takes::nothing, Effect::phase, ""},
    {"run", "", Takes::nothing, Effect::phase, ""},
    {"output-file", "o", Takes::value, Effect::honoured, ""},
    {"pre-include", "include", Takes::list, Effect::honoured, ""},
    {"objdir-as-tempdir", "objtemp", Takes::nothing, Effect::noMeaning, ""},
    {"library", "l", Takes::list, Effect::honoured, ""},
    {"define-macro", "D", Takes::list, Effect::honoured, ""},
    {"undefine-macro", "U", Takes::list, Effect::honoured, ""},
    {"include-path", "I", Takes::list, Effect::honoured, ""},
    {"system-include", "isystem", Takes::list, Effect::honoured, ""},
    {"library-path", "L", Takes::list, Effect::honoured, ""},
    {"output-directory", "odir", Takes::value, Effect::honoured, ""},
    {"compiler-bindir", "ccbin", Takes::value, Effect::honoured, ""},
    {"allow-unsupported-compiler", "", Takes::nothing, Effect::noMeaning, ""},
    {"archiver-binary", "arbin", Takes::value, Effect::honoured, ""},
    {"cudart", "", Takes::value, Effect::honoured, ""},
    {"cudadevrt", "", Takes::value, Effect::honoured, ""},
    {"libdevice-directory", "ldir", Takes::value, Effect::noMeaning, ""},
    {"target-directory", "target-dir", Takes::value, Effect::noMeaning, ""},
    {"use-local-env", "", Takes::nothing, Effect::noMeaning, ""},
    {"force-cl-env-setup", "", Takes::nothing, Effect::noMeaning, ""},
    {"profile", "pg", Takes::nothing, Effect::honoured, ""},
    {"debug", "g", Takes::nothing, Effect::honoured, ""},
    {"device-debug", "G", Takes::nothing, Effect::honoured, ""},
    {"generate-line-info", "lineinfo", Takes::nothing, Effect::honoured, ""},
    {"optimization-info", "opt-info", Takes::list, Effect::noMeaning, ""},
    {"optimize", "O", Takes::value, Effect::honoured, ""},
    {"Ofast-compile", "Ofc", Takes::value, Effect::noMeaning, ""},
    {"dopt", "", Takes::value, Effect::noMeaning, ""},
    {"dlink-time-opt", "dlto", Takes::nothing, Effect::noMeaning, ""},
    {"lto", "", Takes::nothing, Effect::noMeaning, ""},
    {"gen-opt-lto", "", Takes::nothing, Effect::noMeaning, ""},
    {"ftemplate-backtrace-limit", "", Takes::value, Effect::honoured, ""},
    {"ftemplate-depth", "", Takes::value, Effect::honoured, ""},
    {"no-exceptions", "noeh", Takes::nothing, Effect::honoured, ""},
    {"shared", "", Takes::nothing, Effect::honoured, ""},
    {"x", "", Takes::value, Effect::honoured, ""},
    {"std", "", Takes::value, Effect::honoured, ""},
    {"no-host-device-initializer-list", "nohdinitlist", Takes::nothing, Effect::noMeaning, ""},
    {"no-host-device-move-forward", "nohdmoveforward", Takes::nothing, Effect::noMeaning, ""},
    {"expt-relaxed-constexpr", "", Takes::nothing, Effect::noMeaning, ""},
    {"extended-lambda", "", Takes::nothing, Effect::noMeaning, ""},
    {"expt-extended-lambda", "", Takes::nothing, Effect::noMeaning, ""},
    {"machine", "m", Takes::value, Effect::noMeaning, ""},
    {"m64", "", Takes::nothing, Effect::noMeaning, ""},
    {"compiler-options", "Xcompiler", Takes::list, Effect::honoured, ""},
    {"linker-options", "Xlinker", Takes::list, Effect::honoured, ""},
    {"archive-options", "Xarchive", Takes::list, Effect::honoured, ""},
    {"ptxas-options", "Xptxas", Takes::list, Effect::noMeaning, ""},
    {"nvlink-options", "Xnvlink", Takes::list, Effect::noMeaning, ""},
    {"static-global-template-stub", "", Takes::boolean, Effect::noMeaning, ""},
    {"device-entity-has-hidden-visibility", "", Takes::boolean, Effect::noMeaning, ""},
    {"forward-unknown-to-host-compiler", "", Takes::nothing, Effect::honoured, ""},
    {"forward-unknown-to-host-linker", "", Takes::nothing, Effect::honoured, ""},
    {"forward-unknown-opts", "", Takes::nothing, Effect::honoured, ""},
    {"dont-use-profile", "noprof", Takes::nothing, Effect::noMeaning, ""},
    {"dryrun", "", Takes::nothing, Effect::honoured, ""},
    {"verbose", "v", Takes::nothing, Effect::honoured, ""},
    {"verbose2", "v2", Takes::nothing, Effect::noMeaning, ""},
    {"threads", "t", Takes::value, Effect::noMeaning, ""},
    {"split-compile", "", Takes::value, Effect::noMeaning, ""},
    {"split-compile-extended", "", Takes::value, Effect::noMeaning, ""},
    {"fdevice-syntax-only", "", Takes::nothing, Effect::honoured, ""},
    {"fdevice-time-trace", "", Takes::value, Effect::noMeaning, ""},
    {"keep", "", Takes::nothing, Effect::honoured, ""},
    {"keep-dir", "", Takes::value, Effect::honoured, ""},
    {"save-temps", "", Takes::nothing, Effect::honoured, ""},
    {"clean-targets", "clean", Takes::nothing, Effect::honoured, ""},
    {"time", "", Takes::value, Effect::noMeaning, ""},
    {"run-args", "", Takes::list, Effect::honoured, ""},
    {"input-drive-prefix", "idp", Takes::value, Effect::noMeaning, ""},
    {"dependency-drive-prefix", "ddp", Takes::value, Effect::noMeaning, ""},
    {"drive-prefix", "dp", Takes::value, Effect::noMeaning, ""},
    {"dependency-target-name", "MT", Takes::value, Effect::honoured, ""},
    {"no-align-double", "", Takes::nothing, Effect::noMeaning, ""},
    {"no-device-link", "nodlink", Takes::nothing, Effect::noMeaning, ""},
    {"gpu-architecture", "arch", Takes::value, Effect::honoured, ""},
    {"gpu-code", "code", Takes::list, Effect::honoured, ""},
    {"generate-code", "gencode", Takes::list, Effect::honoured, ""},
    {"relocatable-device-code", "rdc", Takes::boolean, Effect::honoured, ""},
    {"entries", "e", Takes::list, Effect::noMeaning, ""},
    {"maxrregcount", "", Takes::value, Effect::noMeaning, ""},
    {"use_fast_math", "", Takes::nothing, Effect::honoured, ""},
    {"ftz", "", Takes::boolean, Effect::honoured, ""},
    {"prec-div", "", Takes::boolean, Effect::honoured, ""},
    {"prec-sqrt", "", Takes::boolean, Effect::honoured, ""},
    {"fmad", "", Takes::boolean, Effect::honoured, ""},
    {"extra-device-vectorization", "", Takes::nothing, Effect::noMeaning, ""},
    {"default-stream", "", Takes::value, Effect::honoured, ""},
    {"disable-warnings", "w", Takes::nothing, Effect::honoured, ""},
    {"keep-device-functions", "", Takes::nothing, Effect::noMeaning, ""},
    {"source-in-ptx", "src-in-ptx", Takes::nothing, Effect::noMeaning, ""},
    {"restrict", "", Takes::nothing, Effect::noMeaning, ""},
    {"Wreorder", "", Takes::nothing, Effect::noMeaning, ""},
    {"Wdefault-stream-launch", "", Takes::nothing, Effect::noMeaning, ""},
    {"Wmissing-launch-bounds", "", Takes::nothing, Effect::noMeaning, ""},
    {"Wext-lambda-captures-this", "", Takes::nothing, Effect::noMeaning, ""},
    {"Wno-deprecated-declarations", "", Takes::nothing, Effect::noMeaning, ""},
    {"Wno-deprecated-gpu-targets", "", Takes::nothing, Effect::noMeaning, ""},
    {"Werror", "", Takes::list, Effect::honoured, ""},
    {"resource-usage", "res-usage", Takes::nothing, Effect::honoured, ""},
    {"extensible-whole-program", "ewp", Takes::nothing, Effect::noMeaning, ""},
    {"no-compress", "", Takes::nothing, Effect::noMeaning, ""},
    {"qpp-config", "", Takes::nothing, Effect::refused, "QNX tool chains are not supported"},
    {"compile-as-tools-patch", "astoolspatch", Takes::nothing, Effect::refused,
     "patches for NVIDIA's tools cannot run here"},
    {"list-gpu-code", "code-ls", Takes::nothing, Effect::honoured, ""},
    {"list-gpu-arch", "arch-ls", Takes::nothing, Effect::honoured, ""},
    {"display-error-number", "err-no", Takes::nothing, Effect::noMeaning, ""},
    {"no-display-error-number", "no-err-no", Takes::nothing, Effect::noMeaning, ""},
    {"diag-error", "", Takes::list, Effect::noMeaning, ""},
    {"diag-suppress", "", Takes::list, Effect::noMeaning, ""},
    {"diag-warn", "", Takes::list, Effect::noMeaning, ""},
    {"host-linker-script", "hls", Takes::value, Effect::refused, "generated linker scripts are not supported"},
    {"augment-host-linker-script", "aug-hls", Takes::nothing, Effect::refused,
     "generated linker scripts are not supported"},
    {"relocatable-link", "r", Takes::nothing, Effect::honoured, ""},
    {"brief-diagnostics", "brief-diag", Takes::boolean, Effect::noMeaning, ""},
    {"jump-table-density", "jtd", Takes::value, Effect::noMeaning, ""},
    {"relocatable-ptx", "reloc-ptx", Takes::nothing, Effect::refused, "PTX output is not supported yet"},
    {"device-stack-protector", "", Takes::boolean, Effect::noMeaning, ""},
    {"compress-mode", "", Takes::value, Effect::noMeaning, ""},
    {"frandom-seed", "", Takes::value, Effect::noMeaning, ""},
    {"fdevice-sanitize", "", Takes::value, Effect::refused, "compute-sanitizer instrumentation is NVIDIA's"},
    {"jobserver", "", Takes::nothing, Effect::noMeaning, ""},
    {"skip-ptx-semantics-check", "", Takes::nothing, Effect::noMeaning, ""},
    {"help", "h", Takes::nothing, Effect::honoured, ""},
    {"version", "V", Takes::nothing, Effect::honoured, ""},
    {"options-file", "optf", Takes::list, Effect::honoured, ""},
};

// Further spellings that nvcc takes and its help does not list.
struct Alias {
  std::string_view spelling, name;
};
constexpr Alias kAliases[] = {
    {"dependency-file", "dependency-output"},
    {"use-fast-math", "use_fast_math"},
    {"fast-math", "use_fast_math"},
    {"gpu-name", "gpu-architecture"},
};

bool matches(const Option& option, std::string_view word) {
  if (word == option.name || (!option.letter.empty() && word == option.letter)) return true;
  for (const Alias& alias : kAliases) {
    if (alias.spelling == word && alias.name == option.name) return true;
  }
  return false;
}

const Option* findWhole(std::string_view word) {
  for (const Option& option : kOptions) {
    if (matches(option, word)) return &option;
  }
  return nullptr;
}

// -DNAME, -Ipath, -lm, -O3, -MFfile: the value follows the letter at once.
const Option* findGlued(std::string_view word, std::string_view& value) {
  for (std::string_view letter :
       {"D", "U", "I", "L", "l", "O", "MF", "MT", "o", "t", "x", "Wno-deprecated-gpu-targets"}) {
    if (word.size() <= letter.size() || word.substr(0, letter.size()) != letter) continue;
    const Option* option = findWhole(letter);
    if (!option) continue;
    value = word.substr(letter.size());
    return option;
  }
  return nullptr;
}

void add(CommandLine& line, const Option& option, std::string_view value) {
  if (option.takes != Takes::list) {
    line.options.push_back({&option, std::string(value)});
    return;
  }
  // Lists are split at commas; a backslash keeps one.
  std::string element;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size() && value[i + 1] == ',') {
      element += value[++i];
    } else if (value[i] == ',') {
      if (!element.empty()) line.options.push_back({&option, element});
      element.clear();
    } else {
      element += value[i];
    }
  }
  if (!element.empty()) line.options.push_back({&option, element});
}

bool isBooleanWord(std::string_view word) {
  return word == "true" || word == "false";
}

Error unknownOption(std::string_view argument) {
  std::vector<std::string_view> names;
  for (const Option& option : kOptions) names.push_back(option.name);
  std::string_view bare = argument.substr(argument.find_first_not_of('-'));
  std::string_view near = nearest(bare, names);
  return Error{"unknown option '" + std::string(argument) + "'" +
               (near.empty() ? "" : "; did you mean --" + std::string(near) + "?")};
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Result<CommandLine> run() {
    bool forward = std::find_if(arguments_.begin(), arguments_.end(), [](const std::string& argument) {
                     return argument.find("forward-unknown") != std::string::npos;
                   }) != arguments_.end();
    for (at_ = 0; at_ < arguments_.size(); ++at_) {
      const std::string& argument = arguments_[at_];
      if (argument.size() < 2 || argument[0] != '-') {
        line_.inputs.push_back(argument);
        continue;
      }
      if (one(argument)) {
        if (!error_.empty()) return Error{error_};
        continue;
      }
      if (!forward) return unknownOption(argument);
      line_.forwarded.push_back(argument);
    }
    return std::move(line_);
  }

 private:
  // False when the argument is no option of nvcc.
  bool one(std::string_view argument) {
    std::string_view word = argument.substr(argument.find_first_not_of('-'));
    size_t equals = word.find('=');
    if (const Option* option = findWhole(word.substr(0, equals))) {
      bool glued = equals != std::string_view::npos;
      take(*option, glued, glued ? word.substr(equals + 1) : std::string_view());
      return true;
    }
    std::string_view value;
    if (const Option* option = findGlued(word, value)) {
      add(line_, *option, value.starts_with('=') ? value.substr(1) : value);
      return true;
    }
    return false;
  }

  void take(const Option& option, bool glued, std::string_view value) {
    if (option.takes == Takes::nothing) {
      if (glued) error_ = "option --" + std::string(option.name) + " takes no value";
      add(line_, option, "true");
      return;
    }
    if (glued) return add(line_, option, value);
    if (option.takes == Takes::boolean) {
      bool follows = at_ + 1 < arguments_.size() && isBooleanWord(arguments_[at_ + 1]);
      return add(line_, option, follows ? arguments_[++at_] : "true");
    }
    if (at_ + 1 >= arguments_.size()) {
      error_ = "option --" + std::string(option.name) + " needs a value";
      return;
    }
    add(line_, option, arguments_[++at_]);
  }

  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  CommandLine line_;
  std::string error_;
};

}  // namespace

std::span<const Option> options() {
  return kOptions;
}

bool CommandLine::has(std::string_view name) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const GivenOption& given) { return given.option->name == name; });
}

std::string_view CommandLine::value(std::string_view name, std::string_view fallback) const {
  for (auto given = options.rbegin(); given != options.rend(); ++given) {
    if (given->option->name == name) return given->value;
  }
  return fallback;
}

bool CommandLine::isTrue(std::string_view name, bool fallback) const {
  return value(name, fallback ? "true" : "false") != "false";
}

std::vector<std::string_view> CommandLine::values(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const GivenOption& given : options) {
    if (given.option->name == name) found.push_back(given.value);
  }
  return found;
}

Result<CommandLine> parse(const std::vector<std::string>& arguments) {
  return Parser(arguments).run();
}

std::vector<std::string> splitOptions(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote == '"' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) {
        word += text[++i];
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (open) words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(std::move(word));
  return words;
}

}  // namespace unwarp::nvcc
