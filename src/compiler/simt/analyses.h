// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's four kinds of analysis managers, made known to each other as its pass builder wants it: what every pipeline of
// ours begins with.
#pragma once

#include <llvm/Passes/PassBuilder.h>

namespace unwarp::simt {

struct Analyses {
  explicit Analyses(llvm::PassBuilder& builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
};

}  // namespace unwarp::simt
