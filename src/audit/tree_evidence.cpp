// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/tree_evidence.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"

namespace unwarp::audit {

namespace {

/// Replaces `word` in `text` and says whether it was there.
bool replaceAll(std::string& text, std::string_view word, std::string_view by) {
  bool found = false;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size())) {
    text.replace(at, word.size(), by);
    found = true;
  }
  return found;
}

/// `src/Cuda/Cuda_Team.hpp` without its back end's word and its kind: `/src/@/@_team`. Empty when neither a folder is
/// called `word` nor the file's name has it.
std::string backEndKey(std::string_view path, std::string_view word) {
  std::string key = "/" + toLower(path);
  std::size_t name = key.rfind('/');
  std::string base = key.substr(name, key.find('.', name) - name);
  key.resize(name);
  key += '/';
  bool folder = replaceAll(key, "/" + std::string(word) + "/", "/@/");
  bool inName = replaceAll(base, word, "@");
  return folder || inName ? key + base : std::string();
}

std::string_view folderOf(std::string_view path) {
  std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash);
}
std::string_view lastPart(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// The sources of a tree that belong to a CUDA back end, and what stands for them on AMD. Keeps views of the paths.
class BackEnds {
 public:
  explicit BackEnds(const std::vector<FileOutcome>& outcomes) {
    for (const FileOutcome& outcome : outcomes) {
      if (outcome.entry.how != "tokens") continue;
      for (std::string_view word : {"hip", "rocm"}) {
        std::string key = backEndKey(outcome.entry.path, word);
        if (!key.empty()) forAmd_.try_emplace(std::move(key), outcome.entry.path);
      }
    }
    if (forAmd_.empty()) return;
    for (const FileOutcome& outcome : outcomes) {
      std::string key = outcome.entry.how == "tokens" ? backEndKey(outcome.entry.path, "cuda") : std::string();
      if (key.empty()) continue;
      Folder& folder = folders_[folderOf(outcome.entry.path)];
      ++folder.files;
      auto found = forAmd_.find(key);
      if (found == forAmd_.end()) continue;
      ++folder.withCounterpart;
      folder.forAmd = folderOf(found->second);
    }
  }

  /// The name of the same file for AMD, else of the folder that has most of this one's files; empty when there is none.
  std::string counterpartOf(std::string_view path) const {
    std::string key = backEndKey(path, "cuda");
    if (key.empty()) return {};
    auto file = forAmd_.find(key);
    if (file != forAmd_.end()) return std::string(lastPart(file->second));
    auto folder = folders_.find(folderOf(path));
    if (folder == folders_.end() || folder->second.withCounterpart * 2 <= folder->second.files) return {};
    return std::string(lastPart(folder->second.forAmd)) + "/";
  }

 private:
  struct Folder {
    std::size_t files = 0, withCounterpart = 0;
    std::string_view forAmd;
  };
  std::unordered_map<std::string, std::string_view> forAmd_;  ///< key to path
  std::unordered_map<std::string_view, Folder> folders_;      ///< those with files whose paths say cuda
};

bool isLexicalKernelFinding(const result::Finding& finding) {
  return finding.layer == Layer::Kernels && finding.evidence == Evidence::Lexical;
}

}  // namespace

void remarkCudaBackEnds(std::vector<FileOutcome>& outcomes) {
  constexpr std::size_t longestMessage = 160;
  auto hasFindings = [](const FileOutcome& outcome) {
    return std::any_of(outcome.findings.begin(), outcome.findings.end(), isLexicalKernelFinding);
  };
  if (std::none_of(outcomes.begin(), outcomes.end(), hasFindings)) return;
  const BackEnds backEnds(outcomes);
  for (FileOutcome& outcome : outcomes) {
    std::string counterpart = hasFindings(outcome) ? backEnds.counterpartOf(outcome.entry.path) : std::string();
    if (counterpart.empty()) continue;
    std::string remark = "; for AMD there is " + counterpart;
    for (result::Finding& finding : outcome.findings) {
      if (!isLexicalKernelFinding(finding)) continue;
      finding.severity = Severity::Info;
      if (finding.message.size() + remark.size() <= longestMessage) finding.message += remark;
    }
  }
}

namespace {

/// Files of a tree by path, and by the end of their path.
class FilesByPath {
 public:
  explicit FilesByPath(const std::vector<FileOutcome>& outcomes) {
    for (const FileOutcome& file : outcomes) {
      byPath_.emplace(file.entry.path, &file);
      byName_[lastPart(file.entry.path)].push_back(&file);
    }
  }

