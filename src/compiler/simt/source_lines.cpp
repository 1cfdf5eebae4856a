// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/simt/source_lines.h"

#include <dlfcn.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/ObjCopy/CommonConfig.h>
#include <llvm/ObjCopy/ConfigManager.h>
#include <llvm/ObjCopy/ObjCopy.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <filesystem>

namespace unwarp::simt {
namespace {

using namespace llvm;

// DWARF 4 knows everything that lines need, and its tables are the smallest.
constexpr uint32_t kDwarfVersion = 4;

// The folder of the toolkit's headers: this library lies beside it.
const std::string& headerFolder() {
  static const std::string folder = [] {
    Dl_info self{};
    if (!dladdr(reinterpret_cast<const void*>(&headerFolder), &self) || !self.dli_fname) return std::string();
    std::error_code failed;
    std::filesystem::path library = std::filesystem::weakly_canonical(self.dli_fname, failed);
    return (library.parent_path().parent_path() / "include/").string();
  }();
  return folder;
}

bool isToolkitHeader(const DILocation& location) {
  StringRef name = location.getFilename();
  if (headerFolder().empty()) return false;
  return name.starts_with(headerFolder()) || (location.getDirectory() + "/" + name).str().starts_with(headerFolder());
}

// The innermost place that is the user's own, or the place itself when all of them are the toolkit's.
const DILocation* userPlace(const DILocation* place) {
  for (const DILocation* at = place; at; at = at->getInlinedAt())
    if (!isToolkitHeader(*at) && at->getLine() != 0) return at;
  return place;
}

uint32_t fileIndex(abi::LineTable& table, StringRef name) {
  auto found = std::find(table.files.begin(), table.files.end(), name);
  if (found == table.files.end()) found = table.files.insert(found, name.str());
  return static_cast<uint32_t>(found - table.files.begin());
}

// Rows of one unit. Line 0 means "made by the compiler": such code belongs to the line before it.
void addRows(abi::LineTable& table, DWARFContext& dwarf, DWARFUnit& unit, uint64_t codeSection) {
  const DWARFDebugLine::LineTable* lines = dwarf.getLineTableForUnit(&unit);
  if (!lines) return;
  for (const DWARFDebugLine::Row& row : lines->Rows) {
    std::string name;
    bool usable = row.Line != 0 && !row.EndSequence && row.Address.SectionIndex == codeSection &&
                  lines->getFileNameByIndex(row.File, unit.getCompilationDir(),
                                            DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath, name);
    if (usable) table.code.push_back({static_cast<uint32_t>(row.Address.Address), fileIndex(table, name), row.Line});
  }
}

// Ascending, one row for each address (the last one wins, as in DWARF), none that repeats the one before.
void tidyRows(std::vector<abi::SourceLine>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  std::vector<abi::SourceLine> kept;
  for (const abi::SourceLine& row : rows) {
    if (!kept.empty() && kept.back().at == row.at) kept.pop_back();
    if (!kept.empty() && kept.back().file == row.file && kept.back().line == row.line) continue;
    kept.push_back(row);
  }
  rows = std::move(kept);
}

std::string withoutDebugSections(object::ObjectFile& object, Lowering& lowering) {
  objcopy::ConfigManager wanted;
  wanted.Common.StripDebug = true;
  SmallVector<char, 0> bytes;
  raw_svector_ostream out(bytes);
  if (Error error = objcopy::executeObjcopyOnBinary(wanted, object, out))
    lowering.fail("debug sections cannot be dropped (a fault of unwarp): " + toString(std::move(error)));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

void keepLinesOnly(Module& module) {
  if (module.debug_compile_units().empty()) {
    StripDebugInfo(module);
    return;
  }
  stripNonLineTableDebugInfo(module);
  module.setModuleFlag(Module::Max, "Dwarf Version", kDwarfVersion);
}

void recordSite(Lowering& lowering, uint32_t site, const CallInst& call) {
  const DILocation* place = call.getDebugLoc();
  if (!place) return;
  place = userPlace(place);
  abi::LineTable& lines = lowering.result.lines;
  lines.sites.push_back({site, fileIndex(lines, place->getFilename()), place->getLine()});
}

void inheritLines(Function& entry, const Function& kernel, IRBuilder<>& builder) {
  DISubprogram* like = kernel.getSubprogram();
  if (!like) return;
  DIBuilder debug(*entry.getParent(), /*AllowUnresolved=*/false, like->getUnit());
  DISubroutineType* type = debug.createSubroutineType(debug.getOrCreateTypeArray({}));
  DISubprogram* own = debug.createFunction(like->getFile(), entry.getName(), "", like->getFile(), like->getLine(), type,
                                           like->getLine(), DINode::FlagArtificial,
                                           DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  debug.finalizeSubprogram(own);
  debug.finalize();
  entry.setSubprogram(own);
  builder.SetCurrentDebugLocation(DILocation::get(entry.getContext(), like->getLine(), 0, own));
}

void liftToUserLines(Module& module) {
  for (Function& function : module) {
    if (!function.getSubprogram()) continue;
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        const DILocation* place = instruction.getDebugLoc();
        if (place) instruction.setDebugLoc(DebugLoc(userPlace(place)));
      }
    }
  }
}

bool hasLines(const Module& module) {
  return !module.debug_compile_units().empty();
}

void extractLines(Lowering& lowering) {
  MemoryBufferRef bytes(lowering.result.object, "kernel");
  Expected<std::unique_ptr<object::ObjectFile>> object = object::ObjectFile::createELFObjectFile(bytes);
  if (!object) return lowering.fail("the emitted object cannot be read: " + toString(object.takeError()));
  std::unique_ptr<DWARFContext> dwarf = DWARFContext::create(**object);
  abi::LineTable& lines = lowering.result.lines;
  for (const object::SectionRef& section : (*object)->sections()) {
    if (Expected<StringRef> name = section.getName(); !name || *name != StringRef(abi::kLineSection)) continue;
    for (const auto& unit : dwarf->compile_units()) addRows(lines, *dwarf, *unit, section.getIndex());
  }
  tidyRows(lines.code);
  lowering.result.object = withoutDebugSections(**object, lowering);
}

}  // namespace unwarp::simt
