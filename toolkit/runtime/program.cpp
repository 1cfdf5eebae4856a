// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "compiler/abi/device_image.h"
#include "runtime/memory.h"

namespace uw {
namespace {

// The images of a section start at multiples of this (relocatable.h).
constexpr uint64_t kImageAlignment = 16;

// An element of section llvm_offload_entries as clang 22 writes it. Size 0 stands for a kernel.
struct OffloadEntry {
  uint64_t reserved;
  uint16_t version;
  uint16_t kind;
  uint32_t flags;
  const void* address;
  const char* name;
  uint64_t size;
  uint64_t data;
  const void* auxiliary;
};
constexpr uint16_t kCudaEntry = 2;

[[noreturn]] void refuseImage() {
  std::fprintf(stderr,
               "unwarp: this program holds device code that another compiler made; build it with Unwarp's nvcc to run "
               "it here\n");
  std::exit(2);
}

}  // namespace

Program& program() {
  static Program* const instance = new Program;
  return *instance;
}

void** Program::registerImage(const void* bytes) {
  uint64_t size = unwarp::abi::imageSize(bytes);
  auto image = size ? unwarp::abi::decodeImage({static_cast<const char*>(bytes), size}) : std::nullopt;
  if (!image || image->images.empty()) refuseImage();
  std::lock_guard lock(mutex_);
  modules_.push_back(std::make_unique<DeviceModule>());
  DeviceModule* module = modules_.back().get();
  module->add(std::move(image->images.back().bitcode));
  return reinterpret_cast<void**>(module);
}

void Program::registerLinked(std::pair<const char*, const char*> entries, std::pair<const char*, const char*> images) {
  DeviceModule* module = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (!linked_.insert(images.first).second) return;
    modules_.push_back(std::make_unique<DeviceModule>());
    module = modules_.back().get();
  }
  for (const char* at = images.first; at < images.second;) {
    uint64_t size = unwarp::abi::imageSize(at);
    auto image = size ? unwarp::abi::decodeImage({at, size}) : std::nullopt;
    if (!image || image->images.empty()) refuseImage();
    module->add(std::move(image->images.back().bitcode));
    at += (size + kImageAlignment - 1) / kImageAlignment * kImageAlignment;
  }
  void** handle = reinterpret_cast<void**>(module);
  for (const char* at = entries.first; at < entries.second; at += sizeof(OffloadEntry)) {
    OffloadEntry entry;
    std::memcpy(&entry, at, sizeof entry);
    if (entry.kind != kCudaEntry) continue;
    if (entry.size == 0) {
      registerKernel(handle, entry.address, entry.name);
    } else {
      registerVariable(handle, entry.address, entry.name, entry.size);
    }
  }
}

void Program::registerKernel(void** handle, const void* host, const char* name) {
  std::lock_guard lock(mutex_);
  kernels_[host] = {reinterpret_cast<DeviceModule*>(handle), name, nullptr};
}

void Program::registerVariable(void** handle, const void* host, const char* name, size_t sizeBytes) {
  std::lock_guard lock(mutex_);
  auto* module = reinterpret_cast<DeviceModule*>(handle);
  variables_[host] = {module, name};
  auto* address = static_cast<char*>(const_cast<void*>(host));
  for (const auto& [begin, end] : managedSections_) {
    if (address < begin || address >= end) continue;
    module->bindManaged(name, {address, sizeBytes});
    memory().adopt({address, sizeBytes, MemoryKind::managedVariable});
  }
}

void Program::noteManagedSection(char* begin, char* end) {
  std::lock_guard lock(mutex_);
  std::pair section{begin, end};
  if (std::find(managedSections_.begin(), managedSections_.end(), section) == managedSections_.end()) {
    managedSections_.push_back(section);
  }
}

void Program::finishImage(void** handle) {
  std::lock_guard lock(mutex_);
  std::string error;
  if (reinterpret_cast<DeviceModule*>(handle)->fillManaged(error)) return;
  std::fprintf(stderr, "unwarp: managed variables: %s\n", error.c_str());
  std::exit(2);
}

RegisteredKernel* Program::kernel(const void* host, std::string& error) {
  std::lock_guard lock(mutex_);
  auto found = kernels_.find(host);
  if (found == kernels_.end()) {
    error = "the address is no kernel of this program";
    return nullptr;
  }
  RegisteredKernel& kernel = found->second;
  if (!kernel.record) kernel.record = kernel.module->kernel(kernel.name, error);
  return kernel.record ? &kernel : nullptr;
}

DeviceModule::Variable Program::variable(const void* host, int device, std::string& error) {
  std::lock_guard lock(mutex_);
  auto found = variables_.find(host);
  if (found == variables_.end()) {
    error = "the address is no device variable of this program";
    return {};
  }
  return found->second.module->variable(found->second.name, device, error);
}

bool Program::holds(const void* address) {
  std::lock_guard lock(mutex_);
  for (const auto& module : modules_) {
    if (module->holds(address)) return true;
  }
  return false;
}

void Program::reset(int device) {
  std::lock_guard lock(mutex_);
  for (const auto& module : modules_) module->reset(device);
}

}  // namespace uw
