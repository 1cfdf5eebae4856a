// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stats.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "runtime/settings.h"

namespace uw {
namespace {

struct KernelCount {
  Tier tier = Tier::loop;
  uint64_t launches = 0;
  uint64_t microseconds = 0;
  bool cached = true;
};

struct Totals {
  std::mutex mutex;
  std::map<std::pair<std::string, uint32_t>, KernelCount> kernels;
  std::map<const KernelCode*, bool> seen;
  std::map<std::string, uint64_t> unimplemented;
};

void print();

Totals& totals() {
  static Totals* const instance = [] {
    if (settings().statsWanted) std::atexit(print);
    return new Totals;
  }();
  return *instance;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// A process that forks writes a file of its own.
std::string fileName() {
  std::string name = settings().statsFile;
  std::string id = std::to_string(getpid());
  for (size_t at = name.find("%p"); at != std::string::npos; at = name.find("%p", at + id.size())) {
    name.replace(at, 2, id);
  }
  return name;
}

std::string json() {
  Totals& all = totals();
  uint64_t launches = 0;
  std::string kernels;
  for (const auto& [key, count] : all.kernels) {
    launches += count.launches;
    char jit[32];
    std::snprintf(jit, sizeof jit, "%.3f", static_cast<double>(count.microseconds) / 1000.0);
    kernels += (kernels.empty() ? "" : ",") + std::string("{\"name\":") + quoted(key.first) + ",\"tier\":\"T" +
               std::to_string(key.second) + "\",\"launches\":" + std::to_string(count.launches) + ",\"jit_ms\":" + jit +
               ",\"cache\":" + (count.cached ? "\"hit\"" : "\"miss\"") + "}";
  }
  std::string missing;
  for (const auto& [name, count] : all.unimplemented) {
    missing += (missing.empty() ? "" : ",") + std::string("{\"name\":") + quoted(name) +
               ",\"count\":" + std::to_string(count) + "}";
  }
  return "{\"width\":" + std::to_string(settings().width) + ",\"device\":" + quoted(settings().profile.target) +
         ",\"launches\":" + std::to_string(launches) + ",\"kernels\":[" + kernels + "],\"unimplemented\":[" + missing +
         "]}\n";
}

void print() {
  std::string text;
  {
    std::lock_guard lock(totals().mutex);
    text = json();
  }
  std::string file = fileName();
  FILE* out = file.empty() ? stderr : std::fopen(file.c_str(), "w");
  if (!out) {
    std::fprintf(stderr, "unwarp: UNWARP_STATS: cannot write '%s'\n", file.c_str());
    return;
  }
  std::fputs(text.c_str(), out);
  out == stderr ? std::fflush(out) : std::fclose(out);
}

// Statistics are wanted also of a program that never launches.
__attribute__((constructor)) void prepare() {
  if (std::getenv("UNWARP_STATS")) totals();
}

}  // namespace

void recordLaunch(const std::string& kernel, const KernelCode& code) {
  Totals& all = totals();
  std::lock_guard lock(all.mutex);
  KernelCount& count = all.kernels[{kernel, static_cast<uint32_t>(code.tier)}];
  count.tier = code.tier;
  ++count.launches;
  if (all.seen.emplace(&code, true).second) {
    count.microseconds += code.microseconds;
    count.cached &= code.cached;
  }
}

void recordUnimplemented(const char* name) {
  Totals& all = totals();
  std::lock_guard lock(all.mutex);
  if (all.unimplemented[name]++ == 0) std::fprintf(stderr, "unwarp: %s is not supported yet\n", name);
}

}  // namespace uw
