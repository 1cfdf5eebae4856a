// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the ELF relocatable object of a cache entry into memory, without LLVM and without a linker. It handles what our
// compiler emits (x86-64, position independent, small model) and refuses anything else by name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace uw {

class LoadedObject {
 public:
  /// Address of a symbol that the object does not define, or null.
  using Resolve = std::function<void*(const std::string& name)>;

  /// Null with `error` set when the object cannot be loaded. Memory stays until the object is destroyed.
  static std::unique_ptr<LoadedObject> load(std::string_view elf, const Resolve& resolve, std::string& error);
  ~LoadedObject();
  LoadedObject(const LoadedObject&) = delete;
  LoadedObject& operator=(const LoadedObject&) = delete;

  /// Address of a global symbol defined here, or null.
  void* symbol(const std::string& name) const;
  bool contains(const void* address) const;
  /// Distance in bytes of an address from the start of the section that line tables describe; nothing outside of it.
  std::optional<uint64_t> codeOffset(const void* address) const;

 private:
  friend class ObjectBuilder;
  LoadedObject() = default;
  char* memory_ = nullptr;
  size_t size_ = 0;
  std::map<std::string, void*> symbols_;
  const char* code_ = nullptr;
  size_t codeBytes_ = 0;
};

}  // namespace uw
