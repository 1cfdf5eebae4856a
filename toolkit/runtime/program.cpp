// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "compiler/abi/device_image.h"
#include "runtime/memory.h"

namespace uw {
namespace {

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
  DeviceModule* module = image->relocatable ? relocatable_ : nullptr;
  if (!module) {
    modules_.push_back(std::make_unique<DeviceModule>());
    module = modules_.back().get();
    if (image->relocatable) relocatable_ = module;
  }
  module->add(std::move(image->images.back().bitcode));
  return reinterpret_cast<void**>(module);
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
