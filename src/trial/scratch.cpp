// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/scratch.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/file.h"
#include "base/text.h"
#include "scan/binary/elf_image.h"

namespace unwarp::trial {
namespace {

namespace fs = std::filesystem;

// Nobody may be kept out of what has to be removed again, and a build writes beside its sources.
void makeWritable(const fs::path& path) {
  std::error_code ignored;
  fs::perms needed = fs::is_directory(path, ignored) ? fs::perms::owner_all : fs::perms(0600);
  fs::permissions(path, needed, fs::perm_options::add, ignored);
}

void removeAll(const fs::path& folder) {
  std::error_code failed;
  fs::remove_all(folder, failed);
  if (!failed) return;
  makeWritable(folder);
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (auto it = fs::recursive_directory_iterator(folder, kOptions, failed);
       !failed && it != fs::recursive_directory_iterator(); it.increment(failed))
    if (!it->is_symlink()) makeWritable(it->path());
  fs::remove_all(folder, failed);
}

fs::path canonicalOf(const fs::path& path) {
  std::error_code failed;
  fs::path canonical = fs::weakly_canonical(path, failed);
  return failed ? path : canonical;
}

bool isVersionControl(const fs::path& name) {
  return name == ".git" || name == ".hg" || name == ".svn";
}

bool isWithin(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// Objects and whatever carries device code: an earlier build's.
bool isMade(const fs::path& file) {
  std::string ending = file.extension().string();
  std::error_code ignored;
  bool runs = (fs::status(file, ignored).permissions() & fs::perms::owner_exec) != fs::perms::none;
  if (ending != ".o" && ending != ".obj" && ending.find(".so") == std::string::npos && !runs) return false;
  Result<FileBytes> bytes = FileBytes::open(file.string());
  if (!bytes) return false;
  auto image = scan::ElfImage::parse(bytes->view());
  return image && (image->type() == scan::elfTypeRelocatable || holdsDeviceCode(file));
}

class Copy {
 public:
  Copy(const fs::path& from, const fs::path& to, const std::vector<std::string>& leaveOut)
      : from_(canonicalOf(from)), to_(to), leaveOut_(leaveOut) {}

  Result<CopyResult> all() {
    std::vector<fs::path> folders{from_};
    while (!folders.empty()) {
      fs::path folder = folders.back();
      folders.pop_back();
      auto done = copyFolder(folder, folders);
      if (!done) return Error{done.error()};
    }
    if (made_ > 0)
      copied_.notes.push_back(std::to_string(made_) + " files of an earlier build were left out of the copy");
    return std::move(copied_);
  }

 private:
  fs::path copyOf(const fs::path& path) const { return path == from_ ? to_ : to_ / path.lexically_relative(from_); }

  Result<Done> copyFolder(const fs::path& folder, std::vector<fs::path>& more) {
    std::error_code failed;
    fs::create_directories(copyOf(folder), failed);
    if (failed) return Error{"cannot make " + copyOf(folder).string() + ": " + failed.message()};
    auto it = fs::directory_iterator(folder, failed);
    if (failed) note(folder, failed.message());
    for (; !failed && it != fs::directory_iterator(); it.increment(failed)) {
      const fs::directory_entry& entry = *it;
      std::error_code ignored;
      if (isVersionControl(entry.path().filename()) || isLeftOut(entry.path())) continue;
      if (entry.is_symlink(ignored)) {
        copyLink(entry.path());
      } else if (entry.is_directory(ignored)) {
        more.push_back(entry.path());
      } else if (entry.is_regular_file(ignored)) {
        auto done = copyFile(entry.path());
        if (!done) return done;
      }
    }
    return Done{};
  }

  void copyLink(const fs::path& link) {
    std::error_code failed;
    fs::path target = fs::weakly_canonical(link.parent_path() / fs::read_symlink(link, failed), failed);
    fs::path there = isWithin(target, from_) ? copyOf(target) : target;
    if (!failed) fs::create_symlink(there, copyOf(link), failed);
    if (failed) note(link, failed.message());
  }

  Result<Done> copyFile(const fs::path& file) {
    if (isMade(file)) {
      ++made_;
      return Done{};
    }
    fs::path copy = copyOf(file);
    std::error_code failed, ignored;
    fs::copy_file(file, copy, failed);
    if (failed == std::errc::permission_denied) {
      note(file, failed.message());
      return Done{};
    }
    if (failed) return Error{"cannot copy " + file.string() + " to " + copy.string() + ": " + failed.message()};
    makeWritable(copy);
    copied_.files.insert(copy);
    return Done{};
  }

  bool isLeftOut(const fs::path& path) const {
    return std::find(leaveOut_.begin(), leaveOut_.end(), path.string()) != leaveOut_.end();
  }
  void note(const fs::path& path, const std::string& why) {
    copied_.notes.push_back(pathText(path.lexically_relative(from_).string()) + " was not copied: " + why);
  }

  fs::path from_, to_;
  const std::vector<std::string>& leaveOut_;
  CopyResult copied_;
  std::size_t made_ = 0;
};

}  // namespace

Result<Scratch> Scratch::make() {
  std::error_code failed;
  fs::path base = fs::temp_directory_path(failed);
  if (failed) return Error{"no temporary folder: " + failed.message() + "; set TMPDIR"};
  std::string name = (fs::weakly_canonical(base, failed) / "unwarp-run-XXXXXX").string();
  if (failed || mkdtemp(name.data()) == nullptr)
    return Error{"cannot make a folder in " + base.string() + ": " + std::strerror(errno) + "; set TMPDIR"};
  return Scratch(name);
}

Scratch::~Scratch() {
  if (!path_.empty()) removeAll(path_);
}

Result<CopyResult> copyProject(const fs::path& from, const fs::path& to, const std::vector<std::string>& leaveOut) {
  return Copy(from, to, leaveOut).all();
}

bool holdsDeviceCode(const fs::path& file) {
  Result<FileBytes> bytes = FileBytes::open(file.string());
  if (!bytes) return false;
  auto image = scan::ElfImage::parse(bytes->view());
  return image && (image->section(".nv_fatbin") != nullptr || image->section("unwarp_device_images") != nullptr);
}

}  // namespace unwarp::trial
