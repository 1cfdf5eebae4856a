// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects what the binary readers find into FileFacts: one use per record, however many tables of a file name it.
// Lines are 0: a binary has none.
#pragma once

#include <string>
#include <string_view>

#include "scan/binary/fat_binary.h"
#include "scan/facts.h"

namespace unwarp::scan {

/// Adds uses and notes to `out`, without doublets.
class BinaryFacts {
 public:
  BinaryFacts(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  /// A library file name as found (`libcudart-9335f6a2.so.12.0.107`, `cudart64_12.dll`). False when it binds nothing.
  bool addLibrary(std::string_view fileName);
  /// A library by its normalised name (`libcudart_static.a`).
  bool addNamedLibrary(std::string_view name, std::string_view version);
  /// The uses of section record `section`, with the architectures as version.
  void addGpuCode(std::string_view section, const FatBinary& code);
  /// A record of ecosystem `file`, for GPU code that is a file of its own (`code.cubin`).
  void addGpuFile(std::string_view canonicalName, std::string_view architectures);
  /// Code objects of clang's containers.
  void addOffload(const OffloadTargets& targets, std::string_view section);
  /// Is `libraryName` among the uses already?
  bool has(std::string_view libraryName) const;
  void note(std::string text);

 private:
  bool add(knowledge::Ecosystem ecosystem, std::string_view name, std::string_view version);

  const ReadContext& context_;
  FileFacts& out_;
};

/// Windows PE files: imported DLLs and the section of GPU code.
void readPe(const Input& input, BinaryFacts& facts);
/// ELF of machine EM_CUDA.
void readCubin(const ElfImage& image, BinaryFacts& facts);

}  // namespace unwarp::scan
