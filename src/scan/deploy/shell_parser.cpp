// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the characters of a script with a work list for nested command texts. If-chains and case statements
// that ask for ROCm mark all their commands guarded: such a script already has its AMD branch. What a condition asks is
// judged on the logical line of its `if` only, so that cmd and PowerShell texts (no `then`) cannot mark the rest of the
// file.
#include "scan/deploy/shell_parser.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/deploy/shell_word_reader.h"

namespace unwarp::scan {
namespace {

constexpr int maxNesting = 12;
constexpr std::uint32_t noChain = 0xffffffffu;
constexpr std::size_t npos = std::string_view::npos;

/// An if-chain or case statement.
struct Chain {
  std::uint32_t parent;
  bool asksForRocm;
};

/// What all texts of one script share.
struct ShellState {
  std::vector<NestedShellText> work;
  std::vector<Chain> chains;
  std::vector<std::uint32_t> chainOf;  ///< per command
  std::size_t budget = 0;
  ShellScript script;
};

struct PendingHereDocument {
  std::string delimiter;
  std::size_t command;
};

/// Parses one text; nested texts go to the shared work list.
class ShellPass {
 public:
  ShellPass(const NestedShellText& job, ShellState& state)
      : reader_(job.text, job.line, state.budget), job_(job), state_(state) {}

  void run() {
    while (!reader_.done()) step();
    endCommand();
  }

 private:
  struct Open {
    std::uint32_t chain;
    bool isCase;
  };

  std::uint32_t chain() const { return stack_.empty() ? job_.chain : stack_.back().chain; }
  bool inTest() const {
    return !current_.words.empty() && current_.words[0].text == "[[" && current_.words.back().text != "]]";
  }

  void step() {
    const char c = reader_.here();
    if (c == '\n') return lineBreak();
    if (isShellBlank(c)) {
      reader_.advance(1);
      return;
    }
    if (const std::size_t length = reader_.continuationLength(reader_.position()); length > 0) {
      reader_.advance(length);
      reader_.nextLine();
    } else if (c == '#') {
      comment();
    } else if (patternExpected_) {
      casePattern();
    } else if (isShellOperator(c)) {
      operatorAt();
    } else {
      word();
    }
    takeNested();
    atLineStart_ = false;
  }

  void lineBreak() {
    endCommand();
    inCondition_ = false;
    reader_.advance(1);
    reader_.nextLine();
    atLineStart_ = true;
    readHereDocuments();
  }

  void takeNested() {
    for (NestedShellText nested : reader_.takeNested()) {
      if (job_.depth >= maxNesting) {
        state_.script.tooDeep = true;
        continue;
      }
      nested.chain = chain();
      nested.depth = job_.depth + 1;
      state_.work.push_back(nested);
    }
  }

  void comment() {
    const std::string_view text = reader_.text();
    const std::size_t end = std::min(text.find('\n', reader_.position()), text.size());
    const std::string_view body = trim(text.substr(reader_.position(), end - reader_.position()));
    constexpr std::array<std::string_view, 5> schedulers{"SBATCH", "PBS", "BSUB", "$", "FLUX:"};
    for (const std::string_view scheduler : schedulers) {
      if (!atLineStart_ || body.size() <= scheduler.size() + 1 || !body.substr(1).starts_with(scheduler)) continue;
      if (isShellBlank(body[scheduler.size() + 1]))
        state_.script.directives.push_back({scheduler, trim(body.substr(scheduler.size() + 1)), reader_.line()});
    }
    reader_.moveTo(end);
  }

  void casePattern() {
    const std::string_view text = reader_.text();
    const std::size_t begin = reader_.position();
    const std::size_t end = std::min(text.find_first_of(")\n", begin + 1), text.size());
    const std::string_view pattern = text.substr(begin, end - begin);
    patternExpected_ = false;
    if (pattern.starts_with("esac")) {
      reader_.advance(4);
      closeChain();
      return;
    }
    if (!stack_.empty() && mentionsRocm(pattern)) state_.chains[stack_.back().chain].asksForRocm = true;
    reader_.moveTo(reader_.at(end) == ')' ? end + 1 : end);
  }

