// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler library's door (abi.h: JitCompile): bitcode in, cache entry out. The order of the passes is the story of
// the lowering; ARCHITECTURE.md tells why. Opened by the runtime on a cache miss only, because opening LLVM takes
// longer than running most kernels.
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/ErrorHandling.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

void lower(Lowering& lowering, llvm::LLVMContext& context) {
  loadModules(lowering, context);
  if (lowering.failed()) return;
  retarget(lowering);
  if (lowering.isManagedValues()) {
    keepManagedValues(lowering);
    if (!lowering.failed()) emitObject(lowering);
    return;
  }
  using Pass = void (*)(Lowering&);
  bool waits = lowering.request.tier != uw::Tier::loop || lowering.isSharedPart();
  for (Pass pass :
       {defineArithmetic, translateInlinePtx, translateNvvm, normalise, classify, waits ? insertProgress : nullptr,
        threadContext, waits ? recordObservations : nullptr, lowerStorage, lowerIntrinsics, makeEntries, emitObject}) {
    if (pass) pass(lowering);
    if (lowering.failed()) return;
  }
}

char* copied(const std::string& text) {
  char* bytes = static_cast<char*>(std::malloc(text.size() + 1));
  std::memcpy(bytes, text.c_str(), text.size() + 1);
  return bytes;
}

}  // namespace
}  // namespace unwarp::simt

extern "C" __attribute__((visibility("default"))) void uw_jit_compile(const uw::JitRequest* request,
                                                                      uw::JitResult* result) {
  auto start = std::chrono::steady_clock::now();
  llvm::LLVMContext context;
  // Remarks such as "loop not unrolled" answer pragmas meant for a GPU; a program's stderr is not the place for them.
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  unwarp::simt::Lowering lowering;
  lowering.request = *request;
  unwarp::simt::lower(lowering, context);
  *result = {};
  if (lowering.failed()) {
    result->error = unwarp::simt::copied(lowering.error);
    return;
  }
  auto took = std::chrono::steady_clock::now() - start;
  lowering.result.compileMicroseconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  std::string entry = unwarp::abi::encode(lowering.result);
  result->size = entry.size();
  result->entry = unwarp::simt::copied(entry);
}

extern "C" __attribute__((visibility("default"))) void uw_jit_free(char* bytes) {
  std::free(bytes);
}
