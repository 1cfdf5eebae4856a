// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the running program registered: its device images, and which host function or variable stands for which kernel
// or device variable. Filled by constructors before `main`, read by launches.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device_module.h"

namespace uw {

struct RegisteredKernel {
  DeviceModule* module = nullptr;
  std::string name;
  const unwarp::abi::KernelRecord* record = nullptr;  // after first use
  size_t dynamicSharedBytes = 0;                      // what cudaFuncSetAttribute allowed
  int carveout = -1;
};

class Program {
 public:
  /// `image` points to the bytes that our nvcc embedded. The handle is passed back by the other registrations.
  void** registerImage(const void* image);
  /// All relocatable device code of a program or shared library: clang's offload entries and the images. They form one
  /// module, as they would after NVIDIA's device link. Further calls with the same sections change nothing.
  void registerLinked(std::pair<const char*, const char*> entries, std::pair<const char*, const char*> images);
  void registerKernel(void** handle, const void* host, const char* name);
  void registerVariable(void** handle, const void* host, const char* name, size_t sizeBytes);
  /// Memory between these bounds belongs to `__managed__` variables.
  void noteManagedSection(char* begin, char* end);
  /// The image's registrations are complete: gives its managed variables their first values.
  void finishImage(void** handle);

  /// Null with `error` set when the address stands for no kernel, or its module cannot be compiled.
  RegisteredKernel* kernel(const void* host, std::string& error);
  DeviceModule::Variable variable(const void* host, int device, std::string& error);
  /// True for the memory of device variables.
  bool holds(const void* address);
  /// Forgets what a device has in its memory: variables start anew with the next use.
  void reset(int device);

 private:
  struct Symbol {
    DeviceModule* module;
    std::string name;
  };
  std::mutex mutex_;
  std::vector<std::unique_ptr<DeviceModule>> modules_;
  std::set<const char*> linked_;  // starts of the image sections registered so far
  std::map<const void*, RegisteredKernel> kernels_;
  std::map<const void*, Symbol> variables_;
  std::vector<std::pair<char*, char*>> managedSections_;
};

Program& program();

}  // namespace uw