  void operatorAt() {
    const char c = reader_.here();
    const char next = reader_.at(reader_.position() + 1);
    if (inTest() && c != ';') return reader_.advance(1);
    if (c == '<' || c == '>' || (c == '&' && next == '>')) return redirect();
    if (c == '(' && next == '(') return arithmetic();
    endCommand();
    if (c == ';' && next == ';' && !stack_.empty() && stack_.back().isCase) patternExpected_ = true;
    if (c == '|' && next != '|') pipe_ = true;
    const bool isDouble = next == c && c != '(' && c != ')';
    reader_.advance(isDouble || (c == '|' && next == '&') ? 2 : 1);
  }

  void arithmetic() {
    const std::string_view text = reader_.text();
    const std::size_t lineEnd = std::min(text.find('\n', reader_.position()), text.size());
    const std::size_t end = text.substr(0, lineEnd).find("))", reader_.position());
    reader_.moveTo(end == npos ? reader_.position() + 2 : end + 2);
  }

  void redirect() {
    if (reader_.here() == '&') reader_.advance(1);
    const char direction = reader_.here();
    if (reader_.at(reader_.position() + 1) == '(') {
      reader_.substitution(reader_.position() + 1);
      return;
    }
    std::size_t length = 0;
    while (length < 3 && reader_.here() == direction) {
      reader_.advance(1);
      ++length;
    }
    hereDocument_ = direction == '<' && length == 2;
    if (hereDocument_ ? reader_.here() == '-' : reader_.here() == '&') reader_.advance(1);
    redirectPending_ = true;
  }

  void word() {
    ShellWord word;
    word.line = reader_.line();
    word.quoted = reader_.here() == '"' || reader_.here() == '\'';
    word.text = reader_.word();
    if (redirectPending_) return finishRedirect(std::move(word.text));
    // `2>`: the number in front of a redirection is no argument.
    const bool beforeRedirect = reader_.here() == '>' || reader_.here() == '<';
    if (beforeRedirect && word.text.size() == 1 && word.text[0] >= '0' && word.text[0] <= '9') return;
    if (current_.words.empty() && !word.quoted && keyword(word.text)) return;
    if (inCase_ && word.text == "in" && !word.quoted) {
      endCommand();
      patternExpected_ = true;
      return;
    }
    current_.words.push_back(std::move(word));
  }

  void finishRedirect(std::string target) {
    redirectPending_ = false;
    if (hereDocument_)
      pending_.push_back({std::move(target), npos});
    else
      current_.redirects.push_back(std::move(target));
    hereDocument_ = false;
  }

  void openChain(bool isCase) {
    state_.chains.push_back({chain(), false});
    stack_.push_back({static_cast<std::uint32_t>(state_.chains.size() - 1), isCase});
  }
  void closeChain() {
    if (!stack_.empty()) stack_.pop_back();
  }

  /// Whether `word` in command position only structures the script.
  bool keyword(std::string_view word) {
    if (word == "if") {
      openChain(false);
      return inCondition_ = true;
    }
    if (word == "elif") return inCondition_ = true;
    if (word == "then" || word == "else") {
      inCondition_ = false;
      return true;
    }
    if (word == "fi" || word == "endif" || word == "esac") {
      closeChain();
      return true;
    }
    if (word == "case") {
      openChain(true);
      inCase_ = true;
      return false;
    }
    return word == "do" || word == "done" || word == "while" || word == "until" || word == "{" || word == "}" ||
           word == "!" || word == "function";
  }

  void endCommand() {
    redirectPending_ = hereDocument_ = inCase_ = false;
    if (!current_.words.empty() || !current_.redirects.empty()) {
      if (inCondition_ && !stack_.empty())
        for (const ShellWord& word : current_.words)
          if (mentionsRocm(word.text)) state_.chains[stack_.back().chain].asksForRocm = true;
      current_.pipedFrom = pipe_;
      pipe_ = false;
      state_.script.commands.push_back(std::move(current_));
      state_.chainOf.push_back(chain());
      current_ = {};
    }
    for (PendingHereDocument& document : pending_)
      if (document.command == npos && !state_.script.commands.empty())
        document.command = state_.script.commands.size() - 1;
  }

