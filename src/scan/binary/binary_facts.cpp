// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-ups and wording shared by the readers of ELF, PE and GPU code files.
// Limits: a second version of the same library in one file is dropped (the first with a version is kept).
#include "scan/binary/binary_facts.h"

#include <algorithm>

#include "base/text.h"
#include "scan/binary/library_name.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t maxNotes = 64;

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

}  // namespace

void BinaryFacts::note(std::string text) {
  if (out_.notes.size() >= maxNotes) return;
  if (std::find(out_.notes.begin(), out_.notes.end(), text) == out_.notes.end()) out_.notes.push_back(std::move(text));
}

bool BinaryFacts::add(knowledge::Ecosystem ecosystem, std::string_view name, std::string_view version) {
  const std::uint32_t record = context_.knowledge.findDependency(ecosystem, name);
  if (record == knowledge::Knowledge::none) return false;
  for (DependencyUse& use : out_.dependencies) {
    if (use.record != record) continue;
    if (use.version.empty()) use.version = version;
    return true;
  }
  return addDependency(context_, out_, ecosystem, name, 0, version);
}

bool BinaryFacts::addLibrary(std::string_view fileName) {
  const auto library = parseLibraryName(fileName);
  if (!library) return false;
  if (library->name.starts_with("libamdhip64.") || library->name.starts_with("libhiprtc.") ||
      library->name.starts_with("librocblas.") || library->name.starts_with("libMIOpen."))
    note("uses ROCm: " + library->name);
  return add(knowledge::Ecosystem::Lib, library->name, toValidUtf8(library->version));
}

bool BinaryFacts::addNamedLibrary(std::string_view name, std::string_view version) {
  return add(knowledge::Ecosystem::Lib, name, version);
}

bool BinaryFacts::has(std::string_view libraryName) const {
  const std::uint32_t record = context_.knowledge.findDependency(knowledge::Ecosystem::Lib, libraryName);
  return record != knowledge::Knowledge::none &&
         std::any_of(out_.dependencies.begin(), out_.dependencies.end(),
                     [&](const DependencyUse& use) { return use.record == record; });
}

void BinaryFacts::addGpuCode(std::string_view section, const FatBinary& code) {
  for (const std::string& problem : code.problems) note(std::string(section) + ": " + problem);
  const std::string architectures = listArchitectures(code.images);
  if (code.containers == 0) note(std::string(section) + ": no GPU code container recognised");
  add(knowledge::Ecosystem::Section, ".nv_fatbin", architectures);
  if (architectures.empty()) return;
  const std::size_t compressed = static_cast<std::size_t>(
      std::count_if(code.images.begin(), code.images.end(), [](const GpuImage& image) { return image.compressed; }));
  note("GPU code in " + std::string(section) + ": " + architectures + " (" + std::to_string(code.images.size()) +
       " images, " + std::to_string(compressed) + " compressed, " + std::to_string(code.containers) + " containers)");
}

void BinaryFacts::addGpuFile(std::string_view canonicalName, std::string_view architectures) {
  add(knowledge::Ecosystem::File, canonicalName, architectures);
  if (!architectures.empty()) note("GPU code: " + std::string(architectures));
}

void BinaryFacts::addOffload(const OffloadTargets& targets, std::string_view section) {
  for (const std::string& problem : targets.problems) note(std::string(section) + ": " + problem);
  if (!targets.amd.empty()) note("AMD GPU code in " + std::string(section) + ": " + join(targets.amd));
  if (targets.nvidia.empty()) return;
  add(knowledge::Ecosystem::Section, ".nv_fatbin", join(targets.nvidia));
  note("NVIDIA GPU code in " + std::string(section) + ": " + join(targets.nvidia));
}

}  // namespace unwarp::scan
