// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own part: optimise the lowered module for the CPU at hand and write an ELF relocatable object into memory.
// Position-independent code with the small model, so that the runtime's loader needs five kinds of relocation.
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/simt/analyses.h"
#include "compiler/simt/lowering.h"
#include "compiler/simt/source_lines.h"
#include "compiler/simt/thread_loops.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

// Listens to LLVM's remark about frames over the limit.
class FrameLimit : public DiagnosticHandler {
 public:
  explicit FrameLimit(Lowering& lowering) : lowering_(lowering) {}
  bool handleDiagnostics(const DiagnosticInfo& told) override {
    auto* frame = told.getKind() == DK_StackSize ? cast<DiagnosticInfoStackSize>(&told) : nullptr;
    if (!frame) return false;
    refuseLocalBytes(lowering_, frame->getResourceSize(), frame->getFunction().getName());
    return true;
  }

 private:
  Lowering& lowering_;
};

std::unique_ptr<TargetMachine> thisCpu(Lowering& lowering) {
  static const bool ready = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
    return true;
  }();
  (void)ready;
  std::string error;
  const Triple& triple = lowering.module->getTargetTriple();
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (!target) return lowering.fail("LLVM has no back end for this CPU: " + error), nullptr;
  SubtargetFeatures features;
  for (const auto& [name, enabled] : sys::getHostCPUFeatures()) features.AddFeature(name, enabled);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(triple, sys::getHostCPUName(), features.getString(),
                                                                    TargetOptions(), Reloc::PIC_, CodeModel::Small,
                                                                    CodeGenOptLevel::Default));
}

void addCpuAttributes(Module& module, const TargetMachine& machine) {
  for (Function& function : module) {
    if (function.isIntrinsic()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("warn-stack-size", std::to_string(kMostLocalBytes));
  }
}

void optimise(Module& module, TargetMachine& machine) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  PassBuilder builder(&machine, tuning);
  addThreadLoopPass(builder);
  Analyses analyses(builder);
  ModulePassManager pipeline;
  pipeline.addPass(GlobalDCEPass());
  pipeline.addPass(builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  pipeline.run(module, analyses.modules);
}

bool emit(Module& module, TargetMachine& machine, raw_pwrite_stream& out, CodeGenFileType type) {
  legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, out, nullptr, type)) return false;
  codegen.run(module);
  return true;
}

// A file of the dump folder: what is compiled, the block's shape and the tier make its name.
raw_fd_ostream dumpFile(const Lowering& lowering, const char* ending) {
  const uw::JitRequest& request = lowering.request;
  std::string name = request.kernel ? request.kernel : "shared-part";
  name = name.substr(0, 180) + "." + std::to_string(request.width);
  for (uint32_t extent : request.blockDim) name += "x" + std::to_string(extent);
  name += ".T" + std::to_string(static_cast<uint32_t>(request.tier)) + ending;
  std::error_code error;
  return raw_fd_ostream(std::string(request.dumpFolder) + "/" + name, error);
}

void dump(const Lowering& lowering, const char* ending) {
  if (!lowering.request.dumpFolder) return;
  raw_fd_ostream file = dumpFile(lowering, ending);
  lowering.module->print(file, nullptr);
}

void dumpAssembly(const Lowering& lowering, TargetMachine& machine) {
  if (!lowering.request.dumpFolder) return;
  raw_fd_ostream file = dumpFile(lowering, ".s");
  emit(*CloneModule(*lowering.module), machine, file, CodeGenFileType::AssemblyFile);
}

}  // namespace

void refuseLocalBytes(Lowering& lowering, uint64_t bytes, StringRef function) {
  lowering.fail("a thread needs " + std::to_string(bytes) + " bytes of local memory in '" + function.str() +
                "'; the most there is are " + std::to_string(kMostLocalBytes));
}

void emitObject(Lowering& lowering) {
  std::unique_ptr<TargetMachine> machine = thisCpu(lowering);
  if (!machine) return;
  Module& module = *lowering.module;
  module.setDataLayout(machine->createDataLayout());
  addCpuAttributes(module, *machine);
  std::string problem;
  raw_string_ostream text(problem);
  if (verifyModule(module, &text)) return lowering.fail("lowering made invalid IR (a fault of unwarp): " + problem);
  dump(lowering, ".lowered.ll");
  optimise(module, *machine);
  dump(lowering, ".optimised.ll");
  liftToUserLines(module);
  dumpAssembly(lowering, *machine);
  module.getContext().setDiagnosticHandler(std::make_unique<FrameLimit>(lowering));
  SmallVector<char, 0> bytes;
  raw_svector_ostream out(bytes);
  if (!emit(module, *machine, out, CodeGenFileType::ObjectFile)) {
    return lowering.fail("LLVM cannot write objects for this CPU");
  }
  lowering.result.object.assign(bytes.begin(), bytes.end());
  if (hasLines(module)) extractLines(lowering);
}

}  // namespace unwarp::simt