  /// After the line that asked for them: the bodies of all pending here-documents.
  void readHereDocuments() {
    for (const PendingHereDocument& document : pending_) {
      const std::string_view text = reader_.text();
      const std::size_t begin = reader_.position();
      const std::uint32_t firstLine = reader_.line();
      std::size_t end = begin;
      while (!reader_.done()) {
        const std::size_t lineEnd = std::min(text.find('\n', reader_.position()), text.size());
        const std::string_view line = trim(text.substr(reader_.position(), lineEnd - reader_.position()));
        reader_.moveTo(std::min(lineEnd + 1, text.size()));
        reader_.nextLine();
        if (line == document.delimiter) break;
        end = reader_.position();
      }
      if (document.command >= state_.script.commands.size()) continue;
      ShellCommand& command = state_.script.commands[document.command];
      if (!command.hereDocument.empty()) continue;
      command.hereDocument = text.substr(begin, end - begin);
      command.hereDocumentLine = firstLine;
    }
    pending_.clear();
  }

  ShellWordReader reader_;
  const NestedShellText& job_;
  ShellState& state_;
  ShellCommand current_;
  std::vector<Open> stack_;
  std::vector<PendingHereDocument> pending_;
  bool atLineStart_ = true;
  bool inCondition_ = false;
  bool inCase_ = false;
  bool patternExpected_ = false;
  bool pipe_ = false;
  bool redirectPending_ = false;
  bool hereDocument_ = false;
};

}  // namespace

ShellScript parseShell(std::string_view text, std::uint32_t firstLine) {
  ShellState state;
  state.work.push_back({text, firstLine, noChain, 0});
  state.budget = 32 * text.size() + 1024;
  for (std::size_t next = 0; next < state.work.size(); ++next) {
    const NestedShellText job = state.work[next];
    ShellPass(job, state).run();
  }
  // A chain comes after its parent, so one forward pass inherits the mark.
  for (Chain& chain : state.chains)
    if (chain.parent != noChain && state.chains[chain.parent].asksForRocm) chain.asksForRocm = true;
  for (std::size_t i = 0; i < state.script.commands.size(); ++i) {
    const std::uint32_t chain = state.chainOf[i];
    state.script.commands[i].guarded = chain != noChain && state.chains[chain].asksForRocm;
  }
  return std::move(state.script);
}

bool mentionsRocm(std::string_view text) {
  const std::string lower = toLower(text);
  constexpr std::array<std::string_view, 6> anywhere{"rocm", "hipcc", "amdgpu", "amdclang", "amd-smi", "/dev/kfd"};
  for (const std::string_view word : anywhere)
    if (lower.find(word) != std::string::npos) return true;
  const auto isWordPart = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  for (const std::string_view word : {std::string_view("hip"), std::string_view("amd")}) {
    for (std::size_t i = lower.find(word); i != std::string::npos; i = lower.find(word, i + 1)) {
      const std::size_t end = i + word.size();
      const bool startsWord = i == 0 || !isWordPart(lower[i - 1]);
      if (startsWord && (end == lower.size() || !isWordPart(lower[end]))) return true;
    }
  }
  return false;
}

std::string_view assignmentName(std::string_view text) {
  if (text.empty() || !isIdentifierStart(text[0])) return {};
  std::size_t end = 1;
  while (end < text.size() && isIdentifierPart(text[end])) ++end;
  const std::string_view rest = text.substr(end);
  return rest.starts_with("=") || rest.starts_with("+=") ? text.substr(0, end) : std::string_view();
}

std::string_view assignmentValue(std::string_view text) {
  const std::size_t equals = text.find('=');
  return equals == npos ? std::string_view() : text.substr(equals + 1);
}

}  // namespace unwarp::scan
