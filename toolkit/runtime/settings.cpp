// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/settings.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace uw {
namespace {

constexpr DeviceProfile kProfiles[] = {
#include "runtime/device_profiles.inc"
};

constexpr const char* kDefaultProfile = "sm_80";

[[noreturn]] void refuse(const char* variable, const std::string& value, const std::string& expected) {
  std::fprintf(stderr, "unwarp: %s='%s' is not known: use %s\n", variable, value.c_str(), expected.c_str());
  std::fflush(stderr);
  _exit(2);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

uint32_t number(const char* variable, uint32_t fallback, uint32_t low, uint32_t high) {
  std::string text = environment(variable);
  if (text.empty()) return fallback;
  bool digits = text.find_first_not_of("0123456789") == std::string::npos && text.size() < 10;
  unsigned long value = digits ? std::strtoul(text.c_str(), nullptr, 10) : 0;
  if (!digits || value < low || value > high) {
    refuse(variable, text, "a number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return static_cast<uint32_t>(value);
}

void readDevice(Settings& out) {
  std::string wanted = environment("UNWARP_DEVICE");
  const DeviceProfile* profile = findProfile(wanted.empty() ? kDefaultProfile : wanted);
  if (!profile) refuse("UNWARP_DEVICE", wanted, "one of " + profileNames());
  out.profile = *profile;
  out.width = profile->width;
  std::string width = environment("UNWARP_WIDTH");
  if (width == "32" || width == "64") {
    out.width = width == "32" ? 32 : 64;
  } else if (!width.empty()) {
    refuse("UNWARP_WIDTH", width, "32 or 64");
  }
}

void readTier(Settings& out) {
  std::string tier = environment("UNWARP_TIER");
  if (tier == "0" || tier == "1" || tier == "3") {
    out.tier = tier[0] - '0';
  } else if (!tier.empty() && tier != "auto") {
    refuse("UNWARP_TIER", tier, "0, 1, 3 or auto");
  }
}

void readStats(Settings& out) {
  std::string stats = environment("UNWARP_STATS");
  if (stats.empty()) return;
  bool named = stats.rfind("json:", 0) == 0 && stats.size() > 5;
  if (stats != "json" && !named) refuse("UNWARP_STATS", stats, "json or json:FILE");
  out.statsWanted = true;
  if (named) out.statsFile = stats.substr(5);
}

void readPoison(Settings& out) {
  std::string poison = environment("UNWARP_POISON");
  if (!poison.empty() && poison != "0" && poison != "1") refuse("UNWARP_POISON", poison, "0 or 1");
  out.poison = poison != "0";
}

std::string cacheFolder() {
  std::string folder = environment("UNWARP_CACHE_DIR");
  if (!folder.empty()) return folder;
  std::string base = environment("XDG_CACHE_HOME");
  if (!base.empty()) return base + "/unwarp";
  std::string home = environment("HOME");
  return home.empty() ? "/tmp/unwarp-cache-" + std::to_string(getuid()) : home + "/.cache/unwarp";
}

// The compiler library lies beside the shared runtime; a program with the static runtime knows where its toolkit was.
std::string jitLibrary() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<void*>(&jitLibrary), &self) && self.dli_fname) {
    std::string path = self.dli_fname;
    size_t slash = path.rfind('/');
    std::string beside = (slash == std::string::npos ? std::string(".") : path.substr(0, slash)) + "/libunwarp-jit.so";
    if (access(beside.c_str(), R_OK) == 0) return beside;
  }
  return UNWARP_TOOLKIT_LIBRARIES "/libunwarp-jit.so";
}

// CUDA's own variable: a list of device numbers; the first that names no device ends it (CUDA Programming Guide,
// "CUDA Environment Variables"). All devices here are alike, so their order says nothing.
uint32_t visibleDevices(uint32_t all) {
  const char* given = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!given) return all;
  uint32_t seen = 0;
  uint32_t count = 0;
  for (const char* at = given; *at;) {
    char* end = nullptr;
    unsigned long device = std::strtoul(at, &end, 10);
    bool known = end != at && (*end == ',' || *end == '\0') && *at != '-' && device < all && (seen >> device & 1) == 0;
    if (!known) break;
    seen |= 1u << device;
    ++count;
    at = *end == ',' ? end + 1 : end;
  }
  if (count == 0 && *given) {
    std::fprintf(stderr, "unwarp: CUDA_VISIBLE_DEVICES='%s' leaves no device: UNWARP_DEVICES gives %u\n", given, all);
  }
  return count;
}

Settings read() {
  Settings out;
  readDevice(out);
  readTier(out);
  readStats(out);
  readPoison(out);
  uint32_t processors = std::max(1u, std::thread::hardware_concurrency());
  out.devices = visibleDevices(number("UNWARP_DEVICES", 1, 1, 16));
  out.threads = number("UNWARP_THREADS", processors, 1, 1024);
  out.cacheFolder = cacheFolder();
  out.dumpFolder = environment("UNWARP_DUMP");
  if (!out.dumpFolder.empty() && access(out.dumpFolder.c_str(), W_OK | X_OK) != 0) {
    refuse("UNWARP_DUMP", out.dumpFolder, "a folder that exists and can be written to");
  }
  out.jitLibrary = jitLibrary();
  return out;
}

}  // namespace

const Settings& settings() {
  static const Settings value = read();
  return value;
}

const DeviceProfile* findProfile(const std::string& target) {
  for (const DeviceProfile& profile : kProfiles) {
    if (target == profile.target) return &profile;
  }
  return nullptr;
}

std::string profileNames() {
  std::string names;
  for (const DeviceProfile& profile : kProfiles) names += (names.empty() ? "" : ", ") + std::string(profile.target);
  return names;
}

}  // namespace uw
