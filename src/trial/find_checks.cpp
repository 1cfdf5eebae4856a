// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/find_checks.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/json_tokens.h"
#include "base/text.h"

namespace unwarp::trial {
namespace {

namespace fs = std::filesystem;

struct CtestTest {
  std::string name, program;
};

// Tests in their order, which is their number.
std::vector<CtestTest> ctestTests(const Session& session, const fs::path& output) {
  Ended listed = session.build({"ctest", "--show-only=json-v1"}, output);
  std::map<std::size_t, CtestTest> tests;
  if (!listed.succeeded()) return {};
  visitJson(listed.out, [&](const JsonScalar& value) {
    const std::vector<std::string>& path = value.path;
    if (path.size() < 3 || path[0] != "tests") return;
    CtestTest& test = tests[static_cast<std::size_t>(parseDecimal(path[1]).value_or(0))];
    if (path.size() == 3 && path[2] == "name") test.name = value.value;
    if (path.size() == 4 && path[2] == "command" && path[3] == "0") test.program = value.value;
  });
  std::vector<CtestTest> ordered;
  for (auto& [index, test] : tests) ordered.push_back(std::move(test));
  return ordered;
}

// The target of a Makefile that checks, or empty. A file or folder of that name is none.
std::string checkTarget(const Session& session, const fs::path& folder) {
  for (const char* target : {"check", "test"}) {
    Ended tried = session.build({"make", "-n", target}, folder);
    bool idle = tried.out.find("Nothing to be done for") != std::string::npos;
    if (tried.succeeded() && !idle && !trim(tried.out).empty()) return target;
  }
  return "";
}

fs::path runFolder(const Built& built, const fs::path& program) {
  return built.build.system == "cmake" ? program.parent_path() : built.folder;
}

std::string programName(const Session& session, const Built& built, const fs::path& program) {
  if (built.build.system == "source") return built.build.path;
  std::string within = pathText(program.lexically_relative(built.output).string());
  return built.build.system == "make" ? session.shown(program) : within;
}

}  // namespace

std::vector<PlannedCheck> findChecks(const Session& session, const Built& built) {
  std::vector<PlannedCheck> checks;
  std::set<fs::path> covered;
  if (built.programs.empty()) return checks;
  if (built.build.system == "cmake") {
    std::vector<CtestTest> tests = ctestTests(session, built.output);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      std::string number = std::to_string(i + 1);
      covered.insert(fs::path(tests[i].program).lexically_normal());
      // Our own limit is the tighter one, unless the project has set one.
      std::string patience = std::to_string(session.runTime.count() + 30);
      checks.push_back({tests[i].name,
                        CheckKind::Ctest,
                        built.build.path,
                        {"ctest", "-I", number + "," + number, "-V", "--timeout", patience},
                        built.output,
                        i + 1});
    }
  }
  if (built.build.system == "make") {
    std::string target = checkTarget(session, built.folder);
    std::vector<std::string> words{"make", target};
    for (std::string& variable : makeOverrides(session)) words.push_back(std::move(variable));
    if (!target.empty())
      checks.push_back({"make " + target, CheckKind::Make, built.build.path, std::move(words), built.folder});
  }
  for (const fs::path& program : built.programs) {
    if (covered.contains(program.lexically_normal())) continue;
    checks.push_back({programName(session, built, program),
                      CheckKind::Program,
                      built.build.path,
                      {program.string()},
                      runFolder(built, program)});
  }
  return checks;
}

}  // namespace unwarp::trial
