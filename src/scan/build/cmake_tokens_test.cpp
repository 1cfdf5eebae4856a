// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CMake tokenizer on its grammar's corners.
#include "scan/build/cmake_tokens.h"

#include <gtest/gtest.h>

namespace unwarp::scan::build {
namespace {

/// Commands as "name(arg|arg)@line", guarded ones with "!"; quoted arguments in quotes.
std::string show(std::string_view text) {
  std::string out;
  for (const CMakeCommand& command : tokenizeCMake(text)) {
    if (!out.empty()) out += ' ';
    out += command.name + "(";
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const CMakeArgument& argument = command.arguments[i];
      out += (i == 0 ? "" : "|") + std::string(argument.quoted ? "'" : "") + std::string(argument.text) +
             (argument.quoted ? "'" : "");
    }
    out += ")@" + std::to_string(command.line) + (command.guarded ? "!" : "");
  }
  return out;
}

TEST(CMakeTokens, ReadsArgumentsOfAllKinds) {
  EXPECT_EQ(show("SET(a \"b c\" [==[d]e]==] f\\ g) # x(y)\n"), "set(a|'b c'|'d]e'|f\\ g)@1");
}

TEST(CMakeTokens, SkipsComments) {
  EXPECT_EQ(show("#[[ a(b)\n ]] c(d # e)\n)\n# f(g)\n"), "c(d)@2");
}

TEST(CMakeTokens, KeepsNestedParentheses) {
  EXPECT_EQ(show("if((a AND b) OR c)\nendif()"), "if((|a|AND|b|)|OR|c)@1 endif()@2");
}

TEST(CMakeTokens, GuardsChainsThatMentionHip) {
  EXPECT_EQ(show("if(A)\nx()\nelseif(USE_ROCM)\ny()\nelse()\nif(B)\nz()\nendif()\nendif()\nw()"),
            "if(A)@1! x()@2! elseif(USE_ROCM)@3! y()@4! else()@5! if(B)@6! z()@7! endif()@8! endif()@9 w()@10");
}

TEST(CMakeTokens, SurvivesTruncation) {
  for (std::string_view text : {"set(", "set(\"", "set([[", "set(a", "#[[", "set", "))", "\\", "set(a\\"}) show(text);
  show(std::string(100000, '('));
  show("x" + std::string(100000, '('));
}

TEST(CMakeTokens, LongBracketsHoldDocumentation) {
  const std::string level(71, '=');
  const std::string text = "#[" + level + "[.rst:\nfind_package(A)\n\"(x\n#]" + level + "]\nset(B 1)\n";
  const std::vector<CMakeCommand> commands = tokenizeCMake(text);
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_EQ(commands[0].name, "set");
  EXPECT_EQ(commands[0].line, 5u);
}

}  // namespace
}  // namespace unwarp::scan::build
