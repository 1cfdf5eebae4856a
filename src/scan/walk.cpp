// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Depth first with an explicit stack of folders; everything that is not a regular file inside the tree is named in
// `skipped` with its reason, so that the coverage section can account for all of it. Links are never followed: a loop
// cannot occur and nothing outside is read.
#include "scan/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "scan/ignore.h"
#include "scan/own_report.h"

namespace unwarp::scan {

namespace {

constexpr std::size_t ignoreFileBytesMax = 1u << 20;

/// Ignore lists of a folder and of those above it.
struct Scope {
  std::shared_ptr<const Scope> parent;
  std::string folder;  ///< relative, "" or ending in '/'
  IgnoreList list;
};

struct Folder {
  std::string path;  ///< relative, "" or ending in '/'
  std::shared_ptr<const Scope> scope;
};

class Walker {
 public:
  Walker(const std::string& root, const WalkOptions& options) : root_(root), options_(options) {
    if (!root_.ends_with('/')) root_ += '/';
  }

  WalkResult run() {
    std::vector<Folder> stack{{"", nullptr}};
    while (!stack.empty()) {
      Folder folder = std::move(stack.back());
      stack.pop_back();
      enter(folder, stack);
    }
    std::sort(result_.files.begin(), result_.files.end());
    std::sort(result_.skipped.begin(), result_.skipped.end());
    return std::move(result_);
  }

 private:
  void skip(const std::string& path, std::string reason) {
    result_.skipped.emplace_back(path.empty() ? "." : path, std::move(reason));
  }

  void enter(const Folder& folder, std::vector<Folder>& stack) {
    std::string real = root_ + folder.path;
    DIR* directory = opendir(real.c_str());
    if (directory == nullptr) return skip(folder.path, std::string("unreadable folder: ") + std::strerror(errno));
    std::vector<std::pair<std::string, unsigned char>> entries;
    while (const dirent* entry = readdir(directory)) {
      std::string name = entry->d_name;
      if (name != "." && name != "..") entries.emplace_back(std::move(name), entry->d_type);
    }
    closedir(directory);
    if (isReport(entries) && !folder.path.empty()) return skip(folder.path, std::string(earlierReport));
    std::shared_ptr<const Scope> scope = options_.useIgnoreFiles ? readScope(folder, entries) : nullptr;
    for (auto& [name, type] : entries) visit(folder.path + name, name, type, scope, stack);
  }

  /// A folder that `assess -o` wrote: the four files and nothing else.
  static bool isReport(const std::vector<std::pair<std::string, unsigned char>>& entries) {
    static constexpr std::string_view files[] = {"findings.sarif", "index.html", "report.md", "result.json"};
    return entries.size() == std::size(files) && std::all_of(entries.begin(), entries.end(), [](const auto& entry) {
             return std::find(std::begin(files), std::end(files), entry.first) != std::end(files);
           });
  }

  std::shared_ptr<const Scope> readScope(const Folder& folder,
                                         const std::vector<std::pair<std::string, unsigned char>>& entries) {
    auto scope = std::make_shared<Scope>();
    scope->parent = folder.scope;
    scope->folder = folder.path;
    for (std::string_view name : {".gitignore", ".ignore", ".unwarpignore"}) {
      bool there = std::any_of(entries.begin(), entries.end(), [&](const auto& e) { return e.first == name; });
      if (!there) continue;
      Result<FileBytes> bytes = FileBytes::open(root_ + folder.path + std::string(name));
      if (!bytes) continue;
      if (bytes->view().size() > ignoreFileBytesMax) {
        skip(folder.path + std::string(name), "ignore file above 1 MiB: its patterns were not used");
        continue;
      }
      const std::string path = folder.path + std::string(name);
      for (const BadPattern& bad : scope->list.add(bytes->view(), path)) noteBad(path, bad, name == ".unwarpignore");
    }
    if (scope->list.empty()) return folder.scope;
    return scope;
  }