  /// The file that `#include "header"` in `includer` finds beside it, or else the only one whose path ends in `header`.
  const FileOutcome* included(const std::string& includer, const std::string& header) const {
    namespace fs = std::filesystem;
    auto beside = byPath_.find((fs::path(includer).parent_path() / header).lexically_normal().string());
    if (beside != byPath_.end()) return beside->second;
    auto named = byName_.find(lastPart(header));
    if (named == byName_.end()) return nullptr;
    const FileOutcome* found = nullptr;
    for (const FileOutcome* file : named->second) {
      if (!file->entry.path.ends_with("/" + header)) continue;
      if (found != nullptr) return nullptr;
      found = file;
    }
    return found;
  }

 private:
  std::unordered_map<std::string, const FileOutcome*> byPath_;
  std::unordered_map<std::string_view, std::vector<const FileOutcome*>> byName_;
};

}  // namespace

void dropOwnHeaders(const knowledge::Knowledge& knowledge, std::vector<FileOutcome>& outcomes) {
  std::optional<FilesByPath> files;
  for (FileOutcome& outcome : outcomes) {
    for (const auto& [line, header] : outcome.quotedHeaders) {
      if (!files) files.emplace(outcomes);
      const FileOutcome* own = files->included(outcome.entry.path, header);
      if (own == nullptr || !own->apis.empty() || !own->dependencies.empty()) continue;
      std::uint32_t at = line;
      std::string scope = header.substr(0, header.find('/'));
      auto isHeader = [&](const FoldedUse& use) { return use.line == at; };
      std::erase_if(outcome.dependencies, isHeader);
      std::erase_if(outcome.apis, [&](const FoldedUse& use) {
        std::string_view name = knowledge.apis()[use.record].name;
        return isHeader(use) || name == scope || name.starts_with(scope + "::");
      });
    }
  }
}

namespace {

/// Includes of a tree, followed by file name.
class Includes {
 public:
  explicit Includes(const std::vector<FileOutcome>& outcomes) : outcomes_(outcomes) {
    for (std::uint32_t i = 0; i < outcomes.size(); ++i) {
      if (outcomes[i].entry.how == "tokens") byName_[stableHash(lastPart(outcomes[i].entry.path))].push_back(i);
    }
  }

  /// Namespaces that the headers of `file` define for the project; none when one of the headers shows CUDA or HIP.
  std::unordered_set<std::string_view> ownNamespaces(std::uint32_t file) const {
    constexpr std::size_t mostHeaders = 1000, mostNamesakes = 16;
    std::unordered_set<std::string_view> names;
    std::unordered_set<std::uint32_t> seen{file};
    std::vector<std::uint32_t> pending{file};
    while (!pending.empty() && seen.size() < mostHeaders) {
      const scan::TreeClues& clues = outcomes_[pending.back()].clues;
      pending.pop_back();
      if (clues.showsVendor) return {};
      names.insert(clues.ownNamespaces.begin(), clues.ownNamespaces.end());
      for (std::uint64_t include : clues.includes) {
        auto found = byName_.find(include);
        if (found == byName_.end() || found->second.size() > mostNamesakes) continue;
        for (std::uint32_t header : found->second)
          if (seen.insert(header).second) pending.push_back(header);
      }
    }
    return names;
  }

 private:
  const std::vector<FileOutcome>& outcomes_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> byName_;
};

}  // namespace

void dropOwnNamespaces(const knowledge::Knowledge& knowledge, std::vector<FileOutcome>& outcomes) {
  auto owns = [](const FileOutcome& outcome) { return !outcome.clues.ownNamespaces.empty(); };
  if (std::none_of(outcomes.begin(), outcomes.end(), owns)) return;
  const Includes includes(outcomes);
  for (std::uint32_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].clues.showsVendor || outcomes[i].apis.empty()) continue;
    const std::unordered_set<std::string_view> own = includes.ownNamespaces(i);
    if (own.empty()) continue;
    bool others = false;  // names of namespaces that are not the project's
    std::erase_if(outcomes[i].apis, [&](const FoldedUse& use) {
      const knowledge::Api& api = knowledge.apis()[use.record];
      std::string_view name = api.name;
      if (own.contains(name.substr(0, name.find("::")))) return true;
      others |= api.kind == "namespace" || name.find("::") != std::string_view::npos;
      return false;
    });
    // What is left are words of device code, which only those names made look like CUDA's.
    if (!others) outcomes[i].apis.clear();
  }
}

void dropOwnWidths(std::vector<FileOutcome>& outcomes) {
  std::unordered_set<std::string_view> folders;
  for (const FileOutcome& outcome : outcomes)
    if (outcome.ownsWarpSize) folders.insert(folderOf(outcome.entry.path));
  if (folders.empty()) return;
  for (FileOutcome& outcome : outcomes) {
    if (!folders.contains(folderOf(outcome.entry.path))) continue;
    std::erase_if(outcome.findings, [](const result::Finding& finding) { return finding.rule == "W12"; });
  }
}

}  // namespace unwarp::audit
