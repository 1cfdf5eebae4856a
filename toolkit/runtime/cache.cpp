// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <sstream>

#include "compiler/abi/bytes.h"
#include "runtime/settings.h"

namespace uw {
namespace {

using unwarp::abi::hashBytes;

std::string hex(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016lx", value);
  return text;
}

// Another CPU or another compiler library makes other code: both are part of every entry's name.
uint64_t platformIdentity() {
  static const uint64_t identity = [] {
    std::string text;
    std::ifstream cpu("/proc/cpuinfo");
    for (std::string line; std::getline(cpu, line) && !line.empty();) {
      if (line.rfind("model name", 0) == 0 || line.rfind("flags", 0) == 0) text += line;
    }
    struct stat library{};
    if (stat(settings().jitLibrary.c_str(), &library) == 0) {
      text += std::to_string(library.st_mtim.tv_sec) + "." + std::to_string(library.st_mtim.tv_nsec) + "." +
              std::to_string(library.st_size);
    }
    return hashBytes(text, kAbiVersion);
  }();
  return identity;
}

std::string entryName(const JitRequest& request, const std::string& identity) {
  std::ostringstream key;
  key << identity << '/' << (request.kernel ? request.kernel : "") << '/' << request.width << '/' << request.blockDim[0]
      << '/' << request.blockDim[1] << '/' << request.blockDim[2] << '/' << static_cast<uint32_t>(request.tier) << '/'
      << request.lockstep;
  std::string text = key.str();
  return hex(hashBytes(text, platformIdentity())) + hex(hashBytes(text));
}

void makeFolders(const std::string& path) {
  for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    mkdir(path.substr(0, at).c_str(), 0755);
  }
  mkdir(path.c_str(), 0755);
}

std::optional<std::string> readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

// A cache that cannot be written costs time, nothing else.
void writeFile(const std::string& folder, const std::string& name, const std::string& bytes) {
  makeFolders(folder);
  std::string temporary = folder + "/.new-XXXXXX";
  int file = mkstemp(temporary.data());
  if (file < 0) return;
  size_t written = 0;
  while (written < bytes.size()) {
    ssize_t step = write(file, bytes.data() + written, bytes.size() - written);
    if (step <= 0) break;
    written += static_cast<size_t>(step);
  }
  bool whole = written == bytes.size() && fchmod(file, 0644) == 0;
  close(file);
  if (!whole || rename(temporary.c_str(), (folder + "/" + name).c_str()) != 0) unlink(temporary.c_str());
}

struct CompilerLibrary {
  JitCompile compile = nullptr;
  JitFree release = nullptr;
  std::string error;
};

const CompilerLibrary& compilerLibrary() {
  static const CompilerLibrary library = [] {
    CompilerLibrary out;
    const std::string& path = settings().jitLibrary;
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      out.error = "the kernel compiler cannot be opened: " + std::string(dlerror());
      return out;
    }
    out.compile = reinterpret_cast<JitCompile>(dlsym(handle, kJitCompile));
    out.release = reinterpret_cast<JitFree>(dlsym(handle, kJitFree));
    if (!out.compile || !out.release) out.error = path + " is no kernel compiler of this version";
    return out;
  }();
  return library;
}

std::optional<std::string> compile(const JitRequest& request, std::string& error) {
  const CompilerLibrary& library = compilerLibrary();
  if (!library.error.empty()) {
    error = library.error;
    return std::nullopt;
  }
  JitResult result{};
  library.compile(&request, &result);
  if (result.error) {
    error = result.error;
    library.release(result.error);
    return std::nullopt;
  }
  std::string bytes(result.entry, result.size);
  library.release(result.entry);
  return bytes;
}

uint64_t microsecondsSince(std::chrono::steady_clock::time_point start) {
  auto took = std::chrono::steady_clock::now() - start;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
}

}  // namespace

std::optional<CompiledEntry> compiledEntry(JitRequest request, const std::string& identity, std::string& error) {
  auto start = std::chrono::steady_clock::now();
  std::string folder = settings().cacheFolder;
  std::string name = entryName(request, identity);
  const std::string& dump = settings().dumpFolder;
  request.dumpFolder = dump.empty() ? nullptr : dump.c_str();
  CompiledEntry entry;
  // Only compiling shows code.
  if (std::optional<std::string> bytes = dump.empty() ? readFile(folder + "/" + name) : std::nullopt) {
    if (auto object = unwarp::abi::decode(*bytes)) {
      entry.object = std::move(*object);
      entry.cached = true;
      entry.microseconds = microsecondsSince(start);
      return entry;
    }
  }
  std::optional<std::string> bytes = compile(request, error);
  if (!bytes) return std::nullopt;
  writeFile(folder, name, *bytes);
  auto object = unwarp::abi::decode(*bytes);
  if (!object) {
    error = "the kernel compiler is of another version than the runtime";
    return std::nullopt;
  }
  entry.object = std::move(*object);
  entry.microseconds = microsecondsSince(start);
  return entry;
}

}  // namespace uw
