// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/find_builds.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "scan/lexer.h"

namespace unwarp::trial {
namespace {

namespace fs = std::filesystem;

// Folders of a folder, ordered; hidden ones are tools' own.
std::vector<fs::path> foldersIn(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (auto it = fs::directory_iterator(folder, failed); !failed && it != fs::directory_iterator();
       it.increment(failed)) {
    std::error_code ignored;
    bool hidden = it->path().filename().string().starts_with('.');
    if (!hidden && it->is_directory(ignored) && !it->is_symlink(ignored)) folders.push_back(it->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// `project (name` at the start of a line: a CMakeLists.txt without it is part of another project.
bool startsProject(const fs::path& list) {
  Result<FileBytes> bytes = FileBytes::open(list.string());
  if (!bytes) return false;
  LineReader reader(bytes->view());
  for (std::string_view line; reader.next(line);) {
    line = trim(line);
    if (!toLower(line.substr(0, 7)).starts_with("project")) continue;
    if (trim(line.substr(7)).starts_with('(')) return true;
  }
  return false;
}

BuildFolder look(const fs::path& folder) {
  BuildFolder found{folder, false, {}};
  std::error_code ignored;
  fs::path list = folder / "CMakeLists.txt";
  found.hasCMake = fs::is_regular_file(list, ignored) && startsProject(list);
  for (const char* name : {"GNUmakefile", "makefile", "Makefile"}) {  // make's own order
    if (!found.makefile.empty() || !fs::is_regular_file(folder / name, ignored)) continue;
    found.makefile = folder / name;
  }
  return found;
}

bool isIn(const std::vector<fs::path>& folders, const fs::path& folder) {
  return std::find(folders.begin(), folders.end(), folder) != folders.end();
}

}  // namespace

std::vector<BuildFolder> findBuildFolders(const fs::path& root) {
  std::vector<BuildFolder> found;
  std::vector<fs::path> folders{root};
  while (!folders.empty()) {
    BuildFolder here = look(folders.back());
    folders.pop_back();
    if (here.hasCMake || !here.makefile.empty()) {
      found.push_back(std::move(here));
      continue;
    }
    for (fs::path& below : foldersIn(here.folder)) folders.push_back(std::move(below));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.folder < b.folder; });
  return found;
}

std::vector<fs::path> findLoneSources(const fs::path& root, const std::vector<fs::path>& without,
                                      const knowledge::Knowledge& knowledge) {
  std::vector<fs::path> sources, folders{root};
  while (!folders.empty()) {
    fs::path folder = folders.back();
    folders.pop_back();
    if (isIn(without, folder)) continue;
    std::error_code failed;
    for (auto it = fs::directory_iterator(folder, failed); !failed && it != fs::directory_iterator();
         it.increment(failed)) {
      std::error_code ignored;
      if (it->path().extension() != ".cu" || !it->is_regular_file(ignored)) continue;
      Result<FileBytes> bytes = FileBytes::open(it->path().string());
      if (bytes && definesMain(bytes->view(), knowledge)) sources.push_back(it->path());
    }
    for (fs::path& below : foldersIn(folder)) folders.push_back(std::move(below));
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

bool definesMain(std::string_view text, const knowledge::Knowledge& knowledge) {
  scan::LexedFile lexed;
  scan::lex(text, knowledge, lexed);
  auto spelling = [&](std::size_t i) { return text.substr(lexed.tokens[i].offset, lexed.tokens[i].length); };
  for (std::size_t i = 1; i + 1 < lexed.tokens.size(); ++i) {
    if (spelling(i) != "main" || spelling(i + 1) != "(" || lexed.tokens[i].directive) continue;
    if (spelling(i - 1) == "int" || spelling(i - 1) == "void" || spelling(i - 1) == "auto") return true;
  }
  return false;
}

}  // namespace unwarp::trial
