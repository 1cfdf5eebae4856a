// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rule page is its own test: the code blocks under "Flagged" must be reported on exactly the lines marked
// `expect: ID`, those under "Not flagged" on none. Each block is audited alone as a file of the kind that its info
// string names; the marks are cut off before, so that no detector can see them. Pages of depth rules are parsed and
// their marks checked, but not run.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.h"
#include "base/text.h"
#include "knowledge/knowledge.h"

namespace unwarp {

namespace {

struct Example {
  std::string path;
  std::string code;                     ///< without marks
  std::vector<std::uint32_t> expected;  ///< lines of the block marked for the page's rule
  std::uint32_t pageLine = 0;           ///< where the block starts below the metadata, for messages
};

/// The file name that an info string stands for.
std::string pathFor(std::string_view info) {
  if (info.starts_with("file=")) return std::string(info.substr(5));
  struct Kind {
    std::string_view word, path;
  };
  constexpr Kind kinds[] = {{"cuda", "example.cu"},       {"cpp", "example.cpp"},       {"c", "example.c"},
                            {"hip", "example.hip"},       {"python", "example.py"},     {"cmake", "CMakeLists.txt"},
                            {"sh", "example.sh"},         {"dockerfile", "Dockerfile"}, {"yaml", "example.yaml"},
                            {"make", "Makefile"},         {"toml", "pyproject.toml"},   {"json", "example.json"},
                            {"text", "requirements.txt"}, {"ini", "setup.cfg"}};
  for (const Kind& kind : kinds) {
    if (info == kind.word) return std::string(kind.path);
  }
  return {};
}

/// Cuts `// expect: A01` (or `# expect: A01`, several ids joined by commas) off a line; true when it names `rule`.
bool takeMark(std::string& line, std::string_view rule, std::vector<std::string>& strangers) {
  std::size_t at = line.find("expect: ");
  if (at == std::string::npos) return false;
  std::string ids = line.substr(at + 8);
  std::size_t comment = line.find_last_of("/#", at);
  if (comment == std::string::npos) return false;
  if (comment > 0 && line[comment - 1] == '/') --comment;
  line.erase(comment);
  bool mine = false;
  for (std::string_view id : split(ids, ',')) {
    if (trim(id) == rule)
      mine = true;
    else
      strangers.emplace_back(trim(id));
  }
  return mine;
}

/// Blocks of the section called `section`.
std::vector<Example> examples(const knowledge::Rule& rule, std::string_view section,
                              std::vector<std::string>& strangers) {
  std::vector<Example> result;
  LineReader lines(rule.page);
  std::string_view line;
  bool inSection = false, inCode = false;
  std::uint32_t blockLine = 0;
  while (lines.next(line)) {
    if (!inCode && line.starts_with("## ")) inSection = trim(line.substr(3)) == section;
    if (line.starts_with("```")) {
      inCode = !inCode;
      blockLine = 0;
      if (inCode && inSection) result.push_back({pathFor(trim(line.substr(3))), "", {}, lines.number()});
      continue;
    }
    if (!inCode || !inSection) continue;
    ++blockLine;
    std::string text(line);
    if (takeMark(text, rule.id, strangers)) result.back().expected.push_back(blockLine);
    result.back().code += text + "\n";
  }
  return result;
}

std::string describe(const std::vector<std::uint32_t>& lines) {
  std::string text;
  for (std::uint32_t line : lines) text += (text.empty() ? "" : ", ") + std::to_string(line);
  return text.empty() ? "none" : text;
}

/// The embedded tables, loaded once; every test below fails with the loader's words when they are broken.
class RulePages : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto result = knowledge::Knowledge::load("");
    if (result)
      loaded_ = std::move(*result);
    else
      loadError_ = result.error();
  }
  static void TearDownTestSuite() { loaded_.reset(); }
  void SetUp() override { ASSERT_NE(nullptr, loaded_) << loadError_; }
  static const knowledge::Knowledge& tables() { return *loaded_; }

 private:
  static inline std::unique_ptr<knowledge::Knowledge> loaded_;
  static inline std::string loadError_;
};

void check(const knowledge::Knowledge& tables, const knowledge::Rule& rule, std::string_view section,
           const Example& example) {
  ASSERT_FALSE(example.path.empty()) << rule.file << ": a block of '" << section << "' has no known info string";
  std::vector<std::uint32_t> found;
  for (const audit::RuleHit& hit : audit::auditText(tables, example.path, example.code)) {
    if (hit.rule == rule.id && (found.empty() || found.back() != hit.line)) found.push_back(hit.line);
  }
  EXPECT_EQ(example.expected, found) << rule.file << ", '" << section << "', block at line " << example.pageLine
                                     << " of the page: expected lines " << describe(example.expected) << ", found "
                                     << describe(found) << "\n"
                                     << example.code;
}

}  // namespace

TEST_F(RulePages, AreThereForEveryGroup) {
  for (std::string_view group : {"W", "M", "S", "Y", "C", "L", "A", "R", "N", "B"}) {
    bool found = std::any_of(tables().rules().begin(), tables().rules().end(),
                             [group](const knowledge::Rule& rule) { return rule.group == group; });
    EXPECT_TRUE(found) << "no rule page of group " << group;
  }
}

TEST_F(RulePages, ShowWhatTheyFlagAndWhatTheyDoNot) {
  for (const knowledge::Rule& rule : tables().rules()) {
    std::vector<std::string> strangers;
    std::vector<Example> flagged = examples(rule, "Flagged", strangers);
    std::vector<Example> silent = examples(rule, "Not flagged", strangers);
    EXPECT_FALSE(flagged.empty()) << rule.file << ": no block under 'Flagged'";
    EXPECT_FALSE(silent.empty()) << rule.file << ": no block under 'Not flagged'";
    bool marked = std::any_of(flagged.begin(), flagged.end(), [](const Example& e) { return !e.expected.empty(); });
    EXPECT_TRUE(marked) << rule.file << ": no line is marked";
    for (const Example& example : silent)
      EXPECT_TRUE(example.expected.empty()) << rule.file << ": a mark under 'Not flagged'";
    for (const std::string& id : strangers) {
      EXPECT_NE(nullptr, tables().findRule(id)) << rule.file << ": marks the unknown rule " << id;
    }
  }
}

TEST_F(RulePages, ReportExactlyTheMarkedLines) {
  for (const knowledge::Rule& rule : tables().rules()) {
    if (rule.detect != "code" && rule.detect != "facts") continue;
    SCOPED_TRACE(rule.id);
    std::vector<std::string> strangers;
    for (std::string_view section : {"Flagged", "Not flagged"}) {
      for (const Example& example : examples(rule, section, strangers)) check(tables(), rule, section, example);
    }
  }
}

}  // namespace unwarp
