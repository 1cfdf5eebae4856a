// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program.h"

#include <cstdio>
#include <cstdlib>

#include "compiler/abi/device_image.h"

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

void Program::registerVariable(void** handle, const void* host, const char* name, size_t) {
  std::lock_guard lock(mutex_);
  variables_[host] = {reinterpret_cast<DeviceModule*>(handle), name};
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

DeviceModule::Variable Program::variable(const void* host, std::string& error) {
  std::lock_guard lock(mutex_);
  auto found = variables_.find(host);
  if (found == variables_.end()) {
    error = "the address is no device variable of this program";
    return {};
  }
  return found->second.module->variable(found->second.name, error);
}

}  // namespace uw
