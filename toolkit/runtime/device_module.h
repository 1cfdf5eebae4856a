// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device side of one translation unit (or, with relocatable device code, of all of them together): its variables in
// memory, its kernels, and the specialised code that launches have asked for so far.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compiler/abi/abi.h"
#include "compiler/abi/kernel_object.h"
#include "runtime/cache.h"
#include "runtime/loader.h"

namespace uw {

struct KernelCode {
  Tier tier = Tier::loop;
  ThreadEntry entry = nullptr;   // thread entry in T3, block entry in T0
  RegionEntry region = nullptr;  // T1
  const RegionTable* regionTable = nullptr;
  std::unique_ptr<LoadedObject> object;
  unwarp::abi::LineTable lines;
  const LoadedObject* shared = nullptr;  // the module's shared part on the same device
  const unwarp::abi::LineTable* sharedLines = nullptr;
  bool cached = false;
  uint64_t microseconds = 0;
};

struct KernelShape {
  uint32_t width = 32;
  uint32_t blockDim[3] = {1, 1, 1};
  Tier tier = Tier::loop;
  bool lockstep = false;
  int device = 0;
};

class DeviceModule {
 public:
  /// Adds a translation unit's bitcode; only before first use.
  void add(std::string bitcode);

  /// Null with `error` set when the module cannot be compiled or has no such kernel.
  const unwarp::abi::KernelRecord* kernel(const std::string& name, std::string& error);
  const KernelCode* code(const unwarp::abi::KernelRecord& kernel, const KernelShape& shape, std::string& error);

  struct Variable {
    void* address = nullptr;
    uint64_t sizeBytes = 0;
  };
  /// The variable's place in a device's memory; a null address with `error` set when there is none.
  Variable variable(const std::string& name, int device, std::string& error);
  bool holds(const void* address);

  /// Device code uses this memory of the host for the variable.
  void bindManaged(const std::string& name, Variable host);
  /// Writes the first values of variables bound since the last call, which the newest translation unit defines.
  bool fillManaged(std::string& error);
  void reset(int device);

 private:
  bool prepare(std::string& error);
  JitRequest request() const;
  std::unique_ptr<LoadedObject> load(const unwarp::abi::KernelObject& entry, int device, std::string& error);
  LoadedObject* sharedObject(int device, std::string& error);

  std::mutex mutex_;
  std::vector<std::string> bitcode_;
  std::vector<JitModule> views_;
  std::string identity_;
  bool prepared_ = false;
  std::string failure_;
  unwarp::abi::KernelObject shared_;
  std::map<int, std::unique_ptr<LoadedObject>> sharedObjects_;  // by device: each has its own variables
  std::map<std::string, Variable> managed_;
  std::vector<std::string> unfilled_;
  std::map<std::string, const unwarp::abi::KernelRecord*> kernels_;
  std::map<std::string, KernelCode> codes_;
};

}  // namespace uw