  /// A pattern that is none hides nothing. In a file of ours that is an error; in git's, which is silent about it, a
  /// note: the tree may be anybody's.
  void noteBad(const std::string& path, const BadPattern& bad, bool ours) {
    const std::string what = "line " + std::to_string(bad.line) + ": '" + bad.glob + "' " + std::string(bad.what);
    if (!ours) return skip(path, what + ": the pattern hides nothing");
    if (result_.fault.empty()) result_.fault = path + ", " + what + "; write \\[ for a bracket, or drop the line";
  }

  void visit(const std::string& path, const std::string& name, unsigned char type,
             const std::shared_ptr<const Scope>& scope, std::vector<Folder>& stack) {
    if (type == DT_UNKNOWN) type = typeOf(path);
    bool folder = type == DT_DIR;
    if (type == DT_LNK) return skip(path, "symbolic link, not followed");
    if (!folder && type != DT_REG)
      return skip(path, type == DT_FIFO ? "named pipe" : type == DT_SOCK ? "socket" : "device or special file");
    if (folder && (name == ".git" || name == ".hg" || name == ".svn")) return skip(path + "/", "version control data");
    if (folder && name == "unwarp-report") return skip(path + "/", std::string(earlierReport));
    std::string_view by;
    if (ignored(path, folder, scope, by)) return skip(folder ? path + "/" : path, "ignored by " + std::string(by));
    for (const std::string& pattern : options_.exclude) {
      if (pathGlobMatch(pattern, path) || pathGlobMatch(pattern, path + "/"))
        return skip(folder ? path + "/" : path, "excluded by the configuration: " + pattern);
    }
    if (!folder) {
      result_.files.push_back(path);
      return;
    }
    if (root_.size() + path.size() + 2 >= PATH_MAX) return skip(path + "/", "path is too long");
    if (!options_.skipRealPaths.empty() && isSkippedReal(path)) return skip(path + "/", "output of this run");
    stack.push_back({path + "/", scope});
  }

  unsigned char typeOf(const std::string& path) const {
    struct stat status;
    if (lstat((root_ + path).c_str(), &status) != 0) return DT_UNKNOWN;
    return S_ISDIR(status.st_mode)    ? DT_DIR
           : S_ISREG(status.st_mode)  ? DT_REG
           : S_ISLNK(status.st_mode)  ? DT_LNK
           : S_ISFIFO(status.st_mode) ? DT_FIFO
                                      : DT_CHR;
  }

  bool isSkippedReal(const std::string& path) const {
    std::unique_ptr<char, decltype(&std::free)> real(realpath((root_ + path).c_str(), nullptr), std::free);
    return real != nullptr && std::find(options_.skipRealPaths.begin(), options_.skipRealPaths.end(), real.get()) !=
                                  options_.skipRealPaths.end();
  }

  static bool ignored(const std::string& path, bool folder, const std::shared_ptr<const Scope>& scope,
                      std::string_view& by) {
    for (const Scope* s = scope.get(); s != nullptr; s = s->parent.get()) {
      int decision = s->list.decide(std::string_view(path).substr(s->folder.size()), folder, by);
      if (decision != 0) return decision > 0;
    }
    return false;
  }

  std::string root_;
  const WalkOptions& options_;
  WalkResult result_;
};

}  // namespace

WalkResult walk(const std::string& root, const WalkOptions& options) {
  struct stat status;
  if (stat(root.c_str(), &status) == 0 && !S_ISDIR(status.st_mode)) {
    WalkResult result;
    std::string name = root.substr(root.rfind('/') == std::string::npos ? 0 : root.rfind('/') + 1);
    if (S_ISREG(status.st_mode))
      result.files.push_back(name);
    else
      result.skipped.emplace_back(name, "not a regular file");
    return result;
  }
  return Walker(root, options).run();
}

}  // namespace unwarp::scan
