// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device_module.h"

#include <algorithm>
#include <cstring>

#include "compiler/abi/bytes.h"
#include "runtime/device_calls.h"
#include "runtime/settings.h"

namespace uw {

void DeviceModule::add(std::string bitcode) {
  std::lock_guard lock(mutex_);
  bitcode_.push_back(std::move(bitcode));
}

JitRequest DeviceModule::request() const {
  JitRequest request{};
  request.modules = views_.data();
  request.moduleCount = views_.size();
  return request;
}

std::unique_ptr<LoadedObject> DeviceModule::load(const unwarp::abi::KernelObject& entry, int device,
                                                 std::string& error) {
  LoadedObject* shared = sharedObjects_.count(device) ? sharedObjects_[device].get() : nullptr;
  auto resolve = [&](const std::string& name) -> void* {
    auto managed = managed_.find(name);
    if (managed != managed_.end()) return managed->second.address;
    void* own = shared ? shared->symbol(name) : nullptr;
    return own ? own : deviceFunction(name);
  };
  return LoadedObject::load(entry.object, resolve, error);
}

// A device's own copy of the module's variables; null with `error` set when it cannot be loaded.
LoadedObject* DeviceModule::sharedObject(int device, std::string& error) {
  auto found = sharedObjects_.find(device);
  if (found != sharedObjects_.end()) return found->second.get();
  auto object = load(shared_, device, error);
  if (!object) return nullptr;
  return (sharedObjects_[device] = std::move(object)).get();
}

// Compiles or loads what all kernels share. Done once; a failure stays.
bool DeviceModule::prepare(std::string& error) {
  if (!prepared_) {
    prepared_ = true;
    std::sort(bitcode_.begin(), bitcode_.end());  // registration order depends on the linker, the cache must not
    uint64_t hash = 0;
    for (const std::string& bitcode : bitcode_) {
      views_.push_back({bitcode.data(), bitcode.size()});
      hash = unwarp::abi::hashBytes(bitcode, hash + bitcode.size());
    }
    identity_ = std::to_string(hash);
    if (auto entry = compiledEntry(request(), identity_, failure_)) {
      shared_ = entry->object;
      sharedObject(0, failure_);
      for (const auto& kernel : shared_.kernels) kernels_[kernel.name] = &kernel;
    }
  }
  if (!failure_.empty()) error = failure_;
  return failure_.empty();
}

const unwarp::abi::KernelRecord* DeviceModule::kernel(const std::string& name, std::string& error) {
  std::lock_guard lock(mutex_);
  if (!prepare(error)) return nullptr;
  auto found = kernels_.find(name);
  if (found != kernels_.end()) return found->second;
  error = "no kernel '" + name + "' in the program's device code";
  return nullptr;
}

const KernelCode* DeviceModule::code(const unwarp::abi::KernelRecord& kernel, const KernelShape& shape,
                                     std::string& error) {
  std::lock_guard lock(mutex_);
  if (!prepare(error) || !sharedObject(shape.device, error)) return nullptr;
  JitRequest wanted = request();
  wanted.kernel = kernel.name.c_str();
  wanted.width = shape.width;
  wanted.tier = shape.tier;
  wanted.lockstep = shape.lockstep;
  // Fibers read the block's shape from their context: one version serves all shapes.
  if (shape.tier != Tier::fiber) std::copy_n(shape.blockDim, 3, wanted.blockDim);
  std::string key = kernel.name + "/" + std::to_string(wanted.blockDim[0]) + "/" + std::to_string(wanted.blockDim[1]) +
                    "/" + std::to_string(wanted.blockDim[2]) + "/" + std::to_string(static_cast<uint32_t>(shape.tier)) +
                    "/" + std::to_string(shape.device);
  auto found = codes_.find(key);
  if (found != codes_.end()) return &found->second;
  auto entry = compiledEntry(wanted, identity_, error);
  if (!entry) return nullptr;
  KernelCode code;
  code.tier = shape.tier;
  code.cached = entry->cached;
  code.microseconds = entry->microseconds;
  code.lines = std::move(entry->object.lines);
  code.shared = sharedObjects_[shape.device].get();
  code.sharedLines = &shared_.lines;
  code.object = load(entry->object, shape.device, error);
  if (!code.object) return nullptr;
  if (shape.tier == Tier::region) {
    code.region = reinterpret_cast<RegionEntry>(code.object->symbol(kRegionEntry));
    code.regionTable = static_cast<const RegionTable*>(code.object->symbol(kRegionTable));
  } else {
    code.entry =
        reinterpret_cast<ThreadEntry>(code.object->symbol(shape.tier == Tier::loop ? kBlockEntry : kThreadEntry));
  }
  if (!code.entry && !(code.region && code.regionTable)) {
    error = "compiled kernel without an entry";
    return nullptr;
  }
  return &codes_.emplace(key, std::move(code)).first->second;
}

DeviceModule::Variable DeviceModule::variable(const std::string& name, int device, std::string& error) {
  std::lock_guard lock(mutex_);
  auto managed = managed_.find(name);
  if (managed != managed_.end()) return managed->second;
  if (!prepare(error)) return {};
  LoadedObject* object = sharedObject(device, error);
  if (!object) return {};
  for (const auto& variable : shared_.variables) {
    if (variable.name == name) return {object->symbol(name), variable.sizeBytes};
  }
  error = "no device variable '" + name + "'";
  return {};
}

bool DeviceModule::holds(const void* address) {
  std::lock_guard lock(mutex_);
  for (const auto& [device, object] : sharedObjects_) {
    if (object->contains(address)) return true;
  }
  return false;
}

void DeviceModule::bindManaged(const std::string& name, Variable host) {
  std::lock_guard lock(mutex_);
  managed_[name] = host;
  unfilled_.push_back(name);
}

bool DeviceModule::fillManaged(std::string& error) {
  std::lock_guard lock(mutex_);
  if (unfilled_.empty()) return true;
  const std::string& bitcode = bitcode_.back();
  JitModule view{bitcode.data(), bitcode.size()};
  JitRequest values{};
  values.modules = &view;
  values.moduleCount = 1;
  values.kernel = kManagedValues;
  auto entry = compiledEntry(values, std::to_string(unwarp::abi::hashBytes(bitcode)), error);
  auto object = entry ? LoadedObject::load(
                            entry->object.object, [](const std::string&) -> void* { return nullptr; }, error)
                      : nullptr;
  if (!object) return false;
  for (const std::string& name : unfilled_) {
    const void* first = object->symbol(name);
    const Variable& host = managed_[name];
    if (first) std::memcpy(host.address, first, host.sizeBytes);
  }
  unfilled_.clear();
  return true;
}

void DeviceModule::reset(int device) {
  std::lock_guard lock(mutex_);
  std::erase_if(codes_, [&](const auto& entry) { return entry.first.ends_with("/" + std::to_string(device)); });
  sharedObjects_.erase(device);
}

}  // namespace uw
